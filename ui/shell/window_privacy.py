"""Whom a window over the table concerns: it says so itself, and else is taken for private."""

from enum import Enum
from typing import cast

from PySide6.QtWidgets import QWidget

PROPERTY = "tabletop_privacy"


class WindowPrivacy(Enum):
    """What becomes of a window when its player looks away."""

    PUBLIC = "public"
    """It says the same to everybody, and stays."""
    DRAFT = "draft"
    """It is hidden, with what was written in it, until its player looks again."""
    PRIVATE = "private"
    """It is closed."""


def set_privacy(window: QWidget, privacy: WindowPrivacy) -> None:
    """Say whom a window concerns."""
    window.setProperty(PROPERTY, privacy.value)


def privacy_of(window: QWidget) -> WindowPrivacy:
    """Return whom a window concerns; PRIVATE if it doesn't say."""
    said = cast(str | None, window.property(PROPERTY))
    return WindowPrivacy(said) if said is not None else WindowPrivacy.PRIVATE
