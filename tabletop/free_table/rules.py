"""The rules for all free tables, which allow whatever `free.toml` allows.

Each player always has one open question. The active player must eventually answer it, with an
action or by ending the turn. Other players may answer it with actions that don't need a turn. After
each answer, the question is asked again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from tabletop.engine.model import (
    AUDIENCE,
    Ask,
    Move,
    Offer,
    Pen,
    Preview,
    Reason,
    Result,
    ScoreLine,
    Sight,
    Step,
    TableReader,
    Zone,
    everyone,
)
from tabletop.free_table import offers as offering
from tabletop.free_table.components import (
    BOX,
    COLLECTED,
    FACES,
    MIXED,
    TAPPED,
    CounterEntry,
    DiceEntry,
    FreeTable,
)
from tabletop.free_table.offers import TableComponents, is_in_turn
from tabletop.free_table.scores import count_scores
from tabletop.free_table.wording import CHOICES
from tabletop.free_table.zones import FreeZone, initial_cards
from tabletop.text.phrases import phrase

QUARTER_TURN = 90
"""The angle of a card that is turned sideways, in degrees."""


class Rules:
    """The rules of a free table."""

    def __init__(
        self, deck: Sequence[Mapping[str, Any]], table: FreeTable, first_face: int
    ) -> None:
        """Create the rules for `table`.

        In `deck`, the cards from `first_face` on are sides of dice.
        """
        self.deck = deck
        self._first_face = first_face
        self.table = table
        self.at = cache(lambda seats: TableComponents(table, seats))

    # Preparation

    def setup(self, table: Pen) -> None:
        at = self.at(table.state.seats)
        lying = initial_cards(tuple(at.spots.values()), self.deck, self._first_face)
        mixed = [cells for cells in at.grids if cells[0].area.shuffled]
        sets = [{c for s in cells for c in lying.pop(s.name, ())} for cells in mixed]
        boxed = (*lying[BOX], *(card for own in sets for card in sorted(own)))
        table.place(Zone(BOX, Sight.NONE), boxed)
        if FACES in lying:
            table.place(Zone(FACES, Sight.NONE, loose=True), lying[FACES])
        if any(area.collects or area.gather != "nobody" for area in self.table.zone.values()):
            table.place(Zone(COLLECTED, Sight.NONE, loose=True))
        if any(area.random != "nobody" for area in self.table.zone.values()):
            table.place(Zone(MIXED, Sight.NONE))
        for spot in at.spots.values():
            table.place(spot.zone, lying.get(spot.name, ()))
        if any(sets):
            table.shuffle(BOX)
        for cells, own in zip(mixed, sets, strict=True):
            cards = [card for card in table.state.cards[BOX] if card in own]
            for spot, card in zip(cells, cards, strict=False):
                table.move(card, BOX, spot.name)
        for thing in (*at.dice.values(), *at.counters.values()):
            table.place(thing.zone)
            if isinstance(thing.made, CounterEntry):
                table.set(thing.name, thing.made.start)
            else:
                for number in range(thing.made.count):
                    table.set(f"{thing.name}/die{number + 1}", 0)
                    table.set(f"{thing.name}/held{number + 1}", 0)
        self._shuffle_all(table, at)
        self._deal_all(table, at)
        self._settle_zones(table)
        for spot in at.spots.values():
            self._throw_dice(table, spot.name)
        for seat in range(table.state.seats):
            table.set(f"acts/{seat}", 0)
            table.set(f"done/{seat}", 0)
        table.set("round", 1)
        table.set("turn", 0 if self.table.turns.order == "clockwise" else AUDIENCE)
        self._update_scores(table)
        self._ask_all(table)

    def _shuffle_all(self, table: Pen, at: TableComponents) -> None:
        for spot in at.spots.values():
            pile = spot.area.kind != "grid" and not spot.zone.loose and not spot.area.dice
            if pile and spot.area.shuffled and len(table.state.cards[spot.name]) > 1:
                table.shuffle(spot.name)

    def _deal_all(self, table: Pen, at: TableComponents) -> None:
        for spot in at.spots.values():
            self._deal(table, at, spot)
        for spot in at.spots.values():
            if spot.flips and spot.area.face == "up":
                for card in table.state.cards[spot.name]:
                    table.show(spot.name, card)

    def _deal(self, table: Pen, at: TableComponents, spot: FreeZone) -> None:
        """Deal the cards in the zone `spot` as defined in the file.

        If there are too few, log it.
        """
        lacking = 0
        for home, wanted in spot.area.deal.items():
            targets = at.named(home, spot.owner)
            held = len(table.state.cards[spot.name])
            count = wanted if isinstance(wanted, int) else held // max(len(targets), 1)
            for target in targets:
                cards = table.draw(spot.name, target.name, count)
                lacking += count - len(cards)
                for card in cards:
                    self._turn_up_if_open(table, target.name, card)
        if lacking:
            table.say("There are {n} cards too few to deal: {zone}.", n=lacking, zone=spot.name)

    def _deal_again(self, table: Pen, at: TableComponents, spot: FreeZone) -> None:
        if spot.area.collects:
            self._collect(table, at, spot)
        self._deal(table, at, spot)

    def _collect(self, table: Pen, at: TableComponents, home: FreeZone) -> None:
        """Return all cards with the backs of the deck `home` to it, from everywhere,
        and shuffle them.

        The cards go through an unordered zone, sorted by back, because neither events nor the order
        before the shuffle may reveal which player held which card.
        """
        back = table.state.backs.__getitem__
        first = initial_cards(tuple(at.spots.values()), self.deck, self._first_face)
        own = {back(card) for card in first.get(home.name, ())}
        for spot in at.spots.values():
            cards = [card for card in table.state.cards[spot.name] if back(card) in own]
            for card in sorted(cards, key=back) if spot.zone.loose else cards:
                table.move(card, spot.name, COLLECTED)
        for card in sorted(table.state.cards[COLLECTED], key=back):
            table.move(card, COLLECTED, home.name)
        table.shuffle(home.name)
        table.say("All cards come back and are shuffled: {zone}.", zone=home.name)

    # Permitted moves

    def offers(self, state: TableReader, ask: Ask) -> tuple[Offer, ...]:
        return offering.offers(self.at(state.seats), state, ask)

    def why(self, state: TableReader, ask: Ask, card: int, to: str) -> Reason | None:
        return offering.explain_refusal(self.at(state.seats), state, ask, card, to)

    def preview(self, state: TableReader, ask: Ask, move: Move) -> Preview | None:
        return None

    def play(self, table: Pen, seat: int, move: Move) -> None:
        if move.verb in ("agree", "decline"):
            self._answer_proposal(table, seat, move.verb)
            return
        tapped = self._tapped_cards(table.state)
        self._act(table, seat, move)
        self._straighten_moved_cards(table, tapped)

    def _act(self, table: Pen, seat: int, move: Move) -> None:
        self._end_showing(table, seat)
        match move.verb:
            case "done":
                self._end_turn(table, seat)
                return
            case "propose":
                self._propose_end(table, seat)
                return
            case "finish":
                self._end_game(table)
                return
            case "move" | "lay":
                self._move_card(table, seat, move.cards[0], move.target, move.choice)
            case "insert":
                self._insert_card(table, seat, move.cards[0], move.target, move.choice)
            case "deal":
                at = self.at(table.state.seats)
                table.say("{seat} deals from {zone}.", seat=seat, zone=move.target)
                self._deal_again(table, at, at.spots[move.target])
            case "draw":
                card = table.state.cards[move.target][-1]
                self._move_card(table, seat, card, move.choice, "")
            case "turn_up":
                card = table.state.cards[move.target][-1]
                table.show(move.target, card)
                table.say("{seat} turns up {card}.", card, seat=seat)
            case "turn_down":
                source = self._zone_of(table.state, move.cards[0])
                table.say("{seat} turns {card} face down.", move.cards[0], seat=seat)
                table.show(source, move.cards[0], ())
            case "draw_several" | "take_all":
                self._move_several(table, seat, move)
            case "take_random":
                self._move_random_card(table, seat, move.target, move.choice)
            case "gather":
                table.say("{seat} gathers all cards in {zone}.", seat=seat, zone=move.target)
                at = self.at(table.state.seats)
                self._collect(table, at, at.spots[move.target])
            case "tap":
                self._tap_card(table, seat, move.cards[0])
            case "look":
                self._look(table, seat, move.target)
            case "show":
                self._show_card(table, seat, move.cards[0], move.choice)
            case "shuffle":
                table.shuffle(move.target)
                table.say("{seat} shuffles {zone}.", seat=seat, zone=move.target)
            case "return":
                self._return_cards(table, seat, move.target)
            case "roll":
                self._roll_dice(table, seat, move.target)
            case "throw":
                faces = self._throw_dice(table, move.target)
                table.say("{seat} throws {cards}.", *faces, seat=seat)
            case "hold":
                self._toggle_held_die(table, move.target, move.choice)
            case _:
                self._change_counter(table, seat, move.target, int(move.choice))
        table.set(f"acts/{seat}", int(table.state.values[f"acts/{seat}"]) + 1)
        self._settle_zones(table)
        self._update_scores(table)
        self._ask_seat(table, seat)

    def resume(self, table: Pen, step: Step) -> None:
        raise AssertionError("a free table plans nothing")

    # Cards

    def _move_card(self, table: Pen, seat: int, card: int, target: str, way: str) -> None:
        source = self._zone_of(table.state, card)
        open_there = not self.at(table.state.seats).spots[target].hidden or way == "up"
        text = phrase("{seat} moves {card} from {zone} to {zone2}.")
        if not open_there:  # a viewer who saw the card before is shown which it was
            table.say(text, card, seat=seat, zone=source, zone2=target)
        table.move(card, source, target)
        self._turn_up_if_open(table, target, card, way)
        if open_there:
            table.say(text, card, seat=seat, zone=source, zone2=target)

    def _move_several(self, table: Pen, seat: int, move: Move) -> None:
        """Move all cards of a zone, or as many from its top as its file says, in their order."""
        at, source, target = self.at(table.state.seats), move.target, move.choice
        held, area = table.state.cards[source], at.spots[source].area
        count = len(held)
        if move.verb == "draw_several":
            room = offering.free_room(table.state, at.spots[target])
            count = int(min(count, area.draws[at.spots[target].home], room))
        cards = held[len(held) - count :]
        for card in cards if move.verb == "take_all" else reversed(cards):
            table.move(card, source, target)
            self._turn_up_if_open(table, target, card)
        text = phrase("{seat} moves {n} cards from {zone} to {zone2}.")
        table.say(text, seat=seat, n=count, zone=source, zone2=target)

    def _move_random_card(self, table: Pen, seat: int, source: str, target: str) -> None:
        """Move a random card of `source`, which is shuffled out of everybody's sight."""
        table.say("{seat} takes a random card from {zone}.", seat=seat, zone=source)
        back, held = table.state.backs.__getitem__, table.state.cards[source]
        loose = self.at(table.state.seats).spots[source].zone.loose
        for card in sorted(held, key=back) if loose else held:
            table.move(card, source, MIXED)
        table.shuffle(MIXED)
        card = table.state.cards[MIXED][-1]
        table.move(card, MIXED, target)
        self._turn_up_if_open(table, target, card)
        for card in table.state.cards[MIXED]:
            table.move(card, MIXED, source)
            self._turn_up_if_open(table, source, card)

    def _look(self, table: Pen, seat: int, zone: str) -> None:
        """Show `seat` the top cards of `zone`, from the top."""
        looks = self.at(table.state.seats).spots[zone].area.looks
        for card in reversed(table.state.cards[zone][-looks:]):
            table.show(zone, card, (seat,))
            table.say("{seat} looks at {card} ({zone}).", card, seat=seat, zone=zone)

    def _tap_card(self, table: Pen, seat: int, card: int) -> None:
        """Turn a card by a quarter, or back."""
        tapped = not table.state.values.get(f"{TAPPED}/{card}", 0)
        table.set(f"{TAPPED}/{card}", QUARTER_TURN if tapped else 0)
        if tapped:
            table.say("{seat} turns {card} sideways.", card, seat=seat)
        else:
            table.say("{seat} turns {card} back.", card, seat=seat)

    def _settle_zones(self, table: Pen) -> None:
        """Refill zones, and in turns, turn up cards once every player has chosen some."""
        at = self.at(table.state.seats)
        for spot in at.spots.values():
            source, room = spot.area.refill, offering.free_room(table.state, spot)
            for card in table.draw(source, spot.name, int(room)) if source and room > 0 else ():
                self._turn_up_if_open(table, spot.name, card)
        if self.table.turns.order == "clockwise":
            for home, area in self.table.zone.items():
                closed = self._closed_cards(table.state, home) if area.together else ()
                if {at.spots[name].owner for name, _ in closed} == {*range(table.state.seats)}:
                    self._reveal(table, closed)

    def _closed_cards(self, state: TableReader, home: str) -> tuple[tuple[str, int], ...]:
        """Return the cards of all players' zones called `home` that aren't face up, with the name
        of the zone.
        """
        spots = (spot for spot in self.at(state.seats).spots.values() if spot.home == home)
        return tuple(
            (spot.name, card)
            for spot in spots
            for card in state.cards[spot.name]
            if not offering.is_open(state, card)
        )

    def _reveal_chosen_cards(self, table: Pen) -> None:
        """Turn up the cards that players have chosen in a round that they play together."""
        for home, area in self.table.zone.items():
            if area.together:
                self._reveal(table, self._closed_cards(table.state, home))

    def _reveal(self, table: Pen, closed: Sequence[tuple[str, int]]) -> None:
        for name, card in closed:
            table.show(name, card)
        if closed:
            table.say("All have chosen: {cards}.", *(card for _, card in closed))

    def _straighten_moved_cards(self, table: Pen, zones: Mapping[int, str]) -> None:
        """Straighten the cards that have left their zone in `zones` or were turned face down."""
        spots = self.at(table.state.seats).spots
        for card, zone in zones.items():
            lies = card in table.state.cards[zone]
            if not lies or (spots[zone].hidden and not offering.is_open(table.state, card)):
                table.set(f"{TAPPED}/{card}", 0)

    def _tapped_cards(self, state: TableReader) -> dict[int, str]:
        """Return the zone of each card that is turned sideways."""
        prefix = f"{TAPPED}/"
        cards = [
            int(name.removeprefix(prefix))
            for name, angle in state.values.items()
            if angle and name.startswith(prefix)
        ]
        return {card: self._zone_of(state, card) for card in cards}

    def _insert_card(self, table: Pen, seat: int, card: int, target: str, way: str) -> None:
        source = self._zone_of(table.state, card)
        text = phrase("{seat} puts {card} into {zone}: {word_way}.")
        table.say(text, card, seat=seat, zone=target, word_way=CHOICES[way])
        table.move(card, source, target, 0 if way == "bottom" else None)
        self._turn_up_if_open(table, target, card)
        if way == "mixed":
            table.shuffle(target)

    def _turn_up_if_open(self, table: Pen, target: str, card: int, way: str = "") -> None:
        """Turn a moved card face up if cards in its new zone can be turned and start face up."""
        spot = self.at(table.state.seats).spots[target]
        if spot.flips and (way == "up" or spot.area.face == "up"):
            table.show(target, card)

    def _return_cards(self, table: Pen, seat: int, source: str) -> None:
        target = self.at(table.state.seats).spots[source].area.returns
        table.draw(source, target, len(table.state.cards[source]))
        table.shuffle(target)
        table.say("{seat} shuffles {zone} into {zone2}.", seat=seat, zone=source, zone2=target)

    def _show_card(self, table: Pen, seat: int, card: int, target: str) -> None:
        source = self._zone_of(table.state, card)
        if target == "to/all":
            table.show(source, card)
            table.say("{seat} shows {card} to all.", card, seat=seat)
        else:
            other = int(target.removeprefix("to/"))
            table.show(source, card, (seat, other))
            table.say("{seat} shows {card} to {seat2}.", card, seat=seat, seat2=other)

    def _end_showing(self, table: Pen, seat: int) -> None:
        """Hide the cards that `seat` has shown or looked at.

        They stay visible until its next action.
        """
        state, spots = table.state, self.at(table.state.seats).spots
        for card, seats in list(state.shown.items()):
            spot = spots.get(self._zone_of(state, card))
            mine = (
                spot is not None
                and (spot.area.face == "owner" and spot.owner == seat)
                and not (spot.area.together and offering.is_open(state, card))
            )
            if spot is not None and (mine or tuple(seats) == (seat,)):
                table.show(spot.name, card, ())

    @staticmethod
    def _zone_of(state: TableReader, card: int) -> str:
        return next(zone for zone, held in state.cards.items() if card in held)

    # Dice and counters

    def _roll_dice(self, table: Pen, seat: int, name: str) -> None:
        dice, values = self.at(table.state.seats).dice[name].made, table.state.values
        assert isinstance(dice, DiceEntry)
        loose = [n for n in range(1, dice.count + 1) if not values[f"{name}/held{n}"]]
        faces = table.roll(name, *(dice.sides for _ in loose))
        for number, face in zip(loose, faces, strict=True):
            table.set(f"{name}/die{number}", face)
        table.say("{seat} throws {faces}.", seat=seat, faces=", ".join(map(str, faces)))

    def _throw_dice(self, table: Pen, zone: str) -> tuple[int, ...]:
        dice = tuple(card for card in table.state.cards[zone] if card >= self._first_face)
        return table.throw(zone, dice, FACES) if dice else ()

    def _toggle_held_die(self, table: Pen, name: str, number: str) -> None:
        key = f"{name}/held{number.removeprefix('die/')}"
        table.set(key, 1 - int(table.state.values[key]))

    def _release_dice(self, table: Pen, seat: int) -> None:
        """Release the dice that `seat` has set aside, at the end of its turn."""
        for name, thing in self.at(table.state.seats).dice.items():
            held = [key for key in table.state.values if key.startswith(f"{name}/held")]
            for key in held if thing.owner in (None, seat) else ():
                if table.state.values[key]:
                    table.set(key, 0)

    def _change_counter(self, table: Pen, seat: int, name: str, by: int) -> None:
        now = int(table.state.values[name]) + by
        table.set(name, now)
        table.say("{seat}: {zone} {by}, now {n}.", seat=seat, zone=name, by=f"{by:+}", n=now)

    # Turns

    def _ask_seat(self, table: Pen, seat: int) -> None:
        """Ask a player the one open question. It must be answered only in the player's own turn."""
        turn = int(table.state.values["turn"])
        if is_in_turn(table.state, seat):
            table.ask(seat, "turn")
        else:
            question = "meanwhile" if turn != AUDIENCE else "others"
            table.ask(seat, question, *([turn] if turn != AUDIENCE else []), optional=True)

    def _ask_all(self, table: Pen) -> None:
        table.withdraw(*(ask.id for ask in table.state.asks))
        for seat in range(table.state.seats):
            self._ask_seat(table, seat)

    def _end_turn(self, table: Pen, seat: int) -> None:
        """End the turn of `seat`; start the next turn or round, or end the game."""
        seats = table.state.seats
        table.set(f"acts/{seat}", 0)
        table.set(f"done/{seat}", 1)
        self._release_dice(table, seat)
        clockwise = self.table.turns.order == "clockwise"
        last = all(table.state.values[f"done/{other}"] for other in range(seats))
        if last and not clockwise:
            self._reveal_chosen_cards(table)
        if (clockwise or last) and self._is_end_zone_empty(table.state):
            self._end_game(table)
            return
        if last:
            if int(table.state.values["round"]) >= self.table.turns.rounds:
                self._end_game(table)
                return
            for other in range(seats):
                table.set(f"done/{other}", 0)
            table.set("round", int(table.state.values["round"]) + 1)
            self._begin_round(table)
        if clockwise:
            table.set("turn", (seat + 1) % seats)
        if clockwise or last:
            self._ask_all(table)
        else:
            self._ask_seat(table, seat)

    def _begin_round(self, table: Pen) -> None:
        """Pass cards to neighbours and deal again, before a further round."""
        at, seats = self.at(table.state.seats), table.state.seats
        for home, area in self.table.zone.items():
            if not area.passes or seats < 2:
                continue
            ended = int(table.state.values["round"]) - 1
            left = area.passes == "left" or (area.passes == "alternate" and ended % 2 == 1)
            spots = {s.name: s for s in at.spots.values() if s.home == home}
            going = {name: table.state.cards[name] for name in spots}
            for name, spot in spots.items():
                neighbour = ((spot.owner or 0) + (1 if left else -1)) % seats
                target = name.replace(f"/{spot.owner}", f"/{neighbour}", 1)
                for card in going[name]:
                    table.move(card, name, target)
                    self._turn_up_if_open(table, target, card)
            if left:
                table.say("Everybody passes their cards to the left.")
            else:
                table.say("Everybody passes their cards to the right.")
        for spot in at.spots.values():
            if spot.area.deals == "round":
                self._deal_again(table, at, spot)
        self._settle_zones(table)
        self._update_scores(table)

    # The end

    def _is_end_zone_empty(self, state: TableReader) -> bool:
        """Return whether the zone that ends the game is empty."""
        wanted = self.table.end.empty
        spots = [s for s in self.at(state.seats).spots.values() if s.home == wanted]
        return bool(spots) and not any(state.cards[spot.name] for spot in spots)

    def _propose_end(self, table: Pen, seat: int) -> None:
        table.say("{seat} proposes to end the game.", seat=seat)
        table.withdraw(*(ask.id for ask in table.state.asks))
        for other in range(table.state.seats):
            if other != seat:
                table.ask(other, "end", seat)

    def _answer_proposal(self, table: Pen, seat: int, verb: str) -> None:
        if verb == "agree":
            table.say("{seat} agrees.", seat=seat)
            if not table.state.asks:
                self._end_game(table)
            return
        table.say("{seat} wants to play on.", seat=seat)
        self._ask_all(table)

    def _update_scores(self, table: Pen) -> None:
        """Update the public scores, which count only visible cards."""
        at = self.at(table.state.seats)
        if self.table.score:
            for seat, score in enumerate(
                count_scores(self.table, self.deck, at, table.state, openly=True)[0]
            ):
                if table.state.values.get(f"score/{seat}") != score:
                    table.set(f"score/{seat}", score)

    def _end_game(self, table: Pen) -> None:
        """Reveal the cards that give points, and end the game with the final scores."""
        at = self.at(table.state.seats)
        scored = {line.zone for line in self.table.score if line.zone}
        for spot in at.spots.values():
            if spot.home in scored and spot.hidden:
                for card in table.state.cards[spot.name]:
                    if tuple(table.state.shown.get(card, ())) != everyone(table.state.seats):
                        table.show(spot.name, card)
        totals, lines = count_scores(self.table, self.deck, at, table.state, openly=False)
        best = max(totals) if self.table.score else None
        winners = tuple(seat for seat, total in enumerate(totals) if total == best)
        if len(winners) == len(totals) > 1:
            winners = ()
        sheet = tuple(
            ScoreLine(line.text, points)
            for line, points in zip(self.table.score, lines, strict=True)
        )
        table.end(Result(winners, totals if self.table.score else (), sheet))
