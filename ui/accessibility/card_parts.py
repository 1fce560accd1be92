"""Accessible representations of zones and cards."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import ClassVar

from PySide6.QtCore import QRectF

from tabletop.engine.model import AUDIENCE, Sight, is_face
from tabletop.language import labels
from tabletop.language.words import Words
from tabletop.text.typography import capitalise
from ui.accessibility.part import (
    ENLARGE,
    FOCUS,
    MENU,
    PRESS,
    TURN,
    WHY,
    Actions,
    Role,
    TablePart,
)
from ui.table.input.targets import target_rect
from ui.table.items.card_item import CardItem, CardSide
from ui.table.scene import TableScene


@dataclass(frozen=True)
class ZonePart(TablePart):
    """A zone with its cards, which can be pressed while it is a target."""

    zone: str
    role: ClassVar[Role] = Role.List

    @property
    def is_present(self) -> bool:
        return self.scene is not None and self.zone in self.placed.zones

    @property
    def is_target(self) -> bool:
        """Whether the zone can be chosen now."""
        return self.scene is not None and self.zone in self.scene.choice.targets

    @property
    def name(self) -> str:
        words = self.words
        place = capitalise(words.zone(self.zone, self.view.viewer))
        texts = [place, count_text([item.card for item in self.items], words), *self._standing]
        if self.is_target:
            texts.append(words("can be chosen"))
        return words.join_list(texts)

    @property
    def _standing(self) -> list[str]:
        """Sentences that name the pieces in the zone."""
        pieces = self.stage.pieces.values()
        standing = [self.words.piece(piece.name) for piece in pieces if piece.zone == self.zone]
        return [self.words("{pieces} is here", pieces=each) for each in standing]

    @property
    def description(self) -> str:
        """The selected card that can be put here, and the outcome of the highlighted option."""
        scene, words = self.scene, self.words
        if scene is None or not self.is_target:
            return ""
        held, chooser = scene.choice.picked_card, scene.selection_view.chooser
        texts = [words("You have chosen {card}", card=words.card(held))] if is_face(held) else []
        if chooser is not None and chooser.highlighted is not None and self.is_focused:
            row = chooser.options[chooser.highlighted]
            texts += dict.fromkeys((row.label, row.effect))
        return words.sentences(texts)

    @property
    def items(self) -> list[CardItem]:
        """The card items of the zone, in order."""
        return self.stage.zones.get(self.zone, [])

    @property
    def rect(self) -> QRectF:
        rect = target_rect(self.stage, self.zone) if self.scene is not None else None
        return rect if rect is not None else QRectF()

    @property
    def children(self) -> list[TablePart]:
        return [
            CardPart(self.scene_ref, self.zone, item.card, -1 if item.is_known else at)
            for at, item in enumerate(self.items)
            if item.isVisible() and (item.is_known or not self._piled)
        ]

    @property
    def _piled(self) -> bool:
        """Whether hidden cards are counted instead of listed."""
        return self.stage.zone_form(self.zone) == "pile"

    @property
    def is_focused(self) -> bool:
        """Whether the focus is on the zone, or on a
        hidden card in it that isn't listed as a part.
        """
        if self.scene is None:
            return False
        focus = self.scene.selection_view.focus
        card = focus.card_item
        inside = card is not None and card.zone == self.zone and self._piled and not card.is_known
        return focus.zone == self.zone or inside

    @property
    def actions(self) -> Actions:
        return {PRESS: self._choose, FOCUS: self._focus} if self.is_target else {}

    def _choose(self) -> None:
        scene = self.scene
        if scene is not None and self.is_target:
            scene.skip_animations()
            scene.selection_view.last_point = self.rect.center()
            scene.choice.play_to(self.zone)

    def _focus(self) -> None:
        if self.scene is not None:
            self.scene.selection_view.focus.focus_zone(self.zone)


@dataclass(frozen=True)
class WholeTablePart(ZonePart):
    """The whole table, as a target for moves without a zone."""

    zone: str = ""
    role: ClassVar[Role] = Role.Button

    @property
    def is_present(self) -> bool:
        return self.is_target

    @property
    def name(self) -> str:
        return self.words("The whole table, can be chosen")

    @property
    def children(self) -> list[TablePart]:
        return []


@dataclass(frozen=True)
class CardPart(TablePart):
    """A card in its zone, identified by its number
    if it is known, and by its index if it is hidden.
    """

    zone: str
    card: int
    index: int
    role: ClassVar[Role] = Role.ListItem

    @property
    def item(self) -> CardItem | None:
        """The card item; None if the card has left the zone."""
        items = self.scene.stage.zones.get(self.zone, []) if self.scene is not None else []
        if is_face(self.card):
            return next((item for item in items if item.card == self.card), None)
        card_item = items[self.index] if self.index < len(items) else None
        return card_item if card_item is not None and card_item.card == self.card else None

    @property
    def is_present(self) -> bool:
        item = self.item
        return item is not None and item.isVisible()

    @property
    def name(self) -> str:
        item, words = self.item, self.words
        assert item is not None
        lying = self.stage.zones[self.zone]
        number = lying.index(item) + 1
        texts = [words.card(self.card) if item.is_known else self._hidden]
        if len(lying) > 1:
            texts.append(words("{n} of {all}", n=number, all=len(lying)))
        return words.join_list([*texts, *self._states(item)])

    @property
    def _hidden(self) -> str:
        if self.stage.pixmaps.kit.is_die(self.card):
            return self.words("A hidden die")
        return self.words("A card, face down")

    def _states(self, item: CardItem) -> list[str]:
        """Return texts for the card's state and for what can be done with it."""
        words, view = self.words, self.view
        states = {
            words("chosen"): item.is_selected,
            words(labels.PLAYABLE): item.is_playable and not item.is_selected,
            words("can be turned"): item.can_turn,
            words("upside down"): self._is_turned(item),
            words("sideways"): self._is_sideways(item),
            words("face down"): item.is_known and item.side is CardSide.BACK,
            words("only you can see it"): item.side is CardSide.CHIP
            and view.zones[self.zone].sight not in (Sight.ALL, Sight.OTHERS)
            and view.viewer != AUDIENCE,
        }
        return [text for text, holds in states.items() if holds]

    def _is_sideways(self, item: CardItem) -> bool:
        place = self.stage.zone_place(self.zone)
        if item.slot is None or place is None or not place.card_turn:
            return False
        usual = 90.0 if place.lie == "side" else 0.0
        return abs((item.slot.angle - usual) % 180 - 90) < 45

    def _is_turned(self, item: CardItem) -> bool:
        place = self.stage.zone_place(self.zone)
        if item.slot is None or place is None:
            return False
        if not (place.turn or self.card in self.stage.turned):
            return False  # cards in this zone are never turned
        usual = 90.0 if place.lie == "side" else 0.0
        return abs((item.slot.angle - usual) % 360 - 180) < 45

    @property
    def description(self) -> str:
        item, words = self.item, self.words
        assert item is not None
        texts = [capitalise(words.zone(self.zone, self.view.viewer))]
        if item.is_known:
            texts += filter(None, [words.face(self.card)])
        return words.sentences(texts)

    @property
    def rect(self) -> QRectF:
        item = self.item
        return item.sceneBoundingRect() if item is not None else QRectF()

    @property
    def parent(self) -> TablePart:
        return ZonePart(self.scene_ref, self.zone)

    @property
    def is_selected(self) -> bool:
        item = self.item
        return item is not None and item.is_selected

    @property
    def is_focused(self) -> bool:
        return (
            self.scene is not None
            and self.scene.selection_view.focus.card_item is self.item is not None
        )

    @property
    def actions(self) -> Actions:
        item, scene = self.item, self.scene
        if item is None or scene is None or not item.is_known:
            return {}
        offered = {
            PRESS: self._card_action(
                lambda scene, item: scene.keyboard.press_card(item), skips=True
            ),
            MENU: self._card_action(lambda scene, item: scene.open_card_menu(item)),
            FOCUS: self._card_action(lambda scene, item: scene.keyboard.focus_card(item)),
            ENLARGE: self._card_action(
                lambda scene, item: scene.card_details_requested.emit(item.card)
            ),
        }
        if item.can_turn:
            offered[TURN] = self._card_action(lambda scene, item: scene.choice.turn_card(item.card))
        if scene.choice.owns_zone(item.zone) and not item.is_playable:
            offered[WHY] = self._card_action(
                lambda scene, item: scene.choice.report_idle_card(item.card), skips=True
            )
        return offered

    def _card_action(
        self, do: Callable[[TableScene, CardItem], object], skips: bool = False
    ) -> Callable[[], None]:
        """Return an action that calls `do` with the scene
        and the card item, if the card is still there.

        If `skips`, running animations are finished first.
        """

        def act() -> None:
            item, scene = self.item, self.scene
            if item is not None and scene is not None:
                if skips:
                    scene.skip_animations()
                do(scene, item)

        return act


def count_text(cards: Sequence[int], words: Words) -> str:
    """Return the number of `cards` as text."""
    if not cards:
        return words(labels.EMPTY)
    one_card = len(cards) == 1 and not words.are_dice(cards)
    return words("1 card") if one_card else words.heap(cards)
