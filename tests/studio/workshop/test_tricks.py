"""The template `tricks`: its rules paragraph by paragraph, and bots that pull together."""

from collections.abc import Iterator

import pytest
from msgspec.structs import replace

from tabletop.bots.agent import Agent
from tabletop.bots.decision import Decision, Level, Question
from tabletop.bots.worker import make_agent, think
from tabletop.catalogue import catalogue, game_folders
from tabletop.catalogue.catalogue import GameKit
from tabletop.engine.events import Said
from tabletop.engine.heuristic import Past
from tabletop.engine.mask import mask
from tabletop.engine.model import Ask, Move, State
from tabletop.engine.play import Illegal, start, submit
from tabletop.engine.scratch import FastRng, SimulationTable
from tabletop.engine.teams import partners, teams_at
from tabletop.match.match import Match, Player
from tabletop.studio.tournament.arena import plan_matches, play_match
from tests.game_folders import begun

SEATS = range(4)


@pytest.fixture(scope="module")
def kit(tmp_path_factory: pytest.TempPathFactory) -> Iterator[GameKit]:
    """A game just created from it."""
    home = tmp_path_factory.mktemp("tricks")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TABLETOP_HOME", str(home / "home"))
        patch.setenv(game_folders.GAMES_VARIABLE, "")
        yield begun(home / "f", "tricks", "Trick Night")
    game_folders.clear_cache()


def numbers(kit: GameKit, *names: str) -> tuple[int, ...]:
    """The cards of these names."""
    called = [card["name"] for card in kit.deck]
    return tuple(called.index(name) for name in names)


def table(kit: GameKit, hands: list[str], leader: int = 0, trump: str = "Flame 1") -> State:
    """A deal in which each seat holds these cards, parted by commas; the others lie in the deck."""
    dealt = start(kit.rules, 4, "built", kit.backs, catalogue.options(kit, {"deals": 2})).state
    held = {f"hand/{s}": tuple(sorted(numbers(kit, *hands[s].split(", ")))) for s in SEATS}
    held["trump"] = numbers(kit, trump)
    lying = {card for cards in held.values() for card in cards}
    held["deck"] = tuple(card for card in range(len(kit.deck)) if card not in lying)
    values = dealt.values | {"leader": leader, "trump": trump.split()[0]}
    cards = dict.fromkeys(dealt.cards, ()) | held
    return replace(dealt, cards=cards, values=values, asks=(Ask(0, leader, "play"),), asked=1)


def play_cards(kit: GameKit, state: State, *names: str) -> State:
    """The table after these cards, each played by who is asked."""
    for name in names:
        ask = state.asks[0]
        move = Move(ask.id, "play", numbers(kit, name), f"played/{ask.seat}")
        state = submit(kit.rules, state, ask.seat, move, "tricks").state
    return state


LED = ["Leaf 4, Moon 9", "Leaf 9, Leaf pearl", "Wave 1, Flame 2", "Leaf 8, Wave 9"]


def test_2_partners_sit_opposite_and_three_cards_stay(kit: GameKit) -> None:
    dealt = start(kit.rules, 4, "1", kit.backs, catalogue.options(kit)).state
    assert teams_at(dealt) == ((0, 2), (1, 3))
    assert [len(dealt.cards[f"hand/{seat}"]) for seat in SEATS] == [8] * 4
    assert len(dealt.cards["deck"]) == 3
    (turned,) = dealt.cards["trump"]
    assert dealt.values["trump"] == kit.deck[turned]["suit"]
    assert [ask.seat for ask in dealt.asks] == [0]


def test_3_1_whoever_can_follows_suit(kit: GameKit) -> None:
    state = play_cards(kit, table(kit, LED), "Leaf 4")
    (offer,) = kit.rules.offers(state, state.asks[0])
    assert set(offer.cards) == set(numbers(kit, "Leaf 9", "Leaf pearl"))
    (void,) = kit.rules.offers(later := play_cards(kit, state, "Leaf 9"), later.asks[0])
    assert set(void.cards) == set(numbers(kit, "Wave 1", "Flame 2"))
    other = play_cards(kit, table(kit, LED, leader=3), "Wave 9")
    with pytest.raises(Illegal, match="You can only play a card from your own hand"):
        play_cards(kit, other, "Leaf 9")
    with pytest.raises(Illegal, match="Follow suit: Leaf was led"):
        play_cards(kit, later, "Wave 1", "Wave 9")


def test_3_2_trump_beats_the_led_suit(kit: GameKit) -> None:
    plain = play_cards(kit, table(kit, LED), "Leaf 4", "Leaf 9", "Wave 1", "Leaf 8")
    assert plain.values["leader"] == 1
    trumped = play_cards(kit, table(kit, LED), "Leaf 4", "Leaf 9", "Flame 2", "Leaf 8")
    assert trumped.values["leader"] == 2
    assert [ask.seat for ask in trumped.asks] == [2], "3.3: who wins leads"


def test_3_4_tricks_and_pearls_count_for_both_partners(kit: GameKit) -> None:
    state = play_cards(kit, table(kit, LED), "Leaf 4", "Leaf pearl", "Flame 2", "Leaf 8")
    assert [state.values[f"score/{seat}"] for seat in SEATS] == [3, 0, 3, 0]
    assert [state.values[f"tricks/{seat}"] for seat in SEATS] == [1, 0, 1, 0]
    assert len(state.cards["taken/0"]) == 4


