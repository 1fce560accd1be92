"""The properties of the cards for the rules, and the validation of a deck (A1, A29)."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, TypeVar

from tabletop.games.awss.effects import (
    SEASONS,
    Aura,
    BonusIf,
    BonusPer,
    Counters,
    Creature,
    Depart,
    Effect,
    Flip,
    Harm,
    Marked,
    Moment,
    NoNegative,
    PointsFromTip,
    Rotate,
    Sacrifice,
    StayUp,
    SwapOther,
    SwapSelf,
    TurnSelf,
    Ward,
    parse_creature,
)
from tabletop.games.awss.texts import card_text

AUTUMN: Final = 0
NEEDLES = 72
"""The number of needles: two for each of nine cells and four players. Their order stores the
rotation of a hidden card.
"""

OWN_CARDS = ("tips", "board", "row", "col")

Scored = BonusIf | BonusPer | PointsFromTip
E = TypeVar("E", bound=Effect)


class BrokenDeck(ValueError):
    """Raised for a deck that doesn't belong to this game. The message lists all faults."""


class Deck:
    """The properties of all cards, by card number. Seasons are numbered from 0 for autumn.

    Raises:
        BrokenDeck: the deck doesn't belong to this game.
    """

    def __init__(self, faces: Sequence[Mapping[str, Any]]) -> None:
        cards = tuple(parse_creature(face) for face in faces if "season" in face)
        self.needles = tuple(range(len(cards), len(faces)))
        wrong = list(find_faults(cards, len(self.needles)))
        if wrong:
            raise BrokenDeck("; ".join(wrong))
        self.draw, self.public = _of_pile("draw", cards), _of_pile("public", cards)
        self.season = tuple(SEASONS.index(card.season) for card in cards)
        self.stars = tuple(card.stars for card in cards)
        self.points = tuple(card.points for card in cards)
        upright = tuple((c.arrows.tl, c.arrows.tr, c.arrows.bl, c.arrows.br) for c in cards)
        self.arrows = (upright, tuple(arrows[::-1] for arrows in upright))
        """By rotation, then by card: bonuses for top left, top right, bottom left, bottom right."""
        self.scored = tuple(map(_bonuses, cards))
        self.auras = tuple(_effects_of(Aura, card) for card in cards)
        self.fearless = tuple(bool(_effects_of(NoNegative, card)) for card in cards)
        self.wards = tuple(map(_wards, cards))
        self.closes = tuple(map(_closes, cards))
        """The season after which each card is turned down (A24)."""
        self.marked = tuple(map(_marked_effect, cards))
        self.moment = tuple(map(_moment, self.marked))
        self.sacrifice = tuple(e.points if isinstance(e, Sacrifice) else 0 for e in self.marked)
        """The points that each card scores after a sacrifice."""


def _of_pile(pile: str, cards: Sequence[Creature]) -> tuple[int, ...]:
    return tuple(n for n, card in enumerate(cards) if card.pile == pile)


def _effects_of(kind: type[E], card: Creature) -> tuple[E, ...]:
    return tuple(effect for effect in card.effects if isinstance(effect, kind))


def _bonuses(card: Creature) -> tuple[Scored, ...]:
    return tuple(effect for effect in card.effects if isinstance(effect, Scored))


def _wards(card: Creature) -> frozenset[Harm]:
    return frozenset(harm for ward in _effects_of(Ward, card) for harm in ward.against)


def _closes(card: Creature) -> int:
    stays = _effects_of(StayUp, card)
    return SEASONS.index(stays[0].through if stays else card.season)


def _marked_effect(card: Creature) -> Marked | None:
    return next((effect for effect in card.effects if isinstance(effect, Marked)), None)


def _moment(effect: Marked | None) -> Moment:
    match effect:
        case None:
            return ""
        case Rotate() | SwapOther() | Depart():
            return "◎"
        case Flip(when=when) | Counters(when=when):
            return when or "◎"
        case Sacrifice() | TurnSelf() | SwapSelf():
            return "pre"


def find_faults(cards: Sequence[Creature], needles: int) -> Iterator[str]:
    """Yield all faults of a deck, each as part of a sentence."""
    if needles != NEEDLES:
        yield f"{needles} needles instead of {NEEDLES}"
    if len({card.id for card in cards}) != len(cards):
        yield "two cards of one id"
    sorts = Counter(f"{card.season} {'★' * card.stars} {card.pile}" for card in cards)
    for season in SEASONS:  # A1
        for stars, pile, count in (("★", "draw", 6), ("★★", "draw", 6), ("★★★", "public", 3)):
            copies = sorts.pop(f"{season} {stars} {pile}", 0)
            if copies != count:
                yield f"{copies} cards {season} {stars} {pile} instead of {count}"
    yield from (f"cards {sort}, which the game has not" for sort in sorts)
    for card in cards:
        for fault in _card_faults(card):
            yield f"{card.id} {fault}"


def _card_faults(card: Creature) -> Iterator[str]:
    marks = [effect for effect in card.effects if isinstance(effect, Marked)]
    if len(marks) > 1:
        yield "is used for two effects"
    for effect in marks:
        moment = _moment(effect)
        if effect.mark != ("◎" if moment == "◎" else "◆"):
            yield "bears the wrong mark"
        if (moment == "◎") != (card.season == "autumn"):  # A23, and the rulebook on ◎
            yield f"bears {effect.mark} in {card.season}"
    if card.season == "autumn" and any(_looks_away(effect) for effect in card.effects):  # A29
        yield "looks at other boards while all are hidden"
    if any(isinstance(e, Aura) and e.who.zone not in OWN_CARDS for e in card.effects):
        yield "gives points to what are no cards of the own board"
    if SEASONS.index(card.season) > _closes(card):
        yield "stays up until before it is scored"
    if card.text != card_text(card.effects, "en"):
        yield "says something else than it does"


def _looks_away(effect: Effect) -> bool:
    match effect:
        case BonusIf(cond=cond):
            return cond.sel is not None and cond.sel.zone == "same_position"
        case BonusPer(count=selection):
            return selection.zone == "same_position"
        case _:
            return False
