"""Toolbar above the table of a trial, with position, player count, viewer, seed, and the status of
the files.
"""

from __future__ import annotations

from msgspec import Struct
from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QComboBox,
    QHBoxLayout,
    QSizePolicy,
    QToolBar,
    QVBoxLayout,
    QWidget,
)

from tabletop.language import labels
from tabletop.storage.record import MAX_SEED_LENGTH
from tabletop.text.phrases import phrase
from ui.shell.app_context import APPEARANCE_SETTINGS, AppContext, name_widget
from ui.style.theme import scale_lengths
from ui.widgets.box_layout import Part, lay
from ui.widgets.fields import ComboBox
from ui.widgets.form import set_choices
from ui.widgets.styled_widgets import (
    ElidedLabel,
    Paper,
    ScalingMixin,
    button,
    label,
    menu_button,
    scale_pixels,
    set_style_kind,
)
from ui.widgets.text_fields import TextField

COMPACT_STYLE = "padding: 3px 10px; min-height: 20px; border-radius: 8px; font-size: 13px;"
SEED_WIDTH_PX = 76
ICON_PX = 20
"""Width and height of the status icon in pixels."""
PRINT_TEXT = phrase("Print cards…")
EXPORT_TEXTS = {
    "pictures": phrase("Cards as pictures…"),
    "simulator": phrase("Cards for Tabletop Simulator…"),
    "udonarium": phrase("Cards for Udonarium…"),
}
"""Menu texts of the export formats, by the names that `tabletop export` uses."""
DRAWING, CHECKING = phrase("Drawing…"), phrase("Checking…")
CURRENT_PLAYER = -1
"""A value for the viewer that stands for whichever seat has the turn."""


class WorkshopStatus(Struct, frozen=True):
    """What the toolbar shows."""

    seed: str
    allowed: tuple[int, ...]
    """The possible player counts; empty before the first working table."""
    seats: int
    viewer: int
    """The seat whose view is shown, or `CURRENT_PLAYER`."""
    bots_play: bool
    move: int
    """The number of moves on the table."""
    moves: int
    """The number of moves in the record."""
    complaint: str = ""
    """The message about a mistake in the files; empty if there is none."""
    broken: bool = False


