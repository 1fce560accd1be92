"""The viewer switch: every event in every state, and what people see of the ways through them."""

import inspect
from collections.abc import Callable
from typing import get_args

import pytest

from tabletop.engine.model import AUDIENCE
from tabletop.match.match import Player
from tabletop.match.reactions import PassPolicy
from tabletop.match.viewer_switch import SwitchState, ViewerSwitch
from tests.match.switch_rig import ANN, BEA, CID, PAUSE, PLAYERS, SwitchRig, name_of

BOT = Player("Robot", "moon", "bot", "easy")


# Situations


def empty() -> SwitchRig:
    return SwitchRig()


def covered() -> SwitchRig:
    """The curtain is closed for Ann, who is asked."""
    rig = empty()
    rig.switch.start()
    return rig


def looking() -> SwitchRig:
    """Ann looks, and is asked."""
    rig = covered()
    rig.switch.open_curtain()
    return rig


def animating() -> SwitchRig:
    """Ann has moved."""
    rig = looking()
    rig.play(ANN, "gift")
    return rig


def due() -> SwitchRig:
    """Ann has moved and seen it; Bea is asked."""
    rig = animating()
    rig.show_news()
    return rig


def unwatched() -> SwitchRig:
    rig = looking()
    rig.switch.cover_unwatched()
    return rig


def ended() -> SwitchRig:
    rig = looking()
    rig.switch.close()
    return rig


def scooped(policy: PassPolicy = "ask") -> SwitchRig:
    """Ann has scooped: Bea and Cid are asked whether they react."""
    rig = SwitchRig(policy=policy)
    rig.switch.start()
    for seat in (ANN, BEA, CID):
        rig.switch.open_curtain()
        rig.play(seat, "gift")
        rig.show_news()
        rig.switch.hand_over()
    rig.switch.open_curtain()
    rig.play(ANN, "scoop")
    rig.show_news()
    return rig


def asked() -> SwitchRig:
    """A bar stays over the table of all: Bea and Cid are asked."""
    return scooped()


def asked_briefly() -> SwitchRig:
    """A bar that closes by itself stands over Ann's table: Bea and Cid are asked."""
    return scooped("able")


# Events


def lose_ann(rig: SwitchRig) -> None:
    rig.table.people = (BEA, CID)
    rig.switch.on_people_changed()


EVENTS: dict[str, Callable[[SwitchRig], None]] = {
    "start": lambda rig: rig.switch.start(),
    "on_news": lambda rig: rig.switch.on_news(went_back=False),
    "on_people_changed": lose_ann,
    "on_refusal": lambda rig: rig.switch.on_refusal(),
    "on_animation_finished": lambda rig: rig.switch.on_animation_finished(),
    "resume": lambda rig: rig.switch.resume(),
    "on_settings_changed": lambda rig: rig.switch.on_settings_changed(),
    "cover_unwatched": lambda rig: rig.switch.cover_unwatched(),
    "open_curtain": lambda rig: rig.switch.open_curtain(),
    "hand_over": lambda rig: rig.switch.hand_over(),
    "call_player": lambda rig: rig.switch.call_player(BEA),
    "pass_all": lambda rig: rig.switch.pass_all(),
    "undo_answer": lambda rig: rig.switch.undo_answer(ANN),
    "run_step": lambda rig: rig.switch.run_step(),
    "close": lambda rig: rig.switch.close(),
}
IGNORED = ""
"""Neither the state changes, nor is there any effect."""
LATER = "wake"
NEWS_LATER = "no rest, wake"
"""A step is scheduled, which decides."""

