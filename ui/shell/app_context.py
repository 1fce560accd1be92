"""The context that all screens share: language, theme, pictures, settings."""

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
from tabletop.engine.model import Reason
from tabletop.files import background_writes, folders, small_file
from tabletop.files.disk_pool import DiskPool
from tabletop.files.errors import BadFile, StorageError
from tabletop.games.drawing_names import BROKEN_DRAWING
from tabletop.language.spoken_text import aloud
from tabletop.language.words import Words
from tabletop.match.match import Player
from tabletop.match.reactions import PassPolicy, usual_policy
from tabletop.storage.settings import DeferredSettingsWriter, Settings
from tabletop.text.phrases import fill_gaps
from ui.shell.box_statistics import BoxCounts
from ui.shell.language import system_language
from ui.shell.peekable_property import PeekableCachedProperty
from ui.shell.sound import Sounds
from ui.shell.spoken_role import speak_as_group
from ui.shell.system_preferences import SystemPreferences
from ui.shell.window_thread import call_in_gui_thread
from ui.style.art import Art
from ui.style.broken_drawing import BrokenDrawing
from ui.style.card_style import CardStyle
from ui.style.fonts import FONT_FAMILY, evenly_hinted, load_fonts
from ui.style.table_look import dress
from ui.style.theme import Theme, is_dark, palette, seen_on_dark, stylesheet, theme

if TYPE_CHECKING:
    from tabletop.bots.bot_pool import BotPool

log = logging.getLogger("tabletop")

PRINTED = frozenset({"theme", "cards", "card_size"})
"""The settings by which pictures are drawn."""
LOOKS = PRINTED | {"language"}
"""The settings by which texts and pictures look."""
MOTION = frozenset({"animation", "reduced_motion"})
"""The settings by which things move."""
PAUSES = {"slow": 1.6, "normal": 1.0, "fast": 0.5, "off": 0.0}
"""The factor of a bot's pause by the pace, from the slowest on."""
OFFSCREEN_PLATFORMS = ("offscreen", "minimal")
"""The platforms on which windows are drawn for pictures and tests, and nobody listens."""


