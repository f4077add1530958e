"""A server of object storage on this machine, and a connection to it that can be cut."""

from __future__ import annotations

import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from importlib.util import find_spec
from threading import Thread
from time import monotonic, sleep
from typing import Any
from urllib.request import Request, urlopen

import pytest

BUCKET = "trips"
START_SECONDS = 60


class StorageServer:
    """A server that speaks S3 (moto), in a process of its own."""

    def __init__(self) -> None:
        if not find_spec("moto") or not find_spec("flask_cors"):
            pytest.skip("needs moto and flask-cors (the extra `dev`)")
        with closing(socket.create_server(("127.0.0.1", 0))) as free:
            self.port = free.getsockname()[1]
        command = [sys.executable, "-m", "moto.server", "-H", "127.0.0.1", "-p", str(self.port)]
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        self.process = subprocess.Popen(command, **quiet)
        self._wait()

    def __enter__(self) -> StorageServer:
        return self

    def __exit__(self, *_: object) -> None:
        self.process.kill()
        self.process.wait()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def put(self, key: str, content: bytes) -> str:
        """Write an object, and give its address."""
        filesystem = self.filesystem()
        filesystem.create_dir(BUCKET)
        with filesystem.open_output_stream(f"{BUCKET}/{key}", compression=None) as file:
            file.write(content)
        return f"s3://{BUCKET}/{key}"

    def filesystem(self) -> Any:
        from pyarrow import fs

        keys = {"access_key": "key", "secret_key": "secret"}
        return fs.S3FileSystem(**keys, endpoint_override=self.url, region="us-east-1", allow_bucket_creation=True)

    def check_keys(self) -> None:
        """Refuse requests from here on, since no key is known."""
        urlopen(Request(f"{self.url}/moto-api/reset-auth", data=b"0", headers={"Content-Type": "text/plain"})).close()

    def _wait(self) -> None:
        end = monotonic() + START_SECONDS
        while True:
            try:
                socket.create_connection(("127.0.0.1", self.port)).close()
                return
            except OSError:
                if self.process.poll() is not None or monotonic() > end:
                    pytest.skip("moto does not start here")
                sleep(0.05)


@contextmanager
def cut_after(server: StorageServer, count: int) -> Iterator[str]:
    """The address of a proxy that passes on so many bytes of answers, then ends every connection."""
    left = [count]
    with closing(socket.create_server(("127.0.0.1", 0))) as listener:
        Thread(target=_serve, args=(listener, server.port, left), daemon=True).start()
        yield f"http://127.0.0.1:{listener.getsockname()[1]}"


def _serve(listener: socket.socket, port: int, left: list[int]) -> None:
    while True:
        try:
            client, _ = listener.accept()
        except OSError:
            return
        if left[0] <= 0:
            client.close()
            continue
        upstream = socket.create_connection(("127.0.0.1", port))
        Thread(target=_pump, args=(client, upstream, [1 << 60]), daemon=True).start()
        Thread(target=_pump, args=(upstream, client, left), daemon=True).start()


def _pump(source: socket.socket, target: socket.socket, left: list[int]) -> None:
    try:
        while left[0] > 0 and (data := source.recv(1 << 16)):
            target.sendall(data[: left[0]])
            left[0] -= len(data)
    except OSError:
        pass
    for end in (source, target):
        with closing(end):
            try:
                end.shutdown(socket.SHUT_RDWR)
            except OSError:
                continue
