"""Where the window finds the studio, which is loaded when a person makes or imports a game."""

from importlib import import_module
from typing import Any


def studio() -> Any:
    """Return `ui/studio/entry.py`. Players never need it, so nothing here imports it."""
    return import_module("ui.studio.entry")
