"""A button that a prompt or a notice offers: what it says, and what it does. No Qt."""

from collections.abc import Callable

from msgspec import Struct


class PromptButton(Struct, frozen=True):
    """A button of the prompt line, or of a notice bar."""

    text: str
    press: Callable[[], None]
    primary: bool = False
    enabled: bool = True
    hint: str = ""
    """The tool tip; empty for none."""
    answers: bool = False
    """Whether it answers the question: digits press these buttons."""
