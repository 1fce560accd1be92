"""A text for screen readers."""

from collections.abc import Callable

from msgspec import Struct


def _is_always_current() -> bool:
    return True


def _ignore() -> None:
    pass


class Utterance(Struct, frozen=True):
    """A text to announce, with what decides whether it still may be."""

    text: str
    urgent: bool = False
    """Whether the text replaces everything that waits to be announced."""
    is_current: Callable[[], bool] = _is_always_current
    """Returns whether the text is still true. A text that isn't true any more is dropped."""
    on_read: Callable[[], object] = _ignore
    """Called when a screen reader has received the text, or has ignored it for so long that the
    text was given up. A text that was dropped doesn't count.
    """
