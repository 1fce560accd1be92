"""Translations in gettext's formats: .po files for people, and .mo files compiled from them.

An installed program has a .mo file beside each .po file. The .po file is read if the .mo file is
missing, as in a designer's folder, or if it was compiled from another version.
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
    """Raised if a .po file can't be read. The message names the file and the position."""


class _Untranslated(NullTranslations):
    """A fallback catalogue that returns "" for every text."""

    def gettext(self, message: str) -> str:
        return ""


_LINE_WRAP = re.compile(rb'"\s*"')
"""Matches the break between two lines of a wrapped text in a .po file."""
MAX_PLURAL_RULE_CHARS = 400
"""The maximum length of a plural rule in characters, twice that of the longest known rule.

Babel parses rules recursively, so a long rule could overflow the stack.
"""
_PLURALS = re.compile(rb"\s*=\s*[1-9]\s*(;[^\"\\]{0,%d})?(\\n|\")" % MAX_PLURAL_RULE_CHARS)
EMPTY_CATALOGUE = _Untranslated()
_cache: dict[str, NullTranslations] = {}


def load_translations(file: Traversable) -> NullTranslations:
    """Return the catalogue of a .po file. Its `gettext` returns "" for untranslated texts.

    Files are read once and cached. A missing file gives an empty catalogue. It isn't cached,
    because requests from other people may name any number of languages.

    Raises:
        BrokenCatalogue: `file` isn't a .po file.
    """
    known = _cache.get(str(file))
    if known is None:
        if not file.is_file():
            return EMPTY_CATALOGUE
        known = _cache[str(file)] = _load(Path(str(file)))
    return known


def forget_translations(file: Traversable) -> None:
    """Remove a .po file from the cache, so that it is read again on next use."""
    _cache.pop(str(file), None)


def _load(file: Path) -> NullTranslations:
    content = file.read_bytes()
    catalogue = _compiled_from(content, file.with_suffix(".mo"))
    if catalogue is None:
        try:
            catalogue = GNUTranslations(io.BytesIO(_compile(content)))
        except Exception as error:  # gettext raises any exception for unusual headers
            raise BrokenCatalogue(f"{file.name} is not a .po file: {error}") from error
    catalogue.add_fallback(EMPTY_CATALOGUE)
    return catalogue


def _compiled_from(content: bytes, file: Path) -> GNUTranslations | None:
    """Return the catalogue in the .mo `file` if it was compiled from `content`, else None."""
    try:
        catalogue = GNUTranslations(io.BytesIO(file.read_bytes()))
    except (OSError, ValueError, LookupError, CutShort):
        return None
    return catalogue if catalogue.info().get("project-id-version") == _source(content) else None


def compile_catalogues(folder: Path) -> None:
    """Write the missing and outdated .mo files in `folder` and its subfolders.

    Raises:
        OSError: a .mo file can't be written.
        ValueError: a file isn't a .po file.
    """
    for file in folder.rglob("*.po"):
        content, compiled = file.read_bytes(), file.with_suffix(".mo")
        if _compiled_from(content, compiled) is None:
            compiled.write_bytes(_compile(content))


def _compile(content: bytes) -> bytes:
    from babel.messages.mofile import write_mo

    catalogue, written = parse(content), io.BytesIO()
    catalogue.project, _, catalogue.version = _source(content).partition(" ")
    # reproducible output
    catalogue.creation_date = datetime(1980, 1, 1, tzinfo=UTC)
    write_mo(written, catalogue)
    return written.getvalue()


def _source(content: bytes) -> str:
    """Return the mark that identifies, in a .mo file, the `content` it was compiled from."""
    return f"tabletop {crc32(content)}"


def parse(content: bytes) -> "Catalog":
    """Return the entries of a .po file, including empty and fuzzy ones.

    Raises:
        ValueError: `content` isn't a .po file; the message names the line if it is known.
    """
    from babel.messages.pofile import PoFileError, read_po

    # Babel allocates as many empty translations as the header demands
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
    except Exception as error:  # Babel raises any exception for unusual headers
        raise ValueError(str(error) or type(error).__name__) from error


def _split_at_plurals(content: bytes) -> list[bytes]:
    """Return the text that follows each mention of the number of plural forms in `content`.

    Line wrapping is ignored.
    """
    whole = _LINE_WRAP.sub(b"", content).lower()
    return whole.split(b"nplurals")[1:]
