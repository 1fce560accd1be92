"""Accessible representations of pieces, plaques and labels."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from PySide6.QtCore import QRectF

from tabletop.text.typography import capitalise
from ui.accessibility.part import ENLARGE, Actions, Role, TablePart


@dataclass(frozen=True)
class PiecePart(TablePart):
    """A piece and the zone it is on."""

    piece: str
    role: ClassVar[Role] = Role.Graphic

    @property
    def is_present(self) -> bool:
        return self.scene is not None and self.piece in self.scene.stage.pieces

    @property
    def name(self) -> str:
        zone = self.stage.pieces[self.piece].zone
        place = self.words.zone(zone, self.view.viewer)
        return capitalise(self.words.with_label(self.words.piece(self.piece), place))

    @property
    def rect(self) -> QRectF:
        item = self.scene.stage.pieces.get(self.piece) if self.scene is not None else None
        if item is None:
            return QRectF()
        return item.mapRectToScene(item.childrenBoundingRect())


@dataclass(frozen=True)
class PlaquePart(TablePart):
    """A player's plaque, with the state of the player."""

    seat: int
    role: ClassVar[Role] = Role.StaticText

    @property
    def name(self) -> str:
        texts = [self.words.seat(self.seat)]
        for sign in self.placed.plaques:
            if sign.seat == self.seat:
                texts += [self.words.team(sign.team)] if sign.team is not None else []
                texts += self.stage.background.plaque_texts(sign)
        asked = [ask for ask in self.view.asks if ask.seat == self.seat and not ask.optional]
        if any(ask.id not in self.view.answers for ask in asked):
            texts.append(self.words("is choosing"))
        elif asked:
            texts.append(self.words("has chosen"))
        return self.words.join_list(texts)

    @property
    def description(self) -> str:
        hints = (
            hint
            for sign in self.placed.plaques
            if sign.seat == self.seat
            for hint in self.stage.background.plaque_hints(sign)
        )
        return self.words.sentences(dict.fromkeys(hints))

    @property
    def rect(self) -> QRectF:
        area = next((sign.rect for sign in self.placed.plaques if sign.seat == self.seat), None)
        return self.stage.to_pixels(area) if area is not None else QRectF()

    @property
    def actions(self) -> Actions:
        scene = self.scene
        return (
            {ENLARGE: lambda: scene.player_board_requested.emit(self.seat)}
            if scene is not None
            else {}
        )


@dataclass(frozen=True)
class LabelPart(TablePart):
    """A text on the table."""

    number: int
    role: ClassVar[Role] = Role.StaticText

    @property
    def is_present(self) -> bool:
        return self.scene is not None and self.number < len(self.placed.texts)

    @property
    def name(self) -> str:
        text = self.placed.texts[self.number]
        return self.stage.background.fill_text(text.text, text.gaps)

    @property
    def description(self) -> str:
        return self.words.explanation(self.placed.texts[self.number].text)

    @property
    def rect(self) -> QRectF:
        return self.stage.to_pixels(self.placed.texts[self.number].rect)
