"""The status of a table, made from its info, a seat and what a screen knows."""

import ast
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from msgspec.structs import replace

from tabletop.catalogue import catalogue
from tabletop.engine.model import AUDIENCE, Move, Reason, Result
from tabletop.engine.scratch import FastRng
from tabletop.language.lobby_text import next_step_text, start_obstacle
from tabletop.language.prompt import game_prompt, prompts, undo_question
from tabletop.language.rare_actions import rare_action_choices, rare_action_kinds
from tabletop.language.table_status import (
    Capabilities,
    CutOff,
    HalfMade,
    HostLine,
    ScreenState,
    TablePeople,
    TableStatus,
    Viewing,
    people_at,
    seat_marks,
    status_at,
)
from tabletop.language.words import Words
from tabletop.match.match import Match, Player
from tabletop.match.open_asks import awaited_seats
from tabletop.match.seat import Seat
from tabletop.protocol.messages import (
    Concession,
    Pause,
    SeatConfig,
    SeatInfo,
    TableInfo,
    TablePlan,
    UndoProposal,
)
from tabletop.protocol.moderation import WaitingGuest
from tabletop.protocol.versions import FEATURES
from tabletop.web.page_context import PageContext
from tabletop.web.prompt import page_status

HOME = Path(__file__).parents[2]
KIT = catalogue.load("sisters")
MIO, REN = SeatInfo("person", "here", "Mio"), SeatInfo("person", "here", "Ren")
BOT = SeatInfo("bot", "bot", level="easy")
FREE = SeatInfo("open", "free")


def info_of(*sitters: SeatInfo, table: str = "t", **facts: object) -> TableInfo:
    plan = TablePlan(KIT.id, tuple(SeatConfig() for _ in sitters))
    return TableInfo(table, plan, sitters, **{"phase": "playing", **facts})


def match_of(*sitters: SeatInfo, moves: int = 0) -> Match:
    players = [Player(each.name, kind="bot" if each is BOT else "person") for each in sitters]
    match, luck = Match(KIT, players, seed="status"), FastRng("status")
    for _ in range(moves):
        seat = next(seat for seat in range(len(players)) if match.asks(seat))
        number, offers = next(iter(match.offers(seat).items()))
        match.submit(seat, offers[0].sample(number, luck))
    return match


def status_of(
    info: TableInfo,
    own: Sequence[int],
    viewer: int = 0,
    moves: int = 0,
    **parts: object,
) -> TableStatus:
    match = match_of(*info.sitters, moves=moves)
    words = Words("en", KIT, match.players)
    people = people_at(info, own, features=FEATURES)
    return status_at(words, KIT, people, Seat.at_table(match, viewer), **parts)


# The people


def test_a_table_of_one_process_has_people_as_any_other() -> None:
    """It has no id by which somebody could come to it."""
    sitters = (MIO, replace(REN, state="bot"), BOT)
    people = people_at(info_of(*sitters, table=""), (0, 1), features=FEATURES)
    shared = people_at(info_of(*sitters), (0, 1), features=FEATURES)
    assert not people.shared
    assert replace(people, shared=True) == shared
    assert (people.own, people.replaced, people.here) == ((0, 1), (1,), (0,))
    assert (people.playing, people.all_here) == ((0,), True)


@pytest.mark.parametrize(
    ("own", "all_here", "decides"),
    [((0, 1), True, False), ((0,), False, False), ((), False, False)],
)
def test_whoever_sits_elsewhere_is_counted(
    own: tuple[int, ...], all_here: bool, decides: bool
) -> None:
    people = people_at(info_of(MIO, REN, BOT), own)
    assert (people.all_here, people.decides) == (all_here, decides)
    assert people_at(info_of(MIO, REN, BOT, host_here=False), own).decides is bool(own)


def test_a_seat_that_is_nobodys_any_more_is_not_ones_own() -> None:
    assert people_at(info_of(MIO, FREE, BOT), (0, 1, 2, 7)).own == (0,)


