"""The suites that come with adjudge: plug-ins that happen to be installed are not under test."""

from __future__ import annotations

from pathlib import Path

import adjudge

OWN_SUITES = sorted(
    folder.name for folder in (Path(adjudge.__file__).parent / "suites").iterdir() if (folder / "metrics").is_dir()
)
