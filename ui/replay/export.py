"""Exports a replay as an animated picture for people who don't have the program."""

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
from ui.widgets.sheet_dialog import make_sheet

FRAME_SIZE = QSize(960, 640)
MAX_FRAMES = 160
"""Maximum number of frames. A longer match is shown turn by turn, or at regular intervals."""
FRAME_DURATION_MS = 900
"""Time in ms for which a frame is shown."""
LAST_FRAME_DURATION_MS = 4000


class ExportCancelled(Exception):
    """The user cancelled the export."""


@contextmanager
def progress_dialog(words: Words, parent: QWidget) -> Iterator[Callable[[int, int], bool]]:
    """Show a progress dialog for as long as the context is open.

    Yields a function that updates the dialog. It takes the number of steps done and the total, and
    returns False once the user has cancelled.
    """
    wait = QProgressDialog(
        words("Drawing the pictures…"), words(labels.CANCEL), 0, 0, parent, minimumDuration=300
    )
    make_sheet(wait)
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


def beats_to_draw(playback: Playback) -> tuple[int, ...]:
    """Return the beats (positions of the replay) to draw, at most `MAX_FRAMES` of them."""
    for beats in (
        tuple(range(playback.last_beat + 1)),
        (*playback.turn_starts, playback.last_beat),
    ):
        if len(beats) <= MAX_FRAMES:
            return tuple(dict.fromkeys(beats))
    return tuple(round(playback.last_beat * n / (MAX_FRAMES - 1)) for n in range(MAX_FRAMES))


def animated_picture(
    playback: Playback,
    viewer: int | None,
    art: Art,
    words: Words,
    theme: Theme,
    go_on: Callable[[int, int], bool],
) -> bytes:
    """Return the match as an APNG file, as `viewer` sees it, or b"" if the user cancels.

    Args:
        viewer: a seat, AUDIENCE, or None for open cards.
        art: draws the cards and pieces.
        words: the words of the current language.
        theme: the colours.
        go_on: called before each step with the number of steps done and the total. Returns False to
            cancel. Drawing and compressing a frame are one step each.
    """
    beats = beats_to_draw(playback)
    steps = 2 * len(beats)

    def step(done: int) -> None:
        if not go_on(done, steps):
            raise ExportCancelled

    def draw_moments() -> Iterator[tuple[QImage, int]]:
        seat = PlaybackSeat(playback, viewer)
        scene = TableScene(playback.kit, art, words, theme)
        scene.set_speed("off")
        scene.set_size(FRAME_SIZE.width(), FRAME_SIZE.height())
        scene.show_seat(seat)
        try:
            for number, at in enumerate(beats):
                step(number)
                seat.go_to(at)
                scene.skip_animations()
                yield (
                    render_scene(scene, FRAME_SIZE),
                    LAST_FRAME_DURATION_MS if number == len(beats) - 1 else FRAME_DURATION_MS,
                )
        finally:
            scene.clear_seat()
            seat.close()

    try:
        return make_apng(draw_moments(), lambda pressed: step(len(beats) + pressed))
    except ExportCancelled:
        return b""
