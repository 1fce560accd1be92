"""Properties that are made when they are first wanted."""

from functools import cached_property
from typing import TypeVar

T_co = TypeVar("T_co", covariant=True)


class PeekableCachedProperty(cached_property[T_co]):
    """A cached property that can also be looked at without making it."""

    def if_made(self, owner: object) -> T_co | None:
        """Return what the owner has, None where nobody has wanted it yet."""
        made: T_co | None = vars(owner).get(self.attrname or "")
        return made
