"""What was asked for lately, as far as it fits into so many bytes."""

from collections import OrderedDict
from typing import Generic, TypeVar

T = TypeVar("T")


class Recent(Generic[T]):
    """The most recent requests, as many as fit into a number of bytes."""

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self.size = 0
        self._kept: OrderedDict[bytes, tuple[T, int]] = OrderedDict()

    def __len__(self) -> int:
        return len(self._kept)

    def get(self, key: bytes) -> T | None:
        if key not in self._kept:
            return None
        self._kept.move_to_end(key)
        return self._kept[key][0]

    def keep(self, key: bytes, thing: T, size: int) -> None:
        """Keep a thing of `size` bytes, letting go of the longest unused; too large: not kept."""
        if size > self.limit:
            return
        self.size += size - self._kept.pop(key, (thing, 0))[1]
        self._kept[key] = (thing, size)
        while self.size > self.limit:
            _, (_, gone) = self._kept.popitem(last=False)
            self.size -= gone
