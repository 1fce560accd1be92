"""The reconnect policy: every event in every state, and its ways through them."""

import inspect
from collections.abc import Callable
from typing import get_args

import pytest

from tabletop.engine.model import Reason
from tabletop.net.guest import reconnect_policy
from tabletop.net.guest.reconnect_policy import (
    AFTER_FAULT,
    BROKEN,
    MAX_ATTEMPTS,
    NONSENSE,
    RETRY_PAUSES_S,
    Destination,
    LineState,
    ReconnectPolicy,
)
from tabletop.net.guest.wrong_host import SILENT, UNANSWERED
from tabletop.protocol.invitation import Address
from tabletop.table.connection_events import Lost

FIRST, SECOND, NEW = (Address((f"192.0.2.{n}",), 1) for n in (1, 2, 3))
PINNED = Address(("192.0.2.1",), 1, "right")
NOWHERE = Reason('Can\'t reach a host at "192.0.2.1:1".', code="unreachable")
WRONG = Reason("That code is not right.", code="wrong_code")


@pytest.fixture(autouse=True)
def exact_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reconnect_policy.random, "uniform", lambda low, high: 1.0)


# Situations


def idle(returning: bool = False) -> ReconnectPolicy:
    return ReconnectPolicy(Destination(FIRST, (SECOND,), returning=returning))


def dialling() -> ReconnectPolicy:
    policy = idle()
    policy.dial()
    return policy


def trying() -> ReconnectPolicy:
    """A host answered whose certificate no place names."""
    policy = dialling()
    policy.connect(FIRST, "right")
    return policy


def settled() -> ReconnectPolicy:
    """The host of the right certificate answered, and hasn't let the guest in."""
    policy = ReconnectPolicy(Destination(PINNED))
    policy.dial()
    policy.connect(PINNED, "right")
    return policy


def entered() -> ReconnectPolicy:
    policy = trying()
    policy.enter()
    return policy


def leaving() -> ReconnectPolicy:
    policy = trying()
    policy.give_up(WRONG, "right")
    return policy


def waiting() -> ReconnectPolicy:
    policy = entered()
    policy.break_off(BROKEN, False, False)
    return policy


def ended() -> ReconnectPolicy:
    policy = entered()
    policy.end()
    return policy


SITUATIONS: dict[str, Callable[[], ReconnectPolicy]] = {
    each.__name__: each
    for each in (idle, dialling, trying, settled, entered, leaving, waiting, ended)
}

# Events

EVENTS: dict[str, Callable[[ReconnectPolicy], Lost | None]] = {
    "dial": ReconnectPolicy.dial,
    "connect": lambda policy: policy.connect(SECOND, "other"),
    "miss": lambda policy: policy.miss(NOWHERE),
    "enter": ReconnectPolicy.enter,
    "move": lambda policy: policy.move(NEW),
    "give_up": lambda policy: policy.give_up(WRONG, "right"),
    "give_up another": lambda policy: policy.give_up(WRONG, "elsewhere"),
    "break_off": lambda policy: policy.break_off(BROKEN, False, True),
    "break_off unanswered": lambda policy: policy.break_off(SILENT, True, True),
    "break_off at the last": lambda policy: policy.break_off(SILENT, False, False),
    "fail": ReconnectPolicy.fail,
    "end": ReconnectPolicy.end,
}
SAME = ""
"""Neither the state changes, nor is anything told."""

TABLE: dict[str, dict[str, str]] = {
    "idle": {
        "dial": "dialling",
        "fail": "waiting, broken",
        "end": "ended",
    },
    "dialling": {
        "connect": "trying",
        "miss": "ended, unreachable",
        "fail": "waiting, broken",
        "end": "ended",
    },
    "trying": {
        "enter": "settled",
        "give_up": "leaving",
        "break_off": "waiting, broken",
        "break_off unanswered": "dialling, unanswered",
        "break_off at the last": "dialling",
        "fail": "waiting, broken",
        "end": "ended",
    },
    "settled": {
        "give_up": "leaving",
        "break_off": "waiting, broken",
        "break_off unanswered": "waiting, silent_host",
        "break_off at the last": "waiting, silent_host",
        "fail": "waiting, broken",
        "end": "ended",
    },
    "entered": {
        "give_up": "leaving",
        "break_off": "waiting, broken",
        "break_off unanswered": "waiting, silent_host",
        "break_off at the last": "waiting, silent_host",
        "fail": "waiting, broken",
        "end": "ended",
    },
    "leaving": {
        "break_off": "dialling, wrong_code",
        "break_off unanswered": "dialling, wrong_code",
        "break_off at the last": "dialling",
        "fail": "waiting, broken",
        "end": "ended",
    },
    "waiting": {
        "dial": "dialling",
        "fail": "waiting, broken",
        "end": "ended",
    },
    "ended": {
        "fail": "waiting, broken",
    },
}


