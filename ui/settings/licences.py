"""The licences of all bundled libraries."""

import re
from contextlib import suppress
from importlib.metadata import Distribution, PackageMetadata, PackageNotFoundError, distribution
from pathlib import Path

import msgspec
from msgspec import Struct

OWN_PACKAGE = "tabletop-taku"
BUNDLED_EXTRAS = "server"
"""The package's extras that a bundle includes, separated by commas."""
REQUIREMENT = re.compile(r"(?P<name>[\w.-]+)\s*(?:\[(?P<extras>[\w,.-]+)\])?")
EXTRA = re.compile(r"""\bextra\s*==\s*['"]([\w.-]+)['"]""")
LICENCE_FILES = re.compile(r"(licen[cs]e(?!ref-qt-commercial)|copying|notice)", re.IGNORECASE)
"""Pattern for the names of licence files.

It excludes the commercial licence in Qt's Windows wheels, which doesn't apply.
"""
BUNDLED_LICENCES = Path(__file__).parents[1] / "licences.json"
"""A file with the licences of the bundle's other contents, or of all contents if it is compiled.

The build writes this file.
"""


class Licence(Struct, frozen=True, order=True):
    """A library and its licence."""

    name: str
    version: str
    kind: str
    """The licence's short name, such as "MIT"."""
    text: str
    """The full text of the licence."""


def licences_in_use() -> tuple[Licence, ...]:
    """Return the licences of all libraries that this installation uses, sorted by name."""
    licences = [licence_of(each) for each in needed_packages().values()]
    if BUNDLED_LICENCES.is_file():
        licences += msgspec.json.decode(BUNDLED_LICENCES.read_bytes(), type=list[Licence])
    return tuple(sorted(licences, key=lambda licence: licence.name.lower()))


def licence_texts(maker: Distribution) -> str:
    """Return the texts of all licence files in the package `maker`."""
    files = [file for file in maker.files or () if LICENCE_FILES.match(file.name)]
    read = (Path(str(maker.locate_file(file))) for file in files if file.suffix != ".py")
    return "\n\n".join(path.read_text("utf-8", errors="replace") for path in read if path.is_file())


def needed_packages(
    name: str = OWN_PACKAGE, extras: str = BUNDLED_EXTRAS
) -> dict[str, Distribution]:
    """Return the direct and indirect requirements of the package `name` that are installed.

    Args:
        name: a distribution name.
        extras: the extras to include, separated by commas.
    """
    packages: dict[str, Distribution] = {}
    waiting = [(name, extras)]
    while waiting:
        asking, extras = waiting.pop()
        for line in requirements(asking):
            wanted, extra = REQUIREMENT.match(line), EXTRA.search(line)
            if wanted is None or (extra and extra[1] not in extras.split(",")):
                continue
            with suppress(PackageNotFoundError):  # the requirement is for another system
                package = distribution(wanted["name"])
                if package.name not in packages or wanted["extras"]:
                    packages[package.name] = package
                    waiting.append((package.name, wanted["extras"] or ""))
    return packages


def requirements(name: str) -> list[str]:
    """Return the requirements of the package `name`; empty if it isn't installed."""
    with suppress(PackageNotFoundError):
        return distribution(name).requires or []
    return []


def licence_of(package: Distribution) -> Licence:
    """Return the licence of `package` according to its metadata."""
    metadata = package.metadata
    named = _entry(metadata, "License-Expression") or _first_line(_entry(metadata, "License"))
    classified = [
        line for line in metadata.get_all("Classifier") or () if line.startswith("License ")
    ]
    kind = named or (classified[0].rpartition(" :: ")[2] if classified else "")
    return Licence(package.name, package.version, kind, licence_texts(package))


def _entry(metadata: PackageMetadata, name: str) -> str:
    return next(iter(metadata.get_all(name) or ()), "")


def _first_line(text: str) -> str:
    """Return the first line of `text`, or "" if it is too long for a licence's name."""
    first = text.strip().partition("\n")[0]
    return first if len(first) <= 60 else ""
