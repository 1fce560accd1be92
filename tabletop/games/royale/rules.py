"""シスター・ロワイアル, Sister Royale: twelve sisters fight at a school festival until one is left.

Paragraph numbers refer to our rulebook; S1 to S30 are our interpretations of the original rules.
Each chapter has a module: `turn` (4, 9), `intermission` (4.6), `phase` (5), `battle` (6), `attack`
(6.6 to 6.9), `retirement` (7), `items` (8), `reaction_windows` (11). `areas` contains the map,
`dice` rerolls, `effects` and `deck` the cards, `places` the names of zones and public values. This
module sets up the table and dispatches questions, answers and planned steps to the chapters.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar, Final

from tabletop.engine.model import (
    NO_CARD,
    Ask,
    Move,
    Offer,
    Pen,
    Preview,
    Reason,
    Sight,
    Step,
    TableReader,
    Zone,
    one,
)
from tabletop.engine.mypyc_attr import mypyc_attr
from tabletop.games.royale import (
    attack,
    battle,
    dice,
    intermission,
    phase,
    reaction_windows,
    retirement,
    turn,
)
from tabletop.games.royale.areas import CELLS, areas_on_map
from tabletop.games.royale.deck import Deck
from tabletop.games.royale.effects import RANGES
from tabletop.games.royale.items import discard_chosen, item_limit
from tabletop.games.royale.places import (
    AT,
    CHARACTER,
    CHARACTER_PILE,
    CLAIMS,
    DAMAGE,
    DEATHS,
    DECLARED,
    DICE,
    DIE,
    DOUBLE_FIGHTS,
    DOUBLE_STAMINA,
    DROPPED,
    EX_DISCARD,
    EX_PILE,
    FIGHT,
    GUARD,
    HAND,
    IN,
    ITEM_DISCARD,
    ITEM_PILE,
    ITEMS,
    KILLS,
    LAST_TURN,
    MEANS,
    MODIFIER,
    NEED,
    OUTCOME,
    OWN,
    PARENT,
    POOL,
    RANGE,
    REMOVED,
    RETIRED,
    RETIRED_COUNT,
    ROUND,
    SCORE,
    STATUS,
    SWING,
    THROW,
    THROWER,
    TURN,
)
from tabletop.games.royale.preview import preview_move
from tabletop.games.royale.refusals import explain_refusal
from tabletop.games.royale.steps import (
    Act,
    Action,
    Counter,
    Declare,
    FinishSearch,
    Forbid,
    Gear,
    Hit,
    Initiative,
    Intermission,
    Judge,
    Limit,
    LookAround,
    Near,
    NextCharacter,
    Over,
    OwnRoll,
    Phase,
    Round,
    SetRange,
    Settle,
    Share,
    Stand,
    Start,
    Strike,
    Talk,
    Turn,
    UseMore,
    Wound,
)

DEFAULT_TURNS: Final = 21


OfferMaker = Callable[[Deck, TableReader, int], tuple[Offer, ...]]


def _window(timing: str) -> OfferMaker:
    return lambda deck, look, seat: reaction_windows.ex_offers(deck, look, seat, timing)


def _areas(verb: str) -> OfferMaker:
    return lambda deck, look, seat: (Offer(verb, targets=areas_on_map(look)),)


def _card_of(zone: str, verb: str) -> OfferMaker:
    return lambda deck, look, seat: (one(verb, look.cards[zone]),)


def _always(*offers: Offer) -> OfferMaker:
    return lambda deck, look, seat: offers


def _limit(deck: Deck, look: TableReader, seat: int) -> tuple[Offer, ...]:
    """Return the offer to discard EX cards until at most one is left (4.5, S23)."""
    hand = look.cards[HAND[seat]]
    return (Offer("discard", hand, least=len(hand) - 1, most=len(hand)),)


def _too_many(deck: Deck, look: TableReader, seat: int) -> tuple[Offer, ...]:
    """Return the offer to discard items down to the limit (8)."""
    items = look.cards[ITEMS[seat]]
    over = len(items) - item_limit(look)
    return (Offer("discard", items, least=over, most=over),)


def _forbid(deck: Deck, look: TableReader, seat: int) -> tuple[Offer, ...]:
    cards = reaction_windows.ex_cards_at(deck, look, seat, "forbid")
    return (
        (one("forbid", cards, areas_on_map(look)), reaction_windows.PASS)
        if cards
        else (reaction_windows.PASS,)
    )


def _ropeway(deck: Deck, look: TableReader, seat: int) -> tuple[Offer, ...]:
    here = AT.of(look, seat)
    return (Offer("ride", targets=tuple([cell for cell in areas_on_map(look) if cell != here])),)


def _strike(deck: Deck, look: TableReader, seat: int) -> tuple[Offer, ...]:
    """Return the offers to attack with a weapon, or to forgo the attack (6.6, S13)."""
    cards = attack.usable_weapons(deck, look, seat)
    return (one("strike", cards), FORGO) if cards else (FORGO,)


FORGO: Final = Offer("forgo")

OFFERS_BY_QUESTION: Final[dict[str, OfferMaker]] = {
    "start": reaction_windows.reroll_start_offers,
    "stand": _areas("place"),
    "walk": phase.walk_offers,
    "near": reaction_windows.move_card_offers,
    "action": phase.action_offers,
    "search": phase.find_offers,
    "salvage": _card_of(ITEM_DISCARD, "salvage"),
    "ropeway": _ropeway,
    "proposal": _always(Offer("agree"), Offer("refuse")),
    "take": _card_of(POOL, "take"),
    "own_roll": reaction_windows.reroll_offers,
    "targeted": reaction_windows.evade_offers,
    "range": _always(Offer("range", choices=RANGES)),
    "gear": reaction_windows.gear_offers,
    "declare": _always(Offer("declare", choices=battle.ACTIONS)),
    "initiative": _window("initiative"),
    "strike": _strike,
    "hit_suffered": _window("hit_suffered"),
    "steal": attack.steal_offers,
    "after_own_attack": _window("after_own_attack"),
    "after_enemy_attack": _window("after_enemy_attack"),
    "discard": _too_many,
    "forbid": _forbid,
    "close": _areas("close"),
    "limit": _limit,
    "break": intermission.intermission_offers,
}
"""The function that returns a question's offers, by kind of question."""

