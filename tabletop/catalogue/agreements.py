"""Agreements to run the Python of game folders, kept in one small file.

An agreement is to a digest: any change in the folder needs a new one. A folder created here belongs
to its owner and needs none.
"""

from collections.abc import Callable
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from tabletop.files import folders
from tabletop.files.small_file import SmallFile, append_bounded, json_file
from tabletop.text.phrases import phrase

MAX_REMEMBERED = 500
"""The most digests, and the most folders, remembered; the oldest need a new agreement."""
BROKEN = phrase(
    '"{file}" was damaged and moved to "{aside}". Games with their own Python code ask '
    "again before running."
)

AGREEMENT_WARNING = phrase(
    '"{title}" has its own Python code, which can do anything on this computer that you can. '
    "Agree only if you trust its author."
)
"""The meaning of an agreement."""


class _Agreements(Struct, frozen=True):
    digests: dict[str, str] = {}
    """The name of each game when it was allowed, by the digest of its folder."""
    own: tuple[str, ...] = ()
    """Folders that were created here."""


def is_allowed(folder: Path, digest: str) -> bool:
    """Whether the Python of this folder may run: the folder is the person's own, or its digest is
    allowed."""
    known = _read_agreements()
    return digest in known.digests or str(folder.resolve()) in known.own


def list_own_folders() -> tuple[Path, ...]:
    """The folders that were created here, or opened in the workshop; some may be gone by now."""
    return tuple(map(Path, _read_agreements().own))


def allow_digest(digest: str, name: str) -> None:
    """Allow the folder of this digest to run from now on.

    Raises:
        StorageError: it cannot be written.
    """
    _change(
        lambda known: replace(
            known, digests=append_bounded(known.digests, digest, name, MAX_REMEMBERED)
        )
    )


def add_own_folder(folder: Path) -> None:
    """Allow everything in this folder to run from now on.

    Raises:
        StorageError: it can't be written.
    """
    place = str(folder.resolve())

    def with_it(known: _Agreements) -> _Agreements:
        rest = tuple(each for each in known.own if each != place)
        return replace(known, own=(*rest, place)[-MAX_REMEMBERED:])

    _change(with_it)


def _read_agreements() -> _Agreements:
    return _file().read_or_default(_Agreements())


def _change(act: Callable[[_Agreements], _Agreements]) -> None:
    _file().update(lambda known: act(known or _Agreements()))


def _file() -> SmallFile[_Agreements]:
    return json_file(folders.agreements(), _Agreements, BROKEN)
