"""The texts of a game, read from `words.toml`."""

from collections.abc import Mapping

from msgspec import Struct

from tabletop.engine.model import Value


class ConditionalText(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A text that is shown under certain conditions."""

    text: str
    """The sentence, with public values as placeholders."""
    when: dict[str, Value | tuple[Value, ...]] = {}
    """Public values that must all match for the text to be shown; a tuple lists alternatives."""
    unless: dict[str, Value | tuple[Value, ...]] = {}
    """Public values that hide the text if they all match."""


class AskWording(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The texts for one kind of question."""

    prompt: str
    """The prompt, with public values as placeholders, such as "You rolled {dice/1}"."""
    paragraph: str
    """The rulebook paragraph that the question is based on."""
    by: dict[str, dict[str, str]] = {}
    """Other paragraphs: public value to its content to paragraph."""
    prompts: dict[str, dict[str, str]] = {}
    """Other prompts: public value to its content to prompt."""
    offered: dict[str, str] = {}
    """Other prompts by the offered verbs, in alphabetical order: "flip, link"."""
    holding: str = ""
    """The prompt while a card is selected; {card} is its name."""

    def paragraph_for(self, values: Mapping[str, Value]) -> str:
        """Return the rulebook paragraph for these public values."""
        return _matching_text(self.by, values) or self.paragraph

    def prompt_for(self, values: Mapping[str, Value]) -> str:
        """Return the prompt for these public values."""
        return _matching_text(self.prompts, values) or self.prompt

    @property
    def paragraphs(self) -> set[str]:
        """All rulebook paragraphs that the question can be based on."""
        return {self.paragraph, *(each for cases in self.by.values() for each in cases.values())}


class Verb(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The texts for moves of one verb."""

    sentence: str
    """The move as a sentence, with cards and zones as placeholders."""
    button: str = ""
    """The label of the button that makes the move; `sentence` by default."""
    odds: str = ""
    """The label of the probability of success in a preview."""
    hints: dict[str, str] = {}
    """The tooltip of each choice's button."""
    choose: str = ""
    """The prompt for the choice that is part of the move, such as a card's rotation."""


class RaceCount(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A figure that is shown for each player, computed from public information."""

    text: str
    """The label, with {n} for the figure and public values as placeholders."""
    one: str = ""
    """The label if the figure is 1; `text` by default."""
    value: str = ""
    """The public value with the figure of {seat}, or a name in the rules' `figures`."""
    zone: str = ""
    """The zones of {seat} whose cards are counted, instead of a value. Other placeholders match
    anything.
    """
    column: str = ""
    """The card field that is added up over face-up cards instead of counting them."""
    of: str | int = ""
    """The maximum of the progress bar: a number or a public value."""
    bar: bool = False
    """Whether there is a progress bar whose maximum is the highest figure of any player."""
    leads: bool = False
    """Whether the figure decides who is ahead."""
    fewest: bool = False
    """Whether the player with the lowest figure is ahead."""
    hint: str = ""
    """The tooltip."""
    when: dict[str, Value | tuple[Value, ...]] = {}
    """Public values that must all match for the figure to be shown; a tuple lists alternatives."""
    unless: dict[str, Value | tuple[Value, ...]] = {}
    """Public values that hide the figure if they all match."""


class RaceWording(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The texts of the standings: the progress of the game and of each player."""

    heads: tuple[ConditionalText, ...] = ()
    """The lines about the progress of the game. All whose conditions hold are shown."""
    figures: tuple[RaceCount, ...] = ()
    """The figures for each player."""


class Wording(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """All texts and names of a game, keyed by the names that its rules use."""

    heading: str = ""
    """The line above the table about the progress of the game, with public values as
    placeholders.
    """
    headings: tuple[ConditionalText, ...] = ()
    """Alternatives to `heading`. The first one whose conditions hold is shown."""
    round: str = ""
    """The name of a round in replays; `heading` by default."""
    goal: str = ""
    """The aim of the game, in three sentences."""
    turn: tuple[str, ...] = ()
    """The steps of a turn."""
    asks: dict[str, AskWording] = {}
    """The texts of questions, by kind."""
    verbs: dict[str, Verb] = {}
    """The texts of moves, by verb."""
    zones: dict[str, str] = {}
    """The names of zones in sentences."""
    captions: dict[str, str] = {}
    """The captions of zones in a default layout; by default, the zones' names."""
    faces: tuple[str, ...] = ()
    """What is printed on a card besides its name and text, for screen readers."""
    pieces: dict[str, str] = {}
    """The names of pieces, for screen readers."""
    told: dict[str, str] = {}
    """Public values as sentences, for players who can't see the drawings."""
    signs: dict[str, str] = {}
    """The spoken words for symbols in texts, for screen readers."""
    choices: dict[str, str] = {}
    """The names of choices, as used in the sentences of moves."""
    listed: dict[str, str] = {}
    """Short names of choices, for lists with little space."""
    values: dict[str, dict[str, str]] = {}
    """Names for the contents of public values: public value to content to name."""
    race: RaceWording | None = None
    """The standings; None to show the players' points instead."""
    printed: tuple[str, ...] = ()
    """Texts in drawings, faces and backs, which templates show with `t("Deck {n}", n=3)`."""


def _matching_text(cases: Mapping[str, Mapping[str, str]], values: Mapping[str, Value]) -> str:
    """Return the text for the first public value that has one for its current content; else ""."""
    texts_now = (texts.get(str(values.get(key))) for key, texts in cases.items())
    return next((text for text in texts_now if text), "")
