"""シスター・ロワイアル, Sister Royale: twelve sisters at a school festival, and one is the last.

Paragraph numbers are those of our rulebook; S1 to S30 are our readings of the original. The
chapters have a file each: `turn` (4, 9), `phase` (5), `battle` (6, 7), `items` (8), `windows` (11),
with `areas` for the map, `dice` for throwing again, `effects` and `deck` for the cards, `places`
for the names of everything on the table. Here the table is set up, and questions, answers and
planned steps find their way to the chapters.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from tabletop.engine.model import (
    Ask,
    Look,
    Move,
    Offer,
    Pen,
    Preview,
    Reason,
    Sight,
    Step,
    Zone,
    one,
)
from tabletop.games.royale import battle, dice, phase, turn, windows
from tabletop.games.royale.areas import CELLS, left
from tabletop.games.royale.deck import Deck
from tabletop.games.royale.effects import RANGE_WORDS, RANGES, DrawEx
from tabletop.games.royale.foresight import preview
from tabletop.games.royale.items import (
    draw_ex,
    draw_items,
    item_limit,
    keep_limit,
    throw_away,
    turn_up,
    use,
)
from tabletop.games.royale.places import (
    AT,
    BATTLE,
    CHARACTER,
    CHARACTER_PILE,
    DEATHS,
    DECLARED,
    DOUBLE,
    EX_DISCARD,
    EX_PILE,
    GUARD,
    HAND,
    IN,
    ITEM_DISCARD,
    ITEM_PILE,
    ITEMS,
    KILLS,
    POOL,
    REMOVED,
    RETIRED,
    SCORE,
    SNIPE,
    STATUS,
    face_up,
    seat_of,
)
from tabletop.games.royale.refusals import why

FULL_GAME = 21


class Rules:
    """The rules of the game, over the deck of cards.toml."""

    def __init__(self, deck: Sequence[Mapping[str, Any]]) -> None:
        self.deck = Deck(deck)

    # 3 Set-up

    def setup(self, table: Pen) -> None:
        """Piles, map, characters, first items, first parent."""
        seats = range(table.state.seats)
        piles = (
            (CHARACTER_PILE, self.deck.characters),
            (ITEM_PILE, self.deck.items),
            (EX_PILE, self.deck.ex),
        )
        for pile, cards in piles:
            table.place(Zone(pile, Sight.NONE), cards)
            table.shuffle(pile)
        for name in (ITEM_DISCARD, EX_DISCARD, RETIRED, REMOVED):
            table.place(Zone(name))
        table.place(Zone(POOL, Sight.NONE))
        for seat in seats:
            table.place(Zone(CHARACTER[seat], owner=seat))
            table.place(Zone(ITEMS[seat], Sight.OWNER, seat))
            table.place(Zone(HAND[seat], Sight.OWNER, seat, loose=True))
            for count in (KILLS, DEATHS, SCORE, GUARD):
                table.set(count[seat], 0)
            for word in (AT, DECLARED):
                table.set(word[seat], "")
            table.set(STATUS[seat], IN)
        for key in ("turn", "retired", "standing", "standing/stamina", "swing", "round", "die"):
            table.set(key, 0)
        for key in ("dice/1", "dice/2", "thrower", "own", "modifier", "need", "damage"):
            table.set(key, 0)
        table.set("means", -1)
        for key in ("battle", "range", "dropped", "first", "throw", "outcome"):
            table.set(key, "")
        table.set("last", int(table.state.options.get("length", FULL_GAME)))
        self._lay_map(table)
        for seat in seats:
            turn.arrive(self.deck, table, seat)
            table.draw(ITEM_PILE, ITEMS[seat])
        table.set("parent", _first_parent(table))
        table.then("turn")

    def _lay_map(self, table: Pen) -> None:
        """S2: the area cards upright, in random order."""
        table.place(Zone("map", Sight.NONE), self.deck.areas)
        table.shuffle("map")
        for cell in CELLS:
            table.place(Zone(cell))
            table.draw("map", cell)

    # What a question admits

    def offers(self, state: Look, ask: Ask) -> tuple[Offer, ...]:
        return ASKED[ask.what](self.deck, state, ask.seat)

    def why(self, state: Look, ask: Ask, card: int, to: str) -> Reason | None:
        for offer in self.offers(state, ask):
            if (card < 0 or card in offer.cards) and (not to or to in offer.targets):
                return None
        return why(self.deck, state, ask, card, to)

    def preview(self, state: Look, ask: Ask, move: Move) -> Preview | None:
        return preview(self.deck, state, ask, move)

    # What an answer brings

    def play(self, table: Pen, seat: int, move: Move) -> None:
        deck = self.deck
        card = move.cards[0] if move.cards else -1
        match move.verb:
            case "pass":
                return
            # 4.2, 4.4, 4.6
            case "again":
                turn_up(table, seat, card)
                table.say("{seat} uses {card}.", card, seat=seat)
                turn.roll_start(table, seat)
            case "place":
                turn.put(table, seat, move.target)
            case "forbid":
                use(deck, table, seat, card)
                table.say("{seat} plays {card}.", card, seat=seat)
                turn.close(table, move.target)
            case "close":
                turn.close(table, move.target)
            case "prepare" | "refresh" | "trade" | "peek":
                table.then("use_more", seat)
                self._use_break(table, seat, move)
            # 5.1 to 5.4
            case "stay":
                table.say("{seat} stays.", seat=seat)
                table.then("action", seat)
            case "walk":
                table.then("action", seat)
                phase.go(deck, table, seat, move.target)
            case "gear":
                for gear in move.cards:
                    turn_up(table, seat, gear)
                table.say("{seat} turns up {cards}.", *move.cards, seat=seat)
                if not table.state.values["battle"]:
                    table.ask(seat, "walk")
            case "answer":
                phase.answer_movement(deck, table, seat, card, move.target)
            case "move":
                table.then("action", seat)
                use(deck, table, seat, card)
                table.say("{seat} plays {card}.", card, seat=seat)
                phase.go(deck, table, seat, move.target)
            # 5.5 to 5.9
            case "attack":
                battle.begin(deck, table, BATTLE, seat, seat_of(move.target))
            case "snipe":
                battle.begin(deck, table, SNIPE, seat, seat_of(move.target))
            case "search":
                phase.search(deck, table, seat)
            case "find":
                phase.find(deck, table, seat, card)
            case "salvage":
                table.move(card, ITEM_DISCARD, ITEMS[seat])
                table.say("{seat} takes {card} from the discards.", card, seat=seat)
                keep_limit(table, seat)
            case "ride":
                phase.go(deck, table, seat, move.target)
            case "negotiate":
                phase.negotiate(deck, table, seat, card, seat_of(move.target))
            case "agree":
                table.set("agreed", 1)
                table.say("{seat} agrees to negotiate.", seat=seat)
            case "refuse":
                table.say("{seat} refuses: the dice decide.", seat=seat)
            case "take":
                table.move(card, POOL, ITEMS[seat])
                table.say("{seat} takes {cards}.", card, seat=seat)
            case "nothing":
                dice.clear(table)
                table.say("{seat} does nothing.", seat=seat)
            case "rest":
                phase.rest(deck, table, seat, card)
            case "reroll":
                dice.reroll(deck, table, seat, card)
            # 6
            case "evade":
                battle.evade(deck, table, seat, card)
            case "stand_in":
                battle.stand_in(deck, table, seat, card)
            case "range":
                table.set("range", move.choice)
                reach = RANGE_WORDS[move.choice]
                table.say("{seat} chooses the range: {word_range}.", seat=seat, word_range=reach)
            case "declare":
                battle.declared(table, seat, move.choice)
            case "go_first":
                battle.claim(deck, table, seat, card)
            case "strike":
                battle.wield(deck, table, seat, card)
            case "forgo":
                table.say("{seat} lets the attack go.", seat=seat)
            case "dodge":
                battle.dodge(deck, table, seat, card)
            case "steal":
                battle.steal(table, seat, card)
            case "grab":
                battle.steal(table, seat, battle.grabbed(table.state, seat, move.choice))
            case "chain" | "counter":
                battle.once_more(deck, table, seat, card)
            # 8
            case _:
                self._discard(table, seat, move.cards)

    def _discard(self, table: Pen, seat: int, cards: tuple[int, ...]) -> None:
        """8, 4.5: down to the limit; discards lie open."""
        for card in cards:
            throw_away(table, seat, card)
        table.say("{seat} discards {cards}.", *cards, seat=seat)

    def _use_break(self, table: Pen, seat: int, move: Move) -> None:
        """4.6: an ability or an item."""
        deck = self.deck
        card = move.cards[0]
        if move.verb == "trade":
            items = table.state.cards[ITEMS[seat]]
            ticket = next(item for item in items if item in deck.trades)
            turn_up(table, seat, ticket)
            throw_away(table, seat, card)
            table.say("{seat} trades {card} for an item.", card, seat=seat)
            draw_items(table, seat, 1)
            return
        use(deck, table, seat, card)
        table.say("{seat} uses {card}.", card, seat=seat)
        if move.verb == "refresh":
            phase.heal(deck, table, seat, deck.heal[card])
        elif move.verb == "peek":
            _peek(table, seat, move.target)
        elif isinstance(effect := deck.effect[card], DrawEx):
            draw_ex(table, seat, effect.n)
        else:
            table.set(DOUBLE[seat], 1)  # S26

    # What was planned

    def resume(self, table: Pen, step: Step) -> None:
        STEPS[step.name](self.deck, table, *step.args)


Offers = Callable[[Deck, Look, int], tuple[Offer, ...]]


def _window(timing: str) -> Offers:
    return lambda deck, look, seat: windows.play(deck, look, seat, timing)


def _areas(verb: str) -> Offers:
    return lambda deck, look, seat: (Offer(verb, targets=left(look)),)


def _limit(deck: Deck, look: Look, seat: int) -> tuple[Offer, ...]:
    """4.5: all but one EX card."""
    hand = look.cards[HAND[seat]]
    return (Offer("discard", hand, least=len(hand) - 1, most=len(hand) - 1),)


def _too_many(deck: Deck, look: Look, seat: int) -> tuple[Offer, ...]:
    """8: the items over the limit."""
    items = look.cards[ITEMS[seat]]
    over = len(items) - item_limit(look)
    return (Offer("discard", items, least=over, most=over),)


def _forbid(deck: Deck, look: Look, seat: int) -> tuple[Offer, ...]:
    cards = windows.in_hand(deck, look, seat, "forbid")
    return (one("forbid", cards, left(look)), windows.PASS) if cards else (windows.PASS,)


def _ropeway(deck: Deck, look: Look, seat: int) -> tuple[Offer, ...]:
    here = look.values[AT[seat]]
    return (Offer("ride", targets=tuple([cell for cell in left(look) if cell != here])),)


def _strike(deck: Deck, look: Look, seat: int) -> tuple[Offer, ...]:
    """6.6, S13: some means, or none."""
    cards = battle.usable(deck, look, seat)
    return (one("strike", cards), FORGO) if cards else (FORGO,)


FORGO = Offer("forgo")
DECLARE = (Offer("declare", choices=battle.ACTIONS),)
RANGE = (Offer("range", choices=RANGES),)
PROPOSAL = (Offer("agree"), Offer("refuse"))

ASKED: dict[str, Offers] = {
    "start": windows.start_again,
    "stand": _areas("place"),
    "walk": phase.walk,
    "near": windows.come_near,
    "action": phase.actions,
    "search": _window("search"),
    "salvage": lambda deck, look, seat: (one("salvage", look.cards[ITEM_DISCARD]),),
    "ropeway": _ropeway,
    "proposal": lambda deck, look, seat: PROPOSAL,
    "take": lambda deck, look, seat: (one("take", look.cards[POOL]),),
    "own_roll": lambda deck, look, seat: windows.reroll(
        deck, look, seat, str(look.values["throw"])
    ),
    "targeted": windows.evade,
    "range": lambda deck, look, seat: RANGE,
    "gear": windows.gear,
    "declare": lambda deck, look, seat: DECLARE,
    "initiative": _window("initiative"),
    "strike": _strike,
    "hit_suffered": _window("hit_suffered"),
    "steal": lambda deck, look, seat: battle.loot(look, seat),
    "after_own_attack": _window("after_own_attack"),
    "after_enemy_attack": _window("after_enemy_attack"),
    "discard": _too_many,
    "forbid": _forbid,
    "close": _areas("close"),
    "limit": _limit,
    "break": turn.breaks,
}
"""What each question admits."""

STEPS: dict[str, Callable[..., None]] = {
    "turn": turn.begin,
    "start": turn.start,
    "stand": turn.stand,
    "phase": turn.phase,
    "near": phase.near,
    "action": lambda deck, table, seat: table.ask(seat, "action"),
    "look": phase.look_around,
    "found": phase.found,
    "own_roll": dice.own_roll,
    "talk": phase.talk,
    "settle": lambda deck, table, *args: phase.settle(table, *args),
    "pool": lambda deck, table, *args: phase.pool(table, *args),
    "range": lambda deck, table: battle.set_range(table),
    "gear": battle.gear,
    "round": lambda deck, table, count: battle.open_round(table, count),
    "declare": lambda deck, table, seat: table.ask(seat, "declare"),
    "initiative": battle.initiative,
    "act": lambda deck, table, seat: battle.act(table, seat),
    "strike": lambda deck, table, seat: battle.strike(table, seat),
    "hit": battle.hit,
    "judge": battle.judge,
    "wound": battle.wound,
    "counter": battle.counter,
    "over": lambda deck, table: battle.over(table),
    "next_character": battle.next_character,
    "forbid": turn.forbid,
    "limit": turn.limit,
    "intermission": turn.intermission,
    "use_more": turn.use_more,
}
"""What each planned step does."""


def _peek(table: Pen, seat: int, place: str) -> None:
    """4.6: all face-down items of a player, for the peeker alone."""
    for card in table.state.cards[place]:
        if not face_up(table.state, card):
            knowing = table.state.shown.get(card, ())
            table.show(place, card, tuple(sorted({*knowing, seat})))
    table.say("{seat} looks at the items of {seat_other}.", seat=seat, seat_other=seat_of(place))


def _first_parent(table: Pen) -> int:
    """S3: the highest throw; the tied ones again."""
    seats = list(range(table.state.seats))
    while len(seats) > 1:
        sums = []
        for seat in seats:
            faces = table.roll("parent", 6, 6)
            sums.append(sum(faces))
            table.say("{seat} rolls {n}.", seat=seat, n=sum(faces))
        seats = [seat for seat, thrown in zip(seats, sums, strict=True) if thrown == max(sums)]
    return seats[0]