Row = dict[str, str]
EXPECTED: dict[Callable[[], SwitchRig], Row] = {
    empty: {
        "start": "covered: cover all for Ann, refresh, rest",
        "on_news": NEWS_LATER,
        "on_people_changed": LATER,
        "on_refusal": IGNORED,
        "on_animation_finished": IGNORED,
        "resume": LATER,
        "on_settings_changed": LATER,
        "cover_unwatched": IGNORED,
        "open_curtain": IGNORED,
        "hand_over": IGNORED,
        "call_player": "covered: cover all for Bea, refresh",
        "pass_all": IGNORED,
        "undo_answer": IGNORED,
        "run_step": "covered: cover all for Ann, refresh, rest",
        "close": "ended: ",
    },
    looking: {
        "start": IGNORED,
        "on_news": NEWS_LATER,
        "on_people_changed": "empty: wake",
        "on_refusal": IGNORED,
        "on_animation_finished": IGNORED,
        "resume": LATER,
        "on_settings_changed": LATER,
        "cover_unwatched": "unwatched: cover Ann for Ann, refresh",
        "open_curtain": IGNORED,
        "hand_over": IGNORED,
        "call_player": "covered: cover Ann for Bea, refresh",
        "pass_all": IGNORED,
        "undo_answer": IGNORED,
        "run_step": "refresh, call, rest",
        "close": "ended: ",
    },
    due: {
        "start": IGNORED,
        "on_news": NEWS_LATER,
        "on_people_changed": "empty: wake",
        "on_refusal": IGNORED,
        "on_animation_finished": IGNORED,
        "resume": LATER,
        "on_settings_changed": LATER,
        "cover_unwatched": "unwatched: cover Ann for Ann, refresh",
        "open_curtain": IGNORED,
        "hand_over": "covered: cover Ann for Bea, refresh",
        "call_player": "covered: cover Ann for Bea, refresh",
        "pass_all": IGNORED,
        "undo_answer": IGNORED,
        "run_step": "refresh, rest",
        "close": "ended: ",
    },
    asked: {
        "start": IGNORED,
        "on_news": NEWS_LATER,
        "on_people_changed": LATER,
        "on_refusal": IGNORED,
        "on_animation_finished": IGNORED,
        "resume": LATER,
        "on_settings_changed": LATER,
        "cover_unwatched": IGNORED,
        "open_curtain": IGNORED,
        "hand_over": IGNORED,
        "call_player": "covered: cover all for Bea, refresh",
        "pass_all": "animating: Bea passes, Cid passes",
        "undo_answer": IGNORED,
        "run_step": "refresh, rest",
        "close": "ended: ",
    },
    asked_briefly: {
        "start": IGNORED,
        "on_news": NEWS_LATER,
        "on_people_changed": "empty: wake",
        "on_refusal": IGNORED,
        "on_animation_finished": IGNORED,
        "resume": LATER,
        "on_settings_changed": "no timer, wake",
        "cover_unwatched": "unwatched: cover Ann for Ann, refresh",
        "open_curtain": IGNORED,
        "hand_over": IGNORED,
        "call_player": "covered: no timer, cover Ann for Bea, refresh",
        "pass_all": "animating: no timer, Bea passes, Cid passes",
        "undo_answer": IGNORED,
        "run_step": "refresh, rest",
        "close": "ended: no timer",
    },
    animating: {
        # a step is scheduled already, so nothing wakes the switch again
        "start": IGNORED,
        "on_news": IGNORED,
        "on_people_changed": "empty: ",
        "on_refusal": IGNORED,
        "on_animation_finished": "looking: ",
        "resume": IGNORED,
        "on_settings_changed": IGNORED,
        "cover_unwatched": "unwatched: cover Ann for Ann, refresh",
        "open_curtain": IGNORED,
        "hand_over": "covered: cover Ann for Bea, refresh",
        "call_player": "covered: cover Ann for Bea, refresh",
        "pass_all": IGNORED,
        "undo_answer": IGNORED,
        "run_step": "news, no rest",
        "close": "ended: ",
    },
    covered: {
        "start": IGNORED,
        "on_news": NEWS_LATER,
        "on_people_changed": LATER,
        "on_refusal": IGNORED,
        "on_animation_finished": IGNORED,
        "resume": LATER,
        "on_settings_changed": LATER,
        "cover_unwatched": IGNORED,
        "open_curtain": "looking: show Ann, uncover, refresh, call",
        "hand_over": IGNORED,
        "call_player": IGNORED,
        "pass_all": IGNORED,
        "undo_answer": IGNORED,
        "run_step": "rest",
        "close": "ended: ",
    },
    unwatched: {
        "start": IGNORED,
        "on_news": NEWS_LATER,
        "on_people_changed": LATER,
        "on_refusal": IGNORED,
        "on_animation_finished": IGNORED,
        "resume": LATER,
        "on_settings_changed": LATER,
        "cover_unwatched": IGNORED,
        "open_curtain": "looking: show Ann, uncover, refresh, call",
        "hand_over": IGNORED,
        "call_player": IGNORED,
        "pass_all": IGNORED,
        "undo_answer": IGNORED,
        "run_step": "rest",
        "close": "ended: ",
    },
    ended: dict.fromkeys(EVENTS, IGNORED),
}
"""By situation and event: the next state, if it is another, and the effects."""


