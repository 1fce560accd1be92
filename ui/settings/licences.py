"""Licences of every library that the program carries."""

import re
from contextlib import suppress
from importlib.metadata import Distribution, PackageMetadata, PackageNotFoundError, distribution
from pathlib import Path

import msgspec
from msgspec import Struct

OURS = "tabletop-taku"
CARRIED = "server"
"""The extras that a bundle brings along."""
REQUIREMENT = re.compile(r"(?P<name>[\w.-]+)\s*(?:\[(?P<extras>[\w,.-]+)\])?")
EXTRA = re.compile(r"""\bextra\s*==\s*['"]([\w.-]+)['"]""")
LICENCE_FILES = re.compile(r"(licen[cs]e(?!ref-qt-commercial)|copying|notice)", re.IGNORECASE)
"""Qt's wheels for Windows carry only the commercial licence, which does not apply here."""
BUNDLED = Path(__file__).parents[1] / "licences.json"
"""The contents of a bundle beside Python's packages, or a wheel in the compiled form; written when
it is made."""


class Licence(Struct, frozen=True, order=True):
    """A library, and what its makers allow: a short name such as MIT, and the text."""

    name: str
    version: str
    kind: str
    text: str


def licences_in_use() -> tuple[Licence, ...]:
    """All libraries that the program runs with here, by name."""
    licences = [licence_of(each) for each in needed_packages().values()]
    if BUNDLED.is_file():
        licences += msgspec.json.decode(BUNDLED.read_bytes(), type=list[Licence])
    return tuple(sorted(licences, key=lambda licence: licence.name.lower()))


def texts(maker: Distribution) -> str:
    """All licences that a package brings with it."""
    files = [file for file in maker.files or () if LICENCE_FILES.match(file.name)]
    read = (Path(str(maker.locate_file(file))) for file in files if file.suffix != ".py")
    return "\n\n".join(path.read_text("utf-8", errors="replace") for path in read if path.is_file())


def needed_packages(name: str = OURS, extras: str = CARRIED) -> dict[str, Distribution]:
    """The packages that this one asks for, with these extras, and those that they ask for in turn;
    of all of them those that are installed."""
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
    """The requirements of a package; none where it runs without being installed."""
    with suppress(PackageNotFoundError):
        return distribution(name).requires or []
    return []


def licence_of(package: Distribution) -> Licence:
    """The licence of a package by its metadata."""
    metadata = package.metadata
    named = _entry(metadata, "License-Expression") or _first_line(_entry(metadata, "License"))
    classified = [
        line for line in metadata.get_all("Classifier") or () if line.startswith("License ")
    ]
    kind = named or (classified[0].rpartition(" :: ")[2] if classified else "")
    return Licence(package.name, package.version, kind, texts(package))


def _entry(metadata: PackageMetadata, name: str) -> str:
    return next(iter(metadata.get_all(name) or ()), "")


def _first_line(text: str) -> str:
    """A licence's name; some packages put its whole text there."""
    first = text.strip().partition("\n")[0]
    return first if len(first) <= 60 else ""
