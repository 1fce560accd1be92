"""The program's texts in one language: translations, placeholders, lists and sentences.

Every text is written in English, in the source or in the files of a game's folder. The Japanese
text is in a ja.po beside it. A game's en.po gives the current English wording for log templates in
old records. `python3 -m tabletop.studio.translation.translation_check` lists missing translations.
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
from tabletop.language.second_person import fill_sentence
from tabletop.text.language_code import LANGUAGE_CODE
from tabletop.text.phrases import fill_gaps, phrase, ui_folders
from tabletop.text.translations import load_translations

MAX_CACHED_TRANSLATIONS = 2000
"""The maximum number of cached translations; a game with its screens has a few hundred texts."""

_SENTENCE_ENDS = tuple(".!?…。！？")
"""Characters that end a sentence."""

_NEGATIVE = re.compile(r"-\d+(\.\d+)?")


class Texts:
    """Translated texts in one language. Texts without a translation are English."""

    def __init__(
        self,
        language: str,
        sheet: Mapping[str, str] = MappingProxyType({}),
        folders: Sequence[Traversable] = (),
    ) -> None:
        """Load the translations of a game, which take precedence over the program's.

        Args:
            sheet: the translations in the game's card sheet.
            folders: folders with .po files.

        Raises:
            ValueError: `language` isn't a language code.
        """
        if not LANGUAGE_CODE.fullmatch(language):
            raise ValueError(f'"{language}" is not the code of a language such as "ja".')
        self.language = language
        self._sheet = sheet
        self._own = self._catalogues(folders)
        self._translated: dict[str, str] = {}
        """A cache of translations, since a page repeats most of its texts after each move."""

    def __call__(self, text: str, /, **args: object) -> str:
        """Return `text` translated, with its placeholders filled by `args`."""
        wording = self._translate(text)
        if not args:
            return wording
        return self._fill(wording, {name: self._localise(a) for name, a in args.items()})

    def percent(self, share: float, digits: int = 0) -> str:
        """Return the fraction `share` as a percentage in this language: 1 becomes 100 %."""
        return self("{n}%", n=f"{100 * share:.{digits}f}")

    def with_label(self, label: str, text: str) -> str:
        """Return `text` after its label: "Score: 12"."""
        return self("{label}: {text}", label=label, text=text)

    def with_note(self, text: str, note: str) -> str:
        """Return `text` with `note` in brackets."""
        return self("{text} ({note})", text=text, note=note)

    def number(self, number: int, text: str) -> str:
        """Return `text` as an entry of a numbered list: "1. Draw a card"."""
        return self("{number}. {text}", number=number, text=text)

    def join_list(self, texts: Iterable[str]) -> str:
        """Join `texts` with the language's list separator."""
        return self._chain("{first}, {second}", texts)

    def join_scores(self, scores: Iterable[int]) -> str:
        """Join scores side by side: "12 : 3"."""
        return self._chain(phrase("{first} : {second}"), map(str, scores))

    def join_facts(self, facts: Iterable[str]) -> str:
        """Join the non-empty `facts` into one line: "your turn · thinking"."""
        return self._chain("{first} · {second}", facts)

    def join_names(self, names: Sequence[str]) -> str:
        """Join names as part of a sentence: "Mio and Ren", "Mio, Ren and Sora"."""
        *most, last = names or ("",)
        if len(most) == 1:
            return self("{one} and {other}", one=most[0], other=last)
        return self("{most} and {last}", most=self.join_list(most), last=last) if most else last

    def sentences(self, texts: Iterable[str]) -> str:
        """Join the non-empty `texts` into a paragraph, adding missing full stops between them."""

        def follow(before: str, text: str) -> str:
            if before.endswith(_SENTENCE_ENDS):
                return self("{sentence} {next}", sentence=before, next=text)
            return self("{sentence}. {next}", sentence=before, next=text)

        return _fold(follow, texts)

    def _chain(self, pair: str, texts: Iterable[str]) -> str:
        """Join `texts` with the translation of `pair`, a template with {first} and {second}."""
        wording = self._translate(pair)
        return _fold(
            lambda before, text: fill_gaps(wording, {"first": before, "second": text}), texts
        )

    def fault(self, fault: str, detailed: bool = False) -> str:
        """Return an error in a game's files in this language. `fault` is its English text.

        `detailed`: whether a designer reads it, who needs an unknown error in English rather than
        only its file and line.
        """
        if self.language == "en":
            return fault
        return translated_fault(fault, self._translate, detailed)

    def _localise(self, arg: object) -> str:
        """Return `arg` as text. A negative number gets this language's minus sign."""
        said = str(arg)
        if not said.startswith("-"):
            return said
        minus = self("-{number}") if _NEGATIVE.fullmatch(said) else ""
        return minus.replace("{number}", said[1:]) if minus else said

    def _fill(self, wording: str, gaps: Mapping[str, object]) -> str:
        """Return the translation `wording` with its placeholders filled."""
        return (fill_sentence if self.language == "en" else fill_gaps)(wording, gaps)

    def _translate(self, text: str) -> str:
        known = self._translated.get(text)
        if known is None:
            # texts from other people could grow the cache without limit
            if len(self._translated) >= MAX_CACHED_TRANSLATIONS:
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
        """The catalogues of the program and its screens, loaded on first use."""
        if self.language == "en":
            return ()
        return self._catalogues((program_folder(), *ui_folders()))

    def _catalogues(self, folders: Sequence[Traversable]) -> tuple[NullTranslations, ...]:
        return tuple(load_translations(folder / f"{self.language}.po") for folder in folders)


def texts_of(game: CatalogueEntry, language: str) -> Texts:
    """Return the texts of a game's box and cards in `language`."""
    return Texts(language, game.translations.get(language, {}), (game.folder,))


def _fold(two: Callable[[str, str], str], texts: Iterable[str]) -> str:
    """Join the non-empty `texts` by repeatedly calling `two`. Return "" if all are empty."""
    said = [text for text in texts if text]
    return reduce(two, said) if said else ""


@cache
def program_folder() -> Traversable:
    """Return the folder of the program's own catalogues."""
    return files("tabletop")