def outcome(rig: SwitchRig, event: str) -> str:
    before, played = rig.switch.state, len(rig.match.record)
    rig.effects.clear()
    EVENTS[event](rig)
    entries = rig.match.record[played:]
    passes = [f"{name_of(each.seat)} {each.move.verb}es" for each in entries if each.move]
    effects = ", ".join((*rig.effects, *passes))
    return effects if rig.switch.state == before else f"{rig.switch.state}: {effects}"


CELLS = [(make, event) for make in EXPECTED for event in EVENTS]


@pytest.mark.parametrize(("make", "event"), CELLS, ids=[f"{m.__name__}-{e}" for m, e in CELLS])
def test_every_event_in_every_state(make: Callable[[], SwitchRig], event: str) -> None:
    assert outcome(make(), event) == EXPECTED[make][event]


def test_the_table_has_all_states_and_all_events() -> None:
    assert {make().switch.state for make in EXPECTED} == set(get_args(SwitchState))
    methods = inspect.getmembers(ViewerSwitch, inspect.isfunction)
    public = {name for name, _ in methods if not name.startswith("_")}
    assert public - {"policy_of"} == set(EVENTS)
    assert all(set(row) == set(EVENTS) for row in EXPECTED.values())


# From player to player


def test_a_move_is_seen_before_the_next_player_is_decided_on() -> None:
    rig = animating()
    rig.switch.run_step()
    assert rig.switch.is_animating
    assert rig.switch.shown_seat is not None
    rig.effects.clear()
    rig.show_news()
    assert rig.effects == ["wake", "refresh", "rest"]
    assert rig.switch.decision.following == BEA
    assert rig.switch.decision.handover_due


def test_nothing_of_the_last_player_is_held_behind_the_curtain() -> None:
    rig = due()
    ann = rig.switch.shown_seat
    rig.switch.hand_over()
    assert rig.switch.shown_seat is None
    assert rig.switch.active_viewer == AUDIENCE
    ann.receive(ann.make_reset())  # it is heard no longer
    assert rig.switch.state == "covered"


def test_the_former_player_is_gone_before_the_curtain_falls() -> None:
    rig, seen = due(), []
    rig.cover = lambda looked, following: seen.append((rig.switch.shown_seat, rig.switch.state))
    rig.switch.hand_over()
    assert seen == [(None, "empty")]


def test_the_next_view_is_built_while_the_table_is_covered() -> None:
    rig, seen = covered(), []
    rig.show = lambda seat: seen.append((seat.number, rig.switch.state))
    rig.switch.open_curtain()
    assert seen == [(ANN, "covered")]


def test_several_moves_that_come_at_once_are_one_step() -> None:
    rig = looking()
    rig.effects.clear()
    rig.play(ANN, "gift")
    rig.match.submit(BEA, next(next(iter(rig.match.offers(BEA)[1])).moves(1)))
    rig.switch.on_news(went_back=False)
    rig.show_news()
    assert rig.effects == ["no rest", "wake", "news", "refresh", "rest"]
    assert rig.switch.decision.following == CID, "Bea was never called"


def test_no_seat_that_lags_behind_is_decided_on() -> None:
    rig = looking()
    rig.effects.clear()
    bea = rig.table.seat(BEA)
    lagging = bea.make_reset()
    rig.play(ANN, "gift")
    rig.switch.on_animation_finished()
    told = bea.make_reset()
    bea.receive(lagging)
    rig.switch.run_step()
    assert rig.effects == ["no rest", "wake"]
    bea.receive(told)
    rig.switch.on_news(went_back=True)
    rig.switch.run_step()
    assert rig.effects == ["no rest", "wake", "no rest", "wake", "news", "refresh", "rest"]
    assert rig.switch.went_back


def test_an_open_table_has_no_curtain() -> None:
    rig = SwitchRig()
    rig.table.open_table = True
    rig.switch.start()
    assert rig.effects == ["show Ann", "refresh", "call", "rest"]
    rig.play(ANN, "gift")
    rig.show_news()
    assert rig.switch.active_viewer == BEA


def test_one_person_among_bots_looks_at_once_and_always() -> None:
    rig = SwitchRig((PLAYERS[0], BOT, BOT))
    rig.switch.start()
    assert rig.effects == ["show Ann", "refresh", "call", "rest"]
    rig.play(ANN, "gift")
    rig.show_news()
    assert rig.switch.active_viewer == ANN
    assert not rig.switch.decision.handover_due


def test_who_had_to_wait_is_called_and_who_had_not_is_not() -> None:
    rig = SwitchRig((PLAYERS[0], BOT, BOT))
    rig.switch.start()
    rig.play(ANN, "gift")
    rig.show_news()
    rig.effects.clear()
    for bot in (BEA, CID):
        rig.play(bot, "gift")
        rig.show_news()
    assert rig.effects[-2:] == ["call who waited", "rest"]


