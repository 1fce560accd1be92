"""Check for texts and outlines with too little contrast to the table's
colours or background drawing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from PySide6.QtCore import QRectF
from PySide6.QtGui import QColor, QImage

from tabletop.catalogue import catalogue
from tabletop.catalogue.catalogue import GameKit
from tabletop.games.colours import contrast_ratio
from tabletop.language.languages import LANGUAGES
from tabletop.language.words import Words
from tabletop.match.seat import Seat
from tabletop.table.random_match import random_match
from ui.pictures.shot import ensure_application
from ui.style.art import Art
from ui.style.table_look import apply_table_look, table_pixmap
from ui.style.theme import Theme, load_theme, mix
from ui.table.items.mat_item import MAT_OPACITY
from ui.table.scene import TableScene

THEMES = ("light", "dark")
"""The themes in which a game may set its table's colours."""
TABLE_SIZE_PX = (980, 740)
"""The size of the checked table in pixels."""
MIN_TEXT_CONTRAST, MIN_OUTLINE_CONTRAST = 4.5, 3.0
"""The minimum contrast ratios of texts and of outlines."""
IGNORED_ONE_IN = 50
"""One in this many pixels behind a text is ignored, however low its contrast."""


class LowContrast(NamedTuple):
    """Something with too little contrast: its name, its background, its
    contrast ratio and the minimum.
    """

    what: str
    on: str
    ratio: float
    minimum: float


def find_faint_table(kit: GameKit) -> Iterator[str]:
    """Yield a message for each colour and text of a table with too little contrast."""
    if kit.layout.look is None:
        return
    ensure_application()
    for name in THEMES:
        look = apply_table_look(load_theme(name), kit.layout.look)
        for what, on, ratio, minimum in (*faint_colours(look), *faint_words(kit, look)):
            yield (
                f"table.toml: {what} on {on} has a contrast of {ratio:.1f} in the {name} theme;"
                f" it needs {minimum:.1f}"
            )


def faint_colours(look: Theme) -> Iterator[LowContrast]:
    """Yield the text and outline colours of `look` with too little contrast to its backgrounds."""
    for ground in ("table", "mat"):
        for what, ink, minimum in (
            ("ink", look.table_ink, MIN_TEXT_CONTRAST),
            ("soft", look.table_soft, MIN_TEXT_CONTRAST),
            ("accent", look.table_accent, MIN_OUTLINE_CONTRAST),
            ("accent_2", look.table_accent_2, MIN_OUTLINE_CONTRAST),
        ):
            ratio = contrast_ratio(ink, getattr(look, ground))
            if ratio < minimum:
                yield LowContrast(f'"{what}"', f'"{ground}"', ratio, minimum)


def faint_words(kit: GameKit, look: Theme) -> Iterator[LowContrast]:
    """Yield the captions and texts with too little contrast to the table's background drawing."""
    seats = kit.box.seats[-1]
    match = random_match(kit, seats, "1", catalogue.options(kit), 0)
    art = Art(load_theme(look.name))
    scene = TableScene(kit, art, Words(LANGUAGES[0], kit), load_theme(look.name))
    scene.set_speed("off")
    scene.set_size(*TABLE_SIZE_PX)
    seat = Seat.at_table(match, 0)
    scene.show_seat(seat)
    worst: dict[str, LowContrast] = {}
    for text, ink, under in texts_on_table(scene, look):
        ratio = text_contrast(ink, under)
        if ratio < MIN_TEXT_CONTRAST and (text not in worst or ratio < worst[text].ratio):
            worst[text] = LowContrast(f'"{text}"', "the drawing under it", ratio, MIN_TEXT_CONTRAST)
    scene.clear_seat()
    seat.close()
    yield from worst.values()


def texts_on_table(scene: TableScene, look: Theme) -> Iterator[tuple[str, str, Sequence[int]]]:
    """Yield each caption and text on a table, its colour, and the pixels behind it."""
    stage, setting = scene.stage, scene.stage.placed
    assert setting is not None
    prints, unit = stage.pixmaps, setting.unit
    size = scene.sceneRect().size().toSize()
    ground = table_pixmap(
        prints.art, look, prints.kit.id, size, 1.0, stage.drawing_centre(), unit
    ).toImage()
    mats = [stage.to_pixels(mat.rect) for mat in setting.mats]
    height = setting.caption_height * unit
    words = [
        (QRectF(rect.x(), rect.y(), rect.width(), height), mat.caption, look.table_soft)
        for mat, rect in zip(setting.mats, mats, strict=True)
    ]
    words += [
        (stage.to_pixels(text.rect), text.text, look.table_ink if text.is_bold else look.table_soft)
        for text in setting.texts
    ]
    for rect, text, ink in words:
        if text:
            matted = any(mat.contains(rect.center()) for mat in mats)
            yield text, ink, _pixels(ground, rect, look.mat if matted else "")


def _pixels(ground: QImage, rect: QRectF, mat: str) -> list[int]:
    """Return the colours in a part of the table.
    If `mat` isn't empty, blend that mat colour over them.
    """
    part = rect.toRect().intersected(ground.rect())
    seen = [
        ground.pixel(x, y)
        for y in range(part.top(), part.bottom() + 1, 2)
        for x in range(part.left(), part.right() + 1, 2)
    ]
    if not mat:
        return seen
    laid = {each: mix(QColor(each).name(), mat, MAT_OPACITY).rgb() for each in set(seen)}
    return [laid[each] for each in seen]


def text_contrast(ink: str, under: Sequence[int]) -> float:
    """Return the contrast ratio between the colour `ink` and the pixels `under` it, ignoring the
    worst 2 %.
    """
    ratios = {each: contrast_ratio(ink, QColor(each).name()) for each in set(under)}
    ordered = sorted(ratios[each] for each in under)
    return ordered[len(ordered) // IGNORED_ONE_IN] if ordered else 21.0
