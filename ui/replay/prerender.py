"""Drawing ahead, while the replay is idle, of cards that a jump will show.

To draw a face for the first time takes some milliseconds, and a leap to the other end of a match
may want forty of them at once. A few tables from its whole length hold nearly all there are.
"""

from PySide6.QtCore import QObject, QTimer

from tabletop.match.playback import Playback, Watched
from ui.table.scene import TableScene

TABLES = 32
"""How many tables are laid, at even steps from the first to the last."""
BEGINS = 120
"""Milliseconds after the replay has come to rest."""
PACE = 10
"""Milliseconds between two tables: whoever presses a key does not wait for all of them."""


class Prerenderer(QObject):
    """Lays tables of a reel, unseen, as large and in the same dress as a scene has them."""

    def __init__(self, scene: TableScene, playback: Playback, parent: QObject) -> None:
        super().__init__(parent)
        self._scene = scene
        self._playback = playback
        self._stage: TableScene | None = None
        self._link: Watched | None = None
        self._beats: list[int] = []
        self._clock = QTimer(self)
        self._clock.timeout.connect(self._lay)

    @property
    def running(self) -> bool:
        """Whether tables are still to be laid."""
        return self._clock.isActive()

    def begin(self) -> None:
        """Begin, or begin anew: the dress, the size or the viewer is another."""
        self.stop()
        last = self._playback.last
        self._beats = sorted({last * n // (TABLES - 1) for n in range(TABLES)}, reverse=True)
        self._clock.start(BEGINS)

    def stop(self) -> None:
        """No more of it."""
        self._clock.stop()
        if self._stage is not None and self._link is not None:
            self._stage.leave()
            self._link.close()
        self._stage, self._link = None, None

    def _lay(self) -> None:
        if self._scene.animator.running:
            return
        if self._link is None:
            self._link = self._seated()
        self._clock.setInterval(PACE)
        self._link.go(self._beats.pop())
        if not self._beats:
            self.stop()

    def _seated(self) -> Watched:
        shown = self._scene
        prints, watched = shown.stage.prints, shown.link
        self._stage = TableScene(shown.kit, prints.art, prints.words, prints.theme)
        self._stage.set_speed("off")
        self._stage.set_size(*shown.stage.size)
        self._stage.sharpen(prints.ratio)
        link = Watched(self._playback, watched.viewer if isinstance(watched, Watched) else None)
        self._stage.sit(link)
        return link
