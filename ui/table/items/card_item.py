"""The graphics item of a card, and its marks if it is playable, selected or dragged."""

from __future__ import annotations

from enum import Enum

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPen, QPixmap, QTransform
from PySide6.QtWidgets import QGraphicsItem, QGraphicsPathItem, QGraphicsPixmapItem

from tabletop.engine.model import is_face
from tabletop.games.layout import CARD_HEIGHT
from ui.style.art import CARD_CORNER, CARD_MARGIN_PX, DIE_CORNER
from ui.style.theme import with_opacity
from ui.table.items.card_pixmaps import SHADOW_MARGIN_PX, SHADOW_OFFSET_PX, CardPixmaps
from ui.table.items.lettering import add_shape, round_pen, rounded_path
from ui.table.layout.slots import RAISED_LIFT, Slot

HELD_SCALE = 1.06
"""Scale of a card that is being dragged."""
DIMMED_OPACITY = 0.55
"""Opacity of a card that waits for its move to take effect."""
TURN_BUTTON_RADIUS = 0.085
"""Radius of the button that turns a card, in card widths."""
PLAYABLE_DOT_RADIUS = 0.04
"""The radius of the dot on a playable card, in card widths."""


class CardSide(Enum):
    """The visible side of a card: its face, its back,
    or its back with a chip that shows its name.
    """

    FACE = "face"
    BACK = "back"
    CHIP = "chip"


