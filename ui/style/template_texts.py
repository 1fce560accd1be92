"""Template functions for texts in English or in the user's language."""

from __future__ import annotations

import msgspec

from tabletop.text.phrases import fill_gaps


class TemplateTexts(msgspec.Struct, frozen=True):
    """The template function `t`: translates English texts and fills in their placeholders."""

    texts: dict[str, str]

    def __call__(self, text: str, **gaps: object) -> str:
        """Return the translation of `text` with its placeholders filled in.

        Raises:
            UndefinedError: `text` isn't among the game's texts, so it would never be translated.
        """
        if text not in self.texts:
            import jinja2

            raise jinja2.UndefinedError(f'"{text}" is not among the words of the table')
        return fill_gaps(self.texts[text], gaps)


def fill_english(text: str, **gaps: object) -> str:
    """Return the English `text` with its placeholders filled in."""
    return fill_gaps(text, gaps)