class AppContext(QObject):
    """The window's shared context. A widget with texts or colours sets them again on `changed`, if
    that names a setting that concerns it."""

    changed = Signal(object)
    """Settings have changed: the names of their fields, a frozenset[str]. "language" is also sent
    when only the person spoken to has changed."""
    troubled = Signal(object)
    """An error that the person should read: a Reason."""
    drawing_broken = Signal(str)
    """A drawing of the game with this id can't be drawn; what is wrong is in `broken_drawings`."""

    def __init__(self, settings: Settings) -> None:
        super().__init__()
        load_fonts()
        self.settings = settings
        self.wishes = SystemPreferences()
        self.wishes.changed.connect(self._follow_wishes)
        self.theme = theme(self.theme_name)
        self.broken_drawings: dict[str, str] = {}
        """The error in the first broken drawing of each game, by its id."""
        self.art = self.fresh_art()
        self._spoken: str | None = None
        """The language of the person who looks now, where it is not the chosen one."""
        self.words = Words(self._language())
        self.sounds = Sounds()
        self.box_counts = BoxCounts()
        self._ended = False
        self._deferred = DeferredSettingsWriter()
        self._set_volume()
        self._paint()
        small_file.set_notice_handler(call_in_gui_thread(self._show))
        background_writes.set_owner(call_in_gui_thread(self._settle_writes))

    @PeekableCachedProperty
    def bot_pool(self) -> BotPool:
        """The processes that think for bots and hints. None starts before it is asked."""
        from tabletop.bots.bot_pool import BotPool

        pool = BotPool(catalogue.load_bot_parts)
        if self._ended:
            pool.close()
        return pool

    @PeekableCachedProperty
    def disk_pool(self) -> DiskPool:
        """The threads that write the matches played here. None starts before it is wanted."""
        return DiskPool()

    def end(self) -> None:
        """End sounds and bots, and finish writing: the window was closed."""
        self._ended = True
        if (disk_pool := AppContext.disk_pool.if_made(self)) is not None:
            disk_pool.close()
        background_writes.finish()
        self.sounds.close()
        if (bot_pool := AppContext.bot_pool.if_made(self)) is not None:
            bot_pool.close()

    def look(self, kit: GameKit | None) -> Theme:
        """The colours of the chosen theme at the table of a game; with None, the program's own."""
        return dress(self.theme, kit.layout.look if kit is not None else None)

    def words_of(self, kit: GameKit, players: Sequence[Player] = ()) -> Words:
        """The words of a game, in the chosen language."""
        return Words(self.words.language, kit, players)

    def public_words(self, kit: GameKit, players: Sequence[Player] = ()) -> Words:
        """The words of a game to all in the room, no matter who looks now."""
        return Words(self._chosen_language(), kit, players)

    def icon(self, name: str, colour: str = "") -> QIcon:
        """An icon in ink, or in another colour of the theme."""
        return self.art.icon(name, colour or self.theme.ink, self._ratio())

    def icon_pixmap(self, name: str, side: int, colour: str = "") -> QPixmap:
        """An icon in ink, or in another colour, as a picture of this size in pixels."""
        return self.art.icon_pixmap(name, colour or self.theme.ink, side, self._ratio())

    def seat_colour(self, symbol: str) -> str:
        """The colour that goes with a seat's symbol."""
        return next(
            (seat.colour for seat in self.theme.seats if seat.symbol == symbol),
            self.theme.seats[0].colour,
        )

    def seat_line(self, symbol: str) -> str:
        """The colour of a seat's symbol for a line or a bar: lighter where it would drown in dark
        paper."""
        return seen_on_dark(self.theme, self.seat_colour(symbol))

    def pass_policy(self, name: str, alone: bool) -> PassPolicy:
        """The wish of the player of this name about reactions; `alone` among bots."""
        chosen = self.settings.reactions.get(name, self.settings.reaction)
        return usual_policy(alone) if chosen == "usual" else chosen

    def language_of(self, name: str) -> str | None:
        """The language of the player of this name, if it is not the window's."""
        return self.settings.languages.get(name)

    def speak(self, language: str | None) -> None:
        """Speak to somebody who reads this language; with None, in the window's own."""
        self._spoken = language
        if self.words.language != self._language():
            self.words = Words(self._language())
            self.changed.emit(frozenset({"language"}))

    @property
    def bot_pause(self) -> float:
        """Milliseconds that a bot waits before it answers, at the pace that was chosen."""
        return self.settings.bot_pause * PAUSES[self.settings.animation]

    @property
    def speed(self) -> str:
        """The speed of movements: the setting, or off where motion is to be reduced."""
        return "off" if self.reduced_motion else self.settings.animation

    @property
    def reduced_motion(self) -> bool:
        """Whether nothing moves: as it was chosen, or as the system asks."""
        wished = self.wishes.still and self._follows("reduced_motion")
        return self.settings.reduced_motion or wished

    @property
    def theme_name(self) -> str:
        """The theme: as it was chosen, or as the system asks."""
        wished = self.wishes.contrast and self._follows("theme")
        return "contrast" if wished else self.settings.theme

    def _follows(self, name: str) -> bool:
        """Whether a setting was left to the system."""
        usual = getattr(Settings(), name)
        return name in self.settings.followed and getattr(self.settings, name) == usual

    @property
    def _seen(self) -> dict[str, object]:
        """The present values of the settings that may follow the system."""
        return {"theme": self.theme_name, "reduced_motion": self.reduced_motion}

    def _follow_wishes(self) -> None:
        """The system's wishes are known, or are others now."""
        self._renew(frozenset({"theme", "reduced_motion"}))

    def change(self, **changes: object) -> None:
        """Change settings, keep them on the disk, and let everything they concern update itself."""
        followed = tuple(name for name in self.settings.followed if name not in changes)
        changes.setdefault("followed", followed)
        before, seen = self.settings, self._seen
        self.settings = replace(self.settings, **changes)
        if "language" in changes:
            self._spoken = None
        changed = {name for name in changes if getattr(before, name) != changes[name]}
        changed |= {name for name, value in self._seen.items() if seen[name] != value}
        if self.words.language != self._language():
            changed.add("language")
        if not changed:
            return
        self._deferred.save(self.settings, changes)
        self._renew(frozenset(changed))

    def _renew(self, changed: frozenset[str]) -> None:
        """Let everything that these settings concern update itself."""
        if changed & PRINTED:
            self.theme = theme(self.theme_name)
            self.art = self.fresh_art()
            self._paint()
        if "language" in changed:
            self.words = Words(self._language())
        self._set_volume()
        self.changed.emit(changed)

    def refresh_system_preferences(self) -> None:
        """Follow what the system asks of its programs, where somebody sees the window."""
        if QGuiApplication.platformName() not in OFFSCREEN_PLATFORMS:
            self.wishes.ask()

    def change_pace(self) -> None:
        """Choose the pace that is one faster; after the fastest the slowest."""
        paces = tuple(PAUSES)
        self.change(animation=paces[(paces.index(self.settings.animation) + 1) % len(paces)])

    def remember(self, **changes: object) -> None:
        """Keep settings that change nothing on the screen: the window's place, the names. Unchanged
        ones are not written again: a table would wait for the disk."""
        wanted = replace(self.settings, **changes)
        # the order matters: the last entry is the latest
        same = encode(wanted) == encode(self.settings)
        if not same or not self._deferred.has_no_error:
            self.settings = wanted
            self._deferred.save(wanted, changes)

    def tell(self, reason: Reason) -> None:
        """Show an error, without stopping anything."""
        log.warning("%s", fill_gaps(reason.text, reason.args))
        self._show(reason)

    @contextmanager
    def report_errors(self) -> Iterator[None]:
        """Show what is wrong with a file or the disk, and carry on after the block."""
        try:
            yield
        except (BadFile, StorageError) as error:
            self.tell(error.reason)

    def _settle_writes(self) -> None:
        for error in background_writes.take_errors():
            self.tell(replace(error.reason, code=background_writes.WRITE_FAILED_CODE))

    def _show(self, reason: Reason) -> None:
        self.troubled.emit(reason)

    def _language(self) -> str:
        return self._spoken or self._chosen_language()

    def _chosen_language(self) -> str:
        chosen = self.settings.language
        return system_language() if chosen == "auto" else chosen

    def fresh_art(self) -> Art:
        """Pictures drawn again from their files, in the chosen theme."""
        cards = CardStyle(self.settings.cards, self.settings.card_size)
        art = Art(
            self.theme,
            cards=cards,
            compiled=folders.cached_templates(),
            shelf=folders.cached_boxes(),
        )
        art.on_broken = self._note_broken
        return art

    def tell_broken(self, game: str) -> None:
        """Show what is wrong with a broken drawing of a game, if there is one."""
        if game in self.broken_drawings:
            told = self.words.fault(self.broken_drawings[game])
            self._show(Reason(BROKEN_DRAWING, {"told": told}))

    def _note_broken(self, game: str, error: BrokenDrawing) -> str:
        """Note what is wrong with a game's drawing; return what the sheet in its place says."""
        if game not in self.broken_drawings:
            self.broken_drawings[game] = str(error)
            self.drawing_broken.emit(game)
        return self.words.fault(str(error))

    def _set_volume(self) -> None:
        heard = self.settings.sounds and QGuiApplication.platformName() not in OFFSCREEN_PLATFORMS
        self.sounds.set_volume(self.settings.volume if heard else 0, self.settings.sounds_off)

    @staticmethod
    def _ratio() -> float:
        program = QApplication.instance()
        assert isinstance(program, QApplication)
        return program.devicePixelRatio()

    def _paint(self) -> None:
        program = QApplication.instance()
        assert isinstance(program, QApplication)
        font = evenly_hinted(program.font())
        font.setFamily(FONT_FAMILY)
        program.setFont(font)
        scheme = Qt.ColorScheme.Dark if is_dark(self.theme) else Qt.ColorScheme.Light
        program.styleHints().setColorScheme(scheme)  # for the window frame that the system draws
        program.setPalette(palette(self.theme))
        sheet = stylesheet(self.theme)
        if sheet != program.styleSheet():  # this would restyle every widget
            program.setStyleSheet(sheet)


def name_widget(
    widget: QWidget, name: str, description: str = "", words: Words | None = None
) -> None:
    """Set a control's name and description for screen readers; in the words of a game, its signs
    are read as words."""
    speak_as_group(widget)
    if words is not None:
        name, description = aloud(name, words), aloud(description, words)
    widget.setAccessibleName(name)
    widget.setAccessibleDescription(description)


def name_line(line: QListWidgetItem, words: Words, text: str = "") -> None:
    """Have a line of a list read as this text, or as its own, with words for signs."""
    line.setData(Qt.ItemDataRole.AccessibleTextRole, aloud(text or line.text(), words))
