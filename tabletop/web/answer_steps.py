"""Builds the steps from a card to a move. A browser offers the steps as taps
without knowing the rules.
"""

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import islice, product

from msgspec.structs import replace

from tabletop.engine.model import Move, is_face
from tabletop.games.layout import Place
from tabletop.language import odds
from tabletop.language.words import Words
from tabletop.match import offer_matching as offered
from tabletop.match.multi_selection import turn_letters_by_spot
from tabletop.match.offer_matching import AskedOffer, Offers, next_choice_steps
from tabletop.match.seat import Seat
from tabletop.protocol.seat_access import can_answer
from tabletop.text.phrases import GAP, fill_gaps
from tabletop.text.typography import capitalise
from tabletop.web.page_context import PageContext
from tabletop.web.page_parts import PageMultiSelection, PageStep

MAX_MOVES = 3000
"""The maximum number of moves to send for one card, or for no card. Games need at most a tenth."""


class AnswerSteps:
    """Builds the steps that answer a seat's open questions."""

    def __init__(self, seat: Seat, context: PageContext, words: Words) -> None:
        self._seat = seat
        self._kit = context.kit
        self._words = words
        self.offers = open_offers(seat, context)
        self._shows_odds = any(verb.odds for verb in context.kit.words.verbs.values())

    def card_step(self, card: int) -> PageStep | None:
        """Return the first step for `card` on its own; None if it has no legal move."""
        return self.first_step(_moves(offered.single_card_offers(self.offers, card), (card,)))

    def cardless_steps(self) -> tuple[tuple[PageStep, ...], PageStep | None]:
        """Return the steps of moves without cards: those that name no zone, and the step that
        chooses a zone.
        """
        moves = _moves(
            [
                c
                for c in offered.cardless_offers(self.offers)
                if not offered.takes_several_cards(c.offer)
            ],
            (),
        )
        bare = _group((move for move in moves if not move.target), _ask_and_verb)
        return (
            (*(self._step_of_verb(those) for those in bare), *self._buttons()),
            self.first_step([move for move in moves if move.target]),
        )

    def _buttons(self) -> Iterator[PageStep]:
        """Yield a step for each one-card answer that has a button. Equal cards share one."""
        moves: dict[str, Move] = {}
        for ask, offer in offered.iter_offers(self.offers):
            if offer.most == 1 and self._kit.layout.gesture(offer.verb).button:
                for move in offer.moves(ask):
                    moves.setdefault(self.sentence(move), move)
        for sentence, move in moves.items():
            yield PageStep(label=sentence, sentence=sentence, odds=self._odds([move]), move=move)

    def multi_selections(self) -> tuple[PageMultiSelection, ...]:
        """Return the questions that are answered with several cards."""
        return tuple(self._gathering(asked) for asked in offered.multi_card_offers(self.offers))

    def odds_of(self, card: int) -> str:
        """Return the odds of a card's moves as text; "" if the game doesn't show odds."""
        if not self._shows_odds:
            return ""
        return odds.odds_text(
            self._words, self._kit, self._seat, odds.moves_of_card(self.offers, card)
        )

    def first_step(self, moves: Sequence[Move]) -> PageStep | None:
        """Return the first step of `moves`: a choice of zones if any move names one, otherwise the
        next choice.
        """
        if not any(move.target for move in moves):
            return self._step_after_place(moves) if moves else None
        steps = []
        for those in _group(moves, lambda move: move.target):
            place, step = those[0].target, self._step_after_place(those)
            label = self._target(those[0]) if place else step.label
            steps.append(replace(step, label=label, value=place, place=place))
        return PageStep(label="", asks="place", steps=tuple(steps))

    def _step_after_place(self, moves: Sequence[Move]) -> PageStep:
        """Return the next step of moves to one zone: a choice of verbs if there are several,
        otherwise the verb's own step.
        """
        ways = [self._step_of_verb(those) for those in _group(moves, _ask_and_verb)]
        if len(ways) == 1:
            return ways[0]
        steps = (
            replace(step, label=step.sentence or step.label, value=f"{number} {step.value}")
            for number, way in enumerate(ways)
            for step in (way.steps or (way,))
        )
        return PageStep(label=ways[0].label, asks="way", steps=tuple(steps))

    def _step_of_verb(self, moves: Sequence[Move]) -> PageStep:
        first = moves[0]
        likely = "" if first.cards else self._odds(moves[: odds.MAX_PREVIEWED_MOVES])
        if first.choice:
            sentence_of_all = self._words.moves(moves, self._seat.number, self._seat.view)[0]
            return PageStep(
                label=self._verb(first.verb) or sentence_of_all,
                odds=likely,
                asks="choice",
                prompt=self._words.choosing_prompt(first.verb),
                steps=self._choices(moves, ""),
            )
        sentence = self.sentence(first)
        return PageStep(label=sentence, sentence=sentence, odds=likely, move=first)

    def _choices(self, moves: Sequence[Move], chosen: str) -> tuple[PageStep, ...]:
        """Return the steps that follow the choices `chosen`. If `chosen` is already complete, its
        step comes first.
        """
        choices = []
        for move in next_choice_steps(moves, chosen):
            choice = move.choice
            further = next_choice_steps(moves, choice) if choice != chosen else []
            goes_on = len(further) > 1
            choices.append(
                PageStep(
                    label=self._words.listed_choice(choice, chosen),
                    value=choice,
                    angle=self._kit.layout.gesture(move.verb).turns.get(choice, 0),
                    sentence="" if goes_on else self.sentence(move),
                    odds="" if move.cards else self._odds([move]),
                    move=None if goes_on else move,
                    asks="choice" if goes_on else "",
                    prompt=self._words.choosing_prompt(move.verb) if goes_on else "",
                    steps=self._choices(moves, choice) if goes_on else (),
                )
            )
        return tuple(choices)

    def _gathering(self, asked: AskedOffer) -> PageMultiSelection:
        offer = asked.offer
        gesture = self._kit.layout.gesture(offer.verb)
        turned = dict.fromkeys("".join(turn_letters_by_spot(offer)))
        cells = _grid_positions(self._kit.layout.place, offer.spots, self._seat.number)
        view = self._seat.view
        return PageMultiSelection(
            offer.verb,
            self._verb(offer.verb),
            offer.spots,
            tuple(cells[spot] for spot in offer.spots) if cells else (),
            {at: card for zone, at in cells.items() for card in view.cards[zone] if is_face(card)},
            str(offer.most)
            if offer.spots or offer.least == offer.most
            else self._words("{least}-{most}", least=offer.least, most=offer.most),
            {sign: self._words.choice(sign) for sign in turned},
            {sign: gesture.turns[sign] for sign in turned if gesture.turns.get(sign)},
        )

    def zone_name(self, zone: str) -> str:
        """Return the name of a zone."""
        return zone_heading(zone, self._words, self._seat.view.viewer)

    def _target(self, move: Move) -> str:
        """Return the name of a move's target: its card if the sentence mentions the card, otherwise
        its zone.
        """
        lying = self._seat.view.cards[move.target]
        verb = self._kit.words.verbs.get(move.verb)
        if verb is not None and "{there}" in verb.sentence and len(lying) == 1:
            return self._words.card(lying[0])
        return self.zone_name(move.target)

    def _verb(self, name: str) -> str:
        """Return the label of a verb's button; "" if the game's text needs a card or a choice."""
        verb = self._kit.words.verbs.get(name)
        text = (verb.button or verb.sentence) if verb else name
        return self._words(text) if not GAP.search(text) else ""

    def sentence(self, move: Move) -> str:
        """Return a complete move as a sentence."""
        return self._words.move(move, self._seat.number, self._seat.view)

    def _odds(self, moves: Sequence[Move]) -> str:
        return odds.odds_text(self._words, self._kit, self._seat, moves) if self._shows_odds else ""


