"""The server started and stopped."""

from __future__ import annotations

import socket
from collections.abc import Callable
from pathlib import Path
from threading import Thread

import uvicorn
from msgspec import Struct

from adjudge.core.errors import BadInput
from adjudge.web.catalogue import Catalogue
from adjudge.web.frame import environment, load_templates
from adjudge.web.security import LOOPBACK, Guard
from adjudge.web.server import Site, make_app


class Listening(Struct, frozen=True):
    """Where a server listens; port 0 takes a free one."""

    host: str = "127.0.0.1"
    port: int = 0
    token: str = ""


def serve(root: Path, listening: Listening, announce: Callable[[str], None]) -> None:
    """Serve the runs below a folder until the process is interrupted; `announce` gets the address first."""
    if listening.host not in LOOPBACK and not listening.token:
        raise BadInput(
            f"--host {listening.host}: others could read every run; expected --token as well, or no --host, which "
            "serves this machine only"
        )
    with _listen(listening) as listener:
        port = listener.getsockname()[1]
        guard = Guard.of(root, listening.host, port, listening.token)
        app = make_app(Site(Catalogue(root), guard))
        name = f"[{listening.host}]" if ":" in listening.host else listening.host
        environment()
        Thread(target=load_templates, daemon=True).start()
        announce(f"http://{name}:{port}/" + (f"?token={listening.token}" if listening.token else ""))
        config = uvicorn.Config(app, log_level="warning", access_log=False, server_header=False, lifespan="off")
        uvicorn.Server(config).run(sockets=[listener])


def _listen(listening: Listening) -> socket.socket:
    family = socket.AF_INET6 if ":" in listening.host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((listening.host, listening.port))
        listener.listen(128)  # Who asks before the server is up has to wait, and is not turned away.
    except (OSError, OverflowError) as error:
        listener.close()
        why = f"{error.strerror} on {listening.host}" if isinstance(error, OSError) else "ports go from 0 to 65535"
        raise BadInput(f"--port {listening.port}: {why}; name another, or none to take a free one") from error
    return listener
