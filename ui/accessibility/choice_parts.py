"""Accessible representations of the options of a move."""

from __future__ import annotations

import weakref
from dataclasses import dataclass
from typing import ClassVar

from PySide6.QtCore import QRectF

from tabletop.language import labels
from ui.accessibility.part import FOCUS, PRESS, Actions, Role, TablePart
from ui.table.input.chooser import OptionChooser


@dataclass(frozen=True)
class OptionListPart(TablePart):
    """An open list of options. A list opened later is another part."""

    chooser_ref: weakref.ref[OptionChooser]
    role: ClassVar[Role] = Role.List

    @property
    def chooser(self) -> OptionChooser | None:
        """The chooser if it is still open, otherwise None."""
        chooser = self.chooser_ref()
        shown = self.scene is not None and self.scene.selection_view.chooser is chooser
        return chooser if shown else None

    @property
    def is_present(self) -> bool:
        return self.chooser is not None

    @property
    def name(self) -> str:
        return self.words(labels.CHOOSE)

    @property
    def rect(self) -> QRectF:
        return self.chooser.list_rect if self.chooser is not None else QRectF()

    @property
    def children(self) -> list[TablePart]:
        count = len(self.chooser.options) if self.chooser is not None else 0
        return [OptionPart(self.scene_ref, self.chooser_ref, number) for number in range(count)]


@dataclass(frozen=True)
class OptionPart(OptionListPart):
    """An option and its outcome."""

    number: int
    role: ClassVar[Role] = Role.Button

    @property
    def is_present(self) -> bool:
        return self.chooser is not None and self.number < len(self.chooser.options)

    @property
    def name(self) -> str:
        assert self.chooser is not None
        return self.chooser.options[self.number].label

    @property
    def description(self) -> str:
        assert self.chooser is not None
        row = self.chooser.options[self.number]
        return self.words.sentences(dict.fromkeys((row.effect, row.outcome)))

    @property
    def parent(self) -> TablePart:
        return OptionListPart(self.scene_ref, self.chooser_ref)

    @property
    def children(self) -> list[TablePart]:
        return []

    @property
    def is_focused(self) -> bool:
        pointed = self.chooser is not None and self.chooser.highlighted == self.number
        return pointed and self.scene is not None and self.scene.keyboard.options is not None

    @property
    def actions(self) -> Actions:
        decides = self.scene is not None and self.scene.choice.options_are_final
        return (
            {PRESS: self._choose, FOCUS: self._highlight} if decides else {FOCUS: self._highlight}
        )

    def _choose(self) -> None:
        if self.scene is not None:
            self.scene.choice.choose_option(self.number)

    def _highlight(self) -> None:
        if self.scene is not None and self.is_present:
            self.scene.choice.highlight_option(self.number)
