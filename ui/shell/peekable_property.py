"""A cached property whose value can be read without being created."""

from functools import cached_property
from typing import TypeVar

T_co = TypeVar("T_co", covariant=True)


class PeekableCachedProperty(cached_property[T_co]):
    """A `cached_property` that can be read without creating its value."""

    def peek(self, owner: object) -> T_co | None:
        """Return the cached value of `owner`; None if it hasn't been created."""
        made: T_co | None = vars(owner).get(self.attrname or "")
        return made
