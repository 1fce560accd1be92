"""Reading of the file that contains a server's key."""

from pathlib import Path
from typing import Annotated

from tabletop.commands.arguments import UsageError, value_option
from tabletop.files.errors import read_error
from tabletop.files.regular_file import MIB, read_regular
from tabletop.text.plain_text import shown_name

MAX_KEY_CHARS = 100
"""The maximum length of a key in characters, as in the messages that contain it."""
KeyFile = Annotated[Path | None, value_option("FILE", "File whose first line is the server's key.")]


def read_key(file: Path | None) -> str:
    """Return the key in the first line of `file`; "" if `file` is None.

    Raises:
        UsageError: the first line isn't a key.
        StorageError: `file` can't be read.
    """
    if file is None:
        return ""
    first, *_ = (*read_text_file(file).splitlines(), "")
    key = first.strip()
    if not key or len(key) > MAX_KEY_CHARS or not key.isprintable():
        raise UsageError(f'"{shown_name(file)}" holds no key in its first line.')
    return key


def read_text_file(file: Path) -> str:
    """Return the content of a text file.

    Raises:
        UsageError: `file` isn't UTF-8 text.
        StorageError: `file` can't be read.
    """
    try:
        return read_regular(file, MIB).decode("utf-8-sig")  # Windows editors add a BOM
    except UnicodeDecodeError as error:
        raise UsageError(f"\"{shown_name(file)}\" can't be read: it isn't text.") from error
    except OSError as error:
        raise read_error(error, file.name) from error