def _grid_positions(places: Iterable[Place], spots: Sequence[str], seat: int) -> dict[str, str]:
    """Return the CSS row and column of each zone in the grid that contains all `spots`; empty if
    there is no such grid.
    """
    for place in places:
        cells = dict(_cells(place, seat)) if place.is_grid else {}
        if spots and all(spot in cells for spot in spots):
            return cells
    return {}


def _cells(place: Place, seat: int) -> Iterator[tuple[str, str]]:
    """Yield the zones in the grid of `place` for `seat`, each with its CSS row and column."""
    for number, (row, column) in enumerate(product(range(place.rows), range(place.columns))):
        gaps = {"me": seat, "row": place.first + row, "column": place.first + column}
        with suppress(KeyError):  # the zone belongs to another seat
            zone = fill_gaps(place.zone, gaps | {"cell": place.first + number})
            yield zone, f"{row + 1} / {column + 1}"


def _ask_and_verb(move: Move) -> tuple[int, str]:
    return move.ask, move.verb


def _group(moves: Iterable[Move], by: Callable[[Move], Hashable]) -> list[list[Move]]:
    """Group `moves` by the key `by`, in the order in which the keys first appear."""
    groups: dict[Hashable, list[Move]] = {}
    for move in moves:
        groups.setdefault(by(move), []).append(move)
    return list(groups.values())


def _moves(asked_offers: Sequence[AskedOffer], cards: tuple[int, ...]) -> list[Move]:
    """Return up to `MAX_MOVES` moves of `cards`, to any zone."""
    places = offered.targets_of(asked_offers)
    moves = (move for place in places for move in offered.moves_to(asked_offers, cards, place))
    return list(islice(moves, MAX_MOVES))


def open_offers(seat: Seat, context: PageContext) -> Offers:
    """Return the offers that the seat may answer now; empty while it can't."""
    asked = context.connected and can_answer(context.info, seat.number)
    return seat.offers if asked else {}


def zone_heading(zone: str, words: Words, viewer: int | None) -> str:
    """Return the zone's name for `viewer` as a heading."""
    own = words.own_place(zone, viewer)
    return capitalise(own) if own else words.zone(zone, viewer)
