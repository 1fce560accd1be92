"""Shows hints, and the lessons of a player's first game.

They appear at the bottom of the sidebar, or in a bubble over the table if the sidebar is closed.
Their subject is highlighted on the table. A lesson fades out with a tick once its rule was used.
"""

from functools import reduce

from PySide6.QtCore import QObject, QPoint, QPropertyAnimation, QRectF, QSizeF, Signal
from PySide6.QtWidgets import QGraphicsOpacityEffect, QWidget

from tabletop.match.tutorial import Course, Lesson, ResolvedSubject
from ui.match.lesson.bubble_place import Avoided, find_bubble_place
from ui.match.lesson.frames import FRAME_PX, Bubble
from ui.match.lesson.page import LessonPage, ShownHint
from ui.match.lesson.subject import SubjectHighlighter
from ui.match.table_frame import TableFrame
from ui.table.input.targets import target_rect
from ui.widgets.styled_widgets import scale_pixels

FADE_MS = 700
"""How long a learnt lesson takes to fade out, in milliseconds."""
BUBBLE_WIDTHS_PX = (300, 236, 360, 470, 620)
"""The bubble widths to try, in this order."""
CARD_COST = 1.0
"""The cost of each pixel of a card or drawing that the bubble covers."""
TEXT_COST = 4.0
"""The cost of each pixel of a nameplate or text that the bubble covers."""


