"""One seat in the lobby: who sits there and how ready they are, or a place to sit down."""

from collections.abc import Sequence

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import (
    QHBoxLayout,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from tabletop.bots.decision import LEVELS
from tabletop.language import labels
from tabletop.language.words import Words
from tabletop.protocol.messages import SeatPlan, Sitter
from tabletop.protocol.table_people import SeatWay
from tabletop.text.phrases import phrase
from ui.shell.app_context import AppContext, name_widget
from ui.shell.player_names import LONGEST, clean_name
from ui.style.rich_text import literal
from ui.widgets.box_layout import STRETCH, Part, lay
from ui.widgets.confirm import asks_first
from ui.widgets.seat_badge import offer_symbols, seat_badge, wear_badge, wear_team_sign
from ui.widgets.surface import (
    Paper,
    Shortened,
    button,
    change_kind,
    label,
    menu_button,
    scale_pixels,
)
from ui.widgets.text_fields import TextField

BADGE, HIGH = 40, 64
"""Side of a badge, and the least height of a seat, in pixels."""
SMALL_BADGE, SMALL_HIGH = 28, 42
"""The same where there are many seats."""
TEAM = 20
"""Side of a team's sign, in pixels."""
LEVEL_NAMES = {
    "easy": phrase("Easy bot"),
    "normal": phrase("Normal bot"),
    "hard": phrase("Hard bot"),
}
STATES = {
    "ready": ("check", "good", labels.READY),
    "here": ("connected", "accent_2", phrase("Not ready yet")),
    "away": ("away", "warn", phrase("Away")),
}
"""The sign, colour and words for the state of a person at a seat."""


def level_name(level: str) -> str:
    """Return the label of a bot of this level, in English."""
    return LEVEL_NAMES.get(level, labels.BOT)


class LobbySeat(Paper):
    """Everything about one seat in a line."""

    wanted = Signal()
    """Somebody would like to sit here, and is to be asked for a name."""
    unwanted = Signal()
    sat = Signal(str, str)
    """Somebody here sits down: the name, the symbol."""
    taken = Signal(str)
    """Somebody here takes over the seat of a match: its code; empty where the host has freed it."""
    rose = Signal()
    readied = Signal(bool)
    arranged = Signal(object)
    """The host gives the seat to others or to a bot: a Chair."""
    removed = Signal(bool)
    """The host sends away the player there; whether to let nobody in from there any more."""
    muted = Signal(bool)
    """The host lets nothing be heard of the player there, or lets it again."""
    handed = Signal()
    """The host asks the player there to host the table on."""

    def __init__(self, context: AppContext, number: int, small: bool = False) -> None:
        """`small`: low, with the state beside the name, because there are many seats."""
        super().__init__()
        self._context = context
        self.number = number
        self._small = small
        self.choosing = False
        """Whether somebody is writing a name to sit down here."""
        self._symbol = ""
        self._way: SeatWay = ""
        self._order = label("caption")
        self._team = label()
        self._badge = label()
        self._pick = menu_button()
        self._name = Shortened()
        self._name.setStyleSheet("font-weight: 700;")
        self._sign = label()
        self._state = label("caption")
        self.field = TextField(longest=LONGEST)
        self.field.returnPressed.connect(self._sit)
        self.sit, self.cancel, self.rise = button(), button("quiet"), button("quiet")
        self.ready = button()
        self.sit.clicked.connect(self._press_sit)
        self.cancel.clicked.connect(self.end_choosing)
        self.rise.clicked.connect(self.rose)
        self.is_ready = False
        """Whether the player here has said to be."""
        self.ready.clicked.connect(lambda: self.readied.emit(not self.is_ready))
        self.more = menu_button()
        self._lay_out()

    def _lay_out(self) -> None:
        state = lay(QHBoxLayout(), [self._sign, (self._state, 1)], spacing=6)
        middle = QWidget()
        middle.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        if self._small:
            beside: list[Part] = [(self._name, 1), (self.field, 1), state]
            lay(QHBoxLayout(middle), beside, spacing=10, margins=0)
        else:
            texts = [STRETCH, self._name, state, self.field, STRETCH]
            lay(QVBoxLayout(middle), texts, spacing=0, margins=0)
        who: list[Part] = [self._order, self._team, self._badge, self._pick, (middle, 1)]
        acts = [self.ready, self.rise, self.cancel, self.sit, self.more]
        edge = 2 if self._small else 6
        lay(QHBoxLayout(self), [*who, *acts], spacing=10, margins=(14, edge, 10, edge))
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)

    @property
    def text(self) -> str:
        """The name of this seat's player, as written."""
        return self._name.text()

    @property
    def free(self) -> bool:
        """Whether anybody here may have this seat."""
        return self._way in ("sit", "take")

    @property
    def state(self) -> str:
        """The state of this seat's player, as written."""
        return self._state.text()

    def show_sitter(
        self,
        sitter: Sitter,
        *,
        mine: bool,
        hosts: bool,
        gathering: bool,
        way: SeatWay,
        host: bool,
        moderates: bool = False,
        muted: bool = False,
        team: int | None = None,
    ) -> None:
        """Show the player here. `mine`: somebody at this computer; `hosts`: this computer may
        arrange the seats; `way`: how somebody at this computer may get the seat; `host`: the
        player here hosts the table; `moderates`: this computer may send people away and mute them;
        `muted`: the player here is; `team`: its number, where anybody has a partner."""
        theme, free = self._context.theme, sitter.state == "free" or sitter.vacant
        if self.choosing and way != self._way:
            self.choosing = False
        self._way = way
        self._fit_sizes()
        self._order.setText(str(self.number + 1))
        wear_team_sign(self._context, self._team, team, scale_pixels(self, TEAM))
        self._show_badge(sitter)
        self._name.setText(self._sitter_name(sitter, mine, host))
        self._name.setStyleSheet(
            f"QLabel {{ font-weight: 700; color: {theme.ink_soft if free else theme.ink}; }}"
        )
        self._show_state(sitter, muted, brief=mine and self._small)
        self.is_ready = sitter.state == "ready"
        self._show_parts(sitter, mine=mine, hosts=hosts, gathering=gathering)
        self._update_buttons()
        self._fill_more(sitter, mine, moderates, muted)

    def _fit_sizes(self) -> None:
        """Let what has a size of its own be as large as all else."""
        badge, pick = self._badge_side, self._badge_side - scale_pixels(self, 6)
        self._order.ensurePolished()
        self._order.setMinimumWidth(self._order.fontMetrics().horizontalAdvance("12"))
        self._badge.setFixedSize(badge, badge)
        self._pick.setIconSize(QSize(pick, pick))
        self.setMinimumHeight(scale_pixels(self, SMALL_HIGH if self._small else HIGH))

    @property
    def _badge_side(self) -> int:
        return scale_pixels(self, SMALL_BADGE if self._small else BADGE)

    def _show_parts(self, sitter: Sitter, *, mine: bool, hosts: bool, gathering: bool) -> None:
        """Show what there is to see and to press for the player here, and hide the rest."""
        choosing = self.choosing
        for widget, there in (
            (self._badge, not choosing or self._way == "code"),
            (self._pick, choosing and self._way == "sit"),
            (self._name, not choosing),
            (self.field, choosing),
            (self.sit, self._way != ""),
            (self.cancel, choosing),
            (self.rise, mine and gathering and not choosing),
            (self.ready, mine and gathering and sitter.state in ("here", "ready", "away")),
            (self.more, hosts and gathering and not choosing),
        ):
            widget.setVisible(there)

    def _update_buttons(self) -> None:
        words, coded = self._context.words, self._way == "code"
        self.sit.setText(self._sit_text(words))
        change_kind(self.sit, "primary" if self.choosing else "quiet" if coded else "")
        self.cancel.setText(words(labels.CANCEL))
        self.rise.setText(words(labels.LEAVE_SEAT))
        self.ready.setText(words(labels.NOT_READY) if self.is_ready else words(labels.READY))
        change_kind(self.ready, "" if self.is_ready else "primary")
        self.field.setPlaceholderText(words(labels.CODE_OF_SEAT) if coded else words(labels.NAME))
        n = self.number + 1
        asked = words("Code of seat {n}", n=n) if coded else words("Name for seat {n}", n=n)
        name_widget(self.field, asked)
        name_widget(self.sit, words("Sit down at seat {n}", n=n))

    def _sit_text(self, words: Words) -> str:
        """The text of the button that gets the seat, or that asks first for what it takes."""
        if self._way == "code" and not self.choosing:
            return words("Enter its code…")
        if self._way == "sit" and not self.choosing:
            return words("Sit here")
        return words(labels.SIT_DOWN)

    def begin_choosing(self, name: str, symbols: Sequence[str]) -> None:
        """Let somebody write a name, with one of these symbols, the first one proposed; or the code
        of the seat."""
        self.choosing = True
        if self._way == "code":
            self.field.clear()
            return
        self.field.setText(name)
        self._choose(symbols[0])
        offer_symbols(self._context, self._pick.menu(), symbols, self._choose)

    def take_focus(self) -> None:
        """Let the person write."""
        self.field.setFocus(Qt.FocusReason.OtherFocusReason)
        self.field.selectAll()

    def end_choosing(self) -> None:
        """Nobody sits down after all."""
        self.choosing = False
        self.unwanted.emit()

    def _press_sit(self) -> None:
        if self._way == "take":
            self.taken.emit("")
        elif self.choosing:
            self._sit()
        else:
            self.wanted.emit()

    def _sit(self) -> None:
        text = clean_name(self.field.text())
        if text and self._way == "code":
            self.taken.emit(text)
        elif text:
            self.sat.emit(text, self._symbol)

    def _choose(self, symbol: str) -> None:
        self._symbol = symbol
        side = self._badge_side - scale_pixels(self, 6)
        self._pick.setIcon(seat_badge(self._context, symbol, side, self))
        name_widget(self._pick, self._context.words("Choose a symbol"))

    def _sitter_name(self, sitter: Sitter, mine: bool, host: bool) -> str:
        words = self._context.words
        if sitter.vacant:
            return words(labels.FREED_SEAT, name=sitter.name)
        if sitter.state == "free":
            return words("Free")
        if sitter.kind == "bot":
            return words(level_name(sitter.level))
        notes = [
            note for note, there in ((words(labels.HOST), host), (words("here"), mine)) if there
        ]
        return words.with_note(sitter.name, words.join_list(notes)) if notes else sitter.name

    def _show_badge(self, sitter: Sitter) -> None:
        theme = self._context.theme
        if sitter.symbol and sitter.state != "free":
            wear_badge(self._context, self._badge, sitter.symbol, self._badge_side)
            return
        icon = "bot" if sitter.kind == "bot" else "person"
        tone = theme.ink_soft if sitter.kind == "bot" else theme.line
        self._badge.setPixmap(self._context.icon_pixmap(icon, self._badge_side, tone))
        self._badge.setAccessibleName("")

    def _show_state(self, sitter: Sitter, muted: bool, brief: bool) -> None:
        """Show how ready the player is; `brief`: by the sign alone, beside the button for it."""
        known = STATES.get(sitter.state) if sitter.kind == "person" and not sitter.vacant else None
        shown = known is not None and not self.choosing
        self._sign.setVisible(shown)
        self._state.setVisible(shown and not brief)
        if known is None:
            return
        icon, tone, text = known
        colour = getattr(self._context.theme, tone)
        self._sign.setPixmap(self._context.icon_pixmap(icon, scale_pixels(self, 16), colour))
        words = self._context.words
        self._state.setText(
            words.join_facts((words(text), words(labels.MUTED_SEAT) if muted else ""))
        )

    def _fill_more(self, sitter: Sitter, mine: bool, moderates: bool, muted: bool) -> None:
        words, menu = self._context.words, self.more.menu()
        self.more.setIcon(self._context.icon("dots"))
        name_widget(self.more, words("Change seat {n}", n=self.number + 1))
        menu.clear()
        guest = sitter.kind == "person" and sitter.state != "free" and not mine
        if guest and moderates:
            text = words("Free the seat for another phone or computer")
            menu.addAction(literal(text)).triggered.connect(
                lambda: self.arranged.emit(SeatPlan("open"))
            )
            text = words("Remove {name}", name=sitter.name)
            menu.addAction(literal(text)).triggered.connect(lambda: self.removed.emit(False))
            asks = asks_first(self._context, "remove")
            text = words("Remove and block…") if asks else words("Remove and block")
            menu.addAction(literal(text)).triggered.connect(lambda: self.removed.emit(True))
            mute = menu.addAction(words("Mute"))
            mute.setCheckable(True)
            mute.setChecked(muted)
            mute.triggered.connect(self.muted)
            menu.addSeparator()
        elif sitter.state != "free":
            opening = menu.addAction(words("Open to others"))
            opening.triggered.connect(lambda: self.arranged.emit(SeatPlan("open")))
        for level in LEVELS:
            action = menu.addAction(self._context.icon("bot"), words(LEVEL_NAMES[level]))
            action.triggered.connect(
                lambda _=False, level=level: self.arranged.emit(SeatPlan("bot", level))
            )
        if guest:
            menu.addSeparator()
            moving = words("Move the table to {name}", name=sitter.name)
            handing = menu.addAction(literal(moving))
            handing.triggered.connect(self.handed)
