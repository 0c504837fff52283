"""The scripts of bench/, tools/ and experiments/studies can be imported, so that a name which was moved or removed is found.

Importing a script defines functions only; its ``main()`` is not called. The scripts of a folder are imported in one process, with the
folder first on sys.path as if each were run by its path. A script whose optional package is missing is skipped.
"""

from __future__ import annotations

import contextlib
import json
import subprocess
import sys
import traceback
from configparser import ConfigParser
from functools import cache
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).absolute().parents[1]
FOLDERS = ("bench", "tools", "tools/tables", "tools/weights", "experiments/studies")
SCRIPTS = [(folder, path.name) for folder in FOLDERS for path in sorted((ROOT / folder).glob("*.py"))]


def optional_packages() -> set[str]:
    """Return the packages that mypy-scripts.ini lists as being outside of the extra "dev"."""
    config = ConfigParser()
    config.read(ROOT / "mypy-scripts.ini", encoding="utf-8")
    sections = (name for name in config.sections() if config[name].get("follow_imports") == "skip")
    return {
        pattern.strip().removesuffix(".*")
        for section in sections
        for pattern in section.removeprefix("mypy-").split(",")
    }


def import_script(path: Path) -> None:
    spec = spec_from_file_location(f"script_{path.stem}", path)
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)


def is_of_scripts(module: ModuleType) -> bool:
    """Return True for a script, and for a module that scripts find by sys.path: neither installed nor of the package."""
    path = Path(getattr(module, "__file__", None) or sys.prefix)
    return path.is_relative_to(ROOT) and not path.is_relative_to(ROOT / "src") and not path.is_relative_to(sys.prefix)


def import_folder(folder: Path) -> dict[str, tuple[str, str]]:
    """Import every script of a folder; return the missing optional package, or else the error, of each script that fails."""
    optional = optional_packages()
    import_path, modules = [str(folder), *sys.path[1:]], set(sys.modules)
    failures: dict[str, tuple[str, str]] = {}
    for path in sorted(folder.glob("*.py")):
        sys.path[:] = import_path  # without what the script before has added, as the modules below
        for name in [name for name, module in sys.modules.items() if name not in modules and is_of_scripts(module)]:
            del sys.modules[name]
        try:
            import_script(path)
        except (Exception, SystemExit) as error:
            package = (error.name or "").partition(".")[0] if isinstance(error, ModuleNotFoundError) else ""
            failures[path.name] = (package if package in optional else "", traceback.format_exc())
    return failures


@cache
def failures_of(folder: str) -> dict[str, tuple[str, str]]:
    """Return the failures of a folder's scripts, which another process imports."""
    completed = subprocess.run(
        [sys.executable, __file__, str(ROOT / folder)], cwd=ROOT, capture_output=True, text=True, timeout=300
    )
    assert completed.returncode == 0, completed.stderr
    return {name: (package, error) for name, (package, error) in json.loads(completed.stdout).items()}


@pytest.mark.parametrize(("folder", "name"), SCRIPTS, ids=["/".join(script) for script in SCRIPTS])
def test_script_can_be_imported(folder: str, name: str) -> None:
    package, error = failures_of(folder).get(name, ("", ""))
    if package:
        pytest.skip(f"{folder}/{name} needs the package {package}, which is not installed.")
    assert not error, error


if __name__ == "__main__":
    with contextlib.redirect_stdout(sys.stderr):
        result = import_folder(Path(sys.argv[1]))
    print(json.dumps(result))
