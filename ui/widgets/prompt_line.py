"""The prompt line: what the user must do, buttons for answers that aren't cards, and reasons why a
move is refused.
"""

from bisect import bisect_left
from collections.abc import Hashable, Iterator, Sequence
from itertools import product
from typing import NamedTuple

from PySide6.QtCore import QRectF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QColor, QFont, QFontMetrics, QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import (
    QHBoxLayout,
    QPushButton,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from tabletop.caches.lru_cache import LruCache
from tabletop.engine.model import Ask, Move, Reason
from tabletop.language.prompt import ChoiceKind, Prompt, PromptChoice
from tabletop.language.spoken_text import to_spoken_text
from tabletop.language.words import Words
from ui.shell.app_context import AppContext, name_widget
from ui.shell.shortcut_text import shortcut_text
from ui.style.rich_text import Rich, in_size, link, plain
from ui.style.theme import line_width
from ui.table.input.physical_keys import digit_index
from ui.widgets.box_layout import STRETCH, Part, lay
from ui.widgets.styled_widgets import (
    Paper,
    button,
    label,
    link_label,
    set_style_kind,
)

REASON_DURATION_MS = 9000
"""Time in ms for which a reason is shown."""
DEFAULT_FONT_PX = 18
"""Default font size of the prompt in pixels, and its minimum if the text fits. Other sizes in this
module apply at this font size and scale with it.
"""
SMALLER_FONT_FACTORS = (0.94, 0.88)
"""Factors of the requested font size to try on a large table, in order, until the prompt fits."""
COMPACT_FONTS_PX = (18, 16, 15, 13, 12, 11)
"""Font sizes in pixels to try in a compact line, in
order, until the text fits into `MAX_LINES` lines.
"""
MIN_LARGE_FONT_FACTOR = 0.7
"""Smallest factor of the requested font size to try on a large table before widening the line."""
NARROW_BUTTON_FACTOR = 0.75
"""Scale factor for the font and the padding of narrow buttons."""
MAX_LINES = 2
DOT_SIZE_PX = 14
"""Side of the turn indicator in pixels."""
REASON_FONT_PX = 13
"""Font size of a reason in pixels."""
BUTTON_HEIGHT_PX, BUTTON_FONT_PX = 40, 15
"""Height and font size of a button in pixels."""
LOW_BUTTON_HEIGHT_PX, LOW_BUTTON_FONT_PX = 24, 13
"""Height and font size in pixels of a button in a compact line."""
PACE_KINDS = ("hurry", "wait_for_bots")
"""The kinds of choices that answer no question, so that they also act while something is moving."""
MARGINS_PX, SPACING_PX = (18, 2, 8, 2), 12
"""Left, top, right and bottom margins of the line, and
the space between dot, text and buttons, in pixels.
"""
WIDTH_STEP_PX = 16
"""Step in pixels by which a line is widened if its text doesn't fit."""
MIN_HEIGHT_FACTOR = 2.1
"""Minimum height of the line, as a multiple of its font size."""
MIN_WIDTH_PX, MIN_TEXT_WIDTH_PX = 320, 140
"""Minimum width in pixels of the line, if space
allows, and of its text if there are many buttons.
"""
COMMAND_KEYS: dict[ChoiceKind, str] = {"commit": "end_turn", "hand_over": "end_turn"}
"""The commands whose shortcuts answer a prompt, by kind of choice."""
DIGIT_KEYS = 9
"""Maximum number of answers with a digit key."""
BUTTON_GAP_PX, ROW_GAP_PX = 8, 4
"""Space in pixels between two buttons, and between two rows of buttons."""
THICK_FRAME_PX = 3
"""Thickness in pixels of the frame of an advised or focused button."""
BUTTON_SHARE, COMPACT_BUTTON_SHARE, SMALL_BUTTON_SHARE = 0.66, 0.76, 0.45
"""Maximum share of the line's width for a row of buttons: normally, in a compact line, and if the
text needs more space.
"""

MAX_CACHED_LAYOUTS = 64
"""Maximum number of cached layouts. A table shows the same prompts repeatedly."""


class PromptLayout(NamedTuple):
    """A layout of the prompt line to try."""

    width: int
    """Maximum width of the line in pixels."""
    letters: int
    """Font size in pixels."""
    tight: bool
    """Whether to use narrow buttons."""
    share: float
    """Maximum share of the line's width for a row of buttons."""


class Dot(QWidget):
    """The turn indicator: filled with the accent colour during the viewer's turn, otherwise an
    empty circle.
    """

    def __init__(self, context: AppContext) -> None:
        super().__init__()
        self._context = context
        self.active = False
        self.set_size(DOT_SIZE_PX)

    def set_size(self, side: int) -> None:
        """Set the size to `side` pixels."""
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
    """The prompt in at most two lines, with buttons for its answers.

    The reason for a refused move appears below the prompt for a few seconds, or instead of the
    prompt if both don't fit.
    """

    rule_requested = Signal(str)
    """Request to open a paragraph of the rulebook, given by its number."""
    resized = Signal()
    reason_shown = Signal(str)
    """Emitted with the text of a reason or hint that was shown."""
    focus_lost = Signal()
    """Emitted when a button with the keyboard focus was removed."""
    chosen = Signal(object)
    """Emitted with the `PromptChoice` of a pressed button."""

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
        self._reason.linkActivated.connect(self.rule_requested)
        self._reason.hide()
        self._words = context.words
        """The texts used for what screen readers read."""
        self._parts: tuple[Rich, ...] = ()
        """Rich-text parts of the reason."""
        self._reason_width = 0
        """Width in pixels that the reason needs on one line."""
        self._buttons: list[QPushButton] = []
        self._answers: list[QPushButton] = []
        """The buttons that answer the prompt's question."""
        self._choices: tuple[PromptChoice, ...] = ()
        self.asks: tuple[Ask, ...] = ()
        """The game's questions that the current prompt asks."""
        self._advised: Move | None = None
        """The move whose button is highlighted."""
        self._resting = False
        """Whether the prompt is outdated because something is still moving, and the next one isn't
        shown yet.
        """
        self._compact = False
        self._wanted = DEFAULT_FONT_PX
        """Font size in pixels that the table requests."""
        self._letters = DEFAULT_FONT_PX
        self._button = 0
        """Height of a button in pixels."""
        self._tight = False
        """Whether the buttons are narrow to save space."""
        self.crowded = False
        """Whether the text needs more than the usual space even at the smallest font size."""
        self._fits: LruCache[Hashable, PromptLayout] = LruCache(MAX_CACHED_LAYOUTS)
        """Cached layouts by `_fit_key`."""
        self._rows = lay(QVBoxLayout(), spacing=ROW_GAP_PX)
        self._widths: dict[QPushButton, int] = {}
        self._lying: list[list[QPushButton]] = []
        """The buttons of each row."""
        texts = lay(QVBoxLayout(), [STRETCH, self._text, self._reason, STRETCH], spacing=0)
        whole: list[Part] = [self._dot, (texts, 1), self._rows]
        self._whole = lay(QHBoxLayout(self), whole, spacing=SPACING_PX, margins=MARGINS_PX)
        name_widget(self, context.words("Question"))
        self._fading = QTimer(self, singleShot=True, interval=REASON_DURATION_MS)
        self._fading.timeout.connect(self.hide_reason)

    @property
    def _lines(self) -> int:
        """Total thickness in pixels of two border lines, of the paper or of a button."""
        return 2 * line_width(self._context.theme)

    @property
    def text(self) -> str:
        """The text of the current prompt."""
        return self._text.text()

    @property
    def spoken_text(self) -> str:
        """The prompt with the keys of its answers, for
        screen readers; empty while something is moving.
        """
        if self._resting:
            return ""
        words = self._context.words
        return words.sentences((self.text, words.join_list(self.spoken_answers)))

    @property
    def spoken_answers(self) -> tuple[str, ...]:
        """The enabled answers, each with its key, for screen readers."""
        words = self._context.words
        keys = {
            answer: str(digit) for digit, answer in enumerate(self._answers[:DIGIT_KEYS], start=1)
        }
        for each, choice in zip(self._buttons, self._choices, strict=True):
            if choice.kind in COMMAND_KEYS:
                keys[each] = shortcut_text(self._context, COMMAND_KEYS[choice.kind])
        return tuple(
            words.with_label(key, each.text())
            for each, key in keys.items()
            if each.isEnabled() and key
        )

    @property
    def reason(self) -> str:
        """The visible reason as rich text; empty if none is shown."""
        return "" if self._reason.isHidden() else self._reason.text()

    @property
    def buttons(self) -> tuple[QPushButton, ...]:
        return tuple(self._buttons)

    @property
    def first_answer(self) -> QPushButton | None:
        """The first button that answers the question; None if there is no question."""
        return self._answers[0] if self._answers and not self._resting else None

    def press_answer(self, number: int) -> bool:
        """Press the answer button at the 0-based index `number`, if it exists.

        Returns whether the current question is answered by buttons.
        """
        if self.isHidden() or self.first_answer is None:
            return False
        if number < len(self._answers):
            self._answers[number].click()
        return True

    def press_only_answer(self) -> bool:
        """Press the only answer button, if there is exactly one. Return whether it was pressed."""
        return len(self._answers) == 1 and self.press_answer(0)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        number = digit_index(event)
        if event.isAutoRepeat() or number is None or not self.press_answer(number):
            super().keyPressEvent(event)

    def show_prompt(self, prompt: Prompt, words: Words | None = None) -> None:
        """Show `prompt`. Unchanged buttons keep the focus.

        Screen readers read it in the language of `words`, by default the program's.
        """
        text, choices = prompt.shown, prompt.choices
        self._words = words or self._context.words
        self._choices, self.asks = choices, prompt.asks
        self._resting = False
        self._write(text)
        self._show_active(prompt.active)
        for number, choice in enumerate(choices):
            if number == len(self._buttons):
                made = button()
                # a click keeps the focus on the table
                made.setFocusPolicy(Qt.FocusPolicy.TabFocus)
                made.setParent(self)
                made.setStyleSheet(self._button_style())
                made.show()  # a layout reserves no room for hidden widgets
                self._buttons.append(made)
            self._show(self._buttons[number], choice)
        for spare in self._buttons[len(choices) :]:
            if spare.hasFocus():
                self.focus_lost.emit()
            spare.hide()
            spare.deleteLater()
        del self._buttons[len(choices) :]
        asked = zip(self._buttons, choices, strict=True)
        self._answers = [each for each, choice in asked if choice.answers]
        self._lay_rows([list(self._buttons)])
        name_widget(self, self._context.words("Question"), text, self._words)
        self.resized.emit()

    def highlight_answer(self, move: Move | None) -> None:
        """Highlight the button that plays `move`, if there is one."""
        self._advised = move
        for each, choice in zip(self._buttons, self._choices, strict=True):
            set_style_kind(each, self._kind_of(choice))

    def show_idle(self, text: str) -> None:
        """Show `text` while something is moving before the next prompt.

        The old buttons stay, so that a button that the next prompt has too keeps the focus. Only
        those that change the bots' pace still act.
        """
        self._resting = True
        self._write(text)
        self.setAccessibleName(to_spoken_text(text, self._words))
        self._show_active(False)
        for each in self._buttons:
            set_style_kind(each, "")

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
        """Request the font size `pixels`; smaller sizes are used if space is short.

        `compact`: whether to use low buttons, because the table is small or there are many buttons.
        """
        if (pixels, compact) != (self._wanted, self._compact):
            self._wanted, self._compact = pixels, compact
            self.refresh_appearance()

    def refresh_appearance(self) -> None:
        """Apply the current sizes and theme to all parts."""
        self._dot.set_size(self._scale(DOT_SIZE_PX))
        self._show_active(self._dot.active)
        self._whole.setContentsMargins(*map(self._scale, MARGINS_PX))
        self._whole.setSpacing(self._scale(SPACING_PX))
        self._set_buttons(0)

    def _scale(self, pixels: float) -> int:
        """Return `pixels` scaled from the default font size to the requested one."""
        return round(pixels * max(self._wanted, DEFAULT_FONT_PX) / DEFAULT_FONT_PX)

    def _set_buttons(self, high: int) -> None:
        """Set the button height to the requested one,
        but at most `high` pixels unless `high` is 0.
        """
        wanted = self._scale(LOW_BUTTON_HEIGHT_PX if self._compact else BUTTON_HEIGHT_PX)
        self._button = min(wanted, high) if high else wanted
        self._dress_buttons()

    def _dress_buttons(self) -> None:
        style = self._button_style()
        for each in self._buttons:
            if each.styleSheet() != style:
                each.setStyleSheet(style)
                self._lying = []  # the buttons must be laid out again

    def _button_style(self) -> str:
        letters = self._scale(LOW_BUTTON_FONT_PX if self._compact else BUTTON_FONT_PX)
        aside = self._scale(9 if self._compact else 16)
        if self._tight:
            letters, aside = (
                round(NARROW_BUTTON_FACTOR * letters),
                round(NARROW_BUTTON_FACTOR * aside),
            )
        high = max(self._button - self._lines, 0)
        return (
            f"QPushButton {{ padding: 0px {aside}px; font-size: {letters}px; "
            f"min-height: {high}px; max-height: {high}px; "
            f"border-radius: {max(self._button // 2 - 1, 1)}px; }}"
        )

    def explain(self, reason: Reason, words: Words, viewer: int) -> None:
        """Show for a few seconds why something isn't possible,
        with a link to the paragraph of the rulebook.
        """
        parts = [plain(words.reason(reason, viewer))]
        if reason.paragraph:
            place = words("Rules {n}", n=reason.paragraph)
            parts.append(link(reason.paragraph, place, self._context.theme.accent_2))
        self._parts, spoken = tuple(parts), words.reason(reason, viewer)
        self._reason.setAccessibleName(to_spoken_text(spoken, words))
        self._reason.show()
        self._set_letters(self._letters)
        self._fading.start()
        self.resized.emit()
        self.reason_shown.emit(spoken)

    def hide_reason(self) -> None:
        """Hide the reason."""
        self._fading.stop()
        if not self._reason.isHidden():
            self._reason.clear()
            self._reason.hide()
            self._text.show()
            self.resized.emit()

    def wanted_size(self, widest: int, room: int = 0, high: int = 0) -> QSize:
        """Lay out the line, and return its size in pixels.

        Args:
            widest: the preferred maximum width.
            room: the maximum width if the text doesn't fit into `widest`.
            high: the maximum height if the text can fit into it; 0 for no limit.
        """
        inside = high - 2 * self._scale(MARGINS_PX[1]) - self._lines
        rows = MAX_LINES if self._compact else 1
        self._set_buttons(max((inside - ROW_GAP_PX * (rows - 1)) // rows, 1) if high else 0)
        key = self._fit_key(widest, room, high)
        known = self._fits.get(key)
        said = bool(self._text.text() or self._buttons or self.reason)
        for fit in self._tries(widest, room) if known is None else (known,):
            self._tighten(fit.tight)
            self._set_letters(fit.letters)
            size, lines = self._size_in(fit.width, fit.share)
            fits = max(lines, len(self._lying)) <= MAX_LINES
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

    def _tries(self, widest: int, room: int) -> Iterator[PromptLayout]:
        """Yield the layouts to try, the best first.

        On a large table, a wider line is better than narrow buttons, and both are better than font
        sizes below those of a small table.
        """
        widths = [*dict.fromkeys((*range(widest, room, WIDTH_STEP_PX), max(widest, room)))]
        shares = (COMPACT_BUTTON_SHARE if self._compact else BUTTON_SHARE, SMALL_BUTTON_SHARE)
        sizes, least = self._sizes(), round(MIN_LARGE_FONT_FACTOR * self._wanted)
        large = [size for size in sizes if size >= least and self._wanted > DEFAULT_FONT_PX]
        small = [size for size in sizes if size not in large]
        for tight, tried in ((False, large), (True, large), (bool(large), small)):
            for width, letters, share in product(widths, tried, shares):
                yield PromptLayout(width, letters, tight, share)

    def _tighten(self, tight: bool) -> None:
        """Switch between narrow and normal buttons."""
        if tight != self._tight:
            self._tight = tight
            self._dress_buttons()

    def _sizes(self) -> list[int]:
        """Return the font sizes to try, the largest first."""
        if self._compact:
            return [self._scale(size) for size in COMPACT_FONTS_PX]
        sizes = [
            max(round(self._wanted * share), DEFAULT_FONT_PX)
            for share in (1.0, *SMALLER_FONT_FACTORS)
        ]
        return [*dict.fromkeys(sizes)]

    def _set_letters(self, pixels: int) -> None:
        self._letters = pixels
        self._show_active(self._dot.active)
        if not self._reason.isHidden():
            size = min(self._scale(REASON_FONT_PX), pixels)
            self._reason.setText(in_size(size, *self._parts))
            self._reason.setWordWrap(False)
            self._reason_width = self._reason.sizeHint().width() + 12
            self._reason.setWordWrap(True)

    def _size_in(self, widest: int, share: float) -> tuple[QSize, int]:
        """Return (the size at a maximum width of `widest` pixels, the number of text lines).

        `share` is the maximum share of the width for a row of buttons.
        """
        left, top, right, bottom = map(self._scale, MARGINS_PX)
        fixed = self._lay_buttons(round(widest * share)) + left + right + self._dot.width()
        fixed += 2 * self._scale(SPACING_PX) + self._lines
        reason = not self._reason.isHidden()
        wanted = self._text.fontMetrics().horizontalAdvance(self._text.text()) + 12
        wanted = max(wanted, self._reason_width if reason else 0)
        least = max(fixed + min(wanted, self._scale(MIN_TEXT_WIDTH_PX)), min(MIN_WIDTH_PX, widest))
        wide = max(least, min(widest, fixed + wanted))
        inner = wide - fixed
        high = self._text.heightForWidth(inner)
        lines = round(high / self._text.fontMetrics().lineSpacing())
        if reason:
            more = self._reason.heightForWidth(inner)
            below = round(more / self._reason.fontMetrics().lineSpacing())
            self._text.setVisible(lines + below <= MAX_LINES)
            if self._text.isHidden():
                high, lines = more, below
            else:
                high, lines = high + more, lines + below
        elif lines > 1:
            even = self._even_width(inner, high)
            wide = max(min(MIN_WIDTH_PX, wide), fixed + even)
        rows = self._rows.sizeHint().height() if self._buttons else 0
        inside = max(high, rows) + self._lines
        return QSize(
            wide, max(round(MIN_HEIGHT_FACTOR * self._letters), inside + top + bottom)
        ), lines

    def _even_width(self, widest: int, high: int) -> int:
        """Return the smallest width at which the text is at most `high` pixels high.

        At that width the lines are about equally long, and no line consists of a single word.
        """
        widths = range(widest // 2, widest)
        fits = bisect_left(widths, True, key=lambda each: self._text.heightForWidth(each) <= high)
        return widths[fits] if fits < len(widths) else widest

    def _lay_buttons(self, widest: int) -> int:
        """Arrange the buttons in rows of at most `widest`
        pixels. Return the width of the widest row.

        Rows get about the same width.
        """
        self._widths = {each: self._emphasised_width(each) for each in self._buttons}
        rows = self._break_into_rows(widest)
        if len(rows) > 1:
            for narrower in range(widest, 0, -BUTTON_GAP_PX):
                parted = self._break_into_rows(narrower)
                if len(parted) > len(rows):
                    break
                rows = parted
        for each, width in self._widths.items():
            each.setFixedWidth(width)
        self._lay_rows(rows)
        return max(map(self._width_of, rows), default=0)

    def _break_into_rows(self, widest: int) -> list[list[QPushButton]]:
        """Return the buttons in rows of at most `widest` pixels."""
        rows: list[list[QPushButton]] = []
        for each in self._buttons:
            if rows and self._width_of([*rows[-1], each]) <= widest:
                rows[-1].append(each)
            else:
                rows.append([each])
        return rows

    def _width_of(self, row: Sequence[QPushButton]) -> int:
        return sum(self._widths[each] + BUTTON_GAP_PX for each in row)

    def _emphasised_width(self, each: QPushButton) -> int:
        """Return the width of a button in bold with a thick frame, as a hint or the focus shows it.

        A button of this width needs no other layout when it is emphasised.
        """
        bold = QFont(each.font())
        bold.setBold(True)
        plain_width = each.fontMetrics().horizontalAdvance(each.text())
        more = QFontMetrics(bold).horizontalAdvance(each.text()) - plain_width
        if each.property("kind") != "advised":
            more += 2 * THICK_FRAME_PX - self._lines
        return each.sizeHint().width() + max(more, 0)

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
            row = lay(QHBoxLayout(), [*buttons], spacing=BUTTON_GAP_PX)
            self._rows.addLayout(row)

    def _show(self, made: QPushButton, choice: PromptChoice) -> None:
        set_style_kind(made, self._kind_of(choice))
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
        if not self._resting or choice.kind in PACE_KINDS:
            self.chosen.emit(choice)