def test_each_player_has_a_mark_for_the_people_at_this_screen() -> None:
    ann = replace(MIO, name="Ann")
    sitters = (MIO, REN, ann, BOT)
    view = match_of(*sitters).view(AUDIENCE)
    assert awaited_seats(view) == (2,)

    def marks(own: tuple[int, ...], *sitters: SeatInfo, **facts: object) -> list[str]:
        line = HostLine(connected=bool(facts.pop("connected", True)))
        people = people_at(info_of(*sitters, **facts), own, line=line)
        found = seat_marks(people, view)
        return [found.get(seat, "") for seat in range(len(sitters))]

    assert marks((0, 1), *sitters) == ["", "", "thinking", "bot"]
    assert marks((1, 2), *sitters) == ["far", "", "", "bot"]
    assert marks((0, 1), *sitters, phase="over") == ["", "", "far", "bot"]
    assert marks((0,), *sitters, connected=False) == ["away", "far", "thinking", "bot"]
    gone, replaced = replace(REN, state="away"), replace(ann, state="bot")
    assert marks((0, 1, 2), MIO, gone, replaced, BOT) == ["", "away", "bot", "bot"]


def test_what_a_table_waits_for_is_found() -> None:
    info = info_of(
        MIO,
        replace(REN, state="away"),
        BOT,
        wish=UndoProposal(1, (0,)),
        ending=Concession(1, (0,)),
        pause=Pause((1,), 29.6),
        ended=Reason("Over."),
    )
    people = people_at(info, (0,))
    assert (people.undo_of, people.asked_to_undo, people.can_propose_undo) == (1, (0,), False)
    assert (people.conceded, people.asked_to_end) == (1, (0,))
    assert (people.missed, people.left, people.away) == ((1,), 30, (1,))
    assert people.ended == Reason("Over.")
    assert people_at(info, (0,), left=7).left == 7, "counted since"


def test_only_who_hosts_and_is_connected_lets_somebody_in() -> None:
    info = info_of(MIO, FREE, knocking=(WaitingGuest(3, "Aki"),))
    hosting = {"features": FEATURES, "hosts": True}
    cut = HostLine(connected=False)
    assert people_at(info, (0,), **hosting).knocking == ((3, "Aki"),)
    assert people_at(info, (0,), features=FEATURES).knocking == ()
    assert people_at(info, (0,), **hosting, line=cut).knocking == ()
    assert people_at(info, (0,), hosts=True).knocking == (), "an old host can't"


@pytest.mark.parametrize(
    ("own", "hosts", "wished", "found"),
    [
        ((0,), False, True, True),
        ((0,), False, False, False),
        ((0,), True, False, None),
        ((), False, False, None),
        ((0,), False, None, None),
    ],
)
def test_another_match_is_wished_by_players_who_do_not_host(
    own: tuple[int, ...], hosts: bool, wished: bool | None, found: bool | None
) -> None:
    assert people_at(info_of(MIO, REN), own, hosts=hosts, wished=wished).wants_another is found


def test_before_anything_is_known_only_the_line_is_told() -> None:
    line = HostLine(connected=False, cut_off=CutOff(again=True))
    people = people_at(None, (0,), line=line, codes={0: "AB3DE", 1: "other"})
    assert people == TablePeople(
        line=line, own=(0,), playing=(0,), all_here=True, codes={0: "AB3DE"}
    )


@pytest.mark.parametrize(
    ("sitters", "own", "hosts", "told"),
    [
        ((MIO, FREE), (0,), True, "A seat is still free."),
        ((MIO, REN), (0,), True, "You can start once everyone is ready."),
        ((MIO, REN), (0,), False, "Choose Ready when you are."),
        ((replace(MIO, state="ready"), REN), (0,), False, "You're ready. The host starts"),
        ((MIO, FREE), (), False, "Choose a free seat, or watch."),
        ((MIO, REN), (), False, "All seats are taken."),
    ],
)
def test_a_lobby_tells_the_next_step_from_the_same_facts(
    sitters: tuple[SeatInfo, ...], own: tuple[int, ...], hosts: bool, told: str
) -> None:
    people = people_at(info_of(*sitters, phase="gathering"), own, hosts=hosts)
    words = Words("en", KIT)
    assert next_step_text(people, words).startswith(told)
    assert bool(start_obstacle(people, words)) is not people.all_ready


# The whole


def test_what_a_seat_may_do_is_in_the_status() -> None:
    status = status_of(info_of(MIO, REN), (0, 1), moves=1, viewer=0)
    assert status.can_undo
    assert status.can_agree
    assert status.waiting == (1,)
    assert not status.asks
    assert [ask.seat for ask in status.awaited] == [1]
    assert status_of(info_of(MIO, REN), (0, 1)).can_agree is False, "nothing was played yet"
    wished = info_of(MIO, REN, wish=UndoProposal(1, (0,)))
    assert not status_of(wished, (0, 1), moves=1).can_agree
    assert not status_of(info_of(MIO, REN), (), AUDIENCE, moves=1).can_agree


