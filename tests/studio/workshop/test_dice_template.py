"""The template with dice under cups, paragraph by paragraph; its bots; and what its table shows."""

from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest
from msgspec.structs import replace

from tabletop.bots.decision import Question
from tabletop.bots.random_bot import RandomBot
from tabletop.bots.worker import make_agent, think
from tabletop.catalogue import agreements, catalogue, game_folders
from tabletop.catalogue.catalogue import GameKit
from tabletop.engine.events import Shown, Thrown
from tabletop.engine.heuristic import Past
from tabletop.engine.mask import mask
from tabletop.engine.model import AUDIENCE, Move, State, is_face
from tabletop.engine.play import Illegal, start, submit
from tabletop.engine.scratch import FastRng
from tabletop.engine.table import Table
from tabletop.language import table_text
from tabletop.language.words import Words
from tabletop.match.match import Match, Player
from tabletop.match.seat import Seat
from tabletop.studio.laws.elimination import find_violation
from tabletop.studio.workshop import new_game as beginning
from tabletop.studio.workshop.check import check
from tabletop.web.page import build_page
from tabletop.web.page_context import PageContext


@pytest.fixture(scope="module")
def kit(tmp_path_factory: pytest.TempPathFactory) -> Iterator[GameKit]:
    """The game just created, for two or four."""
    home = tmp_path_factory.mktemp("dice")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TABLETOP_HOME", str(home))
        patch.setenv(game_folders.GAMES_VARIABLE, "")
        folder = Path(home / "cups")
        beginning.create_game("Cups", folder, "dice", (2, 4))
        agreements.add_own_folder(folder)
        (known,) = game_folders.add(folder)
        yield catalogue.load(known.id)
    game_folders.clear_cache()


def dealt(kit: GameKit, seats: int = 2, seed: str = "1", **options: int | str) -> State:
    return start(kit.rules, seats, seed, kit.backs, catalogue.options(kit) | options).state


def answer(kit: GameKit, state: State, verb: str, face: int = 0, count: int = 0) -> Table:
    """The table after the one answer that is waited for."""
    (ask,) = state.asks
    called = (f"face/{face}", str(count)) if face else ("", "")
    return submit(kit.rules, state, ask.seat, Move(ask.id, verb, (), *called), "1")


def values(kit: GameKit, state: State, seat: int) -> list[int]:
    """The dice under a cup."""
    return [kit.deck[die]["value"] for die in state.cards[f"cup/{seat}"]]


def all_values(kit: GameKit, state: State) -> list[int]:
    return [value for seat in range(state.seats) for value in values(kit, state, seat)]


def lost(before: State, after: State) -> list[int]:
    """The number of dice each seat has lost, once they are thrown again."""
    seats = range(before.seats)
    return [len(before.cards[f"cup/{n}"]) - len(after.cards[f"cup/{n}"]) for n in seats]


def test_nothing_is_wrong_with_it_and_every_law_holds(kit: GameKit) -> None:
    assert list(check(kit, games=1)) == []


def test_2_everybody_sees_the_own_dice_alone(kit: GameKit) -> None:
    state = dealt(kit, 4)
    for viewer in (AUDIENCE, *range(4)):
        view = mask(state, viewer)
        for seat in range(4):
            seen = [is_face(die) for die in view.cards[f"cup/{seat}"]]
            assert seen == [seat == viewer] * 4
        assert not any(is_face(face) for face in view.cards["box"])


def test_3_1_the_first_call_names_as_many_dice_as_play(kit: GameKit) -> None:
    state = dealt(kit, 4)
    (offer,) = kit.rules.offers(state, state.asks[0])
    assert (offer.verb, offer.choices, len(offer.targets)) == ("call", ("1", "2", "3", "4"), 6)
    after = answer(kit, state, "call", 3, 2).state
    assert (after.values["count"], after.values["face"], after.asks[0].seat) == (2, 3, 1)


def test_3_2_a_call_goes_up(kit: GameKit) -> None:
    state = answer(kit, dealt(kit), "call", 3, 2).state
    for face, count in ((4, 2), (6, 2), (1, 3), (6, 3)):
        answer(kit, state, "call", face, count)
    for face, count in ((3, 2), (2, 2), (1, 4), (6, 1)):
        with pytest.raises(Illegal, match="A call goes up"):
            answer(kit, state, "call", face, count)


def test_3_3_when_nothing_is_higher_the_cups_are_lifted(kit: GameKit) -> None:
    state = dealt(kit, dice=3)
    for count in (2, 3, 4, 5, 6):
        state = answer(kit, state, "call", 6, count).state
    assert [offer.verb for offer in kit.rules.offers(state, state.asks[0])] == ["lift"]


def test_3_3_all_dice_are_seen_until_they_are_thrown(kit: GameKit) -> None:
    called = answer(kit, dealt(kit, 4), "call", 2, 1).state
    table = answer(kit, called, "lift")
    assert len([event for event in table.events if isinstance(event, Shown)]) == 16
    assert all(map(is_face, mask(table.state, AUDIENCE).cards["cup/2"]))
    again = answer(kit, table.state, "throw")
    assert len([event for event in again.events if isinstance(event, Thrown)]) == 4
    assert not any(map(is_face, mask(again.state, AUDIENCE).cards["cup/2"]))


