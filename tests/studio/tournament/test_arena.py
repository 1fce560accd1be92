"""Tournaments: who sits where, what the numbers say, and the command that prints them."""

import json

import pytest
from msgspec.structs import replace

from tabletop.catalogue import catalogue
from tabletop.commands.command_line import main
from tabletop.studio.tournament.arena import ArenaResult, plan_matches, play_match
from tabletop.studio.tournament.balance import _points, measure_balance
from tabletop.studio.tournament.ratings import (
    confidence_interval,
    count_deals,
    effective_sample_size,
    elo,
    standings,
)

SUN = catalogue.load("sun")


def won(seating: tuple[str, ...], *winners: int) -> ArenaResult:
    empty = ((),) * len(seating)
    return ArenaResult(seating, winners, (0,) * len(seating), (), 10, {}, empty, empty)


def test_seats_rotate_over_the_same_deal():
    planned = plan_matches("sisters", {}, ["hard", "normal"], 3, 4, "s")
    assert [pairing.seating for pairing in planned] == [
        ("hard", "normal", "normal"),
        ("normal", "hard", "normal"),
        ("normal", "normal", "hard"),
        ("hard", "normal", "normal"),
    ]
    assert [pairing.seed for pairing in planned] == ["s/0", "s/0", "s/0", "s/1"]


def test_what_weighs_the_cards_deals_every_game_anew():
    alone = plan_matches("sisters", {}, ["hard"], 3, 4, "s")
    fresh = plan_matches("sisters", {}, ["hard", "normal"], 3, 4, "s", fresh=True)
    for planned in (alone, fresh):
        assert [pairing.seed for pairing in planned] == ["s/0", "s/1", "s/2", "s/3"]
    assert [pairing.seating.index("hard") for pairing in fresh] == [0, 1, 2, 0]


def test_shares_of_the_victory_stand_beside_the_even_one():
    table = ("hard", "normal", "normal")
    played = [won(table, 0), won(table, 0), won(table, 1), won(table, 0, 2)]
    hard, normal = standings(played)
    assert (hard.level, hard.seats, hard.games) == ("hard", 1, 4)
    assert hard.share == pytest.approx(2.5 / 4)
    assert hard.even == pytest.approx(1 / 3)
    assert normal.share == pytest.approx(1.5 / 4)
    assert hard.low < hard.share < hard.high
    assert hard.elo > 0 > normal.elo


def test_without_a_winner_all_share_and_alone_nobody_does():
    assert won(("hard", "easy")).share(1) == 0.5
    assert won(("hard",)).share(0) == 0.0
    assert won(("hard",), 0).share(0) == 1.0


def test_partners_share_a_level_and_their_wins():
    pairs = ((0, 2), (1, 3))
    planned = plan_matches("tricks", {}, ["hard", "normal"], 4, 3, "s", teams=pairs)
    assert [pairing.seating for pairing in planned] == [
        ("hard", "normal", "hard", "normal"),
        ("normal", "hard", "normal", "hard"),
        ("hard", "normal", "hard", "normal"),
    ]
    assert [pairing.seed for pairing in planned] == ["s/0", "s/0", "s/1"]
    together = {f"team/{seat}": seat % 2 for seat in range(4)}
    played = [
        replace(won(pairing.seating, *winners), values=together)
        for pairing, winners in zip(planned, ((0, 2), (1, 3), (1, 3)), strict=True)
    ]
    assert [game.share(2) for game in played] == [1.0, 0.0, 0.0]
    hard, normal = standings(played)
    assert (hard.level, hard.seats, hard.share, hard.even) == ("hard", 2, 2 / 3, 0.5)
    assert normal.share == pytest.approx(1 / 3)
    assert hard.elo == -normal.elo > 0
    assert [(seat.name, seat.share) for seat in measure_balance(SUN, played).seats] == [
        ("1+3", pytest.approx(1 / 3)),
        ("2+4", pytest.approx(2 / 3)),
    ]


