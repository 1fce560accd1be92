"""Owner and permissions of a folder that is about to be replaced or created (POSIX).

A folder that root creates can't be used by the service whose folder it replaces.
"""

import os
import stat
import sys
from pathlib import Path

from msgspec import Struct

from tabletop.files.errors import StorageError

FOREIGN_FOLDER = 'The folder of "{folder}" belongs to {owner}: run this as that user or as root.'


class Ownership(Struct, frozen=True):
    """The owner of a folder, and its permissions if the folder exists."""

    user: int
    group: int
    mode: int | None = None
    """The permission bits, if the folder exists."""

    @property
    def owner_name(self) -> str:
        """The name of the owning user, or its number if the user has no name."""
        import pwd

        try:
            return pwd.getpwuid(self.user).pw_name
        except KeyError:
            return str(self.user)

    def apply(self, folder: Path) -> None:
        """Give `folder` with its content to the owner, and set the permissions of `folder`.

        Raises:
            OSError: the system refuses.
        """
        if sys.platform == "win32":
            return
        if (self.user, self.group) != (os.geteuid(), os.getegid()):
            for parent, names, files in os.walk(folder):
                for name in (".", *names, *files):
                    os.chown(Path(parent, name), self.user, self.group, follow_symlinks=False)
        if self.mode is not None:
            folder.chmod(self.mode)


def find_ownership(folder: Path) -> Ownership | None:
    """Return the owner and mode to give `folder` when it is created again.

    It is that of the existing folder or, if root creates the folder, that of the nearest existing
    parent. Otherwise it is the current user's. On Windows, it is unknown.

    Raises:
        StorageError: the current user can't restore the ownership.
    """
    if sys.platform == "win32":
        return None
    here = os.geteuid()
    if folder.is_dir():
        found = folder.stat()
        owner = Ownership(found.st_uid, found.st_gid, stat.S_IMODE(found.st_mode))
        if here not in (0, owner.user):
            raise StorageError(FOREIGN_FOLDER, folder=folder.name, owner=owner.owner_name)
        return owner
    if here != 0:
        return Ownership(here, os.getegid())
    nearest = next(each for each in folder.absolute().parents if each.is_dir()).stat()
    return Ownership(nearest.st_uid, nearest.st_gid)
