"""Untrusted zip archives, read in memory within limits and never extracted to disk.

The file names in an archive are only used as keys; callers choose the names under which they store
files.
"""

from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZIP_STORED, ZipFile, ZipInfo

from tabletop.files.errors import BadFile, bad_file_error
from tabletop.files.regular_file import MIB, read_regular

MAX_BYTES = 64 * MIB
"""The maximum size of an archive, and of all its files when unpacked."""
MAX_FILES = 2_000
MAX_NAME_CHARACTERS = 500
"""The maximum length of a file name, including its folders."""
_MAX_ENTRIES = 10 * MAX_FILES
"""The maximum number of entries, including folders and the metadata that macOS adds."""
_ENTRY_SIGNATURE = b"PK\x01\x02"
"""The signature of an entry in an archive's directory."""
ZIP_SIGNATURE = b"PK"
_UTF8_FLAG = 0x800
_ENCRYPTED_FLAG = 0x1
_FIXED_DATE = (1980, 1, 1, 0, 0, 0)


def read_given_file(path: Path, max_bytes: int = MAX_BYTES) -> bytes:
    """Return the content of a file of at most `max_bytes` bytes.

    Raises:
        BadFile: the file can't be read, or is too large.
    """
    try:
        return read_regular(path, max_bytes)
    except OSError as error:
        raise bad_file_error(error, path.name) from error


class ZipArchive:
    """A zip archive that respects the limits. Iterating over it yields the names of its files."""

    def __init__(self, content: bytes, name: str) -> None:
        """Open an archive; `name` is its file name for error messages.

        Raises:
            BadFile: `content` isn't a valid zip archive, or exceeds the limits.
        """
        self._name = name
        too_many = BadFile('"{file}" holds more than {n} files.', file=name, n=MAX_FILES)
        # count first, because opening an archive reads its whole directory
        if content.count(_ENTRY_SIGNATURE) > _MAX_ENTRIES:
            raise too_many
        try:
            self._zip = ZipFile(BytesIO(content))
        except Exception as error:  # zipfile raises anything on damaged archives
            raise self._unreadable() from error
        entries = [each for each in self._zip.infolist() if not _is_ignored(each)]
        if len(entries) > MAX_FILES:
            raise too_many
        if any(len(each.filename) > MAX_NAME_CHARACTERS for each in entries):
            raise BadFile(
                '"{file}" holds a file whose name has more than {n} characters.',
                file=name,
                n=MAX_NAME_CHARACTERS,
            )
        if sum(each.file_size for each in entries) > MAX_BYTES:
            raise BadFile('"{file}" holds more than {most} MiB.', file=name, most=MAX_BYTES // MIB)
        self._entries: dict[str, ZipInfo] = {}
        for each in entries:
            if each.flag_bits & _ENCRYPTED_FLAG:
                raise BadFile('"{file}" is locked with a password.', file=name)
            if each.compress_type not in (ZIP_STORED, ZIP_DEFLATED):
                raise self._unreadable()
            self._entries.setdefault(_plain_name(each), each)

    def __contains__(self, name: str) -> bool:
        return name in self._entries

    def __iter__(self) -> Iterator[str]:
        return iter(self._entries)

    def list_sizes(self) -> tuple[tuple[str, int], ...]:
        """Return the name and the unpacked size of each file, as the archive states them."""
        return tuple((name, each.file_size) for name, each in self._entries.items())

    def read(self, name: str) -> bytes:
        """Return the content of a file.

        Raises:
            BadFile: the file is damaged.
        """
        try:
            return self._zip.read(self._entries[name])
        except Exception as error:  # zipfile raises anything on damaged archives
            raise self._unreadable() from error

    def _unreadable(self) -> BadFile:
        return BadFile(
            '"{file}" can\'t be read: it is no zip archive, or is damaged.', file=self._name
        )


def _is_ignored(entry: ZipInfo) -> bool:
    """Return whether an entry is a folder or metadata added by macOS."""
    name = entry.filename
    is_folder = name.endswith("/") or not name
    return is_folder or name.startswith("__MACOSX/") or name.endswith(".DS_Store")


def _plain_name(entry: ZipInfo) -> str:
    """Return the name of a file, with "/" between folders.

    Archives made on Japanese Windows have cp932 names, which Python decodes as cp437.
    """
    name = entry.filename.replace("\\", "/")
    if entry.flag_bits & _UTF8_FLAG or name.isascii():
        return name
    try:
        raw = name.encode("cp437")
    except UnicodeEncodeError:
        return name
    for encoding in ("utf-8", "cp932"):
        try:
            return raw.decode(encoding).replace("\\", "/")
        except UnicodeDecodeError:
            continue
    return name


def pack_zip(files: dict[str, bytes]) -> bytes:
    """Return a zip archive of `files`; the same files always give the same bytes."""
    out = BytesIO()
    with ZipFile(out, "w", ZIP_DEFLATED) as archive:
        for name in sorted(files):
            entry = ZipInfo(name, _FIXED_DATE)
            entry.external_attr = 0o644 << 16
            entry.compress_type = ZIP_DEFLATED
            archive.writestr(entry, files[name])
    return out.getvalue()
