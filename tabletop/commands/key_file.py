"""The file with the key of a server."""

from pathlib import Path
from typing import Annotated

from tabletop.commands.arguments import UsageError, value_option
from tabletop.files.errors import read_error
from tabletop.files.regular_file import MIB, read_regular
from tabletop.text.plain_text import shown_name

LONGEST_KEY = 100
"""Characters of a key: as many as a message carries."""
KeyFile = Annotated[Path | None, value_option("FILE", "File whose first line is the server's key.")]


def key_in(file: Path | None) -> str:
    """The key in the first line of a file; "" where none is named.

    Raises:
        UsageError: there is none.
        StorageError: it cannot be read.
    """
    if file is None:
        return ""
    first, *_ = (*text_of(file).splitlines(), "")
    key = first.strip()
    if not key or len(key) > LONGEST_KEY or not key.isprintable():
        raise UsageError(f'"{shown_name(file)}" holds no key in its first line.')
    return key


def text_of(file: Path) -> str:
    """The content of a text file. Raises as `key_in`."""
    try:
        return read_regular(file, MIB).decode("utf-8-sig")  # as Windows' editors write it
    except UnicodeDecodeError as error:
        raise UsageError(f"\"{shown_name(file)}\" can't be read: it isn't text.") from error
    except OSError as error:
        raise read_error(error, file.name) from error