class Tutor(QObject):
    """Shows the current hint, or else the current lesson until it is learnt or dismissed."""

    dismissed = Signal()
    """The user dismissed a lesson or hint."""
    crowded_changed = Signal()
    """The value of `crowded` changed."""
    text_shown = Signal(str)
    """A hint or a new lesson was shown. The argument is its spoken text."""

    def __init__(self, frame: TableFrame, prompt: QWidget) -> None:
        """`prompt`: the widget that bubbles must not cover."""
        super().__init__(frame)
        self._frame, self._area, self._view = frame, frame.table_area, frame.view
        self._covering_widgets = (prompt, frame.dock)
        self._course: Course | None = None
        self.current: Lesson | None = None
        """The current lesson, or None."""
        self._last_lesson: Lesson | None = None
        """The lesson last announced by `text_shown`, or None."""
        self.hint: ShownHint | None = None
        """The hint that is shown instead of a lesson, or None."""
        self.crowded = False
        """Whether a lesson or hint is hidden because no bubble fits over the table."""
        self._highlighter = SubjectHighlighter(frame.scene.stage)
        self.lesson_slip = frame.dock.lesson_slip
        self.page = LessonPage(frame.context)
        """The widget with the current lesson or hint. The bubble or the sidebar contains it."""
        self.page.dismiss_requested.connect(self._dismiss)
        self.page.dismiss_all_requested.connect(self._dismiss_all)
        self.page.rule_requested.connect(frame.dock.open_rulebook)
        self.bubble = Bubble(frame.table_area, self.page)
        self._fade = QPropertyAnimation(self)
        self._fade.setDuration(FADE_MS)
        self._fade.setStartValue(1.0)
        self._fade.setEndValue(0.0)
        self._fade.finished.connect(self._finish_fading)
        view = frame.view
        frame.table_area.line_placed.connect(self.update_place)
        frame.dock.visibilityChanged.connect(lambda _: self.update_place())
        view.sharpened.connect(self.update_place)
        view.table.selection_view.chooser_toggled.connect(self.update_place)
        view.table.animator.started.connect(self._hide_for_flights)
        for bar in (view.horizontalScrollBar(), view.verticalScrollBar()):
            bar.valueChanged.connect(self.update_place)

    @property
    def is_fading(self) -> bool:
        """Whether a learnt lesson is fading out."""
        return self._fade.state() is QPropertyAnimation.State.Running

    @property
    def spoken_text(self) -> str:
        """The text of the current hint or lesson, or an empty string."""
        return self.page.spoken_text if self._current_subject() is not None else ""

    def set_course(self, course: Course | None) -> None:
        """Set the lessons to show. None means that the match has no lessons."""
        self._course = course

    def show_hint(self, hint: ShownHint) -> None:
        """Show `hint` until `clear_hint` is called or the user dismisses it."""
        self._end_fading()
        self.hint = hint
        self._show_current()

    def clear_hint(self) -> None:
        """Remove the hint, and show the current lesson again."""
        if self.hint is not None:
            self.hint = None
            self._show_current()

    def show_lesson(self) -> None:
        """Show the current lesson, after fading out the previous one if that was learnt."""
        if self.is_fading:
            return
        course, current = self._course, self.current
        still = self._frame.context.animation_speed == "off" or self.hint is not None
        if course is None or current is None or still or not course.is_done(current):
            self._show_next_lesson()
            return
        self.page.show_tick()
        self._highlighter.highlight([])
        frame = self.bubble if self.bubble.isVisible() else self.lesson_slip
        ink = QGraphicsOpacityEffect(frame)
        frame.setGraphicsEffect(ink)
        self._fade.setTargetObject(ink)
        self._fade.setPropertyName(b"opacity")
        self._fade.start()

    def update_place(self) -> None:
        """Place the current text in the sidebar, or in a bubble near its subject.

        The bubble is hidden while cards are moving.
        """
        spoken = self._current_subject()
        if spoken is None or self.is_fading:
            return
        if self._view.table.animator.is_running:
            self._hide_for_flights()
            return
        lit = self._highlighter.rects_of(spoken)
        self._highlighter.highlight(lit if self.hint is None else [])  # a hand shows hints
        if not self._frame.dock.isHidden():
            self.bubble.hide()
            self.lesson_slip.show_page(self.page)
            self._set_crowded(False)
            return
        self.lesson_slip.hide()
        place = self._bubble_place([self._area_rect_of(rect) for rect in lit])
        self._set_crowded(place is None)
        if place is None:
            self.bubble.hide()
        else:
            self.bubble.show_page(self.page, place)
            origin = self._view.mapToScene(place.topLeft().toPoint() - self._view.pos())
            size = place.size() / self._view.transform().m11()
            self._highlighter.draw_pointer_from(QRectF(origin, size))

    def _current_subject(self) -> ResolvedSubject | None:
        """Return the subject of the current hint or lesson, or None if there is none."""
        if self.hint is not None:
            return self.hint.subject
        course, lesson = self._course, self.current
        return course.resolve_subject(lesson) if course is not None and lesson is not None else None

    def _hide_for_flights(self) -> None:
        """Hide the bubble and the highlights while cards are moving."""
        if not self.is_fading:
            self.bubble.hide()
            self._highlighter.highlight([])

    def _set_crowded(self, crowded: bool) -> None:
        if crowded != self.crowded:
            self.crowded = crowded
            self.crowded_changed.emit()

    def _bubble_place(self, lit: list[QRectF]) -> QRectF | None:
        """Return the best rectangle for the bubble, or None if it fits nowhere.

        The bubble is near the highlighted rectangles `lit`, or near the prompt if there are none.
        """
        over = [self._widget_rect(each) for each in self._covering_widgets if each.isVisible()]
        if (chooser := self._view.table.selection_view.chooser) is not None:
            over.append(self._area_rect_of(chooser.list_rect))
        subject = reduce(QRectF.united, lit or over or [QRectF(self._view.geometry())])
        sizes = (self._size(scale_pixels(self.page, width)) for width in BUBBLE_WIDTHS_PX)
        room = QRectF(self._view.geometry())
        needed = [self._area_rect_of(rect) for rect in self._needed_rects()]
        return find_bubble_place(
            sizes, subject, room, [*over, *lit, *needed], self._things_to_avoid()
        )

    def _size(self, width: int) -> QSizeF:
        left, above, right, below = FRAME_PX
        wide = max(width - left - right, self.page.minimumSizeHint().width())
        return QSizeF(wide + left + right, self.page.height_for(wide) + above + below)

    def _needed_rects(self) -> list[QRectF]:
        """Return the scene rectangles of the viewer's hand, playable cards and legal targets.

        A bubble must not cover them.
        """
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
        """Return the cards, drawings and texts on the table, and the cost of covering each."""
        stage = self._view.table.stage
        seen = (item for item in stage.items if item.isVisible())
        things = [(item.mapRectToScene(item.card_rect), CARD_COST) for item in seen]
        if stage.placed is not None:
            things += [(rect, TEXT_COST) for _, rect in stage.plaques()]
            things += [(stage.to_pixels(text.rect), TEXT_COST) for text in stage.placed.texts]
            things += [(stage.to_pixels(each.rect), CARD_COST) for each in stage.placed.drawings]
        return [Avoided(self._area_rect_of(rect), weight) for rect, weight in things]

    def _area_rect_of(self, rect: QRectF) -> QRectF:
        """Convert a rectangle from scene coordinates to those of the table area."""
        shown = self._view.mapFromScene(rect).boundingRect()
        return QRectF(shown.translated(self._view.pos()))

    def _widget_rect(self, widget: QWidget) -> QRectF:
        return QRectF(
            widget.rect().translated(self._area.mapFromGlobal(widget.mapToGlobal(QPoint())))
        )

    def _finish_fading(self) -> None:
        for frame in (self.bubble, self.lesson_slip):
            frame.setGraphicsEffect(None)  # type: ignore[arg-type]
        self._show_next_lesson()

    def _end_fading(self) -> None:
        if self.is_fading:
            self._fade.stop()
            self._finish_fading()

    def _show_next_lesson(self) -> None:
        self.current = self._course.current_lesson() if self._course is not None else None
        self._show_current()

    def _show_current(self) -> None:
        if self.hint is not None:
            self.page.show_hint(self.hint, self._frame.words)
            self.text_shown.emit(self.page.spoken_text)
        elif self._course is not None and self.current is not None:
            self.page.show_lesson(self.current, self._frame.words)
            if self.current is not self._last_lesson:
                self._last_lesson = self.current
                self.text_shown.emit(self.page.spoken_text)
        else:
            self._highlighter.highlight([])
            self.bubble.hide()
            self.lesson_slip.hide()
            self._set_crowded(False)
            return
        self.update_place()

    def _dismiss(self) -> None:
        if self.is_fading:
            return
        if self.hint is not None:
            self.clear_hint()
            self._on_dismissed()
        elif self._course is not None and self.current is not None:
            self._course.dismiss(self.current)
            self._on_dismissed()

    def _dismiss_all(self) -> None:
        if self._course is not None:
            self._course.dismiss_all()
            self._on_dismissed()

    def _on_dismissed(self) -> None:
        """Emit `dismissed`. If no lesson is left, return keyboard focus to the table."""
        focus = self.page.window().focusWidget()
        within = focus is not None and self.page.isAncestorOf(focus)
        self.dismissed.emit()
        if within and self.current is None:
            self._view.setFocus()
