"""This computer as a host: the sheet for a new table, and tables that move here or away."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from tabletop.games import catalogue
from tabletop.net.invitation import Place
from ui.screens.host_sheet import Hosted, HostSheet
from ui.ways import HERE

if TYPE_CHECKING:
    from tabletop.games.catalogue import Kit
    from ui.app import Window
    from ui.outing import Outing


class Hosting(QObject):
    """The part of an outing in which others are guests of this computer."""

    def __init__(self, window: Window, outing: Outing) -> None:
        super().__init__(outing)
        self._window = window
        self._outing = outing
        self.room = window.room
        self.sheet: HostSheet | None = None
        self._then: Callable[[Place], None] | None = None
        """What is done once this computer hosts."""
        self._menu = window.menus.submenus["hand_over"]
        self._menu.aboutToShow.connect(self._fill_menu)
        network = outing.network
        network.hosting.connect(self._hosting)
        network.failed.connect(self._not_hosting)
        network.berthed.connect(self._offer_berth)
        network.arrived.connect(self._arrived)

    def show_sheet(self, kit: Kit | None = None) -> None:
        """The sheet on which a table is opened."""
        sheet = HostSheet(self.room, catalogue.shelf(), kit)
        sheet.opened.connect(self._open)
        sheet.left.connect(self._window.show_shelf)
        self._window.show_page(sheet)
        self.sheet = sheet
        sheet.take_focus()

    def _open(self, hosted: Hosted) -> None:
        sheet, outing = self.sheet, self._outing
        if sheet is not None:
            sheet.busy(self.room.words("Opening…"))

        def begin(place: Place) -> None:
            visit = outing.begin(HERE)
            outing.sitting = list(hosted.sitting)
            visit.guest.open(hosted.plan, outing.network.key)
            if not hosted.sitting:
                visit.guest.watch()
            outing.call(place, True)

        self.host(begin)

    def host(self, then: Callable[[Place], None]) -> None:
        """Host here; `then` is done once it stands, with the place to come to it."""
        self._then = then
        self._outing.network.host()

    def _hosting(self, place: Place) -> None:
        then, self._then = self._then, None
        if then is not None:
            then(place)

    def _not_hosting(self, why: str) -> None:
        self._then = None
        text = self.room.words("This computer cannot host: {why}", why=why)
        if self.sheet is not None:
            self.sheet.complain(text)
        else:
            self._window.banner.tell(text)

    # Tables that move away

    def note_guests(self) -> None:
        """Offer the hand-over where there is somebody to take the table."""
        self._menu.setEnabled(bool(self._heirs()))

    def _fill_menu(self) -> None:
        self._menu.clear()
        for name, hand_over in self._heirs():
            self._menu.addAction(name).triggered.connect(lambda _=False, act=hand_over: act())

    def _heirs(self) -> list[tuple[str, Callable[[], None]]]:
        """To whom the table can be handed over: the name, and what does it."""
        visit = self._outing.visit
        if visit is None or not visit.hosts or visit.room is None:
            return []
        return [
            (sitter.name, partial(visit.act, visit.guest.hand_over, seat))
            for seat, sitter in enumerate(visit.room.sitters)
            if sitter.kind == "person"
            and sitter.state in ("here", "ready")
            and seat not in visit.own
        ]

    # A table that moves here, which its host has asked for

    def agree(self) -> None:
        """The table moves here, and everybody follows it."""
        self._outing.network.keep_berth()

    def _offer_berth(self, port: int, fingerprint: str, key: str) -> None:
        visit = self._outing.visit
        if visit is not None:
            visit.act(visit.guest.host_on, port, fingerprint, key)

    def _arrived(self, table: str, owner: str) -> None:
        visit = self._outing.visit
        if visit is not None and visit.room is not None and visit.room.table == table:
            visit.guest.take_office(owner)
