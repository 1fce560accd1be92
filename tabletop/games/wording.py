"""The texts of a game, read from `words.toml`."""

from collections.abc import Mapping

from msgspec import Struct

from tabletop.engine.model import Value


class ConditionalText(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A text that is shown only under certain conditions."""

    text: str
    """The sentence, in which the names of public values are placeholders."""
    when: dict[str, Value | tuple[Value, ...]] = {}
    """The text is shown only if these public values all match; a tuple lists alternatives."""
    unless: dict[str, Value | tuple[Value, ...]] = {}
    """The text is hidden if these public values all match; a tuple lists alternatives."""


class Ribbon(ConditionalText, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A text across the table that announces a phase or a round."""

    value: str
    """The public value whose change shows the text. `when` and `unless` apply after the change."""


class AskWording(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The texts for one kind of question."""

    prompt: str
    """The prompt. Names of public values are placeholders, as in "You rolled {dice/1}"."""
    paragraph: str
    """The number of the rulebook paragraph that the question is based on."""
    by: dict[str, dict[str, str]] = {}
    """Other paragraphs to refer to, by public value and its content."""
    prompts: dict[str, dict[str, str]] = {}
    """Other prompts to use, by public value and its content."""
    offered: dict[str, str] = {}
    """Other prompts to use, by the verbs of the offered moves in alphabetical order,
    such as "flip, link".
    """
    holding: str = ""
    """The prompt while a card is selected; {card} is the card's name."""

    def paragraph_for(self, values: Mapping[str, Value]) -> str:
        """Return the rulebook paragraph that applies with these public values."""
        return _matching_text(self.by, values) or self.paragraph

    def prompt_for(self, values: Mapping[str, Value]) -> str:
        """Return the prompt that applies with these public values."""
        return _matching_text(self.prompts, values) or self.prompt

    @property
    def paragraphs(self) -> set[str]:
        """All rulebook paragraphs that the question can refer to."""
        return {self.paragraph, *(each for cases in self.by.values() for each in cases.values())}


class Verb(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The texts for moves of one verb."""

    sentence: str
    """The move as a sentence, in which cards and zones are placeholders."""
    button: str = ""
    """The label of the button for the move; "" to use `sentence`."""
    odds: str = ""
    """The label for the probability of success in a preview."""
    hints: dict[str, str] = {}
    """The tooltips of the buttons, by choice."""
    choose: str = ""
    """The prompt for a choice that is part of the move, such as a card's rotation."""


class RaceCount(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A number shown for each player in the standings, computed from public information."""

    text: str
    """The label. {n} is the number; names of public values are placeholders too."""
    one: str = ""
    """The label if the number is 1; "" to use `text`."""
    value: str = ""
    """The public value that contains the number for {seat}, or a name in the rules' `figures`."""
    zone: str = ""
    """The zones of {seat} whose cards are counted, if there is no `value`.

    Other placeholders match any name.
    """
    column: str = ""
    """The card field whose sum over the face-up cards is shown, instead of their number."""
    of: str | int = ""
    """The maximum of the progress bar: a number, or the name of a public value."""
    bar: bool = False
    """Whether a progress bar compares the number with the highest number of any player."""
    leads: bool = False
    """Whether the number decides which player is ahead."""
    fewest: bool = False
    """Whether the player with the lowest number is ahead."""
    hint: str = ""
    """The tooltip."""
    when: dict[str, Value | tuple[Value, ...]] = {}
    """The number is shown only if these public values all match; a tuple lists alternatives."""
    unless: dict[str, Value | tuple[Value, ...]] = {}
    """The number is hidden if these public values all match; a tuple lists alternatives."""


class RaceWording(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The texts of the standings, about the game's progress and about each player."""

    heads: tuple[ConditionalText, ...] = ()
    """The lines about the game's progress. Each is shown if its conditions hold."""
    figures: tuple[RaceCount, ...] = ()
    """The numbers shown for each player."""


class Wording(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """All texts of a game, by the names that its rules use."""

    heading: str = ""
    """The line above the table about the game's progress.

    Names of public values are placeholders.
    """
    headings: tuple[ConditionalText, ...] = ()
    """Lines that replace `heading`. The first one whose conditions hold is shown."""
    ribbons: tuple[Ribbon, ...] = ()
    """The announcements of phases and rounds. The first one that applies is shown."""
    round: str = ""
    """The name of a round in a replay; "" to use `heading`."""
    goal: str = ""
    """The goal of the game, in three sentences."""
    aim: str = ""
    """The goal of the game in one sentence, for its introduction; "" to use `goal`."""
    turn: tuple[str, ...] = ()
    """The steps of a turn, one sentence each."""
    asks: dict[str, AskWording] = {}
    """The texts of questions, by the kind of question."""
    verbs: dict[str, Verb] = {}
    """The texts of moves, by verb."""
    zones: dict[str, str] = {}
    """The names of zones for use in sentences, by zone."""
    captions: dict[str, str] = {}
    """The captions of zones in a default layout, by zone, and of players' numbers, by public value.

    Other zones have their name as a caption. The caption of a number contains {n}.
    """
    faces: tuple[str, ...] = ()
    """The texts for screen readers about what is printed on a card, besides its name and text."""
    pieces: dict[str, str] = {}
    """The names of pieces for screen readers, by piece."""
    explained: dict[str, str] = {}
    """Explanations of short labels on the table and in the standings, by the label as written
    there.
    """
    told: dict[str, str] = {}
    """Sentences about public values for players who can't see the drawings, by public value."""
    signs: dict[str, str] = {}
    """The words that screen readers say for symbols, by symbol."""
    choices: dict[str, str] = {}
    """The names of choices for use in sentences, by choice."""
    listed: dict[str, str] = {}
    """Short names of choices for lists with little space, by choice."""
    values: dict[str, dict[str, str]] = {}
    """Names for the contents of public values, by public value and content."""
    race: RaceWording | None = None
    """The texts of the standings; None to show only the players' points."""
    printed: tuple[str, ...] = ()
    """Texts that card and drawing templates show with `t("Deck {n}", n=3)`."""


def _matching_text(cases: Mapping[str, Mapping[str, str]], values: Mapping[str, Value]) -> str:
    """Return the text for the current content of a public value,
    from the first that has one; else "".
    """
    texts_now = (texts.get(str(values.get(key))) for key, texts in cases.items())
    return next((text for text in texts_now if text), "")
