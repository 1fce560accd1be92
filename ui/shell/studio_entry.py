"""The entry point to the studio, which is loaded only when a user makes or imports a game."""

from importlib import import_module
from typing import Any


def studio() -> Any:
    """Import and return `ui/studio/entry.py`. Nothing else imports it, as players don't need it."""
    return import_module("ui.studio.entry")
