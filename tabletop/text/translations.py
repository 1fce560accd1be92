"""Translations in gettext's form: a .po for people, and the .mo that is made of it.

An installed program has a .mo beside each .po. Where there is none, as in a designer's folder, or
where it was made of another .po, the .po is read.
"""

import io
import re
from datetime import UTC, datetime
from gettext import GNUTranslations, NullTranslations
from importlib.resources.abc import Traversable
from pathlib import Path
from struct import error as CutShort
from typing import TYPE_CHECKING
from zlib import crc32

if TYPE_CHECKING:
    from babel.messages.catalog import Catalog


class BrokenCatalogue(Exception):
    """A .po that cannot be read: which, and where."""


class _Untranslated(NullTranslations):
    """A catalogue's fallback: "" for every text."""

    def gettext(self, message: str) -> str:
        return ""


_WRAPPED = re.compile(rb'"\s*"')
"""Where a text goes on in another line of a .po."""
MAX_PLURAL_RULE_CHARS = 400
"""The longest rule of a language has half as many. Babel parses rules recursively."""
_PLURALS = re.compile(rb"\s*=\s*[1-9]\s*(;[^\"\\]{0,%d})?(\\n|\")" % MAX_PLURAL_RULE_CHARS)
NONE = _Untranslated()
_read: dict[str, NullTranslations] = {}


def translations(file: Traversable) -> NullTranslations:
    """The catalogue of a .po: its `gettext` returns a translation, or "" where there is none.

    A file is read once and kept; a missing one translates nothing, and isn't kept: strangers invent
    languages.

    Raises:
        BrokenCatalogue: the file is not a .po.
    """
    known = _read.get(str(file))
    if known is None:
        if not file.is_file():
            return NONE
        known = _read[str(file)] = _load(Path(str(file)))
    return known


def forget(file: Traversable) -> None:
    """Read this .po again when it is next needed."""
    _read.pop(str(file), None)


def _load(file: Path) -> NullTranslations:
    content = file.read_bytes()
    catalogue = _compiled_from(content, file.with_suffix(".mo"))
    if catalogue is None:
        try:
            catalogue = GNUTranslations(io.BytesIO(_compile(content)))
        except Exception as error:  # gettext raises anything on headers of other programs
            raise BrokenCatalogue(f"{file.name} is not a .po file: {error}") from error
    catalogue.add_fallback(NONE)
    return catalogue


def _compiled_from(content: bytes, file: Path) -> GNUTranslations | None:
    """The catalogue of a .mo, if it was made of this content."""
    try:
        catalogue = GNUTranslations(io.BytesIO(file.read_bytes()))
    except (OSError, ValueError, LookupError, CutShort):
        return None
    return catalogue if catalogue.info().get("project-id-version") == _source(content) else None


def compile_catalogues(folder: Path) -> None:
    """Write the .mo of every .po of a folder and the folders in it, except where it is there.

    Raises:
        OSError: one cannot be written.
        ValueError: one is not a .po.
    """
    for file in folder.rglob("*.po"):
        content, compiled = file.read_bytes(), file.with_suffix(".mo")
        if _compiled_from(content, compiled) is None:
            compiled.write_bytes(_compile(content))


def _compile(content: bytes) -> bytes:
    from babel.messages.mofile import write_mo

    catalogue, written = parse(content), io.BytesIO()
    catalogue.project, _, catalogue.version = _source(content).partition(" ")
    # the same content gives the same bytes
    catalogue.creation_date = datetime(1980, 1, 1, tzinfo=UTC)
    write_mo(written, catalogue)
    return written.getvalue()


def _source(content: bytes) -> str:
    """The mark of a .mo that was made of this content."""
    return f"tabletop {crc32(content)}"


def parse(content: bytes) -> "Catalog":
    """The entries of a .po, with those that are empty or fuzzy.

    Raises:
        ValueError: it is not a .po; names the line where there is one.
    """
    from babel.messages.pofile import PoFileError, read_po

    # Babel makes as many empty translations as the header says
    if any(not _PLURALS.match(each) for each in _split_at_plurals(content)):
        raise ValueError("its plural forms can't be right")
    try:
        return read_po(io.BytesIO(content.removeprefix(b"\xef\xbb\xbf")), abort_invalid=True)
    except PoFileError as error:
        raise ValueError(f"line {(error.lineno or 0) + 1}") from error
    except UnicodeDecodeError as error:
        raise ValueError("it is not UTF-8") from error
    except LookupError as error:
        raise ValueError("its charset is unknown") from error
    except Exception as error:  # Babel raises anything on headers of other programs
        raise ValueError(str(error) or type(error).__name__) from error


def _split_at_plurals(content: bytes) -> list[bytes]:
    """Return what follows each mention of the number of plural forms, however it is wrapped."""
    whole = _WRAPPED.sub(b"", content).lower()
    return whole.split(b"nplurals")[1:]
