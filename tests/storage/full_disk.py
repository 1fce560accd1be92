"""A disk with little room, under the file of a journal."""

import errno


class Disk:
    """A file on a disk that takes so many more bytes, at most seven at once."""

    def __init__(self, file, room: int) -> None:
        self.file = file
        self.room = room

    def write(self, content: bytes) -> int:
        if not self.room:
            raise OSError(errno.ENOSPC, "No space left on device")
        taken = self.file.write(content[: min(self.room, 7)])
        self.room -= taken
        return taken

    def __getattr__(self, name: str) -> object:
        return getattr(self.file, name)


class Stubborn(Disk):
    """And one that cuts nothing off any more."""

    def truncate(self, size: int) -> None:
        raise OSError(errno.EIO, "Input/output error")
