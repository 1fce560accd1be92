"""What a screen reader meets at a table: its zones, cards, pieces, plaques, and what is to choose.

A part is worked out from the scene whenever it is asked about; it holds nothing of the table, so a
part of a table that is gone is merely gone. What can be done with one is what keys and pointer do.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import ClassVar

from PySide6.QtCore import QRectF
from PySide6.QtGui import QAccessible

from tabletop.engine.model import AUDIENCE, Sight, State, is_face
from tabletop.words import Words
from ui.table.input.chooser import Chooser
from ui.table.items.card_item import CardItem, CardSide
from ui.table.items.stage import Stage
from ui.table.layout.setting import Setting
from ui.table.scene import TableScene

Role = QAccessible.Role
PRESS, MENU, FOCUS = "Press", "ShowMenu", "SetFocus"
ENLARGE, WHY, TURN = "Enlarge", "Why not", "Turn"
"""Names of actions. The first three are those every screen reader knows."""
Actions = Mapping[str, Callable[[], object]]


@dataclass(frozen=True)
class Part:
    """One thing at a table; two with the same fields are the same thing."""

    at: weakref.ref[TableScene]
    role: ClassVar[Role] = Role.Grouping

    @property
    def scene(self) -> TableScene | None:
        """The scene, while a table is shown in it."""
        scene = self.at()
        return scene if scene is not None and scene.stage.setting is not None else None

    @property
    def stage(self) -> Stage:
        """What stands on the table; asked only while the part is there."""
        scene = self.scene
        assert scene is not None
        return scene.stage

    @property
    def setting(self) -> Setting:
        """The table as it is laid out; asked only while the part is there."""
        setting = self.stage.setting
        assert setting is not None
        return setting

    @property
    def words(self) -> Words:
        return self.stage.prints.words

    @property
    def view(self) -> State:
        view = self.stage.view
        assert view is not None
        return view

    @property
    def there(self) -> bool:
        """Whether it still is at the table."""
        return self.scene is not None

    @property
    def name(self) -> str:
        """What it is, and how it stands."""
        return ""

    @property
    def description(self) -> str:
        """Where it is, and what it says."""
        return ""

    @property
    def rect(self) -> QRectF:
        """Where it lies, in pixels of the scene."""
        return QRectF()

    @property
    def parent(self) -> Part | None:
        """What it lies in; None for the table."""
        return None

    @property
    def children(self) -> list[Part]:
        """What lies in it."""
        return []

    @property
    def selected(self) -> bool:
        return False

    @property
    def focused(self) -> bool:
        return False

    @property
    def actions(self) -> Actions:
        """What can be done with it now, the usual first."""
        return {}


@dataclass(frozen=True)
class ZonePart(Part):
    """A zone that is laid out, with its cards; lit, it can be chosen."""

    zone: str
    role: ClassVar[Role] = Role.List

    @property
    def there(self) -> bool:
        return self.scene is not None and self.zone in self.setting.spreads

    @property
    def lit(self) -> bool:
        """Whether it can be chosen now."""
        return self.scene is not None and self.zone in self.scene.hand.lights

    @property
    def name(self) -> str:
        words, count = self.words, len(self.items)
        place = capital(words.zone(self.zone, self.view.viewer))
        texts = [place, held(count, words)]
        if self.lit:
            texts.append(words("can be chosen"))
        return words.listed(texts)

    @property
    def description(self) -> str:
        pieces = self.stage.pieces.values()
        standing = [self.words.piece(piece.name) for piece in pieces if piece.zone == self.zone]
        if not standing:
            return ""
        return self.words("{pieces} stands here", pieces=capital(self.words.listed(standing)))

    @property
    def items(self) -> list[CardItem]:
        """Its cards, in the order they lie."""
        return self.stage.zones.get(self.zone, [])

    @property
    def rect(self) -> QRectF:
        rect = self.scene.hand.lights.rect(self.zone) if self.scene is not None else None
        return rect if rect is not None else QRectF()

    @property
    def children(self) -> list[Part]:
        return [
            CardPart(self.at, self.zone, item.card, -1 if item.known else at)
            for at, item in enumerate(self.items)
            if item.isVisible() and (item.known or not self._piled)
        ]

    @property
    def _piled(self) -> bool:
        """Whether nothing is to be told of its hidden cards but how many they are."""
        place = self.stage.place(self.zone)
        return place is not None and place.form == "pile"

    @property
    def focused(self) -> bool:
        return self.scene is not None and self.scene.hand.focus.place == self.zone

    @property
    def actions(self) -> Actions:
        return {PRESS: self._choose, FOCUS: self._focus} if self.lit else {}

    def _choose(self) -> None:
        scene = self.scene
        if scene is not None and self.lit:
            scene.skip()
            scene.hand.act(self.zone, self.rect.center())

    def _focus(self) -> None:
        if self.scene is not None:
            self.scene.hand.focus.on_place(self.zone)


@dataclass(frozen=True)
class TablePart(ZonePart):
    """The whole table, where a card may be put that needs no place."""

    zone: str = ""
    role: ClassVar[Role] = Role.Button

    @property
    def there(self) -> bool:
        return self.lit

    @property
    def name(self) -> str:
        return self.words("The whole table, can be chosen")

    @property
    def description(self) -> str:
        return ""

    @property
    def children(self) -> list[Part]:
        return []


@dataclass(frozen=True)
class CardPart(Part):
    """A card where it lies: one that is known by its number, a hole by its place in the zone."""

    zone: str
    card: int
    place: int
    role: ClassVar[Role] = Role.ListItem

    @property
    def item(self) -> CardItem | None:
        """The card on the table; None where it lies elsewhere now."""
        items = self.scene.stage.zones.get(self.zone, []) if self.scene is not None else []
        if is_face(self.card):
            return next((item for item in items if item.card == self.card), None)
        found = items[self.place] if self.place < len(items) else None
        return found if found is not None and found.card == self.card else None

    @property
    def there(self) -> bool:
        item = self.item
        return item is not None and item.isVisible()

    @property
    def name(self) -> str:
        item, words = self.item, self.words
        assert item is not None
        lying = self.stage.zones[self.zone]
        number = lying.index(item) + 1
        texts = [words.card(self.card) if item.known else words("A card, face down")]
        if len(lying) > 1:
            texts.append(words("{n} of {all}", n=number, all=len(lying)))
        return words.listed([*texts, *self._states(item)])

    def _states(self, item: CardItem) -> list[str]:
        """How it lies and what may be done with it, a word for each."""
        words, view = self.words, self.view
        told = {
            words("chosen"): item.selected,
            words("can be played"): item.playable and not item.selected,
            words("may be turned"): item.turns,
            words("upside down"): self._turned(item),
            words("face down"): item.known and item.look is CardSide.BACK,
            words("seen by you alone"): item.look is CardSide.CHIP
            and view.zones[self.zone].sight is not Sight.ALL
            and view.viewer != AUDIENCE,
        }
        return [text for text, holds in told.items() if holds]

    def _turned(self, item: CardItem) -> bool:
        place = self.stage.place(self.zone)
        if item.slot is None or place is None:
            return False
        if not (place.turn or self.card in self.stage.turned):
            return False  # it lies as all in its place do
        usual = 90.0 if place.lie == "side" else 0.0
        return abs((item.slot.angle - usual) % 360 - 180) < 45

    @property
    def description(self) -> str:
        item, words = self.item, self.words
        assert item is not None
        texts = [capital(words.zone(self.zone, self.view.viewer))]
        if item.known:
            said = self.stage.prints.kit.deck[self.card].get("text", "")
            texts += [words(str(said))] if said else []
        return ". ".join(texts)

    @property
    def rect(self) -> QRectF:
        item = self.item
        return item.sceneBoundingRect() if item is not None else QRectF()

    @property
    def parent(self) -> Part:
        return ZonePart(self.at, self.zone)

    @property
    def selected(self) -> bool:
        item = self.item
        return item is not None and item.selected

    @property
    def focused(self) -> bool:
        return self.scene is not None and self.scene.hand.focus.card is self.item is not None

    @property
    def actions(self) -> Actions:
        item, scene = self.item, self.scene
        if item is None or scene is None or not item.known:
            return {}
        found: dict[str, Callable[[], object]] = {
            PRESS: self._press,
            MENU: self._menu,
            FOCUS: self._focus,
            ENLARGE: self._enlarge,
        }
        if item.turns:
            found[TURN] = self._turn
        if scene.hand.mine(item) and not item.playable:
            found[WHY] = self._ask_why
        return found

    def _press(self) -> None:
        item, scene = self.item, self.scene
        if item is not None and scene is not None:
            scene.skip()
            scene.keys.press(item)

    def _focus(self) -> None:
        item, scene = self.item, self.scene
        if item is not None and scene is not None:
            scene.keys.look_at(item)

    def _menu(self) -> None:
        item, scene = self.item, self.scene
        if item is not None and scene is not None:
            scene.open_menu(item)

    def _enlarge(self) -> None:
        if self.scene is not None:
            self.scene.about.emit(self.card)

    def _turn(self) -> None:
        item, scene = self.item, self.scene
        if item is not None and scene is not None:
            scene.hand.turn(item)

    def _ask_why(self) -> None:
        item, scene = self.item, self.scene
        if item is not None and scene is not None:
            scene.skip()
            scene.hand.refuse_card(item)


@dataclass(frozen=True)
class PiecePart(Part):
    """A piece, and where it stands."""

    piece: str
    role: ClassVar[Role] = Role.Graphic

    @property
    def there(self) -> bool:
        return self.scene is not None and self.piece in self.scene.stage.pieces

    @property
    def name(self) -> str:
        zone = self.stage.pieces[self.piece].zone
        place = self.words.zone(zone, self.view.viewer)
        return capital(f"{self.words.piece(self.piece)}: {place}")

    @property
    def rect(self) -> QRectF:
        item = self.scene.stage.pieces.get(self.piece) if self.scene is not None else None
        if item is None:
            return QRectF()
        return item.mapRectToScene(item.childrenBoundingRect())


@dataclass(frozen=True)
class PlaquePart(Part):
    """Who sits somewhere, and how that player stands."""

    seat: int
    role: ClassVar[Role] = Role.StaticText

    @property
    def name(self) -> str:
        texts = [self.words.seat(self.seat)]
        for sign in self.setting.signs:
            if sign.seat == self.seat:
                texts += self.stage.ground.figures(sign)
        asked = [ask for ask in self.view.asks if ask.seat == self.seat and not ask.optional]
        if any(ask.id not in self.view.answers for ask in asked):
            texts.append(self.words("is asked"))
        elif asked:
            texts.append(self.words("has answered"))
        return self.words.listed(texts)

    @property
    def rect(self) -> QRectF:
        found = next((sign.rect for sign in self.setting.signs if sign.seat == self.seat), None)
        return self.stage.pixels(found) if found is not None else QRectF()


@dataclass(frozen=True)
class LabelPart(Part):
    """Words that stand on the table."""

    number: int
    role: ClassVar[Role] = Role.StaticText

    @property
    def there(self) -> bool:
        return self.scene is not None and self.number < len(self.setting.texts)

    @property
    def name(self) -> str:
        text = self.setting.texts[self.number]
        return self.stage.ground.said(text.text, text.gaps)

    @property
    def rect(self) -> QRectF:
        return self.stage.pixels(self.setting.texts[self.number].rect)


@dataclass(frozen=True)
class ChoicesPart(Part):
    """What is left to choose from."""

    role: ClassVar[Role] = Role.List

    @property
    def chooser(self) -> Chooser | None:
        """What is open to be chosen from, if a choice decides."""
        return self.scene.chooser if self.scene is not None else None

    @property
    def there(self) -> bool:
        return self.chooser is not None

    @property
    def name(self) -> str:
        return self.words("Choose")

    @property
    def rect(self) -> QRectF:
        return self.chooser.place if self.chooser is not None else QRectF()

    @property
    def children(self) -> list[Part]:
        count = len(self.chooser.options) if self.chooser is not None else 0
        return [ChoicePart(self.at, number) for number in range(count)]


@dataclass(frozen=True)
class ChoicePart(ChoicesPart):
    """One of what is left to choose from, and what would come of it."""

    number: int
    role: ClassVar[Role] = Role.Button

    @property
    def there(self) -> bool:
        return self.chooser is not None and self.number < len(self.chooser.options)

    @property
    def name(self) -> str:
        assert self.chooser is not None
        return self.chooser.options[self.number].label

    @property
    def description(self) -> str:
        assert self.chooser is not None
        row = self.chooser.options[self.number]
        return " ".join([*row.effects, *([row.outcome] if row.outcome else [])])

    @property
    def parent(self) -> Part:
        return ChoicesPart(self.at)

    @property
    def children(self) -> list[Part]:
        return []

    @property
    def focused(self) -> bool:
        return self.chooser is not None and self.chooser.pointed == self.number

    @property
    def actions(self) -> Actions:
        decides = self.scene is not None and self.scene.hand.selection.decides
        return {PRESS: self._choose, FOCUS: self._weigh} if decides else {FOCUS: self._weigh}

    def _choose(self) -> None:
        if self.chooser is not None:
            self.chooser.choose(self.number)

    def _weigh(self) -> None:
        if self.chooser is not None:
            self.chooser.point(self.number)


def parts_of(scene: TableScene) -> list[Part]:
    """All that lies at this table, in the order in which it is read."""
    setting = scene.stage.setting
    if setting is None:
        return []
    at = weakref.ref(scene)
    choices: list[Part] = [ChoicesPart(at), TablePart(at)]
    return [
        *(part for part in choices if part.there),
        *(PlaquePart(at, seat) for seat in dict.fromkeys(sign.seat for sign in setting.signs)),
        *(LabelPart(at, number) for number in range(len(setting.texts))),
        *(ZonePart(at, zone) for zone in setting.spreads),
        *(PiecePart(at, name) for name in scene.stage.pieces),
    ]


def held(count: int, words: Words) -> str:
    """How many cards lie somewhere."""
    if not count:
        return words("empty")
    return words("1 card") if count == 1 else words("{n} cards", n=count)


def capital(text: str) -> str:
    """The text as a sentence begins."""
    return text[:1].upper() + text[1:]
