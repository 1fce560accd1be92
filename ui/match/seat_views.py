"""The views that this computer holds of one table, and whose of them is on the screen."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tabletop.engine.model import AUDIENCE, Offer, State
from tabletop.match.link import Link
from ui.match.seating import Seating


class SeatViews:
    """A link for the audience and for each person here, heard from the first time it is wanted."""

    def __init__(self, seating: Seating, hear: Callable[[Any], None]) -> None:
        """`hear` is called with every message that any of them gets."""
        self.seating = seating
        self.looking = AUDIENCE
        """The seat whose view is on the screen, or the audience."""
        self._hear = hear
        self._links: dict[int, Link] = {}
        for viewer in (AUDIENCE, *seating.people):
            self.link(viewer)

    def link(self, viewer: int) -> Link:
        """The link of a viewer."""
        if viewer not in self._links:
            self._links[viewer] = self.seating.link(viewer)
            self._links[viewer].on_update(self._hear)
        return self._links[viewer]

    @property
    def open(self) -> State:
        """The table as everybody sees it."""
        return self.link(AUDIENCE).view

    @property
    def offers(self) -> dict[int, tuple[Offer, ...]]:
        """The offers of all open questions to people here, by the ask's number."""
        people = self.seating.people
        return {n: offers for seat in people for n, offers in self.link(seat).offers.items()}

    @property
    def in_step(self) -> bool:
        """Whether all of them show the match up to the same move."""
        return len({link.view.ply for link in self._links.values()}) == 1

    def close(self) -> None:
        """Hear nothing more."""
        for link in self._links.values():
            link.close()
