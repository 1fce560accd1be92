"""Shows lessons of a first game and hints: at the foot of the sidebar, or where that is closed in a
bubble over the table. What they are about is lit there. A rule that was used fades with a tick."""

from functools import reduce

from PySide6.QtCore import QObject, QPoint, QPropertyAnimation, QRectF, QSizeF, Signal
from PySide6.QtWidgets import QGraphicsOpacityEffect, QWidget

from tabletop.match.tutorial import Course, Lesson, ResolvedSubject
from ui.match.lesson.bubble import AROUND, Bubble
from ui.match.lesson.bubble_place import Avoided, bubble_place
from ui.match.lesson.page import LessonPage, ShownHint
from ui.match.lesson.subject import Subject
from ui.match.table_frame import TableFrame
from ui.table.input.targets import target_rect
from ui.widgets.styled_widgets import scale_pixels

FADES = 700
"""Milliseconds a lesson takes to go once its rule was used; a tick is on it."""
WIDTHS = (300, 236, 360, 470, 620)
"""Widths of a bubble that are tried, in pixels."""
LYING, PLAQUE = 1.0, 4.0
"""Cost of a covered pixel of a card or a drawing, and of a name with its scores or of words."""


class Tutor(QObject):
    """Shows a hint, or else a lesson, until it is learnt or put aside; nothing where there is
    neither."""

    dismissed = Signal()
    """It was put aside by hand."""
    hidden_changed = Signal()
    """Something to read finds no room over the table (`crowded`), or does again."""
    told = Signal(str)
    """The text of a hint, or of a lesson that was not shown before."""

    def __init__(self, frame: TableFrame, prompt: QWidget) -> None:
        """A bubble covers no `prompt`."""
        super().__init__(frame)
        self._frame, self._area, self._view = frame, frame.table_area, frame.view
        self._over = (prompt, frame.dock)
        self._course: Course | None = None
        self.current: Lesson | None = None
        """The lesson that is shown now."""
        self._last: Lesson | None = None
        """The lesson that was told last."""
        self.hint: ShownHint | None = None
        """The hint that is shown, before any lesson."""
        self.crowded = False
        """Whether there is something to read that finds no room over the table."""
        self._subject = Subject(frame.scene.stage)
        self.slip = frame.dock.slip
        self.page = LessonPage(frame.context)
        """The current lesson or hint, in the bubble or on the slip."""
        self.page.put_aside.connect(self._put_aside)
        self.page.put_all_aside.connect(self._put_all_aside)
        self.page.asked.connect(frame.dock.turn_to)
        self.bubble = Bubble(frame.table_area, self.page)
        self._fading = QPropertyAnimation(self)
        self._fading.setDuration(FADES)
        self._fading.setStartValue(1.0)
        self._fading.setEndValue(0.0)
        self._fading.finished.connect(self._be_gone)
        view = frame.view
        frame.table_area.laid.connect(self.place)
        frame.dock.visibilityChanged.connect(lambda _: self.place())
        view.sharpened.connect(self.place)
        view.table.selection_view.chooser_toggled.connect(self.place)
        view.table.animator.started.connect(self._make_way)
        for bar in (view.horizontalScrollBar(), view.verticalScrollBar()):
            bar.valueChanged.connect(self.place)

    @property
    def fading(self) -> bool:
        """Whether a lesson that was learnt is just going."""
        return self._fading.state() is QPropertyAnimation.State.Running

    @property
    def aloud(self) -> str:
        """The hint or the lesson that is shown; empty where there is none."""
        return self.page.aloud if self._current_subject() is not None else ""

    def take(self, course: Course | None) -> None:
        """Show the lessons of this match; most matches have none."""
        self._course = course

    def show_hint(self, hint: ShownHint) -> None:
        """Show a hint, until it is forgotten."""
        self._end_fading()
        self.hint = hint
        self._print()

    def forget_hint(self) -> None:
        """The hint has had its day: go on with the lesson, where there is one."""
        if self.hint is not None:
            self.hint = None
            self._print()

    def show_lesson(self) -> None:
        """Show the current lesson; one that was shown and has been used fades first."""
        if self.fading:
            return
        course, current = self._course, self.current
        still = self._frame.context.animation_speed == "off" or self.hint is not None
        if course is None or current is None or still or not course.is_done(current):
            self._show_next_lesson()
            return
        self.page.tick()
        self._subject.light([])
        frame = self.bubble if self.bubble.isVisible() else self.slip
        ink = QGraphicsOpacityEffect(frame)
        frame.setGraphicsEffect(ink)
        self._fading.setTargetObject(ink)
        self._fading.setPropertyName(b"opacity")
        self._fading.start()

    def place(self) -> None:
        """Show it in the sidebar, or near its subject; nothing over the table while cards fly."""
        spoken = self._current_subject()
        if spoken is None or self.fading:
            return
        if self._view.table.animator.is_running:
            self._make_way()
            return
        lit = self._subject.rects(spoken)
        self._subject.light(lit if self.hint is None else [])  # a hand shows a hint
        if not self._frame.dock.isHidden():
            self.bubble.hide()
            self.slip.take(self.page)
            self._mark(False)
            return
        self.slip.hide()
        place = self._bubble_place([self._on_area(rect) for rect in lit])
        self._mark(place is None)
        if place is None:
            self.bubble.hide()
        else:
            self.bubble.take(self.page, place)
            origin = self._view.mapToScene(place.topLeft().toPoint() - self._view.pos())
            size = place.size() / self._view.transform().m11()
            self._subject.point_from(QRectF(origin, size))

    def _current_subject(self) -> ResolvedSubject | None:
        """What there is to be said is about; None where there is nothing to say."""
        if self.hint is not None:
            return self.hint.spoken
        course, lesson = self._course, self.current
        return course.resolve_subject(lesson) if course is not None and lesson is not None else None

    def _make_way(self) -> None:
        """Cards fly: leave the table to them."""
        if not self.fading:
            self.bubble.hide()
            self._subject.light([])

    def _mark(self, crowded: bool) -> None:
        if crowded != self.crowded:
            self.crowded = crowded
            self.hidden_changed.emit()

    def _bubble_place(self, lit: list[QRectF]) -> QRectF | None:
        """The place nearest to what is lit, or else to the prompt."""
        over = [self._over_area(each) for each in self._over if each.isVisible()]
        if (chooser := self._view.table.selection_view.chooser) is not None:
            over.append(self._on_area(chooser.list_rect))
        subject = reduce(QRectF.united, lit or over or [QRectF(self._view.geometry())])
        sizes = (self._size(scale_pixels(self.page, width)) for width in WIDTHS)
        room = QRectF(self._view.geometry())
        needed = [self._on_area(rect) for rect in self._needed_rects()]
        return bubble_place(sizes, subject, room, [*over, *lit, *needed], self._things_to_avoid())

    def _size(self, width: int) -> QSizeF:
        left, above, right, below = AROUND
        wide = max(width - left - right, self.page.minimumSizeHint().width())
        return QSizeF(wide + left + right, self.page.height_in(wide) + above + below)

    def _needed_rects(self) -> list[QRectF]:
        """What the reader needs, in the scene: every card and place of a legal move, and the cards
        in hand."""
        table, stage = self._view.table, self._view.table.stage
        seat = table.seat
        offers = [offer for each in (seat.offers.values() if seat else ()) for offer in each]
        cards = {card for offer in offers for card in offer.cards}
        zones = {zone for offer in offers for zone in (*offer.targets, *offer.spots)}
        zones |= set(table.choice.targets)
        own = (zone for zone in stage.zones if table.choice.owns_zone(zone))
        fans = {zone for zone in own if stage.zone_form(zone) == "fan"}
        rects = [
            item.mapRectToScene(item.card_rect)
            for item in stage.items
            if item.isVisible() and (item.card in cards or item.zone in fans)
        ]
        return rects + [rect for zone in zones if zone and (rect := target_rect(stage, zone))]

    def _things_to_avoid(self) -> list[Avoided]:
        """Return the other things on the table, in the area, with their weights."""
        stage = self._view.table.stage
        seen = (item for item in stage.items if item.isVisible())
        things = [(item.mapRectToScene(item.card_rect), LYING) for item in seen]
        if stage.placed is not None:
            things += [(rect, PLAQUE) for _, rect in stage.plaques()]
            things += [(stage.to_pixels(text.rect), PLAQUE) for text in stage.placed.texts]
            things += [(stage.to_pixels(each.rect), LYING) for each in stage.placed.drawings]
        return [Avoided(self._on_area(rect), weight) for rect, weight in things]

    def _on_area(self, rect: QRectF) -> QRectF:
        """A rectangle of the scene in the pixels of the table's area."""
        shown = self._view.mapFromScene(rect).boundingRect()
        return QRectF(shown.translated(self._view.pos()))

    def _over_area(self, widget: QWidget) -> QRectF:
        return QRectF(
            widget.rect().translated(self._area.mapFromGlobal(widget.mapToGlobal(QPoint())))
        )

    def _be_gone(self) -> None:
        for frame in (self.bubble, self.slip):
            frame.setGraphicsEffect(None)  # type: ignore[arg-type]
        self._show_next_lesson()

    def _end_fading(self) -> None:
        if self.fading:
            self._fading.stop()
            self._be_gone()

    def _show_next_lesson(self) -> None:
        self.current = self._course.current_lesson() if self._course is not None else None
        self._print()

    def _print(self) -> None:
        if self.hint is not None:
            self.page.print_hint(self.hint, self._frame.words)
            self.told.emit(self.page.aloud)
        elif self._course is not None and self.current is not None:
            self.page.print(self.current, self._frame.words)
            if self.current is not self._last:
                self._last = self.current
                self.told.emit(self.page.aloud)
        else:
            self._subject.light([])
            self.bubble.hide()
            self.slip.hide()
            self._mark(False)
            return
        self.place()

    def _put_aside(self) -> None:
        if self.fading:
            return
        if self.hint is not None:
            self.forget_hint()
            self._leave()
        elif self._course is not None and self.current is not None:
            self._course.dismiss(self.current)
            self._leave()

    def _put_all_aside(self) -> None:
        if self._course is not None:
            self._course.dismiss_all()
            self._leave()

    def _leave(self) -> None:
        """Go on without what was put aside; keys that were in it are the table's again."""
        focus = self.page.window().focusWidget()
        within = focus is not None and self.page.isAncestorOf(focus)
        self.dismissed.emit()
        if within and self.current is None:
            self._view.setFocus()
