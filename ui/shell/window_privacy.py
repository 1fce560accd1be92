"""The privacy of windows above the table, which are private by default."""

from enum import Enum
from typing import cast

from PySide6.QtWidgets import QWidget

PROPERTY = "tabletop_privacy"


class WindowPrivacy(Enum):
    """Determines what happens to a window when the active player changes."""

    PUBLIC = "public"
    """The window stays open, because it shows the same to everyone."""
    DRAFT = "draft"
    """The window is hidden, with its contents, until its player is active again."""
    PRIVATE = "private"
    """The window is closed."""


def set_privacy(window: QWidget, privacy: WindowPrivacy) -> None:
    """Set the privacy of `window`."""
    window.setProperty(PROPERTY, privacy.value)


def privacy_of(window: QWidget) -> WindowPrivacy:
    """Return the privacy of `window`; PRIVATE if none was set."""
    said = cast(str | None, window.property(PROPERTY))
    return WindowPrivacy(said) if said is not None else WindowPrivacy.PRIVATE
