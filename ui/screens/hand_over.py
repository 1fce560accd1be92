"""Who looks at a table, and the curtain that falls before another does."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtWidgets import QApplication, QToolTip

from tabletop.engine.model import AUDIENCE
from ui.screens.tasks import asks

if TYPE_CHECKING:
    from ui.screens.table import TableScreen


class HandOver(QObject):
    """Lets one after the other look at a table screen; nobody sees what is another's."""

    def __init__(self, screen: TableScreen) -> None:
        super().__init__(screen)
        self._screen = screen
        self._following = AUDIENCE
        """For whom the curtain is drawn."""
        self._waited = False
        """Whether the viewer has had to wait for others since she was last asked."""
        screen.scene.settled.connect(self.go_on, Qt.ConnectionType.QueuedConnection)
        screen.curtain.opened.connect(self._open)
        screen.sitting.moved.connect(self.go_on)

    @property
    def due(self) -> bool:
        """Whether the viewer has moved and another person must look next."""
        screen, sitting = self._screen, self._screen.sitting
        return (
            sitting.link is not None
            and not screen.curtain.drawn
            and sitting.following != sitting.looking
            and sitting.hides(sitting.following)
        )

    def go_on(self) -> None:
        """Once nothing moves any more: let the right one look, or ask for the hand-over."""
        screen, sitting = self._screen, self._screen.sitting
        if screen.curtain.drawn:
            return
        if sitting.link is not None and screen.moving:
            sitting.rest(False)
            screen.refresh()
            return
        following = sitting.following
        if sitting.link is None or following != sitting.looking:
            if not sitting.hides(following):
                self._look(following)
            elif sitting.looking == AUDIENCE:
                self.draw(following)
        screen.refresh()
        sitting.rest(True)
        self._call()

    def begin(self) -> None:
        """The viewer has seen enough: draw the curtain for the next."""
        if self.due:
            self.draw(self._screen.sitting.following)

    def draw(self, seat: int) -> None:
        """Everything of the last viewer goes before anything of the next one comes."""
        screen, sitting = self._screen, self._screen.sitting
        QToolTip.hideText()
        QApplication.sendEvent(screen.view, QEvent(QEvent.Type.Leave))
        screen.scene.leave()
        screen.moving = False
        sitting.look_away()
        self._speak_to(seat)
        screen.forget()
        screen.prompt.say("", False, ())
        screen.prompt.hide()
        screen.dock.clear()
        self._following = seat
        lines = [screen.words.said(said) for said in sitting.since(seat)]
        screen.curtain.draw(sitting.players[seat], lines)
        self._cover(True)
        screen.refresh()

    def _open(self) -> None:
        """Build the next view while the curtain still covers it, then take the curtain away."""
        self._look(self._following)
        self._cover(False)
        self._screen.curtain.hide()
        self._screen.view.setFocus(Qt.FocusReason.OtherFocusReason)
        self.go_on()

    def _look(self, viewer: int) -> None:
        screen = self._screen
        screen.scene.leave()
        screen.dock.clear()
        screen.arranged = False
        self._speak_to(viewer)
        link = screen.sitting.look(viewer)
        link.on_update(self._note_moving)
        screen.scene.sit(link)
        screen.prompt.show()
        if screen.sitting.over:
            screen.show_sheet()

    def _speak_to(self, viewer: int) -> None:
        """Each at this computer is spoken to in her own language, all together in the window's."""
        room, players = self._screen.room, self._screen.sitting.players
        room.speak(room.reads(players[viewer].name) if viewer != AUDIENCE else None)

    def _cover(self, covered: bool) -> None:
        screen = self._screen
        for widget in (screen.desk, screen.dock):
            widget.setEnabled(not covered)
        if screen.dock.isFloating():
            screen.dock.setVisible(not covered)

    def _call(self) -> None:
        """Tell the viewer that it is her turn, once she has had to wait for it."""
        screen, link = self._screen, self._screen.sitting.link
        asked = bool(asks(link))
        if asked and self._waited:
            screen.room.sounds.play("turn")
        if asked and not screen.isActiveWindow():
            QApplication.alert(screen.window())
        self._waited = not asked and link is not None

    def _note_moving(self, _: object) -> None:
        self._screen.moving = True
