"""Shows the lessons of a first game: beside their subject, or in the dock where that is not seen. A
rule that was used fades with a tick."""

from collections.abc import Sequence
from functools import reduce

from PySide6.QtCore import QObject, QPoint, QPropertyAnimation, QRectF, QSizeF, Signal
from PySide6.QtWidgets import QGraphicsOpacityEffect, QPushButton, QWidget

from tabletop.language.words import Words
from tabletop.match.tutorial import Course, Lesson
from ui.match.lesson.bubble import INSIDE, Bubble
from ui.match.lesson.bubble_place import Avoided, BubblePlace, bubble_place, nearest
from ui.match.lesson.page import LessonPage
from ui.match.lesson.slip import LessonSlip
from ui.match.lesson.subject import Subject
from ui.shell.app_context import AppContext
from ui.table.view import TableView
from ui.widgets.surface import grown

FADES = 700
"""Milliseconds a lesson takes to go once its rule was used; a tick is on it."""
WIDTHS = (300, 236, 360, 470)
"""Widths of a bubble's paper that are tried, in pixels."""
SPOKEN, PLAYABLE, TARGET, LYING, PLAQUE = 20.0, 8.0, 6.0, 1.0, 2.0
"""Cost of a covered pixel of the lesson's subject, of a card that may be played, of a place
where one may go, of any other card or a drawing, and of a plaque."""
SPREAD = 2.5
"""Things that are apart are pointed at one by one: the rectangle round all of them is larger than
they are by this factor."""


class Tutor(QObject):
    """Shows a lesson until it is learnt or put aside; nothing where there is none."""

    put_by = Signal()
    """The lesson was put aside by hand."""

    def __init__(
        self,
        context: AppContext,
        table_area: QWidget,
        view: TableView,
        slip: LessonSlip,
        over: Sequence[QWidget],
    ) -> None:
        """`over` may cover the table, and a bubble never covers them."""
        super().__init__(table_area)
        self._context = context
        self._area, self._view, self._over = table_area, view, over
        self._course: Course | None = None
        self._lesson: Lesson | None = None
        self._subject = Subject(view.table.stage)
        self.slip = slip
        self.page = LessonPage(context)
        """The current lesson, in the bubble or on the slip."""
        self.page.put_aside.connect(self._put_aside)
        self.page.put_all_aside.connect(self._put_all_aside)
        self.bubble = Bubble(context, table_area, self.page)
        self._fading = QPropertyAnimation(self)
        self._fading.setDuration(FADES)
        self._fading.setStartValue(1.0)
        self._fading.setEndValue(0.0)
        self._fading.finished.connect(self._be_gone)
        self._words = context.words
        view.sharpened.connect(self.place)
        view.table.look.listed.connect(self.place)
        for bar in (view.horizontalScrollBar(), view.verticalScrollBar()):
            bar.valueChanged.connect(self.place)

    @property
    def fading(self) -> bool:
        """Whether a lesson that was learnt is just going."""
        return self._fading.state() is QPropertyAnimation.State.Running

    @property
    def current(self) -> Lesson | None:
        """The lesson that is shown now."""
        return self._lesson

    @property
    def lit(self) -> list[QRectF]:
        """The rectangles lit on the table, in the scene."""
        return self._subject.lit

    @property
    def buttons(self) -> tuple[QPushButton, ...]:
        """The buttons in the order of Tab."""
        return self.page.buttons

    def take(self, course: Course | None) -> None:
        """Show the lessons of this match; most matches have none."""
        self._course = course

    def show_lesson(self, words: Words) -> None:
        """Show the current lesson; one that was shown and has been used fades first."""
        self._words = words
        course = self._course
        now = course.now() if course is not None else None
        if self.fading:
            return
        current, still = self._lesson, self._context.speed == "off"
        if course is None or current is None or still or not course.knows(current):
            self._tell(now)
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
        """Move the lesson beside its subject."""
        course, lesson = self._course, self._lesson
        if course is None or lesson is None or self.fading:
            return
        lit = self._subject.rects(course.speaks_of(lesson))
        self._subject.light(lit)
        if self.slip.isVisible():
            self.slip.hide()  # it may cover the table itself
        place = self._beside([self._on_area(rect) for rect in lit])
        if place is None:
            self.bubble.hide()
            self.slip.take(self.page)
        else:
            self.bubble.take(self.page, place)

    def _beside(self, lit: list[QRectF]) -> BubblePlace | None:
        """The best place beside all that is lit, else beside one of it."""
        if not lit:
            return None
        around = reduce(QRectF.united, lit)
        sizes = [self._paper(grown(self.page, width)) for width in WIDTHS]
        over = [self._over_area(each) for each in self._over if each.isVisible()]
        if (chooser := self._view.table.look.chooser) is not None:
            over.append(self._on_area(chooser.place))
        avoided = [*self._avoided(), *(Avoided(each, SPOKEN) for each in lit)]
        room = QRectF(self._view.geometry())
        dense = _area(around) <= SPREAD * sum(map(_area, lit))
        tries = [(around, lit)] if dense else []
        tries += [(each, lit) for each in lit] + [(each, [each]) for each in lit]
        for subject, never in tries:
            place = bubble_place(sizes, subject, room, [*over, *never], avoided)
            if place is not None:
                return place._replace(tip=nearest(place.tip, [subject] if subject in lit else lit))
        return None

    def _paper(self, width: int) -> QSizeF:
        left, above, right, below = INSIDE
        wide = max(width - left - right, self.page.minimumSizeHint().width())
        return QSizeF(wide + left + right, self.page.height_in(wide) + above + below)

    def _avoided(self) -> list[Avoided]:
        """Return the things on the table, in the area, with their weights."""
        stage = self._view.table.stage
        seat = self._view.table.seat
        offers = [offer for each in (seat.offers.values() if seat else ()) for offer in each]
        playable = {card for offer in offers for card in offer.cards}
        targets = {zone for offer in offers for zone in offer.targets}
        things = [
            (item.mapRectToScene(item.sheet), PLAYABLE if item.card in playable else LYING)
            for item in stage.items
            if item.isVisible()
        ]
        things += [(rect, TARGET) for zone in targets if (rect := stage.rect(zone)) is not None]
        if stage.setting is not None:
            things += [(stage.pixels(sign.rect), PLAQUE) for sign in stage.setting.signs]
            things += [(stage.pixels(each.rect), LYING) for each in stage.setting.pictures]
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
        self._tell(self._course.now() if self._course is not None else None)

    def _tell(self, lesson: Lesson | None) -> None:
        self._lesson = lesson
        if self._course is None or lesson is None:
            self._subject.light([])
            self.bubble.hide()
            self.slip.hide()
            return
        self.page.print(lesson, self._words)
        self.place()

    def _put_aside(self) -> None:
        if self._course is not None and self._lesson is not None and not self.fading:
            self._course.put_aside(self._lesson)
            self._leave()

    def _put_all_aside(self) -> None:
        if self._course is not None:
            self._course.put_all_aside()
            self._leave()

    def _leave(self) -> None:
        """Go on without what was put aside; keys that were in it are the table's again."""
        focus = self.page.window().focusWidget()
        within = focus is not None and self.page.isAncestorOf(focus)
        self.put_by.emit()
        if within and self._lesson is None:
            self._view.setFocus()


def _area(rect: QRectF) -> float:
    return rect.width() * rect.height()