def test_2_3_4_next_leader_and_deciding_last_trick(kit: GameKit) -> None:
    last = ["Leaf 4", "Leaf 9", "Wave 1", "Leaf 8"]
    again = play_cards(kit, table(kit, last), *last)
    assert (again.values["deal"], again.values["leader"]) == (2, 1)
    assert sum(map(len, again.cards.values())) == len(kit.deck)
    tied = table(kit, last)
    tied = replace(tied, values=tied.values | {"deal": 2, "score/0": 1, "score/2": 1})
    result = play_cards(kit, tied, *last).result
    assert (result.winners, result.scores) == ((1, 3), (1, 1, 1, 1))
    assert result.decided.startswith("Equal points")
    assert result.teams == ((0, 2), (1, 3))


# Bots


def decision(kit: GameKit, state: State, level: Level) -> Decision:
    """The answer of a bot of this level to the open question."""
    ask = state.asks[0]
    view = mask(state, ask.seat)
    offers = tuple(kit.rules.offers(view, ask))
    question = Question(kit.id, level, view, ask, offers, seed="1", tries=150)
    return think(make_agent(catalogue.load_bot_parts, kit.id), question, lambda: False)


@pytest.mark.parametrize("level", ["normal", "hard"])
def test_a_bot_leaves_the_trick_to_its_partner(kit: GameKit, level: Level) -> None:
    hands = [
        "Leaf 4, Moon 2, Moon 8",
        "Leaf 8, Moon 4, Wave 2",
        "Leaf 1, Wave 4, Wave 8",
        "Leaf 9, Leaf pearl, Leaf 2",
    ]
    state = play_cards(kit, table(kit, hands), "Leaf 4", "Leaf 8", "Leaf 1")
    assert partners(state, 3) == (1,)
    assert decision(kit, state, level).move.cards == numbers(kit, "Leaf pearl")


@pytest.mark.parametrize("level", ["normal", "hard"])
def test_it_beats_an_opponent_or_keeps_the_pearl(kit: GameKit, level: Level) -> None:
    hands = [
        "Leaf 8, Moon 2, Moon 8",
        "Leaf 4, Moon 4, Wave 2",
        "Leaf 1, Wave 4, Wave 8",
        "Leaf 9, Leaf pearl, Leaf 2",
    ]
    state = play_cards(kit, table(kit, hands), "Leaf 8", "Leaf 4", "Leaf 1")
    assert decision(kit, state, level).move.cards == numbers(kit, "Leaf 9")
    without = [*hands[:3], "Leaf 7, Leaf pearl, Leaf 2"]
    state = play_cards(kit, table(kit, without), "Leaf 8", "Leaf 4", "Leaf 1")
    assert decision(kit, state, level).move.cards != numbers(kit, "Leaf pearl")


def test_the_last_to_play_never_takes_the_trick_from_its_partner(kit: GameKit) -> None:
    game, heuristic = make_agent(catalogue.load_bot_parts, kit.id)
    luck, left_alone = FastRng("partners"), 0
    for seed in range(6):
        match = Match(kit, [Player("")] * 4, catalogue.options(kit), str(seed))
        while match.state.result is None:
            state, ask = match.state, match.state.asks[0]
            move = heuristic.answer(SimulationTable(state, luck), ask, luck)
            lying = [seat for seat in SEATS if state.cards[f"played/{seat}"]]
            if len(lying) == 3 and game.winning(state) in partners(state, ask.seat):
                best = game.best(state)
                (offer,) = game.offers(state, ask)
                if any(game.strength(state, card) <= best for card in offer.cards):
                    left_alone += 1
                    assert game.strength(state, move.cards[0]) < best
            match.submit(ask.seat, move)
    assert left_alone > 30


def test_who_did_not_follow_suit_is_guessed_to_have_none(kit: GameKit) -> None:
    _, heuristic = make_agent(catalogue.load_bot_parts, kit.id)
    led, other = numbers(kit, "Leaf 4", "Wave 1")
    heard = (
        Said("", (), {}, "deal"),
        Said("", (led,), {"seat": 0}, "lead"),
        Said("", (other,), {"seat": 2}, "play"),
    )
    dealt = start(kit.rules, 4, "3", kit.backs, catalogue.options(kit)).state
    view = mask(dealt, 0)
    leaves = [0, 0]
    for number, past in enumerate((Past(heard), Past())):
        for seed in range(30):
            world = heuristic.determinize(view, past, FastRng(seed))
            assert mask(world, 0) == view
            held = [kit.deck[card]["suit"] for card in world.cards["hand/2"]]
            leaves[number] += held.count("Leaf")
    assert leaves[0] == 0 < leaves[1]
    assert not heuristic._suits_not_held(Past((*heard, Said("", (), {}, "deal"))))


def test_what_a_table_is_worth_is_the_same_to_partners(kit: GameKit) -> None:
    agent: Agent = make_agent(catalogue.load_bot_parts, kit.id)
    dealt = start(kit.rules, 4, "4", kit.backs, catalogue.options(kit)).state
    ahead = replace(dealt, values=dealt.values | {"score/0": 9, "score/2": 9})
    worth = agent.worth(ahead)
    assert worth[0] == worth[2] > 0.5 > worth[1] == worth[3]
    assert worth[0] + worth[1] == pytest.approx(1)


@pytest.mark.parametrize(("level", "games"), [("normal", 4), ("hard", 2)])
def test_a_better_team_is_well_ahead_of_an_easy_one(kit: GameKit, level: Level, games: int) -> None:
    options, pairs = catalogue.options(kit, {"deals": 2}), ((0, 2), (1, 3))
    planned = plan_matches(
        kit.id, options, [level, "easy"], 4, games, "teams", tries=8, teams=pairs
    )
    played = [play_match(pairing) for pairing in planned]
    assert [game.seating.count(level) for game in played] == [2] * games
    better = [game.seating.index(level) for game in played]
    ahead = sum(g.scores[seat] - g.scores[1 - seat] for g, seat in zip(played, better, strict=True))
    assert ahead > 2 * games, "on the mean two points a match of two deals"
