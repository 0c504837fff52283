"""The settings: docs/settings.md describes each with its default, the command has the same defaults, and the public names."""

from __future__ import annotations

import inspect
import re
from dataclasses import fields
from pathlib import Path

import pytest

import webtongue.crawl
from webtongue.crawl import Config
from webtongue.errors import UsageError

DOCS = Path(__file__).parents[2] / "docs" / "settings.md"
# Parameters of the command that have other names than their settings, or other types.
OTHER_OPTIONS = {"language", "drop", "largest_page", "ignore_robots", "out", "seeds", "resume", "log"}


def test_every_setting_is_documented_with_its_default() -> None:
    documented = re.findall(r"^`WEBTONGUE_(\w+)` — default: `(.*)`$", DOCS.read_text("utf-8"), re.MULTILINE)
    assert documented == [(field.name.upper(), repr(field.default)) for field in fields(Config)]


def test_the_command_has_the_same_defaults() -> None:
    from webtongue.cli.crawl import command

    parameters = inspect.signature(command).parameters
    defaults = {name: parameter.default for name, parameter in parameters.items() if name not in OTHER_OPTIONS}
    config = Config()
    assert defaults == {name: getattr(config, name) for name in defaults}


@pytest.mark.parametrize(
    "settings",
    [{"WEBTONGUE_QUOTA": "many"}, {"WEBTONGUE_POLICY": "best"}, {"WEBTONGUE_TIMEOUT": 0}, {"WEBTONGUE_DELAY": "inf"}],
)
def test_wrong_settings_are_refused(settings: dict[str, object]) -> None:
    with pytest.raises(UsageError):
        Config.from_settings(settings)


def test_public_names() -> None:
    assert webtongue.crawl.__all__ == ["COMPONENTS", "Config", "Progress", "Summary", "crawl"]