def test_an_end_that_the_audience_sees_is_the_end() -> None:
    public = replace(match_of(MIO, REN).view(AUDIENCE), result=Result((0,), (1, 0)))
    status = status_of(info_of(MIO, REN), (0, 1), public=public)
    assert status.over
    assert status.waiting == ()
    assert not status.can_stand_in


def test_bots_are_hurried_only_where_they_alone_are_waited_for() -> None:
    hurry = Capabilities(hurry=True)
    info = info_of(MIO, BOT)
    assert status_of(info, (0,), moves=1, capabilities=hurry).waits_only_for_bots
    assert not status_of(info, (0,), moves=0, capabilities=hurry).waits_only_for_bots
    assert not status_of(info, (0,), moves=1).waits_only_for_bots, "they are another computer's"
    replaced = info_of(MIO, replace(REN, state="bot"))
    assert status_of(replaced, (0, 1), moves=1, capabilities=hurry).waits_only_for_bots


@pytest.mark.parametrize(
    ("screen", "line", "unanswered", "said"),
    [
        (ScreenState(), HostLine(), False, False),
        (ScreenState(), HostLine(), True, True),
        (ScreenState(), HostLine(connected=False), False, True),
        (ScreenState(personal=True), HostLine(), False, True),
    ],
)
def test_an_answer_on_its_way_is_said_once_it_takes_its_time(
    screen: ScreenState, line: HostLine, unanswered: bool, said: bool
) -> None:
    match = match_of(MIO, REN)
    seat = Seat.at_table(match, 0)
    (number, offers), *_ = seat.offers.items()
    seat.pending = offers[0].sample(number, FastRng(1))
    people = people_at(info_of(MIO, REN), (0,), line=line)
    words, half_made = Words("en", KIT, match.players), HalfMade(unanswered=unanswered)
    status = status_at(words, KIT, people, seat, screen=screen, half_made=half_made)
    assert status.pending is said


def test_bots_play_for_people_where_the_table_knows_of_it() -> None:
    info = info_of(MIO, REN)
    assert status_of(info, (0, 1)).can_stand_in
    assert not status_of(info, ()).can_stand_in
    assert not status_of(info, (0, 1), viewing=Viewing(open_table=True)).can_stand_in
    words = Words("en", KIT)
    old = status_at(words, KIT, people_at(info, (0,)), Seat.at_table(match_of(MIO, REN), 0))
    assert not old.can_stand_in


# The same words in the same situation, whoever hosts the table


@pytest.mark.parametrize("table", ["", "t"], ids=["hot seat", "shared"])
@pytest.mark.parametrize(
    ("sitters", "own", "asked", "agreed"),
    [
        ((MIO, REN), (0, 1), "Does everyone agree to undo the last move?", "Mio and Ren agree"),
        ((MIO, REN, BOT), (0, 1), "Does everyone agree to undo", "Mio and Ren agree"),
        ((MIO, BOT), (0,), "Undo your last move?", "Take back"),
        ((MIO, replace(REN, state="bot")), (0, 1), "Undo your last move?", "Take back"),
        ((MIO, REN), (0,), "Ask the others to undo the last move?", "Ask"),
    ],
)
def test_an_undo_is_asked_of_whoever_must_agree(
    table: str, sitters: tuple[SeatInfo, ...], own: tuple[int, ...], asked: str, agreed: str
) -> None:
    status = status_of(info_of(*sitters, table=table), own, screen=ScreenState(asks_undo=True))
    assert undo_question(status).startswith(asked)
    assert game_prompt(status).choices[0].text == agreed


def test_a_solitaire_has_no_bots_to_agree() -> None:
    kit = catalogue.load("chains")
    players = (Player("Mio"),)
    match = Match(kit, players, seed="alone")
    info = TableInfo("", TablePlan("chains", (SeatConfig(),)), (MIO,), phase="playing")
    status = status_at(
        Words("en", kit, players), kit, people_at(info, (0,)), Seat.at_table(match, 0)
    )
    assert undo_question(status) == "Undo your last move?"


