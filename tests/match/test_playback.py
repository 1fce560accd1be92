"""A record laid out for watching: where to stop, what is seen there and by whom."""

import pytest

from tabletop.catalogue import catalogue
from tabletop.commands import match_source
from tabletop.engine.events import Said, apply
from tabletop.engine.mask import mask
from tabletop.engine.model import AUDIENCE, Move
from tabletop.language.table_text import match_text
from tabletop.language.words import Words
from tabletop.match.match import Match, Reset, Update
from tabletop.match.playback import Playback, PlaybackSeat
from tabletop.match.seat import WATCHED
from tabletop.storage.plies import plies
from tabletop.storage.record import public_record, read, record_of, save, save_as

GAMES = [(name, catalogue.load(name).box.seats[0]) for name in catalogue.names()]


def reel_of(match: Match, tmp_path) -> Playback:
    path = tmp_path / "reel.tabletop"
    save_as(match, path)
    kit = match.kit
    return Playback(kit, match.players, plies(read(path)))


def played(name: str, seats: int = 0) -> Match:
    return match_source.play_random_match(catalogue.load(name), seats, "reel")


@pytest.fixture(params=GAMES, ids=lambda game: game[0])
def match(request) -> Match:
    return played(*request.param)


def test_the_beats_hold_everything_that_happened_in_order(match, tmp_path):
    playback = reel_of(match, tmp_path)
    happened = [
        event for at in range(playback.last_beat + 1) for event in playback.events(at, None)
    ]
    assert happened == [event for ply in match.plies for event in ply.events]
    assert playback.state(playback.last_beat) == match.state
    for number, ply in enumerate(match.plies):
        at = playback.beat_after_ply(number)
        assert playback.state(at) == ply.state
        assert playback.last_complete_ply(at) == number


def test_a_beat_tells_one_line_of_the_log_at_most(match, tmp_path):
    playback = reel_of(match, tmp_path)
    for at in range(1, playback.last_beat + 1):
        assert sum(isinstance(event, Said) for event in playback.events(at, None)) <= 1


def test_walking_forth_is_folding_what_is_told(match, tmp_path):
    playback = reel_of(match, tmp_path)
    for viewer in (AUDIENCE, len(match.players) - 1):
        seat = PlaybackSeat(playback, viewer)
        told = []
        seat.on_update(told.append)
        view = seat.view
        for at in range(1, playback.last_beat + 1):
            seat.go_to(at)
            message = told.pop()
            assert isinstance(message, Update)
            for event in message.events:
                view = apply(view, event)
            assert view == seat.view == mask(playback.state(at), viewer)
        assert seat.log == list(match.log(viewer))


def test_the_log_tells_where_each_line_was_said(match, tmp_path):
    playback = reel_of(match, tmp_path)
    log = playback.log(0)
    assert [said for _, said in log] == list(match.log(0))
    assert [at for at, _ in log] == sorted(at for at, _ in log)
    for at, said in log:
        assert said in playback.events(at, 0)


def test_a_leap_brings_the_table_as_it_is(tmp_path):
    playback = reel_of(played("sun"), tmp_path)
    seat = PlaybackSeat(playback, 1)
    told = []
    seat.on_update(told.append)
    for at in (20, 3, 3, playback.last_beat + 99, -5):
        seat.go_to(at)
    assert [type(message) for message in told] == [Reset] * 4
    assert seat.at == 0
    assert told[0].view == playback.view(20, 1)


def test_nothing_is_played_in_a_replay(tmp_path):
    seat = PlaybackSeat(reel_of(played("sun"), tmp_path), 0)
    refusals = []
    seat.on_refusal(refusals.append)
    seat.send(Move(0, "place"))
    seat.undo()
    assert refusals == [WATCHED, WATCHED]
    assert seat.explain_refusal(0) is not None
    assert seat.preview(Move(0, "place")) is None
    assert seat.offers == {}


def test_who_has_closed_hears_nothing(tmp_path):
    seat = PlaybackSeat(reel_of(played("sun"), tmp_path))
    told = []
    seat.on_update(told.append)
    stop = seat.on_update(told.append)
    stop()
    seat.go_to(1)
    seat.close()
    seat.go_to(2)
    assert len(told) == 1