def told(policy: ReconnectPolicy, before: LineState, lost: Lost | None) -> str:
    """Return the new state and the reason that is told, or SAME."""
    if lost is None:
        return policy.state if policy.state != before else SAME
    return f"{policy.state}, {lost.reason.code or 'broken'}"


@pytest.mark.parametrize("event", EVENTS)
@pytest.mark.parametrize("situation", SITUATIONS)
def test_every_event_in_every_state(situation: str, event: str) -> None:
    policy = SITUATIONS[situation]()
    before = policy.state
    lost = EVENTS[event](policy)
    assert told(policy, before, lost) == TABLE[situation].get(event, SAME)


def test_the_table_has_every_state_and_every_event() -> None:
    assert {situation().state for situation in SITUATIONS.values()} == set(get_args(LineState))
    methods = inspect.getmembers(ReconnectPolicy, inspect.isfunction)
    events = {name for name, _ in methods if not name.startswith("_")} - {"is_rejected"}
    assert events == {event.partition(" ")[0] for event in EVENTS}


# Ways through the states


def test_a_certificate_that_all_places_name_is_enough() -> None:
    policy = ReconnectPolicy(Destination(PINNED, (Address(("192.0.2.9",), 1, "right"),)))
    policy.dial()
    policy.connect(PINNED, "right")
    assert policy.state == "settled"
    assert policy.places.all == (PINNED,)


def test_with_an_unknown_place_the_host_must_let_the_guest_in() -> None:
    policy = ReconnectPolicy(Destination(PINNED, (SECOND,)))
    policy.dial()
    policy.connect(PINNED, "right")
    assert policy.state == "trying"
    policy.enter()
    assert policy.places.all == (PINNED,)


def test_a_host_that_is_given_up_after_all_is_dialled_no_more() -> None:
    policy = entered()
    policy.give_up(WRONG, "right")
    assert policy.places.all == (FIRST, SECOND)
    assert policy.is_rejected("right")
    assert policy.is_first_visit
    policy.enter()
    policy.move(NEW)
    assert policy.state == "leaving", "what it says still has no effect"
    assert policy.places.all == (FIRST, SECOND)


def test_a_guest_follows_only_a_host_that_let_them_in() -> None:
    stranger, host = settled(), entered()
    for policy in (stranger, host):
        policy.move(NEW)
    assert stranger.places.all == (PINNED,)
    assert host.places.all == (NEW,)
    assert host.places.present == NEW


def test_pauses_grow_until_a_host_lets_the_guest_in() -> None:
    policy = idle(returning=True)
    pauses = []
    for _ in range(len(RETRY_PAUSES_S) + 1):
        policy.dial()
        policy.miss(NOWHERE)
        pauses.append(policy.pause_s)
    assert pauses == [*RETRY_PAUSES_S, RETRY_PAUSES_S[-1]]
    policy.dial()
    policy.connect(FIRST, "right")
    policy.enter()
    assert policy.break_off(BROKEN, False, False) == Lost(BROKEN, RETRY_PAUSES_S[0])


def test_a_newcomer_stops_after_some_attempts() -> None:
    policy = trying()
    policy.break_off(BROKEN, False, False)
    heard = []
    while policy.state != "ended":
        policy.dial()
        heard.append(policy.miss(NOWHERE))
    assert [lost.again is None for lost in heard if lost] == [False] * (MAX_ATTEMPTS - 2) + [True]


def test_an_address_whose_connections_break_is_left() -> None:
    policy = trying()
    for _ in range(MAX_ATTEMPTS - 1):
        lost = policy.break_off(NONSENSE, False, True)
        assert lost is not None
        assert policy.state == "waiting"
        policy.dial()
        policy.connect(FIRST, "right")
    assert policy.break_off(NONSENSE, False, True) == Lost(NONSENSE, 0.0)
    assert policy.state == "dialling"
    assert policy.is_rejected("right")


def test_the_best_reason_is_told_once_all_places_are_dialled() -> None:
    policy = trying()
    policy.break_off(SILENT, True, False)
    lost = policy.miss(NOWHERE)
    assert lost == Lost(UNANSWERED.with_args(place="192.0.2.1:1"))
    assert not policy.is_rejected("right"), "the next round starts afresh"


def test_a_fault_is_a_break_with_a_pause_of_its_own() -> None:
    assert trying().fail() == Lost(BROKEN, AFTER_FAULT)
