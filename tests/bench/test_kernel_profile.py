"""The kernel that bench/kernel_profile.py measures."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.bench.scripts import run_with_script

CODE = "from pathlib import Path; script.import_profiled_package(Path(sys.argv[1])); print(sys.modules['webtongue'].__file__)"


@pytest.fixture
def package(tmp_path: Path) -> Path:
    folder = tmp_path / "webtongue"
    folder.mkdir()
    for name in ("__init__.py", "_kernel.py", "_kernel_of_another_build.py"):
        (folder / name).write_text("")
    return folder


def test_the_profiled_package_comes_before_an_editable_install(package: Path) -> None:
    completed = run_with_script("kernel_profile", CODE, str(package / "_kernel.py"))
    assert completed.stdout.strip() == str(package / "__init__.py"), completed.stderr


def test_another_kernel_is_an_error(package: Path) -> None:
    completed = run_with_script("kernel_profile", CODE, str(package / "_kernel_of_another_build.py"))
    assert completed.returncode == 1 and "the kernel that is imported is" in completed.stderr
