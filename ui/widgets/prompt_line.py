"""The prompt line: who must do what, the buttons for what is no card, and why something fails."""

from bisect import bisect_left
from collections.abc import Hashable, Iterator, Sequence
from itertools import product
from typing import NamedTuple

from PySide6.QtCore import QRectF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QColor, QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import (
    QHBoxLayout,
    QPushButton,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from tabletop.caches.lru_cache import LruCache
from tabletop.engine.model import Move, Reason
from tabletop.language.prompt import Prompt, PromptChoice
from tabletop.language.spoken_text import aloud
from tabletop.language.words import Words
from ui.shell.app_context import AppContext, name_widget
from ui.shell.shortcut_text import shortcut_text
from ui.style.rich_text import Rich, in_size, link, plain
from ui.style.theme import line_width
from ui.table.input.key_places import digit_of
from ui.widgets.box_layout import STRETCH, Part, lay
from ui.widgets.styled_widgets import (
    Paper,
    button,
    change_kind,
    label,
    link_label,
)

STAYS = 9000
"""The time for which a reason is shown, in milliseconds."""
LETTERS = 18
"""Size of the letters of a sentence at least, where it has room; the sizes of everything else here
are meant beside letters of this size. In pixels."""
SMALLER = (0.94, 0.88)
"""Shares of the wanted size that are tried on a large table until the sentence has room."""
CROWDED = (18, 16, 15, 13, 12, 11)
"""The sizes that are tried in a compact line until its text has no more lines than `MOST_LINES`."""
LARGE_SHARE = 0.7
"""The share of the wanted size on a large table below which the line becomes wider first."""
TIGHT = 0.75
"""The share of their usual letters and margins that narrower buttons have."""
MOST_LINES = 2
DOT = 14
"""Side of the dot, in pixels."""
REASON = 13
"""Size of the letters of a reason, in pixels."""
BUTTON, BUTTON_LETTERS = 40, 15
"""Height of a button, and size of its letters, in pixels."""
LOW_BUTTON, LOW_BUTTON_LETTERS = 24, 13
"""The height of a button and the size of its letters in a compact line."""
EDGES, APART = (18, 2, 8, 2), 12
"""The margins of the line, and between dot, text and buttons, in pixels."""
WIDER = 16
"""Steps in which a line is made wider than it ought to be, for words that find no room, in
pixels."""
HIGH = 2.1
"""Height of the line at least, in sizes of its letters."""
LEAST, LEAST_TEXT = 320, 140
"""Width of the line, where there is room for it, and of its text beside many buttons, in pixels."""
DIGITS = 9
"""How many answers digits press."""
GAP, BETWEEN = 8, 4
"""Between two buttons, and between two rows of them, in pixels."""
SHARE, COMPACT_SHARE, LESS_SHARE = 0.66, 0.76, 0.45
"""The greatest share of the line for buttons in one row; the last where the text needs more."""

MAX_FITS = 64
"""Lines whose fit is remembered: a table says the same things again and again."""


class Fit(NamedTuple):
    """How the words of the line find room: what was tried last."""

    width: int
    """The width that the line may take, in pixels."""
    letters: int
    """The size of the letters, in pixels."""
    tight: bool
    """Whether the buttons are narrower than usual."""
    share: float
    """The share of the line for buttons in one row."""


class Dot(QWidget):
    """Filled in the accent while it is the viewer's turn, an empty circle otherwise."""

    def __init__(self, context: AppContext) -> None:
        super().__init__()
        self._context = context
        self.active = False
        self.fit(DOT)

    def fit(self, side: int) -> None:
        """Be so large, in pixels."""
        self.setFixedSize(side, side)

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = self._context.theme
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(QColor(theme.accent if self.active else theme.ink_soft))
            if self.active:
                painter.setBrush(QColor(theme.accent))
            painter.drawEllipse(QRectF(self.rect()).adjusted(1.5, 1.5, -1.5, -1.5))


class PromptLine(Paper):
    """A question, or what is waited for, in two lines at most; while there is a reason to read it
    is below, or where both have no room in its place."""

    asked = Signal(str)
    """Request for a paragraph of the rulebook."""
    resized = Signal()
    explained = Signal(str)
    """A reason or a hint, as a sentence."""
    left = Signal()
    """The button that had the focus is gone."""
    chosen = Signal(object)
    """A button was pressed: its PromptChoice."""

    def __init__(self, context: AppContext, parent: QWidget) -> None:
        super().__init__(parent)
        self._context = context
        self._dot = Dot(context)
        self._text = label()
        self._text.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self._text.setWordWrap(True)
        font = self._text.font()
        font.setBold(True)
        self._text.setFont(font)
        self._reason = link_label()
        self._reason.setWordWrap(True)
        self._reason.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self._reason.linkActivated.connect(self.asked)
        self._reason.hide()
        self._words = context.words
        """The words of the game in which the prompt is read."""
        self._parts: tuple[Rich, ...] = ()
        """The sentences of the reason."""
        self._reason_width = 0
        """The width of the reason in one line, in pixels."""
        self._buttons: list[QPushButton] = []
        self._answers: list[QPushButton] = []
        """The buttons that answer the question."""
        self._choices: tuple[PromptChoice, ...] = ()
        self._advised: Move | None = None
        """The answer whose button is lit."""
        self._resting = False
        """Whether what it said has had its day, and what comes next is still to be seen."""
        self._compact = False
        self._wanted = LETTERS
        """The size of letters that the table asks for, in pixels."""
        self._letters = LETTERS
        self._button = 0
        """The height of a button, in pixels."""
        self._tight = False
        """Whether the buttons are narrower than usual, to find room."""
        self.crowded = False
        """Whether its words need more than its usual place, even in its smallest letters."""
        self._fits: LruCache[Hashable, Fit] = LruCache(MAX_FITS)
        """By all that they depend on (`_fit_key`)."""
        self._rows = lay(QVBoxLayout(), spacing=BETWEEN)
        self._lying: list[list[QPushButton]] = []
        """The buttons row by row."""
        texts = lay(QVBoxLayout(), [STRETCH, self._text, self._reason, STRETCH], spacing=0)
        whole: list[Part] = [self._dot, (texts, 1), self._rows]
        self._whole = lay(QHBoxLayout(self), whole, spacing=APART, margins=EDGES)
        name_widget(self, context.words("Question"))
        self._fading = QTimer(self, singleShot=True, interval=STAYS)
        self._fading.timeout.connect(self.forget_reason)

    @property
    def _lines(self) -> int:
        """What the lines around the paper, or around a button, take of its height, in pixels."""
        return 2 * line_width(self._context.theme)

    @property
    def text(self) -> str:
        """The present text of the line."""
        return self._text.text()

    @property
    def aloud(self) -> str:
        """The text, and the keys that give the answers to it; empty while something moves."""
        if self._resting:
            return ""
        words = self._context.words
        keys = {answer: str(digit) for digit, answer in enumerate(self._answers[:DIGITS], start=1)}
        for each, choice in zip(self._buttons, self._choices, strict=True):
            if choice.kind == "commit":
                keys[each] = shortcut_text(self._context, "end_turn")
        answers = [
            words.with_label(key, each.text())
            for each, key in keys.items()
            if each.isEnabled() and key
        ]
        return words.sentences((self.text, words.join_list(answers)))

    @property
    def reason(self) -> str:
        """The reason shown, as rich text; empty where there is none."""
        return "" if self._reason.isHidden() else self._reason.text()

    @property
    def buttons(self) -> tuple[QPushButton, ...]:
        return tuple(self._buttons)

    @property
    def first_answer(self) -> QPushButton | None:
        """The first button that answers the question, where one is asked."""
        return self._answers[0] if self._answers and not self._resting else None

    def press_answer(self, number: int) -> bool:
        """Press this answer to the question, from 0; return whether it is answered by buttons at
        all."""
        if self.isHidden() or self.first_answer is None:
            return False
        if number < len(self._answers):
            self._answers[number].click()
        return True

    def keyPressEvent(self, event: QKeyEvent) -> None:
        number = digit_of(event)
        if event.isAutoRepeat() or number is None or not self.press_answer(number):
            super().keyPressEvent(event)

    def say(self, prompt: Prompt, words: Words | None = None) -> None:
        """Show this prompt; a button that stays the same keeps the focus. It is read in `words`,
        those of the game."""
        text, choices = prompt.shown, prompt.choices
        self._words = words or self._context.words
        self._choices = choices
        self._resting = False
        self._write(text)
        self._show_active(prompt.active)
        for number, choice in enumerate(choices):
            if number == len(self._buttons):
                made = button()
                # a click leaves the focus with the table
                made.setFocusPolicy(Qt.FocusPolicy.TabFocus)
                made.setParent(self)
                made.setStyleSheet(self._button_style())
                made.show()  # a layout reserves no room for hidden widgets
                self._buttons.append(made)
            self._show(self._buttons[number], choice)
        for spare in self._buttons[len(choices) :]:
            if spare.hasFocus():
                self.left.emit()
            spare.hide()
            spare.deleteLater()
        del self._buttons[len(choices) :]
        asked = zip(self._buttons, choices, strict=True)
        self._answers = [each for each, choice in asked if choice.answers]
        self._lay_rows([list(self._buttons)])
        name_widget(self, self._context.words("Question"), text, self._words)
        self.resized.emit()

    def advise(self, move: Move | None) -> None:
        """Light the button that gives this answer, where there is one."""
        self._advised = move
        for each, choice in zip(self._buttons, self._choices, strict=True):
            change_kind(each, self._kind_of(choice))

    def rest(self, text: str) -> None:
        """Say this while something moves before the next question is put. The buttons have had
        their day; they stay where they are, so that one that comes again keeps the focus."""
        self._resting = True
        self._write(text)
        self.setAccessibleName(aloud(text, self._words))
        self._show_active(False)
        for each in self._buttons:
            change_kind(each, "")

    def _write(self, text: str) -> None:
        self._text.setText(text)
        name_widget(self._text, text, words=self._words)

    def _show_active(self, active: bool) -> None:
        self._dot.active = active
        self._dot.update()
        ink = "" if not self._resting else f"color: {self._context.theme.ink_soft};"
        sheet = f"{ink}font-size: {self._letters}px;"
        if sheet != self._text.styleSheet():
            self._text.setStyleSheet(sheet)

    def set_letters(self, pixels: int, compact: bool) -> None:
        """Speak in letters of this size, as far as there is room; `compact`: with low buttons, for
        a small table or many of them."""
        if (pixels, compact) != (self._wanted, self._compact):
            self._wanted, self._compact = pixels, compact
            self.refresh_appearance()

    def refresh_appearance(self) -> None:
        """Put everything on as large as it is set now."""
        self._dot.fit(self._scale(DOT))
        self._show_active(self._dot.active)
        self._whole.setContentsMargins(*map(self._scale, EDGES))
        self._whole.setSpacing(self._scale(APART))
        self._set_buttons(0)

    def _scale(self, pixels: float) -> int:
        """A number of pixels meant for letters of the usual size, scaled to those that are
        wanted."""
        return round(pixels * max(self._wanted, LETTERS) / LETTERS)

    def _set_buttons(self, high: int) -> None:
        """Make the buttons as large as they are wanted, but no higher than this, if not 0."""
        wanted = self._scale(LOW_BUTTON if self._compact else BUTTON)
        self._button = min(wanted, high) if high else wanted
        self._dress_buttons()

    def _dress_buttons(self) -> None:
        style = self._button_style()
        for each in self._buttons:
            if each.styleSheet() != style:
                each.setStyleSheet(style)
                self._lying = []  # the buttons must be laid out afresh

    def _button_style(self) -> str:
        letters = self._scale(LOW_BUTTON_LETTERS if self._compact else BUTTON_LETTERS)
        aside = self._scale(9 if self._compact else 16)
        if self._tight:
            letters, aside = round(TIGHT * letters), round(TIGHT * aside)
        high = max(self._button - self._lines, 0)
        return (
            f"QPushButton {{ padding: 0px {aside}px; font-size: {letters}px; "
            f"min-height: {high}px; max-height: {high}px; "
            f"border-radius: {max(self._button // 2 - 1, 1)}px; }}"
        )

    def explain(self, reason: Reason, words: Words, viewer: int) -> None:
        """Show for a while why something is not possible."""
        parts = [plain(words.reason(reason, viewer))]
        if reason.paragraph:
            place = words("Rules {n}", n=reason.paragraph)
            parts.append(link(reason.paragraph, place, self._context.theme.accent_2))
        self._parts, spoken = tuple(parts), words.reason(reason, viewer)
        self._reason.setAccessibleName(aloud(spoken, words))
        self._reason.show()
        self._set_letters(self._letters)
        self._fading.start()
        self.resized.emit()
        self.explained.emit(spoken)

    def forget_reason(self) -> None:
        """Show no reason any more."""
        self._fading.stop()
        if not self._reason.isHidden():
            self._reason.clear()
            self._reason.hide()
            self._text.show()
            self.resized.emit()

    def wanted_size(self, widest: int, room: int = 0, high: int = 0) -> QSize:
        """The wanted size, in pixels: one row if the words fit into one, never more than two, and
        no higher than `high` where they find room in it. It may be wider than `widest`, up to
        `room`, where there are too many words for that."""
        inside = high - 2 * self._scale(EDGES[1]) - self._lines
        rows = MOST_LINES if self._compact else 1
        self._set_buttons(max((inside - BETWEEN * (rows - 1)) // rows, 1) if high else 0)
        key = self._fit_key(widest, room, high)
        known = self._fits.get(key)
        said = bool(self._text.text() or self._buttons or self.reason)
        for fit in self._tries(widest, room) if known is None else (known,):
            self._tighten(fit.tight)
            self._set_letters(fit.letters)
            size, lines = self._size_in(fit.width, fit.share)
            fits = max(lines, len(self._lying)) <= MOST_LINES
            self.crowded = not fits or fit.width > widest
            if fits and (not said or not high or size.height() <= high):
                break
        self._fits.put(key, fit)
        return size

    def _fit_key(self, widest: int, room: int, high: int) -> Hashable:
        buttons = tuple((each.text(), each.property("kind")) for each in self._buttons)
        words = self._text.text(), buttons, None if self._reason.isHidden() else self._parts
        looks = self._wanted, self._compact, self._lines, self.font().key()
        return widest, room, high, looks, words

    def _tries(self, widest: int, room: int) -> Iterator[Fit]:
        """Yield what is tried, the best first: on a large table a wider line, and then narrower
        buttons, come before letters that are smaller than on a small one."""
        widths = [*dict.fromkeys((*range(widest, room, WIDER), max(widest, room)))]
        shares = (COMPACT_SHARE if self._compact else SHARE, LESS_SHARE)
        sizes, least = self._sizes(), round(LARGE_SHARE * self._wanted)
        large = [size for size in sizes if size >= least and self._wanted > LETTERS]
        small = [size for size in sizes if size not in large]
        for tight, tried in ((False, large), (True, large), (bool(large), small)):
            for width, letters, share in product(widths, tried, shares):
                yield Fit(width, letters, tight, share)

    def _tighten(self, tight: bool) -> None:
        """Make the buttons narrower, or as usual."""
        if tight != self._tight:
            self._tight = tight
            self._dress_buttons()

    def _sizes(self) -> list[int]:
        """The sizes of letters that are tried, the largest first."""
        if self._compact:
            return [self._scale(size) for size in CROWDED]
        sizes = [max(round(self._wanted * share), LETTERS) for share in (1.0, *SMALLER)]
        return [*dict.fromkeys(sizes)]

    def _set_letters(self, pixels: int) -> None:
        self._letters = pixels
        self._show_active(self._dot.active)
        if not self._reason.isHidden():
            size = min(self._scale(REASON), pixels)
            self._reason.setText(in_size(size, *self._parts))
            self._reason.setWordWrap(False)
            self._reason_width = self._reason.sizeHint().width() + 12
            self._reason.setWordWrap(True)

    def _size_in(self, widest: int, share: float) -> tuple[QSize, int]:
        """The size at this width at most, with this share for buttons in one row, and how many
        lines of text it has."""
        left, top, right, bottom = map(self._scale, EDGES)
        fixed = self._lay_buttons(round(widest * share)) + left + right + self._dot.width()
        fixed += 2 * self._scale(APART) + self._lines
        reason = not self._reason.isHidden()
        wanted = self._text.fontMetrics().horizontalAdvance(self._text.text()) + 12
        wanted = max(wanted, self._reason_width if reason else 0)
        least = max(fixed + min(wanted, self._scale(LEAST_TEXT)), min(LEAST, widest))
        wide = max(least, min(widest, fixed + wanted))
        inner = wide - fixed
        high = self._text.heightForWidth(inner)
        lines = round(high / self._text.fontMetrics().lineSpacing())
        if reason:
            more = self._reason.heightForWidth(inner)
            below = round(more / self._reason.fontMetrics().lineSpacing())
            self._text.setVisible(lines + below <= MOST_LINES)
            if self._text.isHidden():
                high, lines = more, below
            else:
                high, lines = high + more, lines + below
        elif lines > 1:
            even = self._even_width(inner, high)
            wide = max(min(LEAST, wide), fixed + even)
        rows = self._rows.sizeHint().height() if self._buttons else 0
        inside = max(high, rows) + self._lines
        return QSize(wide, max(round(HIGH * self._letters), inside + top + bottom)), lines

    def _even_width(self, widest: int, high: int) -> int:
        """The least width in which the text is no higher than this: there its lines are about
        equally long, and none is a single word."""
        widths = range(widest // 2, widest)
        fits = bisect_left(widths, True, key=lambda each: self._text.heightForWidth(each) <= high)
        return widths[fits] if fits < len(widths) else widest

    def _lay_buttons(self, widest: int) -> int:
        """Side by side; where they are too many for this width in several rows, about equally wide.
        Gives the width."""
        rows = self._break_into_rows(widest)
        if len(rows) > 1:
            for narrower in range(widest, 0, -GAP):
                parted = self._break_into_rows(narrower)
                if len(parted) > len(rows):
                    break
                rows = parted
        self._lay_rows(rows)
        return max(map(_width_of, rows), default=0)

    def _break_into_rows(self, widest: int) -> list[list[QPushButton]]:
        """The buttons in rows of at most this width."""
        rows: list[list[QPushButton]] = []
        for each in self._buttons:
            if rows and _width_of([*rows[-1], each]) <= widest:
                rows[-1].append(each)
            else:
                rows.append([each])
        return rows

    def _lay_rows(self, rows: list[list[QPushButton]]) -> None:
        if rows == self._lying:
            return
        self._lying = rows
        while (item := self._rows.takeAt(0)) is not None:
            if (gone := item.layout()) is not None:
                while gone.takeAt(0) is not None:
                    pass
                gone.deleteLater()
        for buttons in rows:
            row = lay(QHBoxLayout(), [*buttons], spacing=GAP)
            self._rows.addLayout(row)

    def _show(self, made: QPushButton, choice: PromptChoice) -> None:
        change_kind(made, self._kind_of(choice))
        made.setText(choice.text)
        made.setToolTip(choice.hint)
        name_widget(made, choice.text, choice.hint, self._words)
        made.setEnabled(choice.enabled)
        if made.property("wired"):
            made.clicked.disconnect()
        made.clicked.connect(lambda _=False: self._press(choice))
        made.setProperty("wired", True)

    def _kind_of(self, choice: PromptChoice) -> str:
        if self._advised is not None and self._advised in (choice.move, *choice.moves):
            return "advised"
        return "primary" if choice.primary else ""

    def _press(self, choice: PromptChoice) -> None:
        if not self._resting:
            self.chosen.emit(choice)


def _width_of(row: Sequence[QPushButton]) -> int:
    return sum(each.sizeHint().width() + GAP for each in row)
