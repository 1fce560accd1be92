"""A replay as an animated picture or as text, for those who have not got the program."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QProgressDialog, QWidget

from tabletop.language import labels
from tabletop.language.words import Words
from tabletop.match.playback import Playback, PlaybackSeat
from ui.replay.apng import make_apng
from ui.shelf.table_picture import render_scene
from ui.style.art import Art
from ui.style.theme import Theme
from ui.table.scene import TableScene

SIZE = QSize(960, 640)
MOST = 160
"""Pictures in one file; a longer match is shown turn by turn, or by even steps."""
STAYS = 900
"""The time for which a picture is shown, in milliseconds."""
LAST_STAYS = 4000


class CalledOff(Exception):
    """The person cancelled the picture."""


@contextmanager
def progress(words: Words, parent: QWidget) -> Iterator[Callable[[int, int], bool]]:
    """A dialog while pictures are drawn. Its function gets the number of steps done and of all, and
    gives False once the person has called it off."""
    wait = QProgressDialog(
        words("Drawing the pictures…"), words(labels.CANCEL), 0, 0, parent, minimumDuration=300
    )
    wait.setWindowModality(Qt.WindowModality.WindowModal)

    def go_on(done: int, of: int) -> bool:
        wait.setMaximum(of)
        wait.setValue(done)
        return not wait.wasCanceled()

    try:
        yield go_on
    finally:
        wait.reset()
        wait.deleteLater()


def moments(playback: Playback) -> tuple[int, ...]:
    """The beats of which an animated picture shows the table."""
    for beats in (
        tuple(range(playback.last_beat + 1)),
        (*playback.turn_starts, playback.last_beat),
    ):
        if len(beats) <= MOST:
            return tuple(dict.fromkeys(beats))
    return tuple(round(playback.last_beat * n / (MOST - 1)) for n in range(MOST))


def picture(
    playback: Playback,
    viewer: int | None,
    art: Art,
    words: Words,
    theme: Theme,
    go_on: Callable[[int, int], bool],
) -> bytes:
    """The match as an animated picture, with a viewer's eyes. `go_on` is called with the number of
    steps done and of all steps; where it gives False the picture is empty. Each picture is drawn
    and then pressed."""
    beats = moments(playback)
    steps = 2 * len(beats)

    def step(done: int) -> None:
        if not go_on(done, steps):
            raise CalledOff

    def draw_moments() -> Iterator[tuple[QImage, int]]:
        seat = PlaybackSeat(playback, viewer)
        scene = TableScene(playback.kit, art, words, theme)
        scene.set_speed("off")
        scene.set_size(SIZE.width(), SIZE.height())
        scene.show_seat(seat)
        try:
            for number, at in enumerate(beats):
                step(number)
                seat.go_to(at)
                scene.skip_animations()
                yield render_scene(scene, SIZE), LAST_STAYS if number == len(beats) - 1 else STAYS
        finally:
            scene.clear_seat()
            seat.close()

    try:
        return make_apng(draw_moments(), lambda pressed: step(len(beats) + pressed))
    except CalledOff:
        return b""
