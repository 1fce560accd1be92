"""The words that templates say: in English, or in the language of who looks."""

from __future__ import annotations

import msgspec

from tabletop.text.phrases import GAP


class TemplateTexts(msgspec.Struct, frozen=True):
    """The `t` of a template: says these English texts in another language, their gaps filled."""

    texts: dict[str, str]

    def __call__(self, text: str, **gaps: object) -> str:
        """The text in the other language.

        Raises:
            UndefinedError: the text is not among them, so nobody would translate it.
        """
        if text not in self.texts:
            import jinja2  # a template asks, so it is loaded

            raise jinja2.UndefinedError(f'"{text}" is not among the words of the table')
        return filled(self.texts[text], **gaps)


def filled(text: str, **gaps: object) -> str:
    """A text with its named gaps filled; a gap nobody fills stays as it is written."""
    return GAP.sub(lambda gap: str(gaps.get(gap[1], gap[0])), text)
