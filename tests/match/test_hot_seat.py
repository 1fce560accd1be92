"""The next viewer of a shared screen, and when the curtain must fall: no Qt, no window."""

import pytest
from msgspec.structs import replace

from tabletop.catalogue import catalogue
from tabletop.engine.mask import mask
from tabletop.engine.model import AUDIENCE, Ask, Move, Offer, Sight, State, Zone
from tabletop.engine.scratch import FastRng
from tabletop.match.hot_seat import (
    ReactionBar,
    local_humans,
    make_reaction_bar,
    needs_curtain,
    next_viewer,
    reaction_round,
    simultaneous_reaction_asks,
    views_differ,
)
from tabletop.match.match import Match, Player
from tabletop.match.open_asks import awaited_seats
from tabletop.match.reactions import PassPolicy

TWO = (Player("Hinata"), Player("Kaname"))
ONE = (Player("Hinata"), Player("Robot", kind="bot"))
NONE = (Player("Robot", kind="bot"), Player("Toaster", kind="bot"))


def match_of(players: tuple[Player, ...], seed: str = "turns") -> Match:
    kit = catalogue.load("sun")
    return Match(kit, players, seed=seed)


def curtain(state: State, looking: int, following: int) -> bool:
    """Whether it must fall at this table of two persons."""
    return needs_curtain({seat: mask(state, seat) for seat in (0, 1)}, looking, following)


def play_one(match: Match, luck: FastRng, seat: int | None = None) -> int:
    """A random legal answer of a waiting seat; gives the seat."""
    seat = awaited_seats(match.state)[0] if seat is None else seat
    ask = match.asks(seat)[0]
    offers = match.offers(seat)[ask.id]
    match.submit(seat, offers[luck.below(len(offers))].sample(ask.id, luck))
    return seat


def squads(players: tuple[Player, ...]) -> Match:
    """A match in which both form their squads in secret."""
    for number in range(50):
        match, luck = match_of(players, f"squads {number}"), FastRng(number)
        while match.state.result is None:
            if len(awaited_seats(match.state)) == 2:
                return match
            play_one(match, luck)
    pytest.fail("nobody ever formed squads")


def test_every_change_of_viewer_in_a_whole_game_has_a_curtain() -> None:
    match, luck, looking, changes = match_of(TWO), FastRng(7), AUDIENCE, 0
    while match.state.result is None:
        following = next_viewer(match.state, (0, 1), looking)
        assert following in awaited_seats(match.state)
        if following != looking:
            changes += 1
            assert curtain(match.state, looking, following)
        looking = following
        play_one(match, luck, following)
    assert changes > 20
    assert next_viewer(match.state, (0, 1), looking) == AUDIENCE
    assert not curtain(match.state, looking, AUDIENCE)


def test_secret_answers_are_given_behind_the_curtain() -> None:
    match, luck = squads(TWO), FastRng(1)
    first = next_viewer(match.state, (0, 1), 1)
    assert first == 1, "who looks already answers first"
    play_one(match, luck, first)
    second = next_viewer(match.state, (0, 1), first)
    assert second == 0
    assert curtain(match.state, first, second)


def test_a_secret_answer_alone_makes_two_views_differ() -> None:
    match, luck = squads(TWO), FastRng(1)
    seat = awaited_seats(match.state)[0]
    play_one(match, luck, seat)
    bare = dict.fromkeys(match.state.cards, ())
    assert views_differ(*(mask(replace(match.state, cards=bare), viewer) for viewer in (0, 1)))


def test_one_person_among_bots_needs_no_curtain() -> None:
    match, luck = match_of(ONE), FastRng(3)
    assert local_humans(ONE) == (0,)
    looking = AUDIENCE
    while match.state.result is None:
        following = next_viewer(match.state, (0,), looking)
        assert following == 0
        assert not needs_curtain({0: match.view(0)}, looking, following)
        looking = following
        play_one(match, luck)
    assert next_viewer(match.state, (0,), looking) == 0


def test_bots_among_themselves_are_watched_by_the_audience() -> None:
    match = match_of(NONE)
    assert next_viewer(match.state, (), AUDIENCE) == AUDIENCE


def test_no_curtain_where_nothing_is_hidden() -> None:
    open_game = State(
        2,
        (0, 0),
        zones={"table": Zone("table", Sight.ALL)},
        cards={"table": (0, 1)},
        asks=(Ask(1, 1, "place"),),
    )
    assert next_viewer(open_game, (0, 1), 0) == 1
    assert not curtain(open_game, 0, 1)
    hidden = replace(
        open_game,
        zones=open_game.zones | {"hand/1": Zone("hand/1", Sight.OWNER, 1)},
        cards={"table": (0,), "hand/1": (1,)},
    )
    assert curtain(hidden, 0, 1)


def test_the_turn_goes_round_the_table_from_who_looked_last() -> None:
    four = range(4)
    state = State(4, (), asks=tuple(Ask(n, n, "choose", sealed=True) for n in range(4)))
    assert next_viewer(state, four, AUDIENCE) == 0
    assert next_viewer(state, four, 2) == 2
    answered = State(4, (), asks=state.asks, answers={2: None})
    assert next_viewer(answered, four, 2) == 3
    assert next_viewer(State(4, (), asks=state.asks, answers={2: None, 3: None}), four, 3) == 0