@pytest.mark.parametrize("sitters", [(MIO, REN), (MIO, BOT)], ids=["people", "bots"])
def test_a_phone_and_a_window_with_one_seat_say_the_same(sitters: tuple[SeatInfo, ...]) -> None:
    info, match = info_of(*sitters), match_of(*sitters)
    words = Words("en", KIT, match.players)
    seat = Seat.at_table(match, 0)
    context = PageContext(kit=KIT, info=info, features=FEATURES, gives_hints=True)
    phone = page_status(seat, context, words)
    window = status_at(words, KIT, people_at(info, (0,), features=FEATURES, wished=False), seat)
    assert phone.people == window.people
    assert replace(phone, screen=window.screen) == window
    assert set(rare_action_kinds(window)) <= set(rare_action_kinds(phone))
    assert ("hint" in rare_action_kinds(window)) is (sitters[1] is BOT)


def test_a_phone_leaves_a_table_that_others_can_come_to() -> None:
    status = status_of(info_of(MIO, REN), (0,))
    assert "leave" in [choice.kind for choice in rare_action_choices(status)]
    alone = status_of(info_of(MIO, REN, table=""), (0, 1))
    assert {"leave", "away"}.isdisjoint(rare_action_kinds(alone))


def test_seconds_of_a_wait_are_no_part_of_the_status() -> None:
    status = status_of(info_of(MIO, REN), (0,), moves=1)
    assert game_prompt(status).text == "Ren to play…"
    assert game_prompt(status, 20).text == "Ren to play… (20 s)"
    assert [each.text for each in prompts(status)] == ["Ren to play…"]


def test_the_half_made_move_gives_each_button_its_odds() -> None:
    def odds(move: Move) -> str:
        return "50%"

    status = status_of(info_of(MIO, REN), (0,), half_made=HalfMade(odds=odds))
    buttons = [choice for choice in game_prompt(status).choices if choice.kind == "play"]
    assert all(choice.text.endswith("50%") for choice in buttons)


# A status is made once


MADE = "TableStatus", "TablePeople"
HERE = "tabletop/language/table_status.py"


def patches(root: Path, *folders: str) -> Iterator[str]:
    """The places where a status or its people are made elsewhere, or changed afterwards."""
    for folder in folders:
        for file in sorted((root / folder).rglob("*.py")):
            place = file.relative_to(root).as_posix()
            tree = ast.parse(file.read_text("utf-8"))
            known = set(_names_of(tree))
            for node in ast.walk(tree):
                if isinstance(node, ast.Call) and _is_patch(node, known, place):
                    yield f"{place}: {ast.unparse(node.func)}"


def _names_of(tree: ast.AST) -> Iterator[str]:
    """The names under which a module knows a status or its people: of variables, arguments,
    attributes, and of functions that return one."""
    for node in ast.walk(tree):
        if isinstance(node, ast.AnnAssign) and _is_made(node.annotation):
            yield ast.unparse(node.target).rpartition(".")[2]
        elif isinstance(node, ast.arg) and node.annotation and _is_made(node.annotation):
            yield node.arg
        elif isinstance(node, ast.FunctionDef) and node.returns and _is_made(node.returns):
            yield node.name
    yield from ("status", "people", "table_people", "status_at", "people_at")


def _is_made(annotation: ast.expr) -> bool:
    return any(name in ast.unparse(annotation) for name in MADE)


def _is_patch(call: ast.Call, known: set[str], place: str) -> bool:
    name = ast.unparse(call.func).rpartition(".")[2]
    if name in MADE:
        return place != HERE
    if name not in ("replace", "setattr", "force_setattr") or not call.args:
        return False
    changed = call.args[0].func if isinstance(call.args[0], ast.Call) else call.args[0]
    return ast.unparse(changed).rpartition(".")[2] in known


def test_no_status_is_changed_after_it_was_made() -> None:
    assert list(patches(HOME, "tabletop", "ui")) == []


def test_a_changed_status_is_seen(tmp_path: Path) -> None:
    (tmp_path / "ui").mkdir()
    (tmp_path / "ui" / "one.py").write_text(
        "def told(shown: TableStatus, kit: GameKit) -> TableStatus:\n"
        "    replace(kit, id='')\n"
        "    replace(shown, over=True)\n"
        "    msgspec.structs.replace(told(shown, kit), over=True)\n"
        "    replace(self.status.people, own=())\n"
        "    return TableStatus(words=words)\n"
    )
    assert sorted(patches(tmp_path, "ui")) == [
        "ui/one.py: TableStatus",
        "ui/one.py: msgspec.structs.replace",
        "ui/one.py: replace",
        "ui/one.py: replace",
    ]
