"""The prompt of a table among its people: the same sentences for a window and for a phone."""

from typing import get_args

import pytest
from msgspec.structs import replace

from tabletop.engine.model import AUDIENCE, Reason
from tabletop.language.prompt import ChoiceKind, Prompt, lobby_notice, prompts
from tabletop.language.rare_actions import leave_question, rare_action_choices, rare_action_kinds
from tabletop.language.table_status import CutOff, TablePeople, TableStatus
from tabletop.web.prompt import TAP_MESSAGES
from tests.language.waiting_tables import HERE, MATCH, PHONE, WINDOW, WORDS, among, changed


def notices(status: TableStatus) -> list[Prompt]:
    return [each for each in prompts(status) if each.notice]


def line(status: TableStatus) -> Prompt:
    """The first prompt beside the notices."""
    return next(each for each in prompts(status) if not each.notice)


def kinds(prompt: Prompt) -> list[ChoiceKind]:
    return [choice.kind for choice in prompt.choices]


PAUSED = {"missed": (1,), "left": 90}
STATES: list[tuple[dict[str, object], str, list[ChoiceKind]]] = [
    ({"connected": False}, "The table waits until you are connected again.", []),
    ({"ended": Reason("The host ended the match.")}, "The host ended the match.", ["another"]),
    (
        {"undo_of": 1, "asked_to_undo": (0,)},
        "Kaname wants to undo the last move. Agree?",
        ["consent", "dissent"],
    ),
    ({"undo_of": 0, "asked_to_undo": (1,)}, "Kaname is asked about the undo…", []),
    (PAUSED, "The table waits for Kaname: 1:30 left.", []),
    (
        PAUSED | {"left": 0},
        "Kaname did not come back in time. The host decides what happens next.",
        [],
    ),
    (
        PAUSED | {"left": 0, "decides": True},
        "Kaname did not come back in time.",
        ["wait_on", "let_bot_play", "end_match"],
    ),
    ({"missed": (0,), "left": 5}, "The table waits for Hinata: 0:05 left.", ["come_back"]),
    ({"replaced": (0,)}, "A bot plays for Hinata.", ["come_back"]),
    (
        {"conceded": 1, "asked_to_end": (0,)},
        "Kaname has conceded, and a bot plays on. End the match?",
        ["play_on", "end_by_consent"],
    ),
]


@pytest.mark.parametrize(("state", "text", "offered"), STATES)
def test_window_and_phone_say_and_offer_the_same(
    state: dict[str, object], text: str, offered: list[ChoiceKind]
) -> None:
    shared = among(HERE, state)
    phone = next(prompts(changed(PHONE, people=shared, wants_another=False)))
    assert (phone.shown, kinds(phone)[: len(offered)]) == (text, offered)
    window = [each.shown for each in prompts(changed(WINDOW, people=shared))]
    assert text in window
    own = ("to_shelf", "another")  # a phone has no shelf, a window's host gathers all
    for each in prompts(changed(WINDOW, people=shared)):
        if each.shown == text:
            assert [k for k in kinds(each) if k not in own] == [k for k in offered if k not in own]


def test_the_match_is_ended_for_all_only_by_who_is_sure() -> None:
    shared = replace(HERE, missed=(1,), decides=True)
    for status in (PHONE, WINDOW):
        paused = next(p for p in prompts(changed(status, people=shared)) if kinds(p)[:1])
        sure = {choice.kind: choice.sure for choice in paused.choices}
        assert sure == {
            "wait_on": "",
            "let_bot_play": "",
            "end_match": "End the match for everyone? Nobody wins it.",
        }


@pytest.mark.parametrize(
    ("plays_on", "playing", "says"),
    [
        (True, (0, 1, 2), "A bot plays on for you"),
        (True, (0,), "Your opponents win."),
        (False, (0, 1, 2), "Your opponents win."),
    ],
    ids=["among people", "against bots", "at an old host"],
)
def test_the_question_says_what_a_concession_does(
    plays_on: bool, playing: tuple[int, ...], says: str
) -> None:
    shared = replace(HERE, plays_on=plays_on, playing=playing)
    table = changed(PHONE, people=shared, view=replace(PHONE.view, seats=3))
    asked = next(choice for choice in rare_action_choices(table) if choice.kind == "concede")
    assert says in asked.sure


