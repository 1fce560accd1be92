"""Animations of a move's effects: a lost heart, a coin for a player, tape across a closed card.

The `[films]` table of a game's layout assigns effects to events. Effects don't change the table.
"""

from __future__ import annotations

import math

from msgspec.structs import replace
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainterPath, QPen, QTransform
from PySide6.QtWidgets import QGraphicsPathItem

from tabletop.engine.events import Event, Said, ValueSet
from tabletop.engine.model import Value
from tabletop.games.films import FilmName
from ui.style.theme import Theme
from ui.table.animation.flights import ARC_HEIGHT, FADE_MS, flight_ms
from ui.table.animation.track_player import Track, ease_in_out_cubic, linear
from ui.table.items.card_item import CardItem
from ui.table.items.lettering import add_shape, make_text_item, round_pen, table_font
from ui.table.items.stage import Stage

HEART_MS, HEART_GROWTH_SHARE = 260.0, 0.35
"""Duration of a bursting heart in milliseconds,
and the share of it during which the heart grows.
"""
MAX_HEARTS = 5
"""Maximum number of hearts that burst; more lost hearts aren't shown."""
MAX_HEART_SCALE = 1.25
SHAKE_PX, SHAKE_COUNT = 6.0, 3
"""Amplitude of a shaken card in pixels, and the number of swings."""
TAPE_MS = 420.0
STRIPES = 9
HEART_SIZE, COIN_SIZE, TAPE_WIDTH = 0.42, 0.3, 0.2
"""Sizes of the drawn shapes, in card widths."""


def make_effect(
    stage: Stage, film: FilmName, event: Event
) -> tuple[list[QGraphicsPathItem], list[Track]]:
    """Return the items and tracks of the effect `film` of `event`; both are empty if neither the
    card nor the plaque is visible.
    """
    assert stage.placed is not None
    item = _first_card(stage, event)
    about = item.sceneBoundingRect() if item is not None else None
    plaque = _plaque_rect(stage, _seat_of(event))
    match film:
        case "heart":
            lost = event.args.get("n", 1) if isinstance(event, Said) else 1
            return _make_heart(stage, event, f"−{lost}" if lost != 1 else "")
        case "coin":
            return _make_coin(stage, about or stage.to_pixels(stage.placed.surface_rect), plaque)
        case "tape":
            return _make_tape(stage, item)


def make_heart_loss(
    stage: Stage, number: ValueSet, told: Said
) -> tuple[list[QGraphicsPathItem], list[Track]]:
    """Return the items and tracks of several lost
    hearts that burst one by one while the value falls.

    `number` is the event that lowers the value; `told` is the log sentence about the loss.
    """
    assert stage.view is not None
    before, now = stage.view.values[number.key], number.value
    assert isinstance(before, int)
    assert isinstance(now, int)
    count = min(before - now, MAX_HEARTS)
    hearts: list[QGraphicsPathItem] = []
    tracks: list[Track] = []
    for each in range(count):
        drawn, burst = _make_heart(stage, told)
        hearts += drawn
        tracks += [track._replace(start=each * HEART_MS) for track in burst]

    def fall(share: float) -> None:
        gone = min(count, int(count * share + 1.0 - HEART_GROWTH_SHARE))
        left = before - (before - now) * gone // count
        if stage.view is not None and stage.view.values[number.key] != left:
            stage.apply_event(replace(number, value=left))
            stage.lay_out()
            stage.background.show_changes(1.0)

    return hearts, [*tracks, Track(0, count * HEART_MS, fall, linear)]


def _first_card(stage: Stage, event: Event) -> CardItem | None:
    """Return the item of the first card of `event`, if it is visible."""
    items = (stage.item_of(card) for card in event.cards)
    return next((item for item in items if item is not None and item.isVisible()), None)


def _seat_of(event: Event) -> Value:
    match event:
        case Said(args=args):
            return args.get("seat", -1)
        case ValueSet(key=key):
            number = key.rpartition("/")[2]
            return int(number) if number.isdecimal() else -1
        case _:
            return -1


def _plaque_rect(stage: Stage, seat: Value) -> QRectF | None:
    return next((rect for whose, rect in stage.plaques() if whose == seat), None)


def _make_heart(
    stage: Stage, event: Event, text: str = ""
) -> tuple[list[QGraphicsPathItem], list[Track]]:
    """Return the items and tracks of a heart with `text` that grows and bursts while the owner's
    card shakes.

    If an overlay drawing shows the card, the overlay shakes instead.
    """
    item = stage.find_overlay(event.cards) or _first_card(stage, event)
    plaque = _plaque_rect(stage, _seat_of(event))
    about = item.sceneBoundingRect() if item is not None else plaque
    if about is None:
        return [], []
    theme = stage.pixmaps.theme
    size = HEART_SIZE * min(about.width(), about.height())
    heart = _make_sign(_heart_path(size), theme, theme.bad, text, size)
    heart.setPos(about.center())
    heart.setScale(0.0)

    def burst(share: float) -> None:
        if share < HEART_GROWTH_SHARE:
            heart.setScale(MAX_HEART_SCALE * (0.5 + 0.5 * share / HEART_GROWTH_SHARE))
        else:
            heart.setScale(MAX_HEART_SCALE * (1.0 - share) / (1.0 - HEART_GROWTH_SHARE))

    tracks = [Track(0, HEART_MS, burst, linear)]
    if item is not None:
        here = item.pos()

        def shake(share: float) -> None:
            swing = math.sin(share * 2 * math.pi * SHAKE_COUNT) * (1.0 - share)
            item.setPos(here + QPointF(SHAKE_PX * swing, 0) if share < 1.0 else here)

        tracks.append(Track(0, HEART_MS, shake, linear))
    return [heart], tracks