def test_turns_and_rounds_are_walked_one_by_one(match, tmp_path):
    playback = reel_of(match, tmp_path)
    assert playback.turn_starts[0] == playback.round_starts[0] == 0
    assert 1 < len(playback.turn_starts) <= playback.last_beat + 1
    at, walked = 0, [0]
    while at < playback.last_beat:
        at = playback.next_turn(at)
        walked.append(at)
    assert walked == [
        *playback.turn_starts,
        *([playback.last_beat] if playback.turn_starts[-1] < playback.last_beat else []),
    ]
    back = [at]
    while at > 0:
        at = playback.previous_turn(at)
        back.append(at)
    assert back == walked[::-1]
    assert playback.previous_turn(0) == 0
    assert playback.previous_turn(playback.turn_starts[1] + 1) == playback.turn_starts[1]


@pytest.mark.parametrize(
    ("name", "seats", "rounds"), [("sun", 2, 3), ("sisters", 2, 8), ("royale", 2, 21)]
)
def test_rounds_are_those_of_the_rulebook(tmp_path, name, seats, rounds):
    assert len(reel_of(played(name, seats), tmp_path).round_starts) == rounds


def test_captures_magic_battles_and_large_scores_are_marked(tmp_path):
    playback = reel_of(played("sun"), tmp_path)
    kinds = [mark.kind for mark in playback.marks]
    assert {"capture", "magic", "battle"} <= set(kinds)
    battles = [mark for mark in playback.marks if mark.kind == "battle"]
    assert [mark.said.args["n"] for mark in battles] == [1, 2, 3]
    assert [mark.at for mark in playback.marks] == sorted({mark.at for mark in playback.marks})
    sisters = reel_of(played("sisters"), tmp_path)
    assert {mark.kind for mark in sisters.marks} == {"score"}


def test_all_cards_open_is_the_whole_table(tmp_path):
    playback = reel_of(played("sun"), tmp_path)
    seat = PlaybackSeat(playback, None, 9)
    assert seat.number == AUDIENCE
    assert seat.view == playback.state(9)
    seat.go_to(10)
    assert all(card >= 0 for cards in seat.view.cards.values() for card in cards)


def test_a_stripped_record_is_walked_as_the_audience_saw_it(tmp_path):
    match, path = played("sisters"), tmp_path / "stripped.tabletop"
    save(public_record(record_of(match, path), match), path)
    playback = Playback(catalogue.load("sisters"), match.players, plies(read(path)))
    seat = PlaybackSeat(playback, AUDIENCE)
    told = []
    seat.on_update(told.append)
    view = seat.view
    for at in range(1, playback.last_beat + 1):
        seat.go_to(at)
        for event in told.pop().events:
            view = apply(view, event)
        assert view == seat.view
    assert seat.log == list(match.log(AUDIENCE))
    assert len(playback.round_starts) == 8


def test_a_match_is_told_as_text_round_by_round(tmp_path):
    match = played("sun")
    playback = reel_of(match, tmp_path)
    text = match_text(playback, 0, Words("en", playback.kit, match.players), {3: "Aha."})
    lines = text.splitlines()
    assert lines[:2] == ["Children of the Sun", "Player 1, Player 2"]
    assert [line for line in lines if line.startswith("— ")] == [
        "— Siege —",
        "— Analysis —",
        "— Extermination —",
    ]
    words = Words("en", playback.kit, match.players)
    assert [words.log_line(said, 0) for said in match.log(0)] == [
        line for line in lines if line in {words.log_line(said, 0) for said in match.log(0)}
    ]
    assert "  ※ Aha." in lines
    assert f"{match.state.result.scores[0]} : {match.state.result.scores[1]}" in text
    assert "※" not in match_text(playback, 0, words, {})
    japanese = match_text(playback, None, Words("ja", playback.kit, match.players), {})
    assert "— 包囲フェイズ —" in japanese
    assert "プレイヤー2の勝ち" in japanese