def test_the_interval_is_wilsons():
    assert confidence_interval(0.5, 100) == pytest.approx((0.4038, 0.5962), abs=1e-4)
    assert confidence_interval(1.0, 10)[1] == 1.0
    assert confidence_interval(0.0, 10)[0] == 0.0


def test_games_of_one_deal_count_as_what_they_are_worth():
    alike = [[1.0, 1.0], [0.0, 0.0]] * 10  # the second game of a deal tells nothing new
    assert 16 < effective_sample_size(alike) < 20.5
    assert effective_sample_size([[1.0, 0.0]] * 20) == 40  # as luck goes to both
    assert effective_sample_size([[1.0]] * 20 + [[0.0]] * 20) == 40
    assert (
        effective_sample_size([[1.0, 1.0]] * 20) == effective_sample_size([[0.0, 0.0]] * 20) == 20
    )
    assert effective_sample_size([[1.0, 0.0, 1.0]]) == 1
    table = ("hard", "normal")
    games = [won(table, winner) for winner in (0, 0, 1, 1) * 10]
    apart, together = (
        [replace(game, deal=f"{number // played}") for number, game in enumerate(games)]
        for played in (1, 2)
    )
    assert (count_deals(games), count_deals(apart), count_deals(together)) == (40, 40, 20)
    one, other, clustered = (standings(each)[0] for each in (games, apart, together))
    assert one == other
    assert clustered.share == one.share
    assert clustered.high - clustered.low > 1.3 * (one.high - one.low)


def test_three_wins_of_four_are_some_190_points():
    played = [won(("hard", "easy"), int(n % 4 == 0)) for n in range(4000)]
    ratings = elo(played)
    assert ratings["hard"] - ratings["easy"] == pytest.approx(190.8, abs=3)


def test_the_balance_counts_seats_points_and_cards():
    planned = plan_matches("sun", catalogue.options(SUN), ["easy"], 2, 2, "balance")
    balance = measure_balance(SUN, [play_match(pairing) for pairing in planned])
    assert [share.name for share in balance.seats] == ["1", "2"]
    assert sum(share.share for share in balance.seats) == pytest.approx(1)
    assert balance.points[-1].name == "Together"
    assert all(0 <= card.share <= 1 for card in (*balance.began, *balance.ended))


def test_the_command_plays_and_tells(capfd):
    words = ["arena", "sun", "--games", "2", "--bots", "normal,easy", "--seed", "cli"]
    assert main([*words, "--json", "--balance"]) == 0
    told = json.loads(capfd.readouterr().out)
    assert {standing["level"] for standing in told["standings"]} == {"normal", "easy"}
    assert told["seed"] == "cli"
    assert told["seats"] == 2
    assert len(told["balance"]["seats"]) == 2
    assert main(words) == 0
    out = capfd.readouterr().out
    assert "normal" in out
    assert "Elo" in out


@pytest.mark.parametrize(
    ("bots", "sentence"),
    [("clever", 'be "clever"'), ("easy,easy,hard", "3 bots don't fit into 2 seats")],
)
def test_wrong_bots_are_refused(capsys, bots, sentence):
    assert main(["arena", "sun", "--bots", bots]) == 2
    assert sentence in capsys.readouterr().err


def test_as_many_seats_are_taken_as_there_are_bots(capfd):
    """Chains is a game for one, too."""
    words = ["arena", "chains", "--bots", "easy,normal", "--games", "2", "--jobs", "1", "--json"]
    assert main(words) == 0
    told = json.loads(capfd.readouterr().out)
    assert told["seats"] == 2
    assert {standing["level"] for standing in told["standings"]} == {"easy", "normal"}


def test_points_are_means_of_all_and_of_winners():
    games = [
        replace(won(("a", "b"), 0), scores=(10, 2)),
        replace(won(("a", "b"), 1), scores=(0, 4)),
    ]
    (together,) = _points(games)
    assert (together.mean, together.winners, together.highest) == (4, 7, 10)
