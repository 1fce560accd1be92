"""A cache with a bound: what was used last stays, as far as there is room."""

from collections import OrderedDict
from collections.abc import Hashable
from typing import Generic, TypeVar

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


class LruCache(Generic[K, V]):
    """The values that were used last, as many as fit: bytes, entries, or whatever `keep` counts."""

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self.size = 0
        self._kept: OrderedDict[K, tuple[V, int]] = OrderedDict()

    def __len__(self) -> int:
        return len(self._kept)

    def get(self, key: K) -> V | None:
        """Return the value of a key and mark it as used; None if it isn't kept."""
        if key not in self._kept:
            return None
        self._kept.move_to_end(key)
        return self._kept[key][0]

    def put(self, key: K, value: V, size: int = 1) -> None:
        """Keep a value of this size, dropping the longest unused; one beyond the limit isn't
        kept."""
        self.drop(key)
        if size > self.limit:
            return
        self.size += size
        self._kept[key] = (value, size)
        while self.size > self.limit:
            _, (_, gone) = self._kept.popitem(last=False)
            self.size -= gone

    def drop(self, key: K) -> None:
        """Forget the value of a key, if there is one."""
        if key in self._kept:
            self.size -= self._kept.pop(key)[1]
