"""金魚の夜, Goldfish Night: scoop fish by lantern light, and splash when others scoop.

The template for new games: small but complete. It uses every element of a game once (a turn, a
simultaneous choice, a reaction, dice, a peek, hidden hands, an option, two backs), and
docs/new-game.md explains it. Paragraph numbers refer to its rulebook.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from tabletop.engine.model import (
    Ask,
    Flag,
    Move,
    Number,
    Offer,
    Pen,
    Preview,
    Reason,
    Remark,
    Result,
    ScoreLine,
    Sight,
    Step,
    TableReader,
    Zone,
    each,
    one,
)
from tabletop.text.phrases import phrase

HAND_SIZE = 3
SEATS = range(4)
HAND = each("hand", SEATS)
BOWL = each("bowl", SEATS)
SCORE = Number("score/{seat}")
SPLASHED = Flag("splashed")


class Turn(Step, frozen=True):
    """The start of a player's turn (4.1)."""

    seat: int


class Scoop(Step, frozen=True):
    """The result of a scoop, after everybody has splashed or declined (4.4)."""

    seat: int
    net: int


class Rules:
    """The rules of Goldfish Night, for the deck in `cards.toml`."""

    steps = (Turn, Scoop)

    def __init__(self, deck: Sequence[Mapping[str, Any]]) -> None:
        self.weight = tuple(int(card.get("weight", 0)) for card in deck)
        self.strength = tuple(int(card.get("strength", 0)) for card in deck)
        self.fish = tuple(card for card, weight in enumerate(self.weight) if weight)
        self.tools = tuple(card for card, weight in enumerate(self.weight) if not weight)

    # 2 Preparation

    def setup(self, table: Pen) -> None:
        table.place(Zone("pond", Sight.NONE), self.fish)
        table.place(Zone("stall", Sight.NONE), self.tools)
        table.place(Zone("river", Sight.NONE))
        table.place(Zone("torn"))
        table.shuffle("pond")
        table.shuffle("stall")
        seats = range(table.state.seats)
        each = 3 if table.state.options.get("pond") == "small" else 5
        table.draw("pond", "river", len(self.fish) - each * len(seats))
        for seat in seats:
            table.place(Zone(HAND[seat], Sight.OWNER, seat, loose=True))
            table.place(Zone(BOWL[seat]))
            SCORE.set(table, seat, 0)
            table.draw("stall", HAND[seat], HAND_SIZE)
        SPLASHED.set(table, False)
        table.then(Turn(seat=0))
        for seat in seats:  # 3: everybody chooses at once
            table.ask(seat, "gift", sealed=True)

    # Moves on offer

    def offers(self, state: TableReader, ask: Ask) -> tuple[Offer, ...]:
        hand = state.cards[HAND[ask.seat]]
        if ask.what == "gift":
            return (one("gift", hand),)
        if ask.what == "turn":
            nets = tuple(card for card in hand if self.strength[card])
            return (*_offer("scoop", nets), Offer("leave"))
        splashes = tuple(card for card in hand if not self.strength[card])
        return (*_offer("splash", splashes), Offer("pass"))

    def play(self, table: Pen, seat: int, move: Move) -> None:
        match move.verb:
            case "gift":
                table.move(move.cards[0], HAND[seat], HAND[_left_of(table.state, seat)])
            case "scoop":
                self._lower_net(table, seat, move.cards[0])
            case "leave":
                self._leave(table, seat)
            case "splash":
                table.move(move.cards[0], HAND[seat], "torn")
                SPLASHED.set(table, True)
                table.say("{seat} splashes.", seat=seat)

    def resume(self, table: Pen, step: Turn | Scoop) -> None:
        match step:
            case Turn(seat):
                self._turn(table, seat)
            case Scoop(seat, net):
                self._scoop(table, seat, net)

    # 4.1 A look at the next fish

    def _turn(self, table: Pen, seat: int) -> None:
        pond = table.state.cards["pond"]
        if not pond:
            table.end(self._result(table.state))
            return
        table.show("pond", pond[-1], (seat,))
        table.say("{seat} looks into the pond: {card}.", pond[-1], seat=seat)
        table.ask(seat, "turn")

    # 4.2 Let it go, or scoop

    def _leave(self, table: Pen, seat: int) -> None:
        table.draw("pond", "river")
        drawn = table.draw("stall", HAND[seat])
        table.say("{seat} lets the fish go and takes {cards}.", *drawn, seat=seat)
        table.then(Turn(_left_of(table.state, seat)))

    def _lower_net(self, table: Pen, seat: int, net: int) -> None:
        table.move(net, HAND[seat], "torn")
        table.say("{seat} lowers {card} into the pond.", net, seat=seat)
        table.then(Scoop(seat, net))
        for other in range(table.state.seats):  # 4.3: all, or the question would reveal hands
            if other != seat:
                table.ask(other, "splash", sealed=True)

    # 4.4 What the net brings

    def _scoop(self, table: Pen, seat: int, net: int) -> None:
        table.then(Turn(_left_of(table.state, seat)))
        fish = table.state.cards["pond"][-1]
        if SPLASHED.of(table.state):  # 4.3: it flees unseen
            SPLASHED.set(table, False)
            table.move(fish, "pond", "river")
            table.say("The fish flees from the splash.")
            return
        table.show("pond", fish)
        (die,) = table.roll("scoop", 6)
        if self.strength[net] + die <= self.weight[fish]:
            table.say("{die}: {card} tears the net.", fish, die=die)
            table.move(fish, "pond", "river")
            return
        table.say("{die}: {seat} catches {card}.", fish, tag="catch", die=die, seat=seat)
        table.move(fish, "pond", BOWL[seat])
        SCORE.add(table, seat, self.weight[fish])

    # 5 The end

    def _result(self, state: TableReader) -> Result:
        bowls = [state.cards[BOWL[seat]] for seat in range(state.seats)]
        scores = tuple(sum(self.weight[fish] for fish in bowl) for bowl in bowls)
        formulas = tuple(" + ".join(str(self.weight[fish]) for fish in bowl) for bowl in bowls)
        ranks = [(score, len(bowl)) for score, bowl in zip(scores, bowls, strict=True)]
        winners = tuple(seat for seat, rank in enumerate(ranks) if rank == max(ranks))
        tied = scores.count(max(scores)) > 1
        decided = phrase("Equal weight: more fish decide.") if tied and len(winners) == 1 else ""
        return Result(winners, scores, (ScoreLine("Fish in the bowl", scores, formulas),), decided)

    # Reasons and previews

    def why(self, state: TableReader, ask: Ask, card: int, to: str) -> Reason | None:
        if card not in state.cards[HAND[ask.seat]]:
            paragraph = "3" if ask.what == "gift" else "4.2"
            return Reason("You can only use a card from your own hand.", {}, paragraph)
        if ask.what == "turn" and not self.strength[card]:
            return Reason("You can only splash when another player scoops.", {}, "4.3")
        if ask.what == "splash" and self.strength[card]:
            return Reason("Only a splash can chase the fish away.", {}, "4.3")
        return None

    def preview(self, state: TableReader, ask: Ask, move: Move) -> Preview | None:
        if move.verb != "scoop":
            return None
        need = self.weight[state.cards["pond"][-1]] - self.strength[move.cards[0]] + 1
        text = (
            phrase("You need {need} or more on the die.")
            if need > 1
            else phrase("This net is sure to hold.")
        )
        return Preview({}, (Remark(text, {"need": need} if need > 1 else {}, ("pond",), "4.4"),))


def _offer(verb: str, cards: tuple[int, ...]) -> tuple[Offer, ...]:
    return (one(verb, cards),) if cards else ()


def _left_of(state: TableReader, seat: int) -> int:
    return (seat + 1) % state.seats
