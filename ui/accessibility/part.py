"""The base class of the parts of a table that a screen reader finds.

A part is computed from the scene on every access and holds only a weak reference to it, so the part
may outlive its table. Its actions are the same as by keyboard and mouse.
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
"""Names of actions. `PRESS`, `MENU` and `FOCUS` are the standard actions of screen readers."""
Actions = Mapping[str, Callable[[], object]]
"""Callbacks of actions by name."""


@dataclass(frozen=True)
class TablePart:
    """An accessible part of a table. Parts with equal fields are equal."""

    scene_ref: weakref.ref[TableScene]
    role: ClassVar[Role] = Role.Grouping

    @property
    def scene(self) -> TableScene | None:
        """The scene; None if it has been destroyed or shows no table."""
        scene = self.scene_ref()
        shown = scene is not None and isValid(scene) and scene.stage.placed is not None
        return scene if shown else None

    @property
    def stage(self) -> Stage:
        """The stage; only valid while the part is present."""
        scene = self.scene
        assert scene is not None
        return scene.stage

    @property
    def placed(self) -> PlacedTable:
        """The current layout; only valid while the part is present."""
        placed = self.stage.placed
        assert placed is not None
        return placed

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
        """Whether the part is still on the table."""
        return self.scene is not None

    @property
    def name(self) -> str:
        """The part's name and state."""
        return ""

    @property
    def description(self) -> str:
        """The part's position and text."""
        return ""

    @property
    def rect(self) -> QRectF:
        """The part's rectangle, in scene pixels."""
        return QRectF()

    @property
    def parent(self) -> TablePart | None:
        """The containing part; None for the table itself."""
        return None

    @property
    def children(self) -> list[TablePart]:
        """The parts that this part contains."""
        return []

    @property
    def is_selected(self) -> bool:
        return False

    @property
    def is_focused(self) -> bool:
        return False

    @property
    def actions(self) -> Actions:
        """The actions that are currently possible, the default one first."""
        return {}