def test_who_may_answer_but_need_not_holds_nobody_up() -> None:
    state = State(2, (), asks=(Ask(1, 1, "shout", optional=True), Ask(2, 0, "place")))
    assert awaited_seats(state) == (0,)


# A chance to react

SPLASHES = State(
    4,
    (),
    asks=tuple(Ask(n, n, "splash", sealed=True) for n in (3, 1, 2)),
)
PASSES = {n: (Offer("pass"),) for n in (1, 2, 3)}


def seats_of(asks: tuple[Ask, ...]) -> list[int]:
    return [ask.seat for ask in asks]


def test_several_who_may_all_pass_are_asked_in_public() -> None:
    assert seats_of(simultaneous_reaction_asks(SPLASHES, range(4), PASSES)) == [1, 2, 3]
    assert next_viewer(SPLASHES, range(4), 0, (1, 2, 3)) == AUDIENCE
    assert next_viewer(SPLASHES, range(4), 0, (1, 2, 3), 2) == 2
    assert next_viewer(SPLASHES, range(4), 2, (1, 3), 2) == AUDIENCE, "she has answered"


def test_what_somebody_holds_makes_no_difference() -> None:
    holds = PASSES | {2: (Offer("splash", (7,), least=1, most=1), Offer("pass"))}
    assert simultaneous_reaction_asks(SPLASHES, range(4), holds) == simultaneous_reaction_asks(
        SPLASHES, range(4), PASSES
    )


def test_the_last_one_is_asked_as_the_first() -> None:
    left = replace(SPLASHES, answers={1: None, 3: None})
    assert seats_of(simultaneous_reaction_asks(left, range(4), PASSES)) == [2]
    assert (
        simultaneous_reaction_asks(
            replace(SPLASHES, answers={1: None, 2: None, 3: None}), range(4), PASSES
        )
        == ()
    )


def test_a_lone_person_among_bots_is_asked() -> None:
    assert seats_of(simultaneous_reaction_asks(SPLASHES, (0, 1, 2), PASSES)) == [1, 2]
    assert simultaneous_reaction_asks(SPLASHES, (0, 1), PASSES) == ()


def test_what_must_be_answered_is_no_chance_to_react() -> None:
    must = PASSES | {2: (Offer("gift", (7,), least=1, most=1),)}
    assert simultaneous_reaction_asks(SPLASHES, range(4), must) == ()
    unsealed = replace(SPLASHES, asks=tuple(Ask(n, n, "turn") for n in (1, 2, 3)))
    assert simultaneous_reaction_asks(unsealed, range(4), PASSES) == ()


# Windows that go round, one after the other


def near_window(seats: int = 4) -> Match:
    """Sister Royale where somebody has come near several others, all of whom are asked in turn."""
    kit = catalogue.load("royale")
    players = [Player(f"P{n}") for n in range(seats)]
    for number in range(60):
        match, luck = Match(kit, players, seed=f"near {number}"), FastRng(number)
        for _ in range(120):
            (ask,) = match.state.asks
            if (
                ask.what == "near"
                and len(reaction_round(kit, match.state, range(seats), AUDIENCE)) > 1
            ):
                return match
            play_one(match, luck, ask.seat)
    pytest.fail("nobody ever came near two others")


def test_the_bar_shows_all_who_are_asked_if_everybody_passes() -> None:
    kit, match = catalogue.load("royale"), near_window()
    asked = reaction_round(kit, match.state, range(4), AUDIENCE)
    for expected in asked:
        (ask,) = match.state.asks
        assert (ask.seat, ask.what, ask.args) == (expected.seat, expected.what, expected.args)
        match.submit(ask.seat, Move(ask.id, "pass"))


def test_only_people_who_do_not_look_are_on_the_bar() -> None:
    kit, match = catalogue.load("royale"), near_window()
    asked = reaction_round(kit, match.state, range(4), AUDIENCE)
    assert reaction_round(kit, match.state, range(4), asked[0].seat) == (), (
        "her own screen asks her"
    )
    assert reaction_round(kit, match.state, range(4), asked[1].seat) == asked[:1]
    assert reaction_round(kit, match.state, [asked[0].seat], AUDIENCE) == (), (
        "one person looks always"
    )
    assert reaction_round(kit, match.view(AUDIENCE), range(4), AUDIENCE) == asked[:1], (
        "a view looks no further"
    )


def test_what_players_wish_decides_what_stands_on_the_bar() -> None:
    kit, match = catalogue.load("royale"), near_window()
    view = match.view(AUDIENCE)
    asked = reaction_round(kit, match.state, range(4), AUDIENCE)
    first, second = asked[:2]

    def made(**ways: PassPolicy) -> ReactionBar:
        wishes: list[PassPolicy] = ["ask"] * 4
        wishes[first.seat], wishes[second.seat] = ways["one"], ways["two"]
        return make_reaction_bar(kit, view, (first, second), wishes)

    assert made(one="ask", two="able") == ReactionBar((first, second), True, ())
    assert made(one="able", two="able") == ReactionBar((first, second), False, ())
    assert made(one="pass", two="ask") == ReactionBar((second,), True, (first,))
    assert made(one="able", two="pass") == ReactionBar((first,), False, ()), (
        "passed once it is her turn"
    )
    assert made(one="own", two="pass") == ReactionBar((), False, (first, second))
