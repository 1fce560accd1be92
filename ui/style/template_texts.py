"""The words that templates say: in English, or in the language of who looks."""

from __future__ import annotations

import msgspec

from tabletop.text.phrases import fill_gaps


class TemplateTexts(msgspec.Struct, frozen=True):
    """The `t` of a template: says these English texts in another language, their gaps filled."""

    texts: dict[str, str]

    def __call__(self, text: str, **gaps: object) -> str:
        """The text in the other language.

        Raises:
            UndefinedError: the text is not among them, so nobody would translate it.
        """
        if text not in self.texts:
            import jinja2

            raise jinja2.UndefinedError(f'"{text}" is not among the words of the table')
        return fill_gaps(self.texts[text], gaps)


def fill_english(text: str, **gaps: object) -> str:
    """A text as it is written, its gaps filled."""
    return fill_gaps(text, gaps)
