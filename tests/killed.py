"""A play that kills itself while it writes, for tests of what is left then."""

from __future__ import annotations

import os
from pathlib import Path

# `adjudge`, which kills itself at the line of a number: before its bytes, after a share of them, or after all of them.
KILLED = """
import os, signal, sys
from adjudge.cli.main import main
from adjudge.play import folder

left, share = int(sys.argv[1]), float(sys.argv[2])
write_all = folder.write_all

def write_and_die(file, content):
    global left
    lines = content.splitlines(keepends=True)
    if len(lines) < left:
        left -= len(lines)
        return write_all(file, content)
    last = lines[left - 1]
    write_all(file, b"".join(lines[:left - 1]) + last[:int(share * len(last))])
    os.kill(os.getpid(), signal.SIGKILL)

folder.write_all = write_and_die
sys.exit(main(sys.argv[3:]))
"""


def environment(site: Path) -> dict[str, str]:
    """The environment of a process that has the packages of a folder, and those of the tests."""
    paths = [str(site), str(Path(__file__).parent), *filter(None, [os.environ.get("PYTHONPATH")])]
    return {**os.environ, "PYTHONPATH": os.pathsep.join(paths)}
