"""Tell whether two censuses can be compared: a difference of unit, method or model must not look like a change of the web."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from webtongue.census.folder import ABOUT, read_about
from webtongue.errors import UsageError

__all__ = ["check_comparable", "check_units"]

OWN_METHOD = "the model"
# Settings that change answers without changing what is counted.
SETTINGS = {
    "priors": "priors",
    "languages": "allowed languages",
    "evidence": "sources of evidence",
    "second_pass": "second pass",
}


def check_comparable(first: Path, second: Path, kind: str) -> tuple[str, ...]:
    """Return warnings about differences of model and settings; raise UsageError if the unit or the method differs.

    ``kind`` is what is compared: servers depend on neither, pages by country on the unit alone.
    """
    about = [_read_about(folder) for folder in (first, second)]
    configs = [_config(census) for census in about]
    samples = _describe_samples(configs)
    if kind == "servers":
        return samples
    check_units(first, second)
    if kind == "countries":
        return samples
    methods = [config.get("method") or OWN_METHOD for config in configs]
    if methods[0] != methods[1]:
        raise UsageError(
            f"{first} was identified by {methods[0]} and {second} by {methods[1]}: run both censuses with the same --method, "
            "or compare what does not depend on it (--by countries, --by servers)"
        )
    return (*samples, *_describe_differences(about, configs))


def check_units(first: Path, second: Path) -> None:
    """Raise UsageError if one of two censuses counts all pages and the other home pages."""
    configs = [_config(_read_about(folder)) for folder in (first, second)]
    units = ["one home page per server" if config.get("portal") else "all pages" for config in configs]
    if units[0] != units[1]:
        raise UsageError(
            f"{first} counts {units[0]} and {second} {units[1]}: run both censuses with or without --portal, "
            "or compare their servers (webtongue compare --by servers)"
        )


def _config(about: Mapping[str, Any]) -> dict[str, Any]:
    config = about.get("config")
    return config if isinstance(config, dict) else {}


def _describe_samples(configs: Sequence[Mapping[str, Any]]) -> tuple[str, ...]:
    """Return a warning if the censuses read different shares of their captures."""
    samples = [config.get("sample", 1.0) for config in configs]
    if samples[0] == samples[1]:
        return ()
    shown = [f"{sample:.4g}" if isinstance(sample, float | int) else repr(sample) for sample in samples]
    return (
        f"A has a sample of {shown[0]} of its captures and B of {shown[1]} (--sample): compare shares, "
        "and not numbers of pages, languages, hosts or servers",
    )


def _describe_differences(about: Sequence[Mapping[str, Any]], configs: Sequence[Mapping[str, Any]]) -> list[str]:
    warnings = []
    models = [census.get("model") for census in about]
    if all(models) and models[0] != models[1]:
        warnings.append(
            f"A was identified by model {models[0]} and B by {models[1]}: changes may be those of the model; "
            "run the older census again to tell"
        )
    for name, words in SETTINGS.items():
        values = [config.get(name) for config in configs]
        if all(name in config for config in configs) and values[0] != values[1]:
            shown = ["default" if value is None else value for value in values]
            warnings.append(f"the {words} of A and B differ ({shown[0]}, {shown[1]}): run both with the same setting")
    return warnings


def _read_about(folder: Path) -> dict[str, Any]:
    try:
        return read_about(folder)
    except ValueError:
        raise UsageError(f"{folder / ABOUT} is damaged: run the census again with --resume") from None
