"""The program's colour themes, and the Qt palette and style sheet made from them."""

from __future__ import annotations

import re
from functools import cache
from typing import Annotated

import msgspec
from PySide6.QtGui import QColor, QPainter, QPalette

from tabletop.games.colours import contrast_ratio
from ui.style.asset_folder import assets_root

THEMES = ("light", "dark", "contrast")
STATUS_COLOURS = ("good", "warn", "bad")
SEAT_TINT_SHARE = 0.16
"""Share of a seat's colour in the result of `seat_background`."""
SMOOTH_HINTS = QPainter.RenderHint.Antialiasing | QPainter.RenderHint.SmoothPixmapTransform
"""The render hints for all painting."""

Colour = Annotated[str, msgspec.Meta(pattern="^#[0-9A-Fa-f]{6}$")]


SYMBOL_INK = "#FFFDF8"
"""Default colour of a seat's symbol on its badge."""
MIN_SIGN_CONTRAST = 3.0
"""Minimum contrast ratio between a sign and the paper for the sign to be visible."""


class SeatMark(msgspec.Struct, frozen=True):
    """A seat's colour, its symbol from `assets/common/seats/`, and the colour of the symbol."""

    colour: Colour
    symbol: str
    ink: Colour = SYMBOL_INK


class ThemeColours(msgspec.Struct, frozen=True, kw_only=True):
    """The named colours of a theme, documented in `assets/theme.toml`."""

    table: Colour
    mat: Colour
    table_ink: Colour
    table_soft: Colour
    table_accent: Colour
    table_accent_2: Colour
    paper: Colour
    ink: Colour
    ink_soft: Colour
    line: Colour
    accent: Colour
    on_accent: Colour
    accent_2: Colour
    on_accent_2: Colour
    good: Colour
    warn: Colour
    bad: Colour
    stock: Colour
    stock_ink: Colour


class Theme(ThemeColours, frozen=True, kw_only=True):
    """A named theme: its colours and the twelve seats in seating order."""

    name: str
    seats: tuple[SeatMark, ...]


