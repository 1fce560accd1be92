"""The program's texts in one language: translated, their gaps filled, put together.

Every text is written in English, in the source or in the files of a game's folder; a ja.po beside
it holds the Japanese. A game's en.po has today's English for log lines whose templates old records
hold. `python3 -m tabletop.studio.translation.translation_check` lists texts without one.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache, cached_property, reduce
from gettext import NullTranslations
from importlib.resources import files
from importlib.resources.abc import Traversable
from types import MappingProxyType

from tabletop.games.game_kit import CatalogueEntry
from tabletop.language.game_faults import translated_fault
from tabletop.text.language_code import LANGUAGE_CODE
from tabletop.text.phrases import fill_gaps, phrase, screens
from tabletop.text.translations import translations

MOST_TRANSLATED = 2000
"""Translations kept at hand; a game and its screens have some hundred texts."""

_STOPS = tuple(".!?…。！？")
"""The characters that end a sentence."""

_NEGATIVE = re.compile(r"-\d+(\.\d+)?")


class Texts:
    """Texts in one language; what has none in it is English."""

    def __init__(
        self,
        language: str,
        sheet: Mapping[str, str] = MappingProxyType({}),
        folders: Sequence[Traversable] = (),
    ) -> None:
        """A game's own texts go first: those that its `sheet` of cards translates, and those of po
        files in its `folders`."""
        if not LANGUAGE_CODE.fullmatch(language):
            raise ValueError(f'"{language}" is not the code of a language such as "ja".')
        self.language = language
        self._sheet = sheet
        self._own = self._catalogues(folders)
        self._translated: dict[str, str] = {}
        """Earlier translations: after each move a page says most things again."""

    def __call__(self, text: str, /, **args: object) -> str:
        """The text in this language, its gaps filled with the arguments as they are."""
        wording = self._translate(text)
        if not args:
            return wording
        return fill_gaps(wording, {name: self._localise(a) for name, a in args.items()})

    def percent(self, share: float, digits: int = 0) -> str:
        """A share of 1 as a percentage, as it is written in this language."""
        return self("{n}%", n=f"{100 * share:.{digits}f}")

    def with_label(self, label: str, text: str) -> str:
        """Return a label with its text."""
        return self("{label}: {text}", label=label, text=text)

    def with_note(self, text: str, note: str) -> str:
        """Return a text with what is added to it in brackets."""
        return self("{text} ({note})", text=text, note=note)

    def number(self, number: int, text: str) -> str:
        """An entry of a numbered list: "1. Draw a card"."""
        return self("{number}. {text}", number=number, text=text)

    def join_list(self, texts: Iterable[str]) -> str:
        """A list of these, with the language's separators."""
        return self._chain("{first}, {second}", texts)

    def join_scores(self, scores: Iterable[int]) -> str:
        """Scores side by side: "12 : 3"."""
        return self._chain(phrase("{first} : {second}"), map(str, scores))

    def join_facts(self, facts: Iterable[str]) -> str:
        """Short facts in one line: "your turn · thinking"; empty ones are left out."""
        return self._chain("{first} · {second}", facts)

    def join_names(self, names: Sequence[str]) -> str:
        """Names as a sentence holds them: "Mio and Ren", "Mio, Ren and Sora"."""
        *most, last = names or ("",)
        if len(most) == 1:
            return self("{one} and {other}", one=most[0], other=last)
        return self("{most} and {last}", most=self.join_list(most), last=last) if most else last

    def sentences(self, texts: Iterable[str]) -> str:
        """Sentences as a paragraph; empty ones are left out, a missing full stop between two is
        set."""

        def follow(before: str, text: str) -> str:
            if before.endswith(_STOPS):
                return self("{sentence} {next}", sentence=before, next=text)
            return self("{sentence}. {next}", sentence=before, next=text)

        return _fold(follow, texts)

    def _chain(self, pair: str, texts: Iterable[str]) -> str:
        """Texts in a row, each two as this text of the program says."""
        wording = self._translate(pair)
        return _fold(
            lambda before, text: fill_gaps(wording, {"first": before, "second": text}), texts
        )

    def fault(self, fault: str) -> str:
        """What is wrong with a game's files, from its English text."""
        return fault if self.language == "en" else translated_fault(fault, self._translate)

    def _localise(self, arg: object) -> str:
        """An argument as it is; of a negative number, the language's minus."""
        said = str(arg)
        if not said.startswith("-"):
            return said
        minus = self("-{number}") if _NEGATIVE.fullmatch(said) else ""
        return minus.replace("{number}", said[1:]) if minus else said

    def _translate(self, text: str) -> str:
        known = self._translated.get(text)
        if known is None:
            # texts from strangers could fill it without end
            if len(self._translated) >= MOST_TRANSLATED:
                self._translated.clear()
            known = self._translated[text] = self._look_up(text)
        return known

    def _look_up(self, text: str) -> str:
        if text in self._sheet or not text:  # the empty text is gettext's header
            return self._sheet.get(text, text)
        for catalogue in self._own:
            if translation := catalogue.gettext(text):
                return translation
        return next(
            (translation for each in self._common if (translation := each.gettext(text))), text
        )

    @cached_property
    def _common(self) -> tuple[NullTranslations, ...]:
        """The texts of the program and its screens; not read for the title of a game alone."""
        if self.language == "en":
            return ()
        return self._catalogues((program_folder(), *screens()))

    def _catalogues(self, folders: Sequence[Traversable]) -> tuple[NullTranslations, ...]:
        return tuple(translations(folder / f"{self.language}.po") for folder in folders)


def texts_of(game: CatalogueEntry, language: str) -> Texts:
    """Return the texts of a game's box and cards in a language."""
    return Texts(language, game.translations.get(language, {}), (game.folder,))


def _fold(two: Callable[[str, str], str], texts: Iterable[str]) -> str:
    """Texts as one, put together by twos; "" for none, empty ones are left out."""
    said = [text for text in texts if text]
    return reduce(two, said) if said else ""


@cache
def program_folder() -> Traversable:
    """The folder of the program's own catalogues."""
    return files("tabletop")
