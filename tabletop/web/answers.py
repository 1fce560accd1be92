"""What a seat may answer: ways that are walked by taps and need no rules, from card to choice."""

from collections.abc import Iterator, Sequence
from itertools import islice

from tabletop import odds, offered
from tabletop.engine.model import Move
from tabletop.link import Link
from tabletop.offered import AskedOffer, next_steps
from tabletop.web.room import Room
from tabletop.web.shapes import PageChoice, PageGathering, PageWay
from tabletop.words import Words

MOST = 3000
"""Moves of one card, or of none, that are told; no game has a tenth of it."""


class Answers:
    """Of one seat, as its link stands now."""

    def __init__(self, link: Link, room: Room, words: Words) -> None:
        self._link = link
        self._kit = room.kit
        self._words = words
        self.offers = {} if room.sent is not None or not room.connected else link.offers
        self._chances = [c for c in offered.all_of(self.offers) if not offered.gathers(c.offer)]
        self._told = any(verb.odds for verb in room.kit.words.verbs.values())

    def of_card(self, card: int) -> tuple[PageWay, ...]:
        """What this card alone may do."""
        chances = [c for c in self._chances if card in c.offer.cards and c.offer.least <= 1]
        return self._ways(chances, (card,))

    def of_none(self) -> tuple[PageWay, ...]:
        """What may be done without a card."""
        return self._ways([c for c in self._chances if not c.offer.least], ())

    def gatherings(self) -> tuple[PageGathering, ...]:
        """What is answered by several cards."""
        chances = (c for c in offered.all_of(self.offers) if offered.gathers(c.offer))
        return tuple(self._gathering(chance) for chance in chances)

    def odds_of(self, card: int) -> str:
        """How likely what this card may do is to succeed."""
        if not self._told:
            return ""
        return odds.told(self._words, self._kit, self._link, odds.of_card(self.offers, card))

    def _ways(self, chances: Sequence[AskedOffer], cards: tuple[int, ...]) -> tuple[PageWay, ...]:
        moves = list(islice(_moves(chances, cards), MOST))
        found: dict[tuple[int, str, str], list[Move]] = {}
        for move in moves:
            found.setdefault((move.ask, move.verb, move.target), []).append(move)
        return tuple(self._way(those) for those in found.values())

    def _way(self, moves: Sequence[Move]) -> PageWay:
        first = moves[0]
        chooses = bool(first.choice)
        return PageWay(
            first.ask,
            first.verb,
            first.target,
            sentence="" if chooses else self.sentence(first),
            odds="" if first.cards else self._odds(moves[: odds.MOST]),
            choices=self._choices(moves, "") if chooses else (),
        )

    def _choices(self, moves: Sequence[Move], begun: str) -> tuple[PageChoice, ...]:
        """What there is to choose from, once this much of a sequence is chosen."""
        found = []
        for move in next_steps(moves, begun):
            choice = move.choice
            further = next_steps(moves, choice) if choice != begun else []
            goes_on = len(further) > 1
            found.append(
                PageChoice(
                    choice,
                    self._label(choice, begun),
                    sentence="" if goes_on else self.sentence(move),
                    angle=self._kit.layout.gesture(move.verb).turns.get(choice, 0),
                    odds="" if move.cards else self._odds([move]),
                    further=self._choices(moves, choice) if goes_on else (),
                )
            )
        return tuple(found)

    def _label(self, choice: str, begun: str) -> str:
        """A choice in few words."""
        if begun and choice == begun:
            return self._words("That is all")
        last = choice.rpartition(",")[2]
        listed = self._kit.words.listed.get(last)
        return _capital(self._words(listed) if listed else self._words.choice(last))

    def _gathering(self, chance: AskedOffer) -> PageGathering:
        ask, offer = chance
        gesture = self._kit.layout.gesture(offer.verb)
        signs = offered.ways_of(offer)
        turned = dict.fromkeys("".join(signs))
        choices = () if signs else self._bare_choices(chance)
        verb = self._kit.words.verbs.get(offer.verb)
        label = self._words((verb.button or verb.sentence) if verb else offer.verb)
        return PageGathering(
            ask,
            offer.verb,
            label,
            offer.cards,
            offer.least,
            offer.most,
            offer.spots,
            signs,
            {sign: self._words.choice(sign) for sign in turned},
            {sign: gesture.turns[sign] for sign in turned if gesture.turns.get(sign)},
            offer.targets,
            choices,
        )

    def _bare_choices(self, chance: AskedOffer) -> tuple[PageChoice, ...]:
        """The choices of an answer whose cards are not put together yet."""
        ask, offer = chance
        moves = [Move(ask, offer.verb, (), "", choice) for choice in offer.choices[:MOST]]
        return self._choices(moves, "") if moves else ()

    def sentence(self, move: Move) -> str:
        """A whole move as a sentence."""
        return self._words.move(move, self._link.seat, self._link.view)

    def _odds(self, moves: Sequence[Move]) -> str:
        return odds.told(self._words, self._kit, self._link, moves) if self._told else ""


def _moves(chances: Sequence[AskedOffer], cards: tuple[int, ...]) -> Iterator[Move]:
    seen: set[Move] = set()
    for ask, offer in chances:
        for target in offer.targets or ("",):
            for choice in offer.choices or ("",):
                move = Move(ask, offer.verb, cards, target, choice)
                if offer.admits(move) and move not in seen:
                    seen.add(move)
                    yield move


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
