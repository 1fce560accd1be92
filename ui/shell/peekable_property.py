"""A cached property that can be checked without computing its value."""

from functools import cached_property
from typing import TypeVar

T_co = TypeVar("T_co", covariant=True)


class PeekableCachedProperty(cached_property[T_co]):
    """A `cached_property` whose cached value can be read without computing it."""

    def peek(self, owner: object) -> T_co | None:
        """Return the cached value of `owner`; None if it hasn't been computed."""
        made: T_co | None = vars(owner).get(self.attrname or "")
        return made
