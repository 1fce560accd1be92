"""Preloading for a table, a little at a time, once a game is chosen or the pointer rests on it. A
quick player never waits longer than without it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from importlib import import_module
from threading import Thread

from PySide6.QtCore import QObject, QTimer

from tabletop.catalogue import catalogue
from tabletop.catalogue.catalogue import Kit
from ui.shell.app_context import LOOKS, AppContext
from ui.style.art import Art

MODULES = (
    "PySide6.QtSvg",
    "jinja2.lexer",
    "jinja2.nodes",
    "jinja2.environment",
    "jinja2.bccache",
    "ui.style.templates",
    "ui.table.items.card_item",
    "ui.table.items.stage",
    "ui.table.animation.animator",
    "ui.table.input.hand",
    "ui.table.scene",
    "ui.table.view",
    "ui.match.dock",
    "ui.match.result.ending",
    "ui.match.screen.table_screen",
    "ui.match.screen.match_session",
    "tabletop.bots.bot_pool",
    "multiprocessing.reduction",
    "multiprocessing.spawn",
    "multiprocessing.connection",
    "tabletop.bots.normal",
    "tabletop.bots.worker",
)
"""Modules of a table, each after those it needs itself: each takes some milliseconds. Last
who thinks for bots: the thread that starts a process would load it while the table is drawn."""

SMALL = 24.0
"""Width in pixels of what is drawn only so that its template is filled in."""
NOT_ON_TABLES = ("box-", "parts")
"""Prefixes of drawings' files that no table draws by themselves."""
SEATED = 1_000
"""Milliseconds that a table which was sat down at has the window's thread to itself."""
BESIDE = 15
"""Milliseconds between two steps at a table: about a picture of what moves there."""
LOADING = 5
"""Milliseconds between two looks whether the templates are loaded."""


class Preload(QObject):
    """Makes one game ready at a time, whenever the window has nothing else to do."""

    def __init__(self, context: AppContext, parent: QObject) -> None:
        super().__init__(parent)
        self._context = context
        self._games: dict[str, Iterator[None]] = {}
        """The steps left for each game whose preloading has started."""
        self._steps: Iterator[None] = iter(())
        self._gap = 0
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self._go_on)
        context.changed.connect(self._restart)

    @property
    def running(self) -> bool:
        """Whether something is still being made ready."""
        return self._timer.isActive()

    def begin(self, kit: Kit) -> None:
        """Make a table of this game ready. Of one that asks before it runs, nothing is run."""
        self._gap = 0
        self._take(kit, 0)

    def go_on_beside(self, kit: Kit) -> None:
        """Do the rest now and then, as a table of this game has been opened."""
        self._gap = BESIDE
        self._take(kit, SEATED)

    def _take(self, kit: Kit, after: int) -> None:
        self._timer.stop()
        if not kit.waits_for:
            self._steps = self._games.setdefault(kit.id, self._making(kit))
            self._timer.start(after)

    def _go_on(self) -> None:
        if next(self._steps, self) is not self:
            self._timer.start(self._gap)

    def _restart(self, changed: frozenset[str]) -> None:
        if changed & LOOKS:
            self._timer.stop()
            self._games.clear()

    def _making(self, kit: Kit) -> Iterator[None]:
        for name in MODULES:
            import_module(name)
            yield
        from ui.match import side_sheet
        from ui.setup import lineup
        from ui.style.broken_drawing import BrokenDrawing
        from ui.table.items.prints import Prints

        try:
            kit = catalogue.load(kit.id) if kit.closed else kit
            yield
            context, players = self._context, lineup.against_bots(self._context, kit).players
            yield
            prints = Prints(kit, context.art, context.of(kit, players), context.theme)
            prints.players = players
            for seat, player in enumerate(players):
                context.art.seat_badge(player.symbol, prints.seat_style(seat).colour, SMALL, 1.0)
                yield
            for icon in side_sheet.ICONS.values():
                context.icon(icon)
                yield
            yield from self._drawings(context.art, kit.id)
            for card in {back: card for card, back in enumerate(kit.backs)}.values():
                prints.back(card, SMALL)
                yield
            for tiny in (False, True):
                for card in range(len(kit.deck)):
                    if not kit.is_die(card):
                        prints.prepare(card, [tiny])
                        yield
        except (catalogue.BrokenGame, BrokenDrawing):  # reported where it is opened
            return

    def _drawings(self, art: Art, game: str) -> Iterator[None]:
        """The templates of a game: the first time they are compiled, which takes a large one too
        long for the window's thread; then a sample of each is filled in."""
        aside = tuple(f"{game}/{name}" for name in NOT_ON_TABLES)
        paths = [path for path in art.templates(game) if not path.startswith(aside)]
        loading = Thread(target=_load, args=(art, paths), name="templates", daemon=True)
        try:
            loading.start()
        except RuntimeError:  # the system has none to give: they are compiled when they are drawn
            return
        while loading.is_alive():
            self._gap, gap = LOADING, self._gap
            yield
            self._gap = gap
        for path in paths:
            art.svg(path)
            yield


def _load(art: Art, paths: Iterable[str]) -> None:
    for path in paths:
        art.load(path)
