"""Which game folders may run their Python code, stored in a small file.

The user allows a folder by its digest, so the user is asked again after every change. Folders
created on this computer are always allowed.
"""

from collections.abc import Callable
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from tabletop.files import folders
from tabletop.files.small_file import SmallFile, append_bounded, json_file
from tabletop.text.phrases import phrase

MAX_REMEMBERED = 500
"""The maximum number of allowed digests, and of own folders; the oldest are forgotten."""
DAMAGED_NOTICE = phrase(
    '"{file}" was damaged and moved to "{aside}". Games with their own Python code ask '
    "again before running."
)

AGREEMENT_WARNING = phrase(
    '"{title}" has its own Python code, which can do anything on this computer that you can. '
    "Agree only if you trust its author."
)
"""The warning shown before the user allows a game's code to run."""


class _Agreements(Struct, frozen=True):
    digests: dict[str, str] = {}
    """The names of games, when they were allowed, by the digest of their folder."""
    own: tuple[str, ...] = ()
    """The folders created on this computer or opened in the workshop, latest last."""


def is_allowed(folder: Path, digest: str) -> bool:
    """Return whether the code in `folder` may run.

    Either `digest` must be allowed, or the folder must be one of the user's own.
    """
    known = _read_agreements()
    return digest in known.digests or str(folder.resolve()) in known.own


def list_own_folders() -> tuple[Path, ...]:
    """Return the folders created here or opened in the workshop, which may no longer exist."""
    return tuple(map(Path, _read_agreements().own))


def allow_digest(digest: str, name: str) -> None:
    """Allow the code in any folder with this digest to run; `name` is the game's name.

    Raises:
        StorageError: the file can't be written.
    """
    _change(
        lambda known: replace(
            known, digests=append_bounded(known.digests, digest, name, MAX_REMEMBERED)
        )
    )


def add_own_folder(folder: Path) -> None:
    """Mark `folder` as the user's own, so that its code may run even after changes.

    Raises:
        StorageError: the file can't be written.
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
    return json_file(folders.agreements(), _Agreements, DAMAGED_NOTICE)
