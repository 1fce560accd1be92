"""The state shared by all screens: settings, language, theme, pictures and sounds."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from msgspec.json import encode
from msgspec.structs import replace
from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QGuiApplication, QIcon, QPixmap
from PySide6.QtWidgets import QApplication, QListWidgetItem, QWidget

from tabletop.catalogue import catalogue
from tabletop.catalogue.catalogue import GameKit
from tabletop.engine.model import AUDIENCE, Reason
from tabletop.files import background_writes, folders, small_file
from tabletop.files.disk_pool import DiskPool
from tabletop.files.errors import BadFile, StorageError
from tabletop.games.drawing_names import BROKEN_DRAWING
from tabletop.language.names import sole_human
from tabletop.language.spoken_text import to_spoken_text
from tabletop.language.words import Words
from tabletop.match.match import Player
from tabletop.match.reactions import PassPolicy, default_policy
from tabletop.storage.settings import DeferredSettingsWriter, Settings
from tabletop.text.phrases import fill_gaps
from ui.shell.language import system_language
from ui.shell.peekable_property import PeekableCachedProperty
from ui.shell.player_names import name_variants, names_match
from ui.shell.shelf_statistics import ShelfStatistics
from ui.shell.sound import Sounds
from ui.shell.spoken_role import speak_as_group
from ui.shell.system_preferences import SystemPreferences
from ui.shell.window_thread import call_in_gui_thread
from ui.style.art import Art
from ui.style.broken_drawing import BrokenDrawing
from ui.style.card_style import CardStyle
from ui.style.fonts import FONT_FAMILY, hint_vertically, load_fonts
from ui.style.table_look import apply_table_look
from ui.style.theme import (
    Theme,
    contrast_on_dark,
    is_dark,
    load_theme,
    make_palette,
    make_stylesheet,
)

if TYPE_CHECKING:
    from tabletop.bots.bot_pool import BotPool

log = logging.getLogger("tabletop")

PICTURE_SETTINGS = frozenset({"theme", "cards", "card_size"})
"""The settings that pictures depend on."""
APPEARANCE_SETTINGS = PICTURE_SETTINGS | {"language"}
"""The settings that texts and pictures depend on."""
MOTION_SETTINGS = frozenset({"animation", "reduced_motion"})
"""The settings that animations depend on."""
PAUSE_FACTORS = {"slow": 1.6, "normal": 1.0, "fast": 0.5, "off": 0.0}
"""The factor by which a bot's pause is multiplied at each pace, the slowest first."""
OFFSCREEN_PLATFORMS = ("offscreen", "minimal")
"""Qt platforms for rendering and tests, where no user sees the window."""


