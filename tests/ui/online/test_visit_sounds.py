"""Sounds of other people at a shared table."""

from types import SimpleNamespace

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QApplication

from tabletop.protocol.messages import ChatLine, SeatInfo
from ui.online.visit_sounds import VisitSounds


class Visit(QObject):
    """The part of a RemoteTable that sounds depend on."""

    changed = Signal()
    chat_received = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self.local_seats = (0,)
        self.info: SimpleNamespace | None = None

    def show(self, *sitters: SeatInfo) -> None:
        self.info = SimpleNamespace(sitters=sitters)
        self.changed.emit()


def test_others_are_heard_and_oneself_is_not(qapp: QApplication) -> None:
    heard: list[str] = []
    visit = Visit()
    context = SimpleNamespace(sounds=SimpleNamespace(play=heard.append))
    VisitSounds(context, visit)  # type: ignore[arg-type]
    own, free = SeatInfo("person", "here", "Ann"), SeatInfo("open", "free")
    bot, other = SeatInfo("bot", "bot"), SeatInfo("person", "here", "Ben")
    away = SeatInfo("person", "away", "Ben")
    visit.changed.emit()
    visit.show(own, free)
    visit.show(own, bot)
    assert heard == []
    visit.show(own, other)
    visit.show(own, SeatInfo("person", "ready", "Ben"))
    visit.show(own, away)
    visit.show(own, other)
    assert heard == ["join", "leave", "join"]
    visit.chat_received.emit(ChatLine(0, "hello"))
    visit.chat_received.emit(ChatLine(1, "hello"))
    assert heard == ["join", "leave", "join", "chat"]