@pytest.mark.parametrize("sixes", ["any", "plain"])
def test_3_4_and_3_5_who_is_wrong_loses_a_die(kit: GameKit, sixes: str) -> None:
    told = set()
    for seed in map(str, range(30)):
        state = dealt(kit, 2, seed, sixes=sixes)
        counted = {2, 6} if sixes == "any" else {2}
        there = sum(value in counted for value in all_values(kit, state))
        lifted = answer(kit, answer(kit, state, "call", 2, 2).state, "lift").state
        after = answer(kit, lifted, "throw").state
        wrong = 1 if there >= 2 else 0
        assert lost(state, after) == [int(seat == wrong) for seat in (0, 1)]
        assert after.asks[0].seat == wrong  # 3.6: who has lost a die begins
        told.add(wrong)
    assert told == {0, 1}


def to_the_end(kit: GameKit, seats: int, seed: str) -> list[State]:
    """All tables of a game in which every second call is doubted."""
    states = [dealt(kit, seats, seed)]
    while states[-1].result is None:
        state = states[-1]
        if state.asks[0].what == "throw":
            states.append(answer(kit, state, "throw").state)
        elif state.values["count"]:
            states.append(answer(kit, state, "lift").state)
        else:
            states.append(answer(kit, state, "call", 5, 1 + int(seed) % 2).state)
    return states


def test_3_6_and_4_who_has_no_dice_is_out_and_the_last_one_wins(kit: GameKit) -> None:
    words = Words("en", kit)
    for seed in "1234":
        states = to_the_end(kit, 4, seed)
        order: list[int] = []
        for before, state in pairwise(states):
            gone = [seat for seat in range(4) if kit.meaning.is_eliminated(state, seat)]
            order += [seat for seat in gone if seat not in order]
            assert state.result or state.asks[0].seat not in gone
            if state.values["count"] == 0 and before.asks[0].what == "throw":
                assert [seat for seat in range(4) if not state.cards[f"cup/{seat}"]] == sorted(gone)
            for seat in gone:
                idle = kit.meaning.idle_reason(state, seat)
                assert idle.for_good
                told = table_text.table_summary(mask(state, seat), words, kit.meaning, ())
                assert "Yours\nout" in told
        result = states[-1].result
        assert len(order) == 3
        assert result.winners == tuple({0, 1, 2, 3} - {*order})
        assert [result.scores[seat] for seat in (*order, *result.winners)] == [0, 1, 2, 3]


def test_a_phone_tells_who_is_out(kit: GameKit) -> None:
    players = [Player(name) for name in ("Ann", "Ben", "Cho", "Dan")]
    match = Match(kit, players, catalogue.options(kit), "1")
    while not (gone := [n for n in range(4) if kit.meaning.is_eliminated(match.state, n)]):
        (ask,) = match.state.asks
        offer = kit.rules.offers(match.state, ask)[-1]
        match.submit(ask.seat, next(iter(offer.moves(ask.id))))
    words = Words("en", kit, players)
    shown = build_page(
        Seat.at_table(match, gone[0]), PageContext(kit=kit, players=tuple(players)), words
    )
    assert [seat.name for seat in shown.others if seat.told == "out"] == [
        players[seat].name for seat in gone
    ]
    assert shown.prompt.text.startswith("You are out: the others play to the end · ")
    assert all(zone.cards for zone in shown.zones), "all dice lie open until they are thrown"


def test_a_law_finds_whom_the_rules_ask_though_they_are_out(kit: GameKit) -> None:
    states = to_the_end(kit, 4, "1")
    assert list(find_violation(kit.meaning, states)) == []
    last = next(state for state in states if state.values["out/0"] or state.values["out/1"])
    gone = 0 if last.values["out/0"] else 1
    asked = replace(last, asks=(replace(last.asks[0], seat=gone),))
    assert list(find_violation(kit.meaning, [asked])) == [
        f'Player {gone + 1} is out, and is asked "throw" at move {last.ply}'
    ]
    assert list(find_violation(kit.meaning, [last, states[0]])) == [
        f"Player {gone + 1} is out, and after move 0 not any more"
    ]


# Bots


def test_unseen_dice_are_guessed_from_the_view_alone(kit: GameKit) -> None:
    state = answer(kit, dealt(kit, 2), "call", 4, 2).state
    view, heuristic = mask(state, 1), make_agent(catalogue.load_bot_parts, kit.id).heuristic
    seen: dict[int, set[int]] = {}
    for seed in range(80):
        world = heuristic.determinize(view, Past(), FastRng(seed))
        assert mask(world, 1) == view
        for place, value in enumerate(values(kit, world, 0)):
            seen.setdefault(place, set()).add(value)
    assert all(faces == {1, 2, 3, 4, 5, 6} for faces in seen.values())


def test_a_bot_beats_who_answers_anything(kit: GameKit) -> None:
    won = sum(_wins(kit, number) for number in range(12))
    assert won >= 10


def _wins(kit: GameKit, number: int) -> bool:
    """Whether the normal level, at one seat or the other, beats a random player."""
    agent, at = make_agent(catalogue.load_bot_parts, kit.id), number % 2
    match = Match(kit, [Player(""), Player("")], catalogue.options(kit), f"{number}")
    seats, random = [Seat.at_table(match, each) for each in (0, 1)], RandomBot(number)
    while match.state.result is None:
        (ask,) = match.state.asks
        seat = seats[ask.seat]
        move = random.answer(seat, ask)
        if ask.seat == at:
            address = f"{number}/{match.state.ply}"
            question = Question(kit.id, "normal", seat.view, ask, seat.offers[ask.id], 9.0, address)
            move = think(agent, question, lambda: False).move
        seat.send(move)
    return match.state.result.winners == (at,)