MovePlayer = Callable[[Deck, Pen, int, Move], None]

PLAY_BY_VERB: Final[dict[str, MovePlayer]] = {
    "pass": lambda deck, table, seat, move: None,
    # 4.2, 4.4 Start positions, the forbidden area
    "again": turn.roll_start_again,
    "place": turn.choose_start,
    "forbid": turn.choose_forbidden,
    "close": turn.choose_closed,
    # 4.6 The intermission
    "prepare": intermission.use_ability,
    "refresh": intermission.use_healing_item,
    "trade": intermission.trade_ex_for_item,
    "peek": intermission.peek_at_items,
    # 5.1 to 5.4 Gear, walking, Move cards
    "gear": phase.turn_up_gear,
    "stay": phase.skip_walk,
    "walk": phase.walk_to,
    "answer": phase.answer_movement,
    "move": phase.play_move_card,
    # 5.5 to 5.9 The action
    "attack": battle.start_battle,
    "snipe": battle.start_snipe,
    "search": phase.search_area,
    "find": phase.find_with_card,
    "salvage": phase.salvage_item,
    "ride": phase.ride_ropeway,
    "negotiate": phase.propose_negotiation,
    "agree": phase.accept_negotiation,
    "refuse": phase.refuse_negotiation,
    "take": phase.take_mixed_item,
    "rest": phase.rest_with_card,
    "nothing": phase.do_nothing,
    # 6 Battles and snipes
    "evade": battle.evade_fight,
    "stand_in": battle.send_double,
    "range": battle.choose_range,
    "declare": battle.record_declaration,
    "go_first": battle.claim_initiative,
    "strike": attack.attack_with,
    "forgo": attack.skip_attack,
    "reroll": dice.reroll_dice,
    "dodge": attack.dodge_hit,
    "steal": attack.steal_visible_item,
    "grab": attack.steal_hidden_item,
    "chain": attack.attack_again,
    "counter": attack.attack_again,
    # 8 Items and EX cards
    "discard": discard_chosen,
}
"""The function that makes a move, by verb."""