class CardItem(QGraphicsPixmapItem):
    """The graphics item of a card; its position is the card's centre."""

    def __init__(self, pixmaps: CardPixmaps, card: int) -> None:
        super().__init__()
        self.pixmaps = pixmaps
        self.card = card
        """The card number, or a placeholder number while the card is hidden."""
        self.is_known = is_face(card)
        """Whether the viewer knows which card it is."""
        self.zone = ""
        self.side = CardSide.BACK
        self.width = 0.0
        """The width of the card, in scene pixels."""
        self.slot: Slot | None = None
        self.is_playable = False
        self.is_marked_as_group = False
        """Whether a line under the whole fan marks the
        card as playable, so that it needs no frame.
        """
        self.is_selected = False
        self.is_held = False
        self.can_turn = False
        self.is_dimmed = False
        """Whether the card is drawn dimmed, because it waits for its move to take effect."""
        self._ratio, self._viewing_distance = 0.0, 1.0
        self._frame: QGraphicsPathItem | None = None
        self._marked: tuple[object, ...] = ()
        self._chip: QGraphicsPixmapItem | None = None
        self._turn_button: QGraphicsPathItem | None = None
        self.is_flying = False
        """Whether the card is flying over the table."""
        self._shadow: QGraphicsPixmapItem | None = None
        """The item of the shadow that the flying card casts."""
        self.setTransformationMode(Qt.TransformationMode.SmoothTransformation)
        self.setShapeMode(QGraphicsPixmapItem.ShapeMode.BoundingRectShape)
        self.setCacheMode(QGraphicsItem.CacheMode.NoCache)

    @property
    def card_rect(self) -> QRectF:
        """The rectangle of the card without its shadow, in item coordinates; square for a die."""
        w, h = self.width, self.width * (1.0 if self._is_die else CARD_HEIGHT)
        return QRectF(-w / 2, -h / 2, w, h)

    @property
    def _pixmap_rect(self) -> QRectF:
        """The rectangle of the pixmap without its margin;
        it has the shape of a card even for a die.
        """
        w, h = self.width, self.width * CARD_HEIGHT
        return QRectF(-w / 2, -h / 2, w, h)

    @property
    def outline(self) -> QPainterPath:
        """The outline of the card, in item coordinates."""
        return rounded_path(self.card_rect, self._corner)

    @property
    def _is_die(self) -> bool:
        return self.pixmaps.kit.is_die(self.card)

    @property
    def _corner(self) -> float:
        """The corner radius, in pixels."""
        return self.width * (DIE_CORNER if self._is_die else CARD_CORNER)

    @property
    def outline_width(self) -> float:
        """The width of marks around the card, in pixels."""
        return max(3.0, self.width * 0.02)

    @property
    def is_drawn(self) -> bool:
        """Whether the pixmap is up to date."""
        return self._ratio != 0.0

    @property
    def resting_opacity(self) -> float:
        """The opacity of the card when it isn't animated."""
        return DIMMED_OPACITY if self.is_dimmed else 1.0

    @property
    def placement(self) -> tuple[QPointF, float, float]:
        """The position, the angle in degrees, and the displayed width of the card."""
        return self.pos(), self.rotation(), self.width * self.scale()

    @placement.setter
    def placement(self, place: tuple[QPointF, float, float]) -> None:
        middle, angle, width = place
        self.setPos(middle)
        self.setRotation(angle)
        self.setScale(width / self.width)

    def contains_scene_point(self, point: QPointF) -> bool:
        """Return whether `point` of the scene is on the card."""
        return self.card_rect.contains(self.mapFromScene(point))

    def is_under_pointer(self, point: QPointF) -> bool:
        """Return whether `point` is on the card, or was before the card rose under the pointer."""
        below = self.width * RAISED_LIFT
        return self.card_rect.adjusted(0, 0, 0, below).contains(self.mapFromScene(point))

    def show_side(self, look: CardSide, width: float, simple: bool | None = None) -> None:
        """Show the side `look` with a width of `width` pixels, rendered for the current device
        pixel ratio.

        `simple` is whether to use the face design for small cards; None decides by the width. A
        hidden card always shows its back.
        """
        if not self.is_known:
            look = CardSide.BACK
        pixmaps = self.pixmaps
        wanted = (look, width, pixmaps.ratio, pixmaps.viewing_distance)
        if wanted == (self.side, self.width, self._ratio, self._viewing_distance):
            return
        self.side, self.width, self._ratio, self._viewing_distance = wanted
        face = look is CardSide.FACE
        self._show_pixmap(
            pixmaps.face_pixmap(self.card, width, simple)
            if face
            else pixmaps.back_pixmap(self.card, width)
        )

    def _show_pixmap(self, paper: QPixmap) -> None:
        self.setPixmap(paper)
        self.setOffset(self._pixmap_rect.topLeft() - QPointF(CARD_MARGIN_PX, CARD_MARGIN_PX))
        self._update_chip()
        self.set_marks()

    def show_blank(self, look: CardSide, width: float) -> None:
        """Set the side and width without rendering a pixmap; `show_side` renders it later."""
        self.side, self.width = look if self.is_known else CardSide.BACK, width
        self._ratio = 0.0
        self.setPixmap(QPixmap())

    def predraw(self, look: CardSide) -> None:
        """Render the pixmap of the side `look` into the cache."""
        draw = self.pixmaps.face_pixmap if look is CardSide.FACE else self.pixmaps.back_pixmap
        draw(self.card, self.width)

    def set_card(self, card: int) -> None:
        """Make the item represent `card`, which may be hidden; `show_side` renders it."""
        self.card, self.is_known = card, is_face(card)
        self._ratio = 0.0

    def redraw(self) -> None:
        """Render the current side again after a change of theme, language or pixel ratio."""
        self._ratio = 0.0
        self.show_side(self.side, self.width)

    def show_held(self) -> None:
        """Show the card as being dragged: larger and with a deep shadow, as a single pixmap, which
        moves faster.
        """
        self.is_held = True
        # keep the same kind of face at the larger size
        simple = self.width / self._viewing_distance < self.pixmaps.art.card_style.simple_below_px
        self.show_side(self.side, float(round(self.width * HELD_SCALE)), simple)
        self.align_chip()
        self._drop_frame()
        held = self.pixmaps.shadow_pixmap(round(self.width))
        left, top = SHADOW_MARGIN_PX, SHADOW_MARGIN_PX - SHADOW_OFFSET_PX
        with QPainter(held) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.drawPixmap(QPointF(left - CARD_MARGIN_PX, top - CARD_MARGIN_PX), self.pixmap())
            painter.setPen(QPen(QColor(self.pixmaps.theme.table_accent_2), self.outline_width))
            sheet = self.card_rect.translated(QPointF(left, top) - self._pixmap_rect.topLeft())
            radius = self._corner
            painter.drawRoundedRect(sheet.adjusted(-1, -1, 1, 1), radius + 1, radius + 1)
        self.setPixmap(held)
        self.setOffset(self._pixmap_rect.topLeft() - QPointF(left, top))

    def set_flight_height(self, height: float) -> None:
        """Set the height above the table, from 0 (on
        the table) to 1, which determines the shadow.
        """
        self.is_flying = height > 0.0
        if self._shadow is not None and not self.is_flying:
            self.scene().removeItem(self._shadow)
            self._shadow = None
        if not self.is_flying or self.pixmaps.theme.name == "contrast":
            return
        if self._shadow is None:
            self._shadow = QGraphicsPixmapItem(self.pixmaps.shadow_pixmap(round(self.width)), self)
            self._shadow.setFlag(QGraphicsItem.GraphicsItemFlag.ItemStacksBehindParent)
            self._shadow.setTransformationMode(Qt.TransformationMode.SmoothTransformation)
        down = QTransform().rotate(-self.rotation()).map(QPointF(0, SHADOW_OFFSET_PX))
        corner = self._pixmap_rect.topLeft() - QPointF(SHADOW_MARGIN_PX, SHADOW_MARGIN_PX)
        self._shadow.setPos(corner + down * height)
        self._shadow.setOpacity(height)

    def show_put_down(self, paper: QPixmap, width: float) -> None:
        """Show the card as lying on the table again, with
        its previous pixmap `paper` and width `width`.
        """
        self.is_held = False
        self.width = width
        self._marked = ()
        self._show_pixmap(paper)
        self.align_chip()

    def turn_button_at(self, point: QPointF) -> bool:
        """Return whether `point`, in scene coordinates, is on the turn button."""
        button = self._turn_button
        return button is not None and button.contains(button.mapFromScene(point))

    def set_marks(
        self,
        *,
        playable: bool | None = None,
        selected: bool | None = None,
        turns: bool | None = None,
        alike: bool | None = None,
    ) -> None:
        """Set and redraw the given marks; None leaves a mark unchanged.

        `alike`: whether one line marks the whole fan, so that the card needs no frame of its own.
        """
        self.is_marked_as_group = self.is_marked_as_group if alike is None else alike
        self.can_turn = self.can_turn if turns is None else turns
        self.is_playable = self.is_playable if playable is None else playable
        self.is_selected = self.is_selected if selected is None else selected
        framed = self.is_playable and not self.is_marked_as_group
        marked = (framed, self.is_selected, self.can_turn, self.width, self.pixmaps.theme.name)
        if marked != self._marked and not self.is_held:
            self._marked = marked
            self._update_frame()
            self._update_turn_button()

    def _update_frame(self) -> None:
        self._drop_frame()
        if not (self.is_selected or (self.is_playable and not self.is_marked_as_group)):
            return
        theme = self.pixmaps.theme
        colour = QColor(theme.table_accent_2 if self.is_selected else theme.table_accent)
        radius = self._corner
        outline = rounded_path(self.card_rect.adjusted(-1, -1, 1, 1), radius + 1)
        self._frame = add_shape(outline, self, QPen(colour, self.outline_width))
        if self.is_selected:
            glow = rounded_path(self.card_rect.adjusted(-4, -4, 4, 4), radius + 4)
            pen = QPen(with_opacity(colour, 0.28), 2 * self.outline_width + 1)
            add_shape(glow, self._frame, pen, behind=True)
            return
        disc = QPainterPath()
        size = max(4.0, self.width * PLAYABLE_DOT_RADIUS)
        disc.addEllipse(QPointF(0, self.card_rect.top() - 1), size, size)
        add_shape(disc, self._frame, QPen(QColor(theme.stock), 2), colour)

    def _update_turn_button(self) -> None:
        """Draw the turn button, a circular arrow in the
        corner, or remove it if the card can't be turned.
        """
        if self._turn_button is not None:
            self.scene().removeItem(self._turn_button)
            self._turn_button = None
        if not self.can_turn:
            return
        theme = self.pixmaps.theme
        radius = max(11.0, self.width * TURN_BUTTON_RADIUS)
        middle = self.card_rect.topRight() + QPointF(-radius - 2, radius + 2)
        disc, arrow = QPainterPath(), QPainterPath()
        disc.addEllipse(middle, radius, radius)
        self._turn_button = add_shape(disc, self, QPen(QColor(theme.accent), 2), theme.paper)
        inner = radius * 0.5
        box = QRectF(middle.x() - inner, middle.y() - inner, 2 * inner, 2 * inner)
        arrow.arcMoveTo(box, 200)
        arrow.arcTo(box, 200, -260)
        tip, wing = arrow.currentPosition(), inner * 0.6
        arrow.moveTo(tip + QPointF(-wing * 0.4, -wing))
        arrow.lineTo(tip)
        arrow.lineTo(tip + QPointF(wing, -wing * 0.5))
        add_shape(arrow, self._turn_button, round_pen(theme.accent, max(2.0, radius * 0.16)))

    def _drop_frame(self) -> None:
        if self._frame is not None:
            self.scene().removeItem(self._frame)
            self._frame = None

    def _update_chip(self) -> None:
        chip = (
            self.pixmaps.chip_pixmap(self.card, self.chip_width)
            if self.side is CardSide.CHIP
            else None
        )
        if chip is None:
            if self._chip is not None:
                self.scene().removeItem(self._chip)
                self._chip = None
            return
        if self._chip is None:
            self._chip = QGraphicsPixmapItem(self)
            self._chip.setTransformationMode(Qt.TransformationMode.SmoothTransformation)
        self._chip.setPixmap(chip)
        self.align_chip()

    @property
    def chip_width(self) -> float:
        """The width of the chip in pixels; wider on a sideways card."""
        return round(self.width * (0.96 if self.rotation() % 180 < 45 else 1.08))

    def align_chip(self) -> None:
        """Position the chip horizontally: near the top of an upright card, in the centre of a
        sideways one.
        """
        if self._chip is None:
            return
        angle = self.rotation()
        lying = 45 <= abs(angle) % 180 <= 135
        w = self.chip_width
        h = w * 0.4
        self._chip.setOffset(-w / 2, -h / 2)
        self._chip.setRotation(-round(angle / 90) * 90)
        up = 0.0 if lying else -self.width * CARD_HEIGHT / 2 + h / 2 + self.width * 0.04
        self._chip.setPos(0, up)