def test_nobody_concedes_for_a_bot() -> None:
    shared = replace(HERE, replaced=(0,))
    assert "concede" not in [
        choice.kind for choice in rare_action_choices(changed(PHONE, people=shared))
    ]


def test_people_at_one_computer_are_asked_at_once() -> None:
    status = changed(
        WINDOW, people=TablePeople(own=(0, 1), all_here=True), looking=0, conceding=True
    )
    asked = line(status)
    assert asked.text.startswith("Hinata concedes: a bot plays on")
    assert kinds(asked) == ["play_on", "end_by_consent", "forget"]
    assert asked.choices[1].text == "Kaname agrees to end"


def test_whoever_waits_reads_who_is_away() -> None:
    waiting = changed(WINDOW, waiting=(1,))
    assert line(waiting).text == "Kaname to play…"
    away = changed(waiting, people=replace(HERE, away=(1,)))
    assert line(away).text == "Kaname to come back…"
    assert line(changed(away, personal=True)).text == "Kaname to come back…"


def test_an_own_question_comes_before_who_is_away() -> None:
    seat = next(seat for seat in (0, 1) if MATCH.asks(seat))
    status = changed(
        WINDOW, own=(seat,), looking=seat, view=MATCH.view(seat), offers=MATCH.offers(seat)
    )
    away = changed(status, waiting=(0, 1), people=replace(HERE, away=(1 - seat,)))
    assert line(away).active
    assert line(changed(away, people=replace(HERE, missed=(1 - seat,)))).text.endswith("back…")


def test_nobody_is_asked_for_consent_while_cut_off() -> None:
    shared = among(HERE, {"undo_of": 1, "asked_to_undo": (0,), "connected": False})
    assert line(changed(WINDOW, people=shared)).text.endswith("you are connected again.")
    pending = changed(WINDOW, people=shared, pending=True)
    assert line(pending).text == "Your move waits until you are connected again."


def test_an_answer_on_its_way_comes_before_what_others_are_asked() -> None:
    assert line(changed(WINDOW, pending=True, waiting=(1,))).text == "Your move is on its way…"
    assert line(changed(WINDOW, pending=True, over=True)).text == "The game is over."


@pytest.mark.parametrize(
    ("cut", "text", "offered"),
    [
        (CutOff(again=True, seconds=4), "Trying again in 4 s.", ["try_now"]),
        (CutOff(again=True), "Trying again…", ["try_now"]),
        (CutOff(), "Connection lost. Your seat is kept.", []),
        (CutOff(Reason("Taken."), displaced=True), "Taken.", ["reclaim"]),
        (CutOff(Reason("Bye."), again=True), "Bye. Trying again…", ["try_now"]),
    ],
)
def test_a_lost_line_is_said_with_what_can_be_done(
    cut: CutOff, text: str, offered: list[ChoiceKind]
) -> None:
    shared = among(HERE, {"connected": False, "cut_off": cut})
    notice = notices(changed(WINDOW, people=shared))[0]
    assert notice == lobby_notice(shared, WORDS)
    assert notice.text.endswith(text)
    assert kinds(notice) == offered


def test_of_a_host_that_stays_away_it_is_said_what_can_be_kept() -> None:
    cut = CutOff(Reason("Bye."), again=True, gone=True)
    shared = among(HERE, {"connected": False, "cut_off": cut})
    notice = notices(changed(WINDOW, people=shared))[0]
    assert notice.text == "Bye. Only the host's computer can bring the table back."
    assert kinds(notice) == ["try_now", "keep_picture", "keep_seat"]
    assert kinds(lobby_notice(shared, WORDS)) == ["try_now", "keep_seat"]


def test_a_phone_can_do_whatever_a_guest_is_offered() -> None:
    """Of all kinds it lacks those of a window with several people, a shelf, and a host."""
    moves = {"play", "commit", "choose"}
    several = {"call", "regret", "pass_all", "reactions", "agree", "forget", "hand_over"}
    bots = {"hurry", "wait_for_bots", "stop_recap", "score_sheet", "to_shelf"}
    kept = {"keep_seat", "keep_picture"}
    line_and_host = {"try_now", "reclaim", "host_here", "decline_hosting", "let_in", "turn_away"}
    assert (
        set(get_args(ChoiceKind)) - TAP_MESSAGES.keys()
        == moves | several | bots | kept | line_and_host
    )


