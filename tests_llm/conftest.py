"""The server of a real small model, which all tests here share."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

# The interpreter that has xllamacpp and the weights, if that is not this one.
PYTHON = os.environ.get("ADJUDGE_LLM_PYTHON", sys.executable)


@pytest.fixture(scope="session")
def url() -> Iterator[str]:
    """The address of the server."""
    code = Path(__file__).with_name("serve.py")
    with subprocess.Popen(
        [PYTHON, str(code)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as server:
        assert server.stdin is not None
        assert server.stdout is not None
        assert server.stderr is not None
        with ThreadPoolExecutor(1) as pool:
            log = pool.submit(server.stderr.read)  # A full pipe would hold the server up.
            address = server.stdout.readline().strip()
            try:
                yield address or pytest.fail("the server did not start")
            finally:
                server.stdin.close()
                server.wait(timeout=30)
                print(log.result()[-2000:])
