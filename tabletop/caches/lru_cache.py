"""A cache with a size limit that drops the least recently used values."""

from collections import OrderedDict
from collections.abc import Hashable
from typing import Generic, TypeVar

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


class LruCache(Generic[K, V]):
    """The most recently used values, up to a total size in any unit: bytes, entries …"""

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self.size = 0
        self._kept: OrderedDict[K, tuple[V, int]] = OrderedDict()

    def __len__(self) -> int:
        return len(self._kept)

    def get(self, key: K) -> V | None:
        """Return the value of `key` and mark it as used; None if it isn't cached."""
        if key not in self._kept:
            return None
        self._kept.move_to_end(key)
        return self._kept[key][0]

    def put(self, key: K, value: V, size: int = 1) -> None:
        """Cache a value of this size, and drop the least recently used ones.

        Skip it if it exceeds the limit.
        """
        self.drop(key)
        if size > self.limit:
            return
        self.size += size
        self._kept[key] = (value, size)
        while self.size > self.limit:
            _, (_, gone) = self._kept.popitem(last=False)
            self.size -= gone

    def drop(self, key: K) -> None:
        """Remove `key`, if it is cached."""
        if key in self._kept:
            self.size -= self._kept.pop(key)[1]