SITUATIONS: list[tuple[dict[str, object], dict[str, object]]] = [
    ({}, {}),
    ({"connected": False}, {}),
    ({"all_here": True}, {}),
    ({"away": (0,)}, {}),
    ({"away": (1,), "missed": (1,)}, {}),
    ({"ended": Reason("The host ended the match.")}, {"wants_another": False}),
    ({"undo_of": 1, "asked_to_undo": (0,)}, {}),
    ({"undo_of": 0, "asked_to_undo": (1,)}, {}),
    ({"missed": (0,), "left": 5}, {}),
    ({"missed": (1,), "decides": True}, {}),
    ({"missed": (1,), "decides": False}, {}),
    ({"replaced": (0,)}, {}),
    ({"conceded": 1, "asked_to_end": (0,), "plays_on": True}, {}),
    ({"conceded": 0, "asked_to_end": (1,), "plays_on": True}, {}),
    ({}, {"offers": {}}),
    ({}, {"offers": {}, "looking": AUDIENCE}),
    ({}, {"over": True, "wants_another": False}),
    ({}, {"over": True, "wants_another": True}),
    ({}, {"can_undo": True}),
    ({}, {"can_agree": True}),
    ({}, {"pending": True, "offers": {}}),
    ({}, {"passing": True, "offers": {}}),
]
"""What may be so of a shared table among its people, and of the match for seat 0."""
OTHERWISE = {"score_sheet", "to_shelf", "reactions", "policy", "play", "choose", "undo"}
"""Kinds that one of the two has in another way: on its cards, or as a command at all times."""


def rights(status: TableStatus) -> set[ChoiceKind]:
    """All that can be done, by a prompt or the menu."""
    prompted = {kind for prompt in prompts(status) for kind in kinds(prompt)}
    return (prompted | set(rare_action_kinds(status))) - OTHERWISE


@pytest.mark.parametrize("first", range(len(SITUATIONS)))
def test_a_windows_guest_has_a_phones_rights_in_all(first: int) -> None:
    for second in SITUATIONS:
        shared, now = (
            {**one, **other} for one, other in zip(SITUATIONS[first], second, strict=True)
        )
        state = {"offers": MATCH.offers(0), "looking": 0, **now}
        own = (0,) if state["looking"] == 0 else ()
        people = among(HERE, {"own": own, **shared})
        window, phone = (changed(each, people=people, **state) for each in (WINDOW, PHONE))
        assert rights(window) == rights(phone), (shared, now)
        ends = bool(people.ended or state.get("over"))
        asked = people.line.connected and not ends and state["offers"]
        asked = asked and not (people.missed or people.replaced)
        assert ("hint" in rights(phone)) == bool(people.all_here and asked), (shared, now)


def test_the_menu_asks_before_what_cannot_be_undone() -> None:
    status = changed(PHONE, can_agree=True, view=replace(PHONE.view, ply=1))
    sure = {choice.kind: choice.sure for choice in rare_action_choices(status)}
    assert sure["ask_to_undo"] == "Ask the others to undo the last move?"
    other = status.words.seats((1 - status.looking,))
    assert sure["concede"] == f"Concede? {other} wins. This can't be undone."
    assert sure["leave"] == "Leave the match? The others continue without you."
    among_bots = {
        c.kind: c.sure
        for c in rare_action_choices(changed(status, people=TablePeople(all_here=True)))
    }
    assert among_bots["ask_to_undo"] == ""
    watched = {choice.kind for choice in rare_action_choices(changed(status, looking=AUDIENCE))}
    assert watched == {"leave"}
    assert leave_question(WORDS, hosts=True, plays=True).startswith("You host this table.")
    gone = changed(status, people=among(HERE, {"connected": False}))
    assert {choice.kind for choice in rare_action_choices(gone)} == {"leave"}
