"""Bot personas, which have a name, a temper and a pace.

A persona doesn't affect playing strength, which depends only on the level.
"""

from collections.abc import Callable, Collection

from msgspec import Struct

from tabletop.text.phrases import phrase


class Persona(Struct, frozen=True):
    """A bot's persona. Its texts are English, and are translated when shown."""

    name: str
    temper: str
    pace: float = 1.0
    """The factor applied to the pause before each move."""


CHARACTERS = (
    Persona(phrase("Mugi"), phrase("Plays what looks tasty and asks about the rules later."), 0.8),
    Persona(phrase("Hotaru"), phrase("Quiet all evening, and suddenly far ahead."), 1.1),
    Persona(phrase("Genzo"), phrase("Counts every card twice and says so."), 1.4),
    Persona(
        phrase("Sumire"), phrase("Compliments everyone, most of all just before winning."), 1.0
    ),
    Persona(phrase("Taiga"), phrase("Would rather lose grandly than win by a point."), 0.7),
    Persona(phrase("Koyuki"), phrase("Remembers who took what, for years."), 1.2),
    Persona(phrase("Rokusuke"), phrase("Has a system. It nearly works."), 1.0),
    Persona(phrase("Hinano"), phrase("On everyone's side, and a little more on her own."), 0.9),
    Persona(phrase("Matsuba"), phrase("Drinks tea, smiles, and lets others hurry."), 1.5),
    Persona(phrase("Akane"), phrase("Decides at once and never looks back."), 0.6),
    Persona(phrase("Iori"), phrase("Reads rulebooks for pleasure."), 1.2),
    Persona(phrase("Natsuki"), phrase("Came for the snacks and stayed for the last round."), 0.9),
)
"""The available personas; there are as many as the largest table has seats."""


def choose_persona(taken: Collection[str], say: Callable[[str], str]) -> Persona | None:
    """Return a persona whose translated name isn't in `taken`, or None if all names are taken.

    `say` translates a name.
    """
    return next((each for each in CHARACTERS if say(each.name) not in taken), None)


def find_persona(name: str, say: Callable[[str], str]) -> Persona | None:
    """Return the persona whose name, translated by `say`, is `name`, or None."""
    return next((each for each in CHARACTERS if say(each.name) == name), None)
