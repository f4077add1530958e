"""How to install what is missing: the command that works for this installation."""

from __future__ import annotations

import json
import os
import shlex
import shutil
import sys
from typing import Any


def install_command(extra: str) -> str:
    """The command that installs an extra of adjudge, from a checkout if adjudge was installed from one."""
    return f"{_pip()} install {_source(extra)}"


def _pip() -> str:
    """`pip` if that is the one of this Python, else this Python's."""
    command = shutil.which("pip")
    same = command is not None and os.path.dirname(command) == os.path.dirname(sys.executable)
    return "pip" if same else f"{shlex.quote(sys.executable)} -m pip"


def _source(extra: str) -> str:
    """What pip is given: the package's name, or the folder that it was installed from."""
    from urllib.parse import urlparse
    from urllib.request import url2pathname  # brings ssl, which takes a while to import

    origin = _origin()
    folder = url2pathname(urlparse(origin.get("url", "")).path)
    if "dir_info" not in origin or not os.path.isfile(os.path.join(folder, "pyproject.toml")):
        return f"'adjudge[{extra}]'"
    editable = "-e " if origin["dir_info"].get("editable") else ""
    return f"{editable}'{folder}[{extra}]'"


def _origin() -> dict[str, Any]:
    """Where adjudge was installed from, as pip keeps it (PEP 610); empty for a package index."""
    from importlib import metadata

    try:
        kept = metadata.distribution("adjudge").read_text("direct_url.json")
    except metadata.PackageNotFoundError:
        return {}
    return dict(json.loads(kept)) if kept else {}
