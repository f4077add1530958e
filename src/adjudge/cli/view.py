"""`adjudge view`: look at runs in the browser."""

from __future__ import annotations

import argparse
from contextlib import suppress
from pathlib import Path

from adjudge.cli.options import parser
from adjudge.cli.output import output_path
from adjudge.core.errors import BadInput
from adjudge.read.addresses import refuse_address

EPILOG = """examples:
  adjudge view                        all runs below the folder `runs`
  adjudge view runs/demo --port 8000  one run, at an address that stays the same
  adjudge view runs --export site     the same pages as files, for a paper or a web site
"""


def run(arguments: list[str]) -> int:
    """Serve the runs below a folder on this machine, or write them as files."""
    given = _parser().parse_args(arguments)
    refuse_address(given.folder, "a folder of runs", "copy it first")
    root = Path(given.folder)
    if not root.is_dir():
        raise BadInput(f"{root}: no such folder; expected one that holds runs, such as `runs` after `adjudge demo`")
    if given.export:
        return _export(root, output_path(given.export, "folder"), given.quiet)
    return _serve(root, given)


def _export(root: Path, target: Path, quiet: bool) -> int:
    from adjudge.web.export import export_site

    pages = export_site(root, target)
    if not quiet:
        print(f"wrote {pages:,} pages to {target}; open {target / 'index.html'}")
    return 0


def _serve(root: Path, given: argparse.Namespace) -> int:
    _check_installed()
    from adjudge.web.run_server import Listening, serve

    def announce(address: str) -> None:
        print(f"{root} at {address} (Ctrl+C ends it)", flush=True)
        if not given.no_open:
            import webbrowser

            webbrowser.open(address)

    with suppress(KeyboardInterrupt):
        serve(root, Listening(given.host, given.port, given.token), announce)
    return 0


def _check_installed() -> None:
    from importlib.util import find_spec

    from adjudge.core.install import install_command

    missing = [name for name in ("starlette", "uvicorn") if find_spec(name) is None]
    if missing:
        raise BadInput(f"{missing[0]} is not installed; install it with {install_command('view')}")


def _parser() -> argparse.ArgumentParser:
    options = parser(
        "view",
        "Look at all runs below a folder in the browser: every conversation with its marks, two of them side by side,\n"
        "and a queue for labels by people. Serves this machine only; nothing is sent anywhere.",
        EPILOG,
    )
    options.add_argument("folder", nargs="?", default="runs", metavar="DIR", help="the folder (default: runs)")
    options.add_argument("--port", type=int, default=0, metavar="N", help="the port (default: a free one)")
    options.add_argument("--no-open", action="store_true", help="do not open the browser")
    options.add_argument(
        "--host", default="127.0.0.1", metavar="ADDRESS", help="listen on another address; needs --token"
    )
    options.add_argument("--token", default="", metavar="TEXT", help="a token that every visitor must give")
    options.add_argument("--export", metavar="FOLDER", help="write the pages as files that work without a server")
    options.add_argument("-q", "--quiet", action="store_true", help="print nothing but errors")
    return options