STEPS: Final[dict[type[Step], Callable[[Deck, Pen, Any], None]]] = {
    Turn: turn.begin_turn,
    Start: turn.roll_next_start,
    Stand: turn.place_at_rolled_area,
    Phase: turn.begin_next_phase,
    Near: phase.ask_nearby,
    Action: phase.ask_action,
    LookAround: phase.roll_search,
    FinishSearch: phase.finish_search,
    OwnRoll: dice.offer_reroll,
    Talk: phase.resolve_proposal,
    Settle: phase.compare_negotiation_dice,
    Share: phase.ask_mixed_item,
    SetRange: battle.ask_range,
    Gear: battle.ask_gear,
    Round: battle.begin_round,
    Declare: battle.ask_declaration,
    Initiative: battle.resolve_initiative,
    Act: battle.perform_action,
    Strike: attack.ask_weapon,
    Hit: attack.roll_hit,
    Judge: attack.resolve_hit_roll,
    Wound: attack.apply_damage,
    Counter: attack.offer_counter_attack,
    Over: battle.end_snipe,
    NextCharacter: retirement.next_character,
    Forbid: turn.ask_forbidden_area,
    Limit: turn.enforce_ex_limit,
    Intermission: intermission.begin_intermission,
    UseMore: intermission.ask_again,
}
"""The function that runs a planned step, by type of step."""


@mypyc_attr(allow_interpreted_subclasses=True)
class Rules:
    """The rules of Sister Royale, for the deck in `cards.toml`."""

    steps: ClassVar = tuple(STEPS)

    def __init__(self, deck: Sequence[Mapping[str, Any]]) -> None:
        self.deck = Deck(deck)

    # 3 Set-up

    def setup(self, table: Pen) -> None:
        """Set up piles, map, characters and first items, and choose the first parent."""
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
                count.set(table, seat, 0)
            for word in (AT, DECLARED):
                word.set(table, seat, "")
            STATUS.set(table, seat, IN)
        for number in (TURN, RETIRED_COUNT, DOUBLE_FIGHTS, DOUBLE_STAMINA, SWING, ROUND, DIE):
            number.set(table, 0)
        for die in (1, 2):
            DICE.set(table, die, 0)
        for number in (THROWER, OWN, MODIFIER, NEED, DAMAGE):
            number.set(table, 0)
        MEANS.set(table, -1)
        for key in (FIGHT, RANGE, DROPPED, CLAIMS, THROW, OUTCOME):
            key.set(table, "")
        LAST_TURN.set(table, int(table.state.options.get("length", DEFAULT_TURNS)))
        self._lay_map(table)
        for seat in seats:
            turn.draw_character(self.deck, table, seat)
            table.draw(ITEM_PILE, ITEMS[seat])
        PARENT.set(table, _first_parent(table))
        table.then(Turn())

    def _lay_map(self, table: Pen) -> None:
        """Place the area cards on the map, upright and in random order (S2)."""
        table.place(Zone("map", Sight.NONE), self.deck.areas)
        table.shuffle("map")
        for cell in CELLS:
            table.place(Zone(cell))
            table.draw("map", cell)

    # Moves on offer

    def offers(self, state: TableReader, ask: Ask) -> tuple[Offer, ...]:
        return OFFERS_BY_QUESTION[ask.what](self.deck, state, ask.seat)

    def former_offers(self, state: TableReader, ask: Ask) -> tuple[Offer, ...]:
        """Return the moves without effect that were offered until 0.3.0 (5.7, 5.8)."""
        match ask.what:
            case "action":
                return phase.former_action_offers(self.deck, state, ask.seat)
            case "search":
                return reaction_windows.ex_offers(self.deck, state, ask.seat, "search")
            case _:
                return ()

    def why(self, state: TableReader, ask: Ask, card: int, to: str) -> Reason | None:
        for offer in self.offers(state, ask):
            named = bool(to and not offer.cards) if card == NO_CARD else card in offer.cards
            if named and (not to or to in offer.targets):
                return None
        return explain_refusal(self.deck, state, ask, card, to)

    def preview(self, state: TableReader, ask: Ask, move: Move) -> Preview | None:
        return preview_move(self, self.deck, state, ask, move)

    # Effects of moves

    def play(self, table: Pen, seat: int, move: Move) -> None:
        PLAY_BY_VERB[move.verb](self.deck, table, seat, move)

    # Planned steps

    def resume(self, table: Pen, step: Step) -> None:
        STEPS[type(step)](self.deck, table, step)


def _first_parent(table: Pen) -> int:
    """Return the seat with the highest roll. Tied players roll again (S3)."""
    seats = list(range(table.state.seats))
    while len(seats) > 1:
        sums = []
        for seat in seats:
            faces = table.roll("parent", 6, 6)
            sums.append(sum(faces))
            table.say("{seat} rolls {n}.", seat=seat, n=sum(faces))
        seats = [seat for seat, thrown in zip(seats, sums, strict=True) if thrown == max(sums)]
    return seats[0]