class AppContext(QObject):
    """The state shared by all parts of the window.

    On `changed`, a widget refreshes its texts and colours if they depend on a named setting.
    """

    changed = Signal(object)
    """Settings have changed: a frozenset of their field names.

    "language" is also included if only the language of the active player has changed.
    """
    error_reported = Signal(object)
    """An error that the user should see: a Reason."""
    drawing_broken = Signal(str)
    """A drawing of a game is broken: the game's ID. `broken_drawings` holds the error."""

    def __init__(self, settings: Settings) -> None:
        super().__init__()
        load_fonts()
        self.settings = settings
        self.system_preferences = SystemPreferences()
        self.system_preferences.changed.connect(self._on_preferences_changed)
        self.theme = load_theme(self.theme_name)
        self.broken_drawings: dict[str, str] = {}
        """The error in the first broken drawing of each game, by the game's ID."""
        self.art = self.create_art()
        self._viewer_language: str | None = None
        """The active player's language if it isn't the window's chosen one; else None."""
        self.words = Words(self._language())
        self.sounds = Sounds()
        self.shelf_statistics = ShelfStatistics()
        self._is_closed = False
        self._deferred = DeferredSettingsWriter()
        self._set_volume()
        self._style_application()
        small_file.set_notice_handler(call_in_gui_thread(self._emit_error))
        background_writes.set_owner(call_in_gui_thread(self._show_write_errors))

    @PeekableCachedProperty
    def bot_pool(self) -> BotPool:
        """The processes that compute bots' moves and hints, started on first use."""
        from tabletop.bots.bot_pool import BotPool

        pool = BotPool(catalogue.load_bot_parts)
        if self._is_closed:
            pool.close()
        return pool

    @PeekableCachedProperty
    def disk_pool(self) -> DiskPool:
        """The threads that save local matches, started on first use."""
        return DiskPool()

    def close(self) -> None:
        """Stop sounds and bots, and finish all pending writes, because the window closes."""
        self._is_closed = True
        if (disk_pool := AppContext.disk_pool.peek(self)) is not None:
            disk_pool.close()
        background_writes.finish()
        self.sounds.close()
        if (bot_pool := AppContext.bot_pool.peek(self)) is not None:
            bot_pool.close()

    def table_theme(self, kit: GameKit | None) -> Theme:
        """Return the theme with the table colours of `kit`; with the program's own if None."""
        return apply_table_look(self.theme, kit.layout.look if kit is not None else None)

    def game_words(self, kit: GameKit, players: Sequence[Player] = ()) -> Words:
        """Return the words of the game `kit` in the current language, which name all `players`."""
        return Words(self.words.language, kit, players)

    def table_words(self, kit: GameKit, players: Sequence[Player]) -> Words:
        """Return the words of a match on the players' own screen, in the current language.

        A player at this computer without other humans is addressed as "you".
        """
        return Words(self.words.language, kit, players, sole_human(players))

    def replay_words(self, kit: GameKit, players: Sequence[Player]) -> Words:
        """Return the words of a replay on the user's own screen, in the current language.

        They are those of `table_words` if the human is a person who plays here.
        """
        human = sole_human(players)
        forms = name_variants(players[human].name) if human != AUDIENCE else ()
        known = any(names_match(name, form) for name in self.settings.players for form in forms)
        return self.table_words(kit, players) if known else self.game_words(kit, players)

    def public_words(self, kit: GameKit, players: Sequence[Player] = ()) -> Words:
        """Return the words of the game `kit` in the window's chosen language.

        Unlike `game_words`, this ignores the language of the active player.
        """
        return Words(self._chosen_language(), kit, players)

    def icon(self, name: str, colour: str = "") -> QIcon:
        """Return the icon `name` in the theme's ink colour, or in `colour`."""
        return self.art.icon(name, colour or self.theme.ink, self._pixel_ratio())

    def icon_pixmap(self, name: str, side: int, colour: str = "") -> QPixmap:
        """Return the icon `name`, `side` pixels wide, in the theme's ink colour or `colour`."""
        return self.art.icon_pixmap(name, colour or self.theme.ink, side, self._pixel_ratio())

    def seat_colour(self, symbol: str) -> str:
        """Return the theme's colour for the seat with this symbol."""
        return next(
            (seat.colour for seat in self.theme.seats if seat.symbol == symbol),
            self.theme.seats[0].colour,
        )

    def seat_line_colour(self, symbol: str) -> str:
        """Return the seat symbol's colour for lines and bars, lighter on dark backgrounds."""
        return contrast_on_dark(self.theme, self.seat_colour(symbol))

    def pass_policy(self, name: str, alone: bool) -> PassPolicy:
        """Return when to ask the player `name` for reactions.

        `alone`: whether all other players are bots.
        """
        chosen = self.settings.reactions.get(name, self.settings.reaction)
        return default_policy(alone) if chosen == "usual" else chosen

    def language_of(self, name: str) -> str | None:
        """Return the language of the player `name`; None if it is the window's language."""
        return self.settings.languages.get(name)

    def set_viewer_language(self, language: str | None) -> None:
        """Switch the window to the active player's `language`; None restores the chosen one."""
        self._viewer_language = language
        if self.words.language != self._language():
            self.words = Words(self._language())
            self.changed.emit(frozenset({"language"}))

    @property
    def bot_pause_ms(self) -> float:
        """The time in milliseconds that a bot waits before it acts."""
        return self.settings.bot_pause * PAUSE_FACTORS[self.settings.animation]

    @property
    def animation_speed(self) -> str:
        """The speed of animations, which is "off" if motion is reduced."""
        return "off" if self.reduced_motion else self.settings.animation

    @property
    def reduced_motion(self) -> bool:
        """Whether animations are off, because of the user's setting or the system's preference."""
        preferred = self.system_preferences.reduced_motion and self._follows_system(
            "reduced_motion"
        )
        return self.settings.reduced_motion or preferred

    @property
    def theme_name(self) -> str:
        """The theme's name, by the user's setting or the system's contrast preference."""
        preferred = self.system_preferences.high_contrast and self._follows_system("theme")
        return "contrast" if preferred else self.settings.theme

    def _follows_system(self, name: str) -> bool:
        """Return whether the setting `name` follows the system."""
        default = getattr(Settings(), name)
        return name in self.settings.followed and getattr(self.settings, name) == default

    @property
    def _effective_settings(self) -> dict[str, object]:
        """The current values of the settings that can follow the system."""
        return {"theme": self.theme_name, "reduced_motion": self.reduced_motion}

    def _on_preferences_changed(self) -> None:
        """Apply changed system preferences."""
        self._apply_changes(frozenset({"theme", "reduced_motion"}))

    def change_settings(self, **changes: object) -> None:
        """Change and save settings, then emit `changed` with the names of all that took effect."""
        followed = tuple(name for name in self.settings.followed if name not in changes)
        changes.setdefault("followed", followed)
        before, effective = self.settings, self._effective_settings
        self.settings = replace(self.settings, **changes)
        if "language" in changes:
            self._viewer_language = None
        changed = {name for name in changes if getattr(before, name) != changes[name]}
        changed |= {
            name for name, value in self._effective_settings.items() if effective[name] != value
        }
        if self.words.language != self._language():
            changed.add("language")
        if not changed:
            return
        self._deferred.save(self.settings, before)
        self._apply_changes(frozenset(changed))

    def _apply_changes(self, changed: frozenset[str]) -> None:
        """Rebuild everything that depends on the `changed` settings, then emit `changed`."""
        if changed & PICTURE_SETTINGS:
            self.theme = load_theme(self.theme_name)
            self.art = self.create_art()
            self._style_application()
        if "language" in changed:
            self.words = Words(self._language())
        self._set_volume()
        self.changed.emit(changed)

    def refresh_system_preferences(self) -> None:
        """Read the system's preferences, except on an offscreen platform."""
        if QGuiApplication.platformName() not in OFFSCREEN_PLATFORMS:
            self.system_preferences.query()

    def cycle_pace(self) -> None:
        """Switch to the next faster pace, or from the fastest to the slowest."""
        paces = tuple(PAUSE_FACTORS)
        self.change_settings(
            animation=paces[(paces.index(self.settings.animation) + 1) % len(paces)]
        )

    def store_settings(self, **changes: object) -> None:
        """Save settings that don't affect the screen, such as window geometry and player names.

        Unchanged values aren't written again, because a table would have to wait for the disk.
        """
        changed = replace(self.settings, **changes)
        # the order matters: the last entry is the latest
        same = encode(changed) == encode(self.settings)
        if not same or not self._deferred.has_no_error:
            self._deferred.save(changed, self.settings)
            self.settings = changed

    def show_error(self, reason: Reason) -> None:
        """Log an error and show it to the user."""
        log.warning("%s", fill_gaps(reason.text, reason.args))
        self._emit_error(reason)

    @contextmanager
    def report_errors(self) -> Iterator[None]:
        """Show a file or storage error raised in the block, and continue after the block."""
        try:
            yield
        except (BadFile, StorageError) as error:
            self.show_error(error.reason)

    def _show_write_errors(self) -> None:
        for error in background_writes.take_errors():
            self.show_error(replace(error.reason, code=background_writes.WRITE_FAILED_CODE))

    def _emit_error(self, reason: Reason) -> None:
        self.error_reported.emit(reason)

    def _language(self) -> str:
        return self._viewer_language or self._chosen_language()

    def _chosen_language(self) -> str:
        chosen = self.settings.language
        return system_language() if chosen == "auto" else chosen

    def create_art(self) -> Art:
        """Return a new cache of pictures for the current theme and card settings."""
        cards = CardStyle(self.settings.cards, self.settings.card_size)
        art = Art(
            self.theme,
            cards=cards,
            compiled=folders.cached_templates(),
            shelf=folders.cached_boxes(),
        )
        art.on_broken = self._on_broken_drawing
        return art

    def show_broken_drawing(self, game: str) -> None:
        """Show the error in the drawings of the game with the ID `game`, if there is one."""
        if game in self.broken_drawings:
            text = self.words.fault(self.broken_drawings[game])
            self._emit_error(Reason(BROKEN_DRAWING, {"told": text}))

    def _on_broken_drawing(self, game: str, error: BrokenDrawing) -> str:
        """Store the error in a drawing of `game`; return the text for its placeholder."""
        if game not in self.broken_drawings:
            self.broken_drawings[game] = str(error)
            self.drawing_broken.emit(game)
        return self.words.fault(str(error))

    def _set_volume(self) -> None:
        audible = self.settings.sounds and QGuiApplication.platformName() not in OFFSCREEN_PLATFORMS
        self.sounds.set_volume(self.settings.volume if audible else 0, self.settings.sounds_off)

    @staticmethod
    def _pixel_ratio() -> float:
        program = QApplication.instance()
        assert isinstance(program, QApplication)
        return program.devicePixelRatio()

    def _style_application(self) -> None:
        program = QApplication.instance()
        assert isinstance(program, QApplication)
        font = hint_vertically(program.font())
        font.setFamily(FONT_FAMILY)
        program.setFont(font)
        scheme = Qt.ColorScheme.Dark if is_dark(self.theme) else Qt.ColorScheme.Light
        program.styleHints().setColorScheme(scheme)  # for the window frame that the system draws
        program.setPalette(make_palette(self.theme))
        sheet = make_stylesheet(self.theme)
        if sheet != program.styleSheet():  # this would restyle every widget
            program.setStyleSheet(sheet)


def name_widget(
    widget: QWidget, name: str, description: str = "", words: Words | None = None
) -> None:
    """Set the name and the description of `widget` for screen readers.

    `words`: the words of a game, which replace its icons in both texts.
    """
    speak_as_group(widget)
    if words is not None:
        name, description = to_spoken_text(name, words), to_spoken_text(description, words)
    widget.setAccessibleName(name)
    widget.setAccessibleDescription(description)


def name_row(row: QListWidgetItem, words: Words, text: str = "") -> None:
    """Set the text for screen readers of a list row, with words in place of icons.

    `text`: the text to read; by default the row's own.
    """
    row.setData(Qt.ItemDataRole.AccessibleTextRole, to_spoken_text(text or row.text(), words))
