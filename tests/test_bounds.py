"""No library with a known fault is admitted: the bounds of pyproject.toml."""

import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.version import Version

HOME = Path(__file__).parents[1]
MENDED = {
    "cryptography": "46.0.7",
    "dask": "2026.1.1",
    "h11": "0.16.0",
    "Jinja2": "3.1.6",  # CVE-2025-27516: the filter `attr` led out of the sandbox
    "pillow": "12.3.0",
    "platformdirs": "4.11.8",  # took relative paths of XDG_DATA_HOME
    "starlette": "1.3.0",
    "websockets": "17.4",  # a message in endless pieces filled the memory
    "zeroconf": "0.149.16",
}
"""The versions that mended the last known fault of a library."""


def required() -> list[Requirement]:
    project = tomllib.loads((HOME / "pyproject.toml").read_text("utf-8"))["project"]
    extras = project["optional-dependencies"].values()
    return [Requirement(each) for part in (project["dependencies"], *extras) for each in part]


@pytest.mark.parametrize("name", MENDED)
def test_no_version_with_a_known_fault_is_admitted(name: str) -> None:
    bounds = [each.specifier for each in required() if each.name == name]
    assert bounds
    for bound in bounds:
        least = max(Version(each.version) for each in bound if each.operator == ">=")
        assert least >= Version(MENDED[name])


def test_every_library_has_both_bounds() -> None:
    for each in required():
        operators = {bound.operator for bound in each.specifier}
        assert operators in ({">=", "<"}, {"=="}), each
