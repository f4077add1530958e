"""Python files that users name, imported as modules."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

from adjudge.core.errors import BadInput


def load_module(path: Path, prefix: str, missing: str) -> ModuleType:
    """The module of a Python file, called by the prefix and the file's name.

    Raises BadInput: with the message `missing` if it is no Python file, with the error if it cannot be imported.
    """
    spec = importlib.util.spec_from_file_location(f"{prefix}_{path.stem}", path)
    if not path.is_file() or spec is None or spec.loader is None:
        raise BadInput(missing)
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # Types that are declared in the file look their module up.
    try:
        spec.loader.exec_module(module)
    except (Exception, SystemExit) as error:
        raise BadInput(f"{path}: cannot be imported: {type(error).__name__}: {error}") from error
    return module