def _make_coin(
    stage: Stage, about: QRectF, plaque: QRectF | None
) -> tuple[list[QGraphicsPathItem], list[Track]]:
    """Return the items and tracks of a coin that flies from `about` to a player's plaque."""
    if plaque is None:
        return [], []
    assert stage.placed is not None
    theme, unit = stage.pixmaps.theme, stage.placed.unit
    size = COIN_SIZE * min(unit, 2 * plaque.height())
    disc = QPainterPath()
    disc.addEllipse(QPointF(0, 0), size / 2, size / 2)
    coin = _make_sign(disc, theme, theme.warn, "", size)
    ring = QPainterPath()
    ring.addEllipse(QPointF(0, 0), size * 0.33, size * 0.33)
    add_shape(ring, coin, QPen(QColor(theme.stock), max(1.5, size * 0.07)))
    start, end = about.center(), QPointF(plaque.left() + plaque.height() / 2, plaque.center().y())
    way = end - start
    coin.setPos(start)

    def fly(share: float) -> None:
        rise = math.sin(math.pi * share)
        coin.setPos(start + way * share - QPointF(0, 2 * ARC_HEIGHT * rise * unit))
        coin.setScale(1.0 + 0.25 * rise if share < 1.0 else 0.0)

    return [coin], [Track(0, flight_ms(way), fly, ease_in_out_cubic)]


def _make_tape(stage: Stage, item: CardItem | None) -> tuple[list[QGraphicsPathItem], list[Track]]:
    """Return the items and tracks of two strips of tape across a card's diagonals."""
    if item is None:
        return [], []
    theme, sheet = stage.pixmaps.theme, item.card_rect
    ends = (sheet.bottomLeft(), sheet.topRight()), (sheet.topLeft(), sheet.bottomRight())
    tapes: list[QGraphicsPathItem] = []
    angles = []
    for start, end in ends:
        way = end - start
        tape = QGraphicsPathItem()
        tape.setPos(item.mapToScene(start))
        angles.append(item.rotation() + math.degrees(math.atan2(way.y(), way.x())))
        tape.setPen(QPen(Qt.PenStyle.NoPen))
        _draw_whole_tape(tape, math.hypot(way.x(), way.y()), TAPE_WIDTH * item.width, theme)
        tapes.append(tape)

    def draw(share: float) -> None:
        for number, (tape, angle) in enumerate(zip(tapes, angles, strict=True)):
            drawn = max(0.0, min(1.0, 2 * share - number))
            tape.setTransform(QTransform().rotate(angle).scale(max(drawn, 0.001), 1.0))
            tape.setVisible(drawn > 0.0)

    def fade(share: float) -> None:
        for tape in tapes:
            tape.setOpacity(1.0 - share)

    draw(0.0)
    return tapes, [Track(0, TAPE_MS, draw, ease_in_out_cubic), Track(TAPE_MS, FADE_MS, fade)]


def _draw_whole_tape(tape: QGraphicsPathItem, length: float, height: float, theme: Theme) -> None:
    """Draw the full strip: a band with slanted stripes that starts at (0, 0)."""
    band = QPainterPath()
    band.addRect(QRectF(0, -height / 2, length, height))
    add_shape(band, tape, fill=theme.warn)
    stripes, stripe_width = QPainterPath(), length / STRIPES
    for number in range(STRIPES):
        left = number * stripe_width
        stripes.moveTo(left, height / 2)
        stripes.lineTo(left + stripe_width / 2, -height / 2)
        stripes.lineTo(left + stripe_width, -height / 2)
        stripes.lineTo(left + stripe_width / 2, height / 2)
        stripes.closeSubpath()
    add_shape(stripes, tape, fill=theme.stock_ink)


def _make_sign(
    path: QPainterPath, theme: Theme, colour: str, text: str, size: float
) -> QGraphicsPathItem:
    """Return a shape in `colour` with a pale edge and `text` on it."""
    item = QGraphicsPathItem(path)
    item.setPen(round_pen(theme.stock, max(2.0, size * 0.08)))
    item.setBrush(QColor(colour))
    if text:
        word = make_text_item(text, table_font(size * 0.34, bold=True), theme.stock, item)
        word.setPos(-word.boundingRect().width() / 2, -word.boundingRect().height() * 0.56)
    return item


def _heart_path(size: float) -> QPainterPath:
    """Return the outline of a heart around (0, 0), `size` wide."""
    r = size / 2
    path = QPainterPath(QPointF(0, 0.85 * r))
    path.cubicTo(-1.5 * r, -0.1 * r, -0.9 * r, -1.15 * r, 0, -0.4 * r)
    path.cubicTo(0.9 * r, -1.15 * r, 1.5 * r, -0.1 * r, 0, 0.85 * r)
    return path