class TrialToolbar(QToolBar, ScalingMixin):
    """The controls and the status of a trial."""

    grows = True

    stepped = Signal(int)
    """Request to go forward by this number of moves, or back if it is negative."""
    seed_requested = Signal(str)
    seats_requested = Signal(int)
    """Request for another player count."""
    viewer_requested = Signal(int)
    """Request for another viewer: a seat, or `CURRENT_PLAYER`."""
    bots_toggled = Signal(bool)
    cards_requested = Signal()
    """Request to open the file that contains the cards."""
    folder_requested = Signal()
    """Request to open the game's folder."""
    share_requested = Signal()
    """Request to write the game as one file."""
    export_requested = Signal(str)
    """Request to write the cards for another program: a key of `EXPORT_TEXTS`."""
    print_requested = Signal()
    """Request to write the printable PDF."""
    check_requested = Signal()
    """Request to look for mistakes in the game, as `tabletop check` does."""
    pictures_requested = Signal()
    """Request to draw a picture of all tables."""

    def __init__(self, context: AppContext, window: QWidget) -> None:
        """`window`: the window whose size the toolbar is scaled to."""
        super().__init__()
        self._context = context
        self._status: WorkshopStatus | None = None
        self._working = ""
        """What a process in the background does for the user; empty if there is none."""
        self.setObjectName("workshop")
        self.setMovable(False)
        self.toggleViewAction().setEnabled(False)
        self.back, self.forward = button(), button()
        self.move_label = label("caption")
        self.viewer, self.seats = ComboBox(), ComboBox()
        self.bots = button()
        self.bots.setCheckable(True)
        self.seed = TextField(longest=MAX_SEED_LENGTH)
        self._seed_label = label("caption")
        self._status_icon = label()
        self.summary = ElidedLabel("caption")
        self.summary.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self._notice, self._warning = Paper(kind="complaint"), label()
        self.mistake = label("bad", wrap=True)
        self._folder_button = button("quiet")
        self._folder_button.clicked.connect(self.folder_requested)
        self.hint = label(wrap=True)
        self.hint.hide()
        self.check, self.share = button(), button()
        self.check.clicked.connect(self.check_requested)
        self.share.clicked.connect(self.share_requested)
        self.files = menu_button()
        set_style_kind(self.files, "")
        menu = self.files.menu()
        self.cards, self.folder, self.pictures, self.print = (menu.addAction("") for _ in range(4))
        self.pictures.triggered.connect(self.pictures_requested)
        self.cards.triggered.connect(self.cards_requested)
        self.folder.triggered.connect(self.folder_requested)
        self.print.triggered.connect(self.print_requested)
        self.exports = {kind: menu.addAction("") for kind in EXPORT_TEXTS}
        for kind, action in self.exports.items():
            action.triggered.connect(lambda _=False, kind=kind: self.export_requested.emit(kind))
        self._build_layout()
        self.back.clicked.connect(lambda: self.stepped.emit(-1))
        self.forward.clicked.connect(lambda: self.stepped.emit(1))
        self.bots.toggled.connect(self.bots_toggled)
        self.seed.editingFinished.connect(self._on_seed_edited)
        self.seats.activated.connect(lambda _: self.seats_requested.emit(self.seats.currentData()))
        self.viewer.activated.connect(
            lambda _: self.viewer_requested.emit(self.viewer.currentData())
        )
        context.changed.connect(self._on_settings_changed)
        window.installEventFilter(self)
        self.update_growth(window.size())
        self._update_styles()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QResizeEvent) and self.update_growth(event.size()):
            self._update_styles()
            self.refresh_appearance()
        return False

    def _update_styles(self) -> None:
        """Update the style sheets for the current size and colours."""
        self.setStyleSheet(self.scaled_style_sheet(self._context.theme))
        for small in self._small:
            sheet = f"{type(small).__name__} {{ {COMPACT_STYLE} }}"
            small.setStyleSheet(scale_lengths(sheet, self.growth))
        self.seed.setFixedWidth(scale_pixels(self, SEED_WIDTH_PX))

    def _build_layout(self) -> None:
        whole = QWidget()
        moves: list[Part] = [self.back, self.move_label, self.forward, 8]
        choices: list[Part] = [
            self.seats,
            self.viewer,
            self.bots,
            8,
            self._seed_label,
            self.seed,
            8,
        ]
        status: list[Part] = [
            self._status_icon,
            (self.summary, 1),
            self.check,
            self.share,
            self.files,
        ]
        row = lay(QHBoxLayout(), [*moves, *choices, *status], spacing=8)
        said: list[Part] = [self._warning, (self.mistake, 1), self._folder_button]
        lay(QHBoxLayout(self._notice), said, spacing=10, margins=(12, 4, 4, 4))
        rows: list[Part] = [row, self._notice, self.hint]
        lay(QVBoxLayout(whole), rows, spacing=6, margins=(8, 2, 8, 4))
        self._small = (
            *(self.back, self.forward, self.seats, self.viewer, self.bots, self.seed),
            *(self.check, self.share, self.files),
        )
        self.move_label.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.addWidget(whole)

    def show_status(self, status: WorkshopStatus) -> None:
        """Show `status`."""
        self._status = status
        self.refresh_appearance()

    def show_hint(self, text: str) -> None:
        """Show a hint on what to do next, or hide it if `text` is empty."""
        self.hint.setText(text)
        self.hint.setVisible(bool(text))

    def show_work(self, working: str) -> None:
        """Show `working`, what a process in the background does; "" if there is no process."""
        self._working = working
        self.refresh_appearance()

    def refresh_appearance(self) -> None:
        """Update all texts to the current language."""
        status, words = self._status, self._context.words
        self.pictures.setText(words("Pictures…"))
        self.check.setText(words("Check"))
        self.check.setToolTip(words("Look for mistakes in the rules, texts, cards and table"))
        self.pictures.setToolTip(words("The table for every number of players, in three sizes"))
        self.files.setText(words("Files"))
        self.cards.setText(words("Open the cards"))
        self.folder.setText(words("Show the folder"))
        self.share.setText(words(labels.SHARE))
        self.share.setToolTip(words("Write the game to one file that your friends can open"))
        self.print.setText(words(PRINT_TEXT))
        for kind, action in self.exports.items():
            action.setText(words(EXPORT_TEXTS[kind]))
        if status is None:
            return
        for step, icon, text in (
            (self.back, "arrow-left", words("Previous move")),
            (self.forward, "arrow-right", words("Next move")),
        ):
            step.setIcon(self._context.icon(icon))
            step.setToolTip(text)
            name_widget(step, text)
        self.back.setEnabled(status.move > 0)
        self.forward.setEnabled(status.move < status.moves)
        for each in (self.seats, self.viewer, self.bots, self.seed):
            each.setEnabled(bool(status.allowed))
        good = bool(status.allowed) and not status.broken
        for action in (self.print, *self.exports.values()):
            action.setEnabled(good)
        self.share.setEnabled(good)
        self.check.setEnabled(not self._working)
        self.pictures.setEnabled(bool(status.allowed) and not self._working)
        self.move_label.setText(words("Move {n} of {most}", n=status.move, most=status.moves))
        counts = {n: words("{n} players", n=n) for n in status.allowed}
        self._fill(self.seats, words("Number of players"), counts, status.seats)
        seats = {n: words("Player {n}", n=n + 1) for n in range(status.seats)}
        viewers = {CURRENT_PLAYER: words("Current player")} | seats
        self._fill(self.viewer, words("Viewer"), viewers, status.viewer)
        self.bots.setText(words("Bots play on"))
        self.bots.setChecked(status.bots_play)
        self._seed_label.setText(words("Seed"))
        name_widget(self.seed, words("Seed"))
        if not self.seed.isModified():
            self.seed.setText(status.seed)
            self.seed.setCursorPosition(0)
        self._show_state(status)

    def _show_state(self, status: WorkshopStatus) -> None:
        words, theme = self._context.words, self._context.theme
        good = not status.complaint
        colour = theme.bad if status.broken else theme.warn
        side = scale_pixels(self, ICON_PX)
        self._status_icon.setPixmap(self._context.icon_pixmap("check", side, theme.good))
        self._status_icon.setVisible(good)
        self._warning.setPixmap(self._context.icon_pixmap("warning", side, colour))
        self._folder_button.setText(words("Show the folder"))
        shortly = words("Up to date") if good else ""
        if status.broken:
            shortly = words("Last working table") if status.allowed else words("No table yet")
        elif status.complaint:
            shortly = words("Some moves no longer fit")
        if self._working:
            shortly = words(self._working)
        self.summary.setText(shortly)
        self.mistake.setText(status.complaint)
        set_style_kind(self.mistake, "bad" if status.broken else "warn")
        self._notice.setProperty("warns", not status.broken)
        for each in (self._notice, self.mistake):
            each.style().polish(each)
            each.setVisible(not good)

    def _fill(self, box: QComboBox, name: str, texts: dict[int, str], chosen: int) -> None:
        set_choices(box, texts, chosen)
        box.setToolTip(name)
        name_widget(box, name)

    def _on_seed_edited(self) -> None:
        text = self.seed.text().strip()
        if self.seed.isModified():
            self.seed.setModified(False)
            if text and text.isprintable():
                self.seed_requested.emit(text)
            self.refresh_appearance()

    def _on_settings_changed(self, changed: frozenset[str]) -> None:
        if changed & APPEARANCE_SETTINGS:
            if self.growth != 1.0:
                self._update_styles()
            self.refresh_appearance()