class _Themes(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    light: ThemeColours
    dark: ThemeColours
    contrast: ThemeColours
    seats: Annotated[tuple[SeatMark, ...], msgspec.Meta(min_length=12, max_length=12)]


@cache
def load_theme(name: str) -> Theme:
    """Return the theme called `name`.

    Raises:
        ValueError: `name` isn't one of `THEMES`.
    """
    if name not in THEMES:
        raise ValueError(f"no theme is called {name!r}; there are {', '.join(THEMES)}")
    themes = msgspec.toml.decode((assets_root() / "theme.toml").read_bytes(), type=_Themes)
    tokens: ThemeColours = getattr(themes, name)
    return Theme(name=name, seats=themes.seats, **msgspec.structs.asdict(tokens))


def is_dark(theme: Theme) -> bool:
    """Return whether the theme's text is lighter than its paper."""
    return QColor(theme.ink).lightnessF() > QColor(theme.paper).lightnessF()


def contrast_on_dark(theme: Theme, colour: str) -> str:
    """Return `colour`; in a dark theme, mixed with
    the text colour until it contrasts with the paper.
    """
    steps = (mix(colour, theme.ink, step / 20).name() for step in range(20))
    seen = (each for each in steps if contrast_ratio(each, theme.paper) >= MIN_SIGN_CONTRAST)
    return next(seen, theme.ink) if is_dark(theme) else colour


def find_symbol_ink(theme: Theme, symbol: str) -> str:
    """Return the colour of a seat's symbol on its badge."""
    return next((seat.ink for seat in theme.seats if seat.symbol == symbol), SYMBOL_INK)


def make_palette(theme: Theme) -> QPalette:
    """Return the palette for widgets that the style
    sheet doesn't affect, such as native dialogs.
    """
    roles = QPalette.ColorRole
    colours = {
        roles.Window: theme.table,
        roles.WindowText: theme.ink,
        roles.Base: theme.paper,
        roles.AlternateBase: theme.mat,
        roles.Text: theme.ink,
        roles.Button: theme.mat,
        roles.ButtonText: theme.ink,
        roles.BrightText: theme.bad,
        roles.Highlight: theme.accent_2,
        roles.HighlightedText: theme.on_accent_2,
        roles.Link: theme.accent_2,
        roles.LinkVisited: theme.accent_2,
        roles.ToolTipBase: theme.paper,
        roles.ToolTipText: theme.ink,
        roles.PlaceholderText: theme.ink_soft,
        roles.Accent: theme.accent_2,
        roles.Light: theme.paper,
        roles.Midlight: theme.paper,
        roles.Mid: theme.line,
        roles.Dark: theme.line,
        roles.Shadow: theme.line,
    }
    made = QPalette()
    for role, colour in colours.items():
        made.setColor(role, QColor(colour))
    for role in (roles.WindowText, roles.Text, roles.ButtonText):
        made.setColor(QPalette.ColorGroup.Disabled, role, mix(theme.ink_soft, theme.table, 0.45))
    return made


def mix(a: str, b: str, share: float) -> QColor:
    """Return a mixture of the colours `a` and `b` with the share `share` (0 to 1) of `b`."""
    return QColor(*(round(x + (y - x) * share) for x, y in zip(_rgb(a), _rgb(b), strict=True)))


def seat_background(theme: Theme, colour: str) -> QColor:
    """Return the background for something that belongs to a seat: the paper colour tinted with the
    seat's `colour`.
    """
    return mix(theme.paper, colour, SEAT_TINT_SHARE)


def with_opacity(colour: str | QColor, share: float) -> QColor:
    """Return `colour` with the opacity `share` (0 to 1)."""
    made = QColor(colour)
    made.setAlphaF(share)
    return made


def _rgb(colour: str) -> tuple[int, int, int]:
    made = QColor(colour)
    return made.red(), made.green(), made.blue()


def make_stylesheet(theme: Theme, growth: float = 1.0) -> str:
    """Return the program's Qt style sheet, with all lengths multiplied by `growth`.

    The dynamic property `kind` of a widget selects a variant:
    `primary` and `quiet` for buttons; `title`, `heading`, `caption`,
    `good`, `warn` and `bad` for labels; `paper` and `mat` for frames.
    """
    dark = is_dark(theme)
    controls = (assets_root() / "common" / "controls").as_posix()
    words = {
        **{name: getattr(theme, name) for name in ThemeColours.__struct_fields__},
        "hover": mix(theme.paper, theme.accent_2, 0.10).name(),
        "pressed": mix(theme.paper, theme.accent_2, 0.24).name(),
        "accent_hover": mix(theme.accent, theme.on_accent, 0.12).name(),
        "accent_pressed": mix(theme.accent, theme.stock_ink, 0.18).name(),
        **{f"{k}_text": mix(getattr(theme, k), theme.ink, 0.3).name() for k in STATUS_COLOURS},
        "faint": mix(theme.table, theme.ink_soft, 0.55).name(),
        "bar": bar_colour(theme),
        "dock": mix(theme.table, theme.paper, 0.60).name(),
        "still": theme.ink_soft if theme.name == "contrast" else "transparent",
        "thumb": mix(theme.table, theme.ink_soft, 0.40).name(),
        "check": f"{controls}/check-{'deep' if dark else 'pale'}.svg",
        **{
            name: f"{controls}/{name}-{'pale' if dark else 'deep'}.svg"
            for name in ("down", "up", "right")
        },
        "edge": f"{line_width(theme)}px",
    }
    return scale_lengths(_STYLESHEET % words, growth)


def line_width(theme: Theme) -> int:
    """Return the width of the lines around paper and buttons, in pixels."""
    return 2 if theme.name == "contrast" else 1


def make_menu_bar_stylesheet(look: Theme) -> str:
    """Return the style sheet of a menu bar above a game's table."""
    return (
        f"QMenuBar {{ background: {bar_colour(look)}; border-color: {look.line}; }}"
        f"QMenuBar::item {{ color: {look.table_ink}; }}"
        f"QMenuBar::item:selected, QMenuBar::item:pressed {{ background: {look.line}; }}"
        f"QMenuBar > QLabel {{ color: {look.table_ink}; }}"
    )


def bar_colour(theme: Theme) -> str:
    """Return the colour of bars above a table."""
    return mix(theme.table, theme.mat, 0.60).name()


def scale_lengths(sheet: str, growth: float) -> str:
    """Return the style sheet `sheet` with all pixel lengths multiplied by `growth`.

    Radii are rounded down, because Qt ignores a radius of more than half the height.
    """

    def pixels(match: re.Match[str]) -> str:
        length = int(match[2]) * growth
        return f"{match[1] or ''}{int(length - 0.5) if match[1] else round(length)}px"

    return sheet if growth == 1.0 else _LENGTH.sub(pixels, sheet)


_LENGTH = re.compile(r"(radius: )?\b(\d+)px")


# Focusable widgets reserve room for the focus ring (padding + border are equal in
# both states), so that nothing moves when they get the focus.
_STYLESHEET = """
* { font-family: "Noto Sans CJK JP"; }
QWidget { color: %(ink)s; font-size: 15px; }
QMainWindow, QStackedWidget { background: %(table)s; }
QDialog { background: %(paper)s; }
QDialog[kind="sheet"], QInputDialog {
    background: %(paper)s; border: %(edge)s solid %(line)s; border-radius: 14px;
}
QDialogButtonBox { button-layout: 3; }
QMainWindow::separator { background: transparent; width: 8px; height: 8px; }
QMainWindow::separator:hover { background: %(accent_2)s; }
QLabel { background: transparent; }
QLabel[kind="title"] { font-size: 28px; font-weight: 700; }
QLabel[kind="heading"] { font-size: 20px; font-weight: 700; }
QLabel[kind="strong"] { font-weight: 700; }
QLabel[kind="reading"] { font-size: 14px; }
QLabel[kind="caption"] { font-size: 13px; color: %(ink_soft)s; }
QLabel[kind="good"] { color: %(good_text)s; }
QLabel[kind="warn"] { color: %(warn_text)s; }
QLabel[kind="bad"] { color: %(bad_text)s; }
QLabel:disabled, QCheckBox:disabled, QRadioButton:disabled { color: %(faint)s; }
QFrame[kind="paper"] {
    background: %(paper)s; border: %(edge)s solid %(line)s; border-radius: 14px;
}
QFrame[kind="paper"] QStackedWidget, QFrame[kind="paper"] QTabWidget::pane {
    background: transparent;
}
QFrame[kind="lesson"] {
    background: %(paper)s; border: 2px solid %(accent)s; border-radius: 14px;
}
QFrame[kind="entry"] {
  background: %(paper)s; border: 2px solid %(line)s; border-radius: 10px;
}
QFrame[kind="entry"][marked="true"] { border-color: %(accent)s; }
QFrame[kind="mat"] { background: %(mat)s; border: none; border-radius: 14px; }
QFrame[kind="complaint"] {
    background: %(paper)s; border: none; border-left: 5px solid %(bad)s; border-radius: 0;
    border-top-right-radius: 8px; border-bottom-right-radius: 8px;
}
QFrame[kind="complaint"][warns="true"] { border-left-color: %(warn)s; }
QFrame[kind="complaint"] QLabel { font-weight: 700; }
QFrame[frameShape="4"], QFrame[frameShape="5"] { color: %(line)s; border: none; }
QFrame[frameShape="4"] { background: %(line)s; max-height: 1px; }
QFrame[frameShape="5"] { background: %(line)s; max-width: 1px; }

QMenuBar {
    background: %(bar)s; border-bottom: 1px solid %(line)s; padding: 0 8px; font-size: 13px;
}
QMenuBar::item { background: transparent; padding: 8px 12px; border-radius: 8px; }
QMenuBar::item:selected, QMenuBar::item:pressed { background: %(pressed)s; }
QMenu {
    background: %(paper)s; border: %(edge)s solid %(line)s; padding: 8px 4px;
}
QMenu::item { padding: 8px 32px 8px 12px; margin: 0 4px; border-radius: 8px; }
QMenu::item:selected { background: %(pressed)s; }
QMenu::item:disabled { color: %(faint)s; background: transparent; }
QMenu { menu-scrollable: 1; }
QMenu[tight="true"]::item { padding: 3px 32px 3px 12px; }
QMenu[tight="true"]::separator { margin: 3px 16px; }
QMenu::separator { height: 1px; background: %(line)s; margin: 8px 16px; }
QMenu::icon { padding-left: 12px; }
QMenu::indicator { width: 16px; height: 16px; left: 5px; }
QMenu::indicator:checked { image: url(%(check)s); background: %(accent_2)s; border-radius: 4px; }
QMenu::right-arrow { image: url(%(right)s); width: 12px; height: 12px; right: 12px; }

QDockWidget { font-size: 13px; }
QDockWidget > #inside { background: %(dock)s; border-left: 2px solid %(line)s; }

QTabWidget::pane { border: none; border-top: 1px solid %(line)s; background: %(dock)s; }
QDockWidget QStackedWidget { background: transparent; }
QTabBar { background: transparent; qproperty-drawBase: 0; qproperty-elideMode: ElideNone; }
QTabBar::tab {
    background: transparent; color: %(ink_soft)s; font-size: 13px;
    padding: 10px 14px; margin: 0; border: none; border-bottom: 2px solid transparent;
}
QTabBar::tab:hover { color: %(ink)s; background: %(hover)s; }
QTabBar::tab:selected { color: %(ink)s; border-bottom: 2px solid %(ink_soft)s; }
QTabBar[ring="true"]::tab:selected:focus {
    color: %(accent_2)s; background: %(hover)s; border-bottom: 2px solid %(accent_2)s;
}

QPushButton, QToolButton {
    background: %(paper)s; border: %(edge)s solid %(line)s; border-radius: 18px;
    padding: 7px 19px; min-height: 20px; icon-size: 20px;
}
QPushButton:hover, QToolButton:hover { background: %(hover)s; border-color: %(accent_2)s; }
QPushButton:pressed, QPushButton:checked, QToolButton:pressed, QToolButton:checked {
    background: %(pressed)s; border-color: %(accent_2)s;
}
QPushButton[ring="true"]:focus, QToolButton[ring="true"]:focus {
    border: 3px solid %(accent_2)s; padding: 5px 17px;
}
QPushButton:disabled, QToolButton:disabled {
    color: %(faint)s; background: transparent; border-color: %(line)s;
}
QPushButton[kind="primary"] {
    background: %(accent)s; color: %(on_accent)s; border: %(edge)s solid %(accent)s;
    font-weight: 700;
}
QPushButton[kind="primary"]:hover { background: %(accent_hover)s; border-color: %(accent_hover)s; }
QPushButton[kind="primary"]:pressed { background: %(accent_pressed)s; }
QPushButton[kind="primary"][ring="true"]:focus { border: 3px solid %(accent_2)s; }
QPushButton[kind="primary"]:disabled {
    background: %(mat)s; border-color: %(mat)s; color: %(faint)s;
}
QPushButton[kind="advised"] { border: 3px solid %(accent_2)s; font-weight: 700; }
QPushButton[kind="quiet"], QToolButton[kind="quiet"] {
    background: transparent; color: %(accent_2)s; border: 1px solid transparent; padding: 7px 11px;
}
QPushButton[kind="quiet"]:hover, QToolButton[kind="quiet"]:hover { background: %(hover)s; }
QPushButton[kind="quiet"]:pressed, QToolButton[kind="quiet"]:pressed { background: %(pressed)s; }
QPushButton[kind="quiet"][ring="true"]:focus, QToolButton[kind="quiet"][ring="true"]:focus {
    border: 3px solid %(accent_2)s; padding: 5px 9px;
}
QPushButton[kind="quiet"][flush="true"] { padding-left: 2px; }
QPushButton[kind="quiet"][flush="true"][ring="true"]:focus { padding-left: 0; }
QPushButton[kind="quiet"]:disabled, QToolButton[kind="quiet"]:disabled { color: %(faint)s; }
QFileDialog QToolButton { padding: 3px; border-radius: 8px; }
QFileDialog QToolButton:focus { padding: 1px; }
QPushButton::menu-indicator, QToolButton::menu-indicator { image: none; width: 0; }

QLineEdit, QSpinBox, QDoubleSpinBox, QComboBox, QPlainTextEdit, QTextEdit {
    background: %(paper)s; border: %(edge)s solid %(line)s; border-radius: 8px;
    padding: 7px 11px; min-height: 20px;
    selection-background-color: %(accent_2)s; selection-color: %(on_accent_2)s;
}
QLineEdit:hover, QSpinBox:hover, QDoubleSpinBox:hover, QComboBox:hover { border-color: %(faint)s; }
QLineEdit:focus, QSpinBox:focus, QDoubleSpinBox:focus, QComboBox[ring="true"]:focus, QComboBox:on,
QPlainTextEdit:focus, QTextEdit:focus { border: 2px solid %(accent_2)s; padding: 6px 10px; }
QLineEdit QToolButton, QLineEdit QToolButton:focus {
    background: transparent; border: none; padding: 0; min-height: 0;
}
QLineEdit:disabled, QSpinBox:disabled, QDoubleSpinBox:disabled, QComboBox:disabled {
    color: %(faint)s; background: transparent;
}
QSpinBox, QDoubleSpinBox { qproperty-alignment: AlignCenter; }
QComboBox QLineEdit, QComboBox QLineEdit:focus {
    background: transparent; border: none; padding: 0;
}
QComboBox { combobox-popup: 0; padding-right: 32px; }
QComboBox[ring="true"]:focus, QComboBox:on { padding-right: 31px; }
QComboBox::drop-down { border: none; width: 32px; }
QComboBox::down-arrow { image: url(%(down)s); width: 12px; height: 12px; }
QComboBox QAbstractItemView {
    background: %(paper)s; border: %(edge)s solid %(line)s; padding: 4px;
    outline: none;
}
QComboBox QAbstractItemView::item { min-height: 32px; padding: 0 8px; border-radius: 6px; }
QSpinBox::up-button, QDoubleSpinBox::up-button, QSpinBox::down-button,
QDoubleSpinBox::down-button {
    border: none; background: transparent; width: 28px; subcontrol-origin: border;
}
QSpinBox::up-button:hover, QSpinBox::down-button:hover { background: %(hover)s; }
QSpinBox::up-button, QDoubleSpinBox::up-button {
    subcontrol-position: top right; margin: 3px 3px 0 0;
}
QSpinBox::down-button, QDoubleSpinBox::down-button {
    subcontrol-position: bottom right; margin: 0 3px 3px 0;
}
QSpinBox::up-arrow, QDoubleSpinBox::up-arrow { image: url(%(up)s); width: 10px; height: 10px; }
QSpinBox::down-arrow, QDoubleSpinBox::down-arrow {
    image: url(%(down)s); width: 10px; height: 10px;
}

QCheckBox, QRadioButton { spacing: 8px; padding: 4px 6px 4px 1px; border: 2px solid transparent;
    border-radius: 8px; background: transparent; }
QCheckBox[ring="true"]:focus, QRadioButton[ring="true"]:focus { border-color: %(accent_2)s; }
QCheckBox::indicator, QRadioButton::indicator {
    width: 18px; height: 18px; background: %(paper)s; border: 1px solid %(faint)s;
}
QCheckBox::indicator { border-radius: 5px; }
QRadioButton::indicator { border-radius: 10px; }
QCheckBox::indicator:hover, QRadioButton::indicator:hover { border-color: %(accent_2)s; }
QCheckBox::indicator:checked {
    background: %(accent_2)s; border-color: %(accent_2)s; image: url(%(check)s);
}
QRadioButton::indicator:checked {
    border-color: %(accent_2)s;
    background: qradialgradient(cx: 0.5, cy: 0.5, radius: 0.5, fx: 0.5, fy: 0.5,
        stop: 0 %(accent_2)s, stop: 0.52 %(accent_2)s, stop: 0.60 %(paper)s, stop: 1 %(paper)s);
}
QCheckBox::indicator:disabled, QRadioButton::indicator:disabled {
    background: transparent; border-color: %(line)s;
}
QGroupBox { border: %(edge)s solid %(line)s; border-radius: 14px; margin-top: 12px;
    padding: 20px 12px 12px 12px; }
QGroupBox::title { subcontrol-origin: margin; left: 16px; padding: 0 4px; color: %(ink_soft)s;
    background: transparent; }

QListView, QListWidget, QTreeView {
    background: %(paper)s; border: %(edge)s solid %(line)s; border-radius: 10px; padding: 3px;
    outline: none; selection-background-color: %(mat)s; selection-color: %(ink)s;
    alternate-background-color: %(mat)s;
}
QListView[ring="true"]:focus, QListWidget[ring="true"]:focus, QTreeView[ring="true"]:focus {
    border: 2px solid %(accent_2)s; padding: 2px;
}
QListWidget[kind="bare"] { background: transparent; border: 2px solid transparent; padding: 2px; }
QListView::item, QTreeView::item {
    padding: 7px 11px; border-radius: 8px; border: 1px solid transparent;
}
QListView::item:hover, QTreeView::item:hover { background: %(hover)s; color: %(ink)s; }
QListView::item:selected, QTreeView::item:selected {
    background: %(mat)s; color: %(ink)s; border-radius: 0; padding-left: 9px;
    border-left: 3px solid %(accent_2)s;
}
QListView[ring="true"]::item:focus:!selected, QTreeView[ring="true"]::item:focus:!selected {
    border-color: %(accent_2)s;
}
QListView::item:disabled { color: %(faint)s; }
QHeaderView { background: transparent; }
QHeaderView::section {
    background: %(mat)s; color: %(ink_soft)s; font-size: 13px; border: none;
    border-bottom: 1px solid %(line)s; padding: 8px;
}
QTextBrowser {
    background: %(paper)s; border: 2px solid transparent; border-radius: 10px; padding: 12px 16px;
    selection-background-color: %(accent_2)s; selection-color: %(on_accent_2)s;
}
QTextBrowser:focus { border: 2px solid transparent; padding: 12px 16px; }
QTextBrowser[ring="true"]:focus { border: 2px solid %(accent_2)s; }

QScrollArea, QGraphicsView { border: none; background: transparent; }
QScrollArea > QWidget > QWidget { background: transparent; }
QGraphicsView:focus { border: none; }
QScrollBar:vertical { background: transparent; width: 12px; margin: 0; border: none; }
QScrollBar:horizontal { background: transparent; height: 12px; margin: 0; border: none; }
QScrollBar::handle { background: %(thumb)s; border-radius: 2px; margin: 4px; }
QScrollBar[still="true"]::handle { background: %(still)s; }
QScrollBar::handle:vertical { min-height: 32px; }
QScrollBar::handle:horizontal { min-width: 32px; }
QScrollBar::handle:hover, QScrollBar::handle:pressed,
QScrollBar[still="true"]::handle:hover {
    background: %(accent_2)s; border-radius: 5px; margin: 1px;
}
QScrollBar::add-line, QScrollBar::sub-line { width: 0; height: 0; border: none; }
QScrollBar::add-page, QScrollBar::sub-page { background: transparent; }

QSlider { min-height: 28px; border: 2px solid transparent; border-radius: 8px; }
QSlider::groove:horizontal { height: 4px; background: %(line)s; border-radius: 2px; }
QSlider::sub-page:horizontal { background: %(accent_2)s; border-radius: 2px; }
QSlider::handle:horizontal {
    background: %(paper)s; border: 2px solid %(accent_2)s;
    width: 16px; height: 16px; margin: -8px 0; border-radius: 10px;
}
QSlider::handle:horizontal:hover { background: %(hover)s; }
QSlider[ring="true"]:focus { border-color: %(accent_2)s; }
QSlider[ring="true"]::handle:focus { background: %(accent_2)s; }
QProgressBar {
    background: %(mat)s; border: none; border-radius: 4px; max-height: 8px; min-height: 8px;
    color: transparent;
}
QProgressBar::chunk { background: %(accent_2)s; border-radius: 4px; }
QToolTip {
    background: %(paper)s; color: %(ink)s; border: %(edge)s solid %(line)s; padding: 7px 11px;
    font-size: 13px; qproperty-textFormat: PlainText;
}
QToolBar { background: %(bar)s; border: none; spacing: 4px; padding: 4px; }
QSplitter::handle { background: transparent; }
QSplitter::handle:hover { background: %(accent_2)s; }
"""
