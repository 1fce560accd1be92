"""One thing that a screen reader meets at a table.

A part is worked out from the scene whenever it is asked about; it holds nothing of the table, so a
part of a table that is gone is merely gone. Its actions are those of keys and pointer.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import ClassVar

from PySide6.QtCore import QRectF
from PySide6.QtGui import QAccessible
from shiboken6 import isValid

from tabletop.engine.model import State
from tabletop.language import labels
from tabletop.language.words import Words
from ui.table.items.stage import Stage
from ui.table.layout.placed_table import PlacedTable
from ui.table.scene import TableScene

Role = QAccessible.Role
PRESS, MENU, FOCUS = "Press", "ShowMenu", "SetFocus"
ENLARGE, WHY, TURN = labels.ENLARGE, "Why not", labels.TURN
"""Names of actions. The first three are those every screen reader knows."""
Actions = Mapping[str, Callable[[], object]]


@dataclass(frozen=True)
class TablePart:
    """One thing at a table; two with the same fields are the same thing."""

    scene_ref: weakref.ref[TableScene]
    role: ClassVar[Role] = Role.Grouping

    @property
    def scene(self) -> TableScene | None:
        """The scene, while it lives and a table is shown in it."""
        scene = self.scene_ref()
        shown = scene is not None and isValid(scene) and scene.stage.placed is not None
        return scene if shown else None

    @property
    def stage(self) -> Stage:
        """The picture of the table; asked only while the part exists."""
        scene = self.scene
        assert scene is not None
        return scene.stage

    @property
    def placed(self) -> PlacedTable:
        """The table as it is laid out; asked only while the part is there."""
        setting = self.stage.placed
        assert setting is not None
        return setting

    @property
    def words(self) -> Words:
        return self.stage.pixmaps.words

    @property
    def view(self) -> State:
        view = self.stage.view
        assert view is not None
        return view

    @property
    def is_present(self) -> bool:
        """Whether it is still on the table."""
        return self.scene is not None

    @property
    def name(self) -> str:
        """Its name and its state."""
        return ""

    @property
    def description(self) -> str:
        """Its place, and its text."""
        return ""

    @property
    def rect(self) -> QRectF:
        """Its rectangle, in pixels of the scene."""
        return QRectF()

    @property
    def parent(self) -> TablePart | None:
        """The part that contains it; None for the table."""
        return None

    @property
    def children(self) -> list[TablePart]:
        """The parts that it contains."""
        return []

    @property
    def is_selected(self) -> bool:
        return False

    @property
    def is_focused(self) -> bool:
        return False

    @property
    def actions(self) -> Actions:
        """The actions that are possible now, the usual one first."""
        return {}