def test_who_is_away_is_called_through_the_curtain() -> None:
    rig = SwitchRig((PLAYERS[0], BOT, BOT))
    rig.switch.start()
    rig.play(ANN, "gift")
    rig.show_news()
    rig.switch.cover_unwatched()
    rig.effects.clear()
    for bot in (BEA, CID):
        rig.play(bot, "gift")
        rig.switch.run_step()
    assert rig.effects == [
        "no rest",
        "wake",
        "news",
        "rest",
        "no rest",
        "wake",
        "news",
        "call who waited",
        "rest",
    ]
    assert rig.switch.state == "unwatched"


def test_who_leaves_looks_no_longer_and_the_next_is_covered_for() -> None:
    rig = looking()
    rig.effects.clear()
    lose_ann(rig)
    rig.switch.run_step()
    assert rig.effects == ["wake", "news", "cover all for Bea", "refresh", "rest"]


def test_nothing_of_an_ended_match_is_covered() -> None:
    rig = looking()
    rig.match.concede(ANN)
    rig.switch.on_news(went_back=False)
    rig.show_news()
    assert rig.switch.active_viewer == AUDIENCE
    rig.switch.cover_unwatched()
    assert rig.switch.state == "looking"


def test_what_is_told_of_the_news_may_close_the_table() -> None:
    rig = animating()
    rig.switch.on_animation_finished()
    rig.on_news = rig.switch.close
    rig.effects.clear()
    rig.switch.run_step()
    assert rig.effects == []


# Reactions


def test_a_bar_that_nobody_waits_for_closes_by_itself() -> None:
    rig = asked_briefly()
    assert [milliseconds for milliseconds, _ in rig.timers] == [PAUSE]
    assert rig.switch.active_viewer == ANN, "the bar stands over the table of who looks"
    rig.run_timers()
    assert rig.passes() == [BEA, CID]
    assert rig.timers == []


def test_a_bar_stays_while_somebody_wants_to_be_asked() -> None:
    rig = asked()
    assert rig.timers == []
    assert rig.switch.active_viewer == AUDIENCE, "everybody looks at it"


def test_who_is_called_has_all_their_time() -> None:
    rig = asked_briefly()
    rig.switch.call_player(BEA)
    assert rig.timers == []
    rig.switch.on_settings_changed()
    rig.switch.run_step()
    assert rig.timers == []
    rig.switch.open_curtain()
    assert rig.switch.active_viewer == BEA


def test_who_has_answered_is_called_no_longer() -> None:
    rig = asked()
    rig.switch.call_player(BEA)
    rig.switch.open_curtain()
    rig.play(BEA, "pass")
    assert rig.switch.called_seat == BEA
    rig.show_news()
    assert rig.switch.called_seat is None
    assert rig.switch.active_viewer == AUDIENCE, "Cid is still asked in public"


def test_an_answer_is_taken_back_while_others_still_choose() -> None:
    rig = asked()
    rig.switch.call_player(BEA)
    rig.switch.open_curtain()
    rig.play(BEA, "pass")
    rig.show_news()
    assert rig.switch.decision.can_undo == (BEA,)
    rig.effects.clear()
    rig.switch.undo_answer(BEA)
    rig.switch.on_news(went_back=True)
    rig.show_news()
    assert rig.effects == ["no rest", "wake", "news", "cover all for Bea", "refresh", "rest"]


def test_who_wishes_no_question_is_passed_for() -> None:
    rig = scooped("pass")
    assert rig.passes() == [BEA, CID]
    assert rig.switch.active_viewer == ANN, "nobody else looked"


def test_no_pass_is_sent_after_a_refusal() -> None:
    rig = asked()
    cid = rig.table.seat(CID)
    cid.pending = next(iter(cid.offers.values()))[-1].sample(5, None)
    rig.switch.pass_all()
    assert rig.passes() == [BEA]
    cid.refuse(None)
    rig.switch.on_news(went_back=False)
    rig.switch.run_step()
    assert rig.passes() == [BEA]


def test_there_is_a_pause_where_somebody_could_read_it() -> None:
    alone = SwitchRig((PLAYERS[0], BOT, BOT))
    assert alone.switch.is_single_human
    assert alone.switch.reaction_pause_ms == 0
    alone.table.has_remote_watchers = True
    assert alone.switch.reaction_pause_ms == PAUSE
    assert not SwitchRig().switch.is_single_human
    assert SwitchRig().switch.reaction_pause_ms == PAUSE
