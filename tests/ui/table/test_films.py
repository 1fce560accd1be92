"""Films at the table: how far, how high, for what; and that each may be skipped at any moment."""

import math
import random
from itertools import pairwise

import pytest
from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QPixmap
from PySide6.QtWidgets import QGraphicsPathItem
from pytestqt.qtbot import QtBot

from tabletop.catalogue import catalogue
from tabletop.commands import match_source
from tabletop.engine.events import Moved, Rolled, Said, ValueSet
from tabletop.engine.scratch import FastRng
from tabletop.games.films import GameFilms
from tabletop.match.match import Match, Player
from tests.ui.random_matches import some_answer
from tests.ui.table_driver import KIT, Table, asked, new_match, play_one, seen
from ui.table.animation.flights import LANDING_MS, CardFlight, flight_ms
from ui.table.animation.opening import OPENING_MS
from ui.table.animation.track_player import Track, TrackPlayer
from ui.table.items.card_item import HELD_SCALE, CardItem, CardSide

pytestmark = pytest.mark.usefixtures("qapp")

GAMES = [("sun", 2), ("sisters", 3), ("chains", 3), ("awss", 3), ("royale", 4)]


def film_of(table: Table) -> TrackPlayer:
    return table.scene.animator._player


def go_to(table: Table, time: float) -> None:
    """Have the film that runs be at this share of its time."""
    clock = film_of(table)._clock
    clock.pause()
    clock.setCurrentTime(round(time * (clock.duration() - 1)))


def places(table: Table) -> dict[int, tuple[float, ...]]:
    """Where and how each known card lies that is seen: its middle, its angle, its width."""
    return {
        item.card: (
            *item.pos().toTuple(),
            round(item.rotation()) % 360,
            item.width * item.scale(),
        )
        for item in table.scene.stage.items
        if item.is_known and item.isVisible() and item.opacity() > 0.5
    }


def jumps(before: dict[int, tuple[float, ...]], now: dict[int, tuple[float, ...]]) -> list[int]:
    """The cards that lie otherwise than a moment before."""
    return [
        card
        for card, place in before.items()
        if card in now and any(abs(a - b) > 2 for a, b in zip(place, now[card], strict=True))
    ]


def match_of(game: str, seats: int) -> Match:
    kit = catalogue.load(game)
    players = [Player(f"P{number}", "") for number in range(seats)]
    return Match(kit, players, seed="films")


@pytest.mark.parametrize(("game", "seats"), [("sun", 2), ("sisters", 3), ("awss", 3)])
def test_each_film_begins_where_the_last_ended(
    game: str, seats: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nor does a card jump when all is over: own sealed answers lie turned, hidden cards of a loose
    zone are turned up, some wait until it is their turn."""
    match = match_of(game, seats)
    table = Table(match, 0, speed="normal", kit=catalogue.load(game))
    film, settle = film_of(table), table.scene.selection_view.settle

    def watch(glides: bool) -> None:
        before = places(table)
        settle(glides)
        assert not jumps(before, places(table)), match.state.ply
        table.scene.animator.glide((), 0)

    monkeypatch.setattr(table.scene.selection_view, "settle", watch)
    for move in range(36):
        if match.state.result is not None:
            break
        match.submit(*some_answer(match, FastRng(f"jumps {move}")))
        while table.scene.animator.is_running:
            film.finish()
            before = places(table)
            table.scene.animator._play_next()
            assert not jumps(before, places(table)), match.state.ply


@pytest.mark.parametrize(("game", "seats"), GAMES)
def test_a_skip_at_any_moment_ends_as_without_films(game: str, seats: int) -> None:
    kit, match, luck = catalogue.load(game), match_of(game, seats), random.Random(game)
    moving, still = (Table(match, 0, speed=speed, kit=kit) for speed in ("normal", "off"))
    moving.scene.play_opening(QPixmap(200, 300))
    go_to(moving, luck.random())
    moving.scene.skip_animations()
    assert seen(moving.scene) == seen(still.scene), "the opening"
    for move in range(25):
        if match.state.result is not None:
            break
        match.submit(*some_answer(match, FastRng(f"films {move}")))
        if moving.scene.animator.is_running:
            go_to(moving, luck.random())
        moving.scene.skip_animations()
        still.scene.animator.marks.clear()
        assert seen(moving.scene) == seen(still.scene), f"move {move}"


# Flights


def lying(table: Table) -> CardItem:
    return next(item for item in table.scene.stage.items if item.isVisible())


def test_a_flight_takes_as_long_as_it_is_far() -> None:
    assert flight_ms(QPointF(0, 0)) == 180
    assert flight_ms(QPointF(300, 400)) == 180 + 0.12 * 500
    assert flight_ms(QPointF(4000, 0)) == 420


def test_a_flight_rises_in_an_arc_over_its_shadow() -> None:
    item = lying(Table(new_match(), 0))
    flight = CardFlight(item, QPointF(0, 500), QPointF(1000, 500))
    middle = (flight.duration - LANDING_MS) / 2 / flight.duration
    share, rise = flight.move_to(middle)
    assert share == pytest.approx(0.5)
    assert item.pos().y() == pytest.approx(500 - 60), "an arc of 6 % of the way, upward"
    assert rise == pytest.approx(HELD_SCALE)
    assert item.is_flying
    assert item.childItems(), "its shadow"
    _, landing = flight.move_to(1 - LANDING_MS / flight.duration)
    assert 1.0 < landing < HELD_SCALE
    assert item.pos() == QPointF(1000, 500), "it is over its place, and is set down"
    assert flight.move_to(1.0)[1] == pytest.approx(1.0)
    assert not item.is_flying


def test_a_card_that_only_makes_room_slides() -> None:
    item = lying(Table(new_match(), 0))
    flight = CardFlight(item, QPointF(0, 0), QPointF(500, 0), flies=False)
    assert flight.move_to(0.5) == (pytest.approx(0.5), 1.0)
    assert item.pos() == QPointF(250, 0)
    assert not item.is_flying


def test_a_film_begins_at_its_beginning(qtbot: QtBot) -> None:
    """Also one that follows another: what is to be gone at its end is not gone before."""
    film, shares = TrackPlayer(), []
    film.run([Track(0, 20, lambda _: None)], 1.0)
    with qtbot.waitSignal(film.finished, timeout=60_000):
        pass
    film.run([Track(0, 400, shares.append)], 1.0)
    film._clock.pause()
    film._clock.setCurrentTime(100)
    assert max(shares) < 1.0
    film.finish()
    assert shares[-1] == 1.0


# The opening


def opened(game: str, seats: int, viewer: int = 0, speed: str = "normal") -> Table:
    kit = catalogue.load(game)
    table = Table(match_of(game, seats), viewer, speed=speed, kit=kit)
    table.scene.play_opening(QPixmap(200, 300))
    return table


@pytest.mark.parametrize(("game", "seats"), GAMES)
def test_a_deal_never_shows_what_a_seat_may_not_see(game: str, seats: int) -> None:
    table = opened(game, seats)
    stage = table.scene.stage
    assert film_of(table)._clock.duration() <= OPENING_MS <= 1600
    after = {item: stage.visible_side(item) for item in stage.items}
    for moment in range(0, 101, 4):
        go_to(table, moment / 100)
        for item, look in after.items():
            assert item.side in (CardSide.BACK, look)
            assert item.is_known or item.side is CardSide.BACK
    go_to(table, 0.0)
    assert any(look is not CardSide.BACK for look in after.values())


def test_without_motion_nothing_is_dealt() -> None:
    table = opened("sun", 2, speed="off")
    assert not table.scene.animator.is_running
    assert not table.scene.animator.is_opening


def test_a_move_is_done_with_the_opening() -> None:
    kit = catalogue.load("sun")
    match = match_of("sun", 2)
    table = Table(match, asked(match), speed="slow", kit=kit)
    table.scene.play_opening(QPixmap(200, 300))
    assert table.scene.animator.is_opening
    before = match.state.ply
    table.scene.choice.play(table.scene.choice.legal_moves()[0])
    assert match.state.ply > before, "it counts at once"
    assert not table.scene.animator.is_opening


def test_what_comes_meanwhile_is_played_after_the_opening(qtbot: QtBot) -> None:
    table = opened("sun", 2, viewer=1)
    play_one(table.match, 1)
    assert table.scene.animator.is_opening
    film_of(table)._clock.setCurrentTime(film_of(table)._clock.duration())
    assert not table.scene.animator.is_opening
    assert table.scene.animator.is_running, "the move is seen now"


# What a move brings about


def shapes(table: Table) -> list[QGraphicsPathItem]:
    return [item for item in table.scene.animator._overlays if isinstance(item, QGraphicsPathItem)]


def test_films_go_by_the_kind_of_event() -> None:
    films = GameFilms(said={"lose": "heart"}, moved={"shut": "tape"}, valued={"coins": "coin"})
    assert films.film_for(Said("Ow.", (), {}, "lose"), {}) == "heart"
    assert films.film_for(Said("Ow.", (), {}, ""), {}) is None
    assert films.film_for(Moved(1, "area/1", "shut", 0, 0), {}) == "tape"
    assert films.film_for(ValueSet("coins/1", 3), {"coins/1": 2}) == "coin"
    assert films.film_for(ValueSet("coins/1", 1), {"coins/1": 2}) is None, "a coin is not lost"
    assert films.film_for(ValueSet("coins/1", 1), {}) is None


def royale() -> Table:
    kit = catalogue.load("royale")
    match = match_source.play_random_match(kit, 4, "films", 40)
    return Table(match, 0, speed="normal", kit=kit)


def test_a_lost_heart_bursts_and_its_portrait_shakes() -> None:
    table = royale()
    stage = table.scene.stage
    portrait = stage.zones["character/1"][0]
    place = portrait.pos()
    hurt = Said("{seat} loses {n} stamina.", (portrait.card,), {"seat": 1, "n": 2}, "lose")
    table.scene.animator.play([hurt])
    (heart,) = shapes(table)
    assert heart.pos() == portrait.sceneBoundingRect().center()
    go_to(table, 0.35)
    assert heart.scale() == pytest.approx(1.25, abs=0.05)
    shaken = []
    for moment in range(1, 20):
        go_to(table, moment / 20)
        shaken.append(math.hypot(*(portrait.pos() - place).toTuple()))
    assert 3 < max(shaken) <= 6
    table.scene.skip_animations()
    assert portrait.pos() == place
    assert not shapes(table)


BATTLE = [ValueSet("attacker", 0), ValueSet("target", 1), ValueSet("battle", "battle")]
"""Events that open the stage of a battle."""


def next_film(table: Table) -> None:
    film_of(table).finish()
    table.scene.animator._play_next()


def drawn(table: Table, drawing: str, **values: object) -> list[dict[str, object]]:
    """What the drawings of this name that have these values are made from."""
    made = [
        each.variables
        for each in table.scene.stage.placed.drawings
        if each.drawing == f"royale/{drawing}.svg"
    ]
    return [each for each in made if values.items() <= each.items()]


def test_in_a_battle_hearts_burst_one_by_one_on_its_stage() -> None:
    table = royale()
    stage = table.scene.stage
    card, had = stage.zones["character/1"][0].card, stage.view.values["stamina/1"]
    hurt = Said("{seat} loses {n} stamina.", (card,), {"seat": 1, "n": 2}, "lose")
    table.scene.animator.play(
        [*BATTLE, ValueSet("damage", 2), ValueSet("stamina/1", had - 2), hurt]
    )
    assert drawn(table, "fighter", seat=1, now=had)
    first, second = shapes(table)
    portrait = stage.find_overlay((card,))
    place, middle = portrait.pos(), portrait.sceneBoundingRect().center()
    assert first.pos() == second.pos() == middle
    assert stage.is_covered(QRectF(middle, middle).adjusted(-1, -1, 1, 1)), "on the stage"
    left, shaken = [], 0.0
    for moment in range(40):
        go_to(table, moment / 40)
        (fighter,) = drawn(table, "fighter", seat=1)
        left.append(fighter["now"])
        shaken = max(shaken, math.hypot(*(portrait.pos() - place).toTuple()))
        assert not (first.scale() and second.scale()), "one after the other"
    assert left == sorted(left, reverse=True)
    assert set(left) == {had, had - 1, had - 2}
    assert 3 < shaken <= 6
    film_of(table).finish()
    assert portrait.pos() == place
    assert stage.view.values["stamina/1"] == had - 2


def test_the_line_of_a_throw_goes_before_the_next_dice() -> None:
    table = royale()
    thrown = [ValueSet("throw", "initiative"), ValueSet("thrower", 0), ValueSet("dice/1", 5)]
    again = Rolled("hit", (6, 6), (3, 4))
    now = [ValueSet("throw", "hit"), ValueSet("thrower", 1), ValueSet("dice/1", 3)]
    table.scene.animator.play([*BATTLE, *thrown, ValueSet("outcome", "first 1"), again, *now])
    seen = []
    while table.scene.animator.is_running:
        (clash,) = drawn(table, "clash") or [{}]
        line = (clash.get("throw"), clash.get("thrower"), clash.get("outcome"))
        seen.append((*line, len(shapes(table))))
        next_film(table)
    assert ("initiative", 0, "first 1", 0) in seen
    assert ("", "", "", 2) in seen, "two dice, and nothing is known of them"
    assert ("initiative", 0, "first 1", 2) not in seen


def test_what_is_closed_is_taped_before_it_goes() -> None:
    table = royale()
    stage = table.scene.stage
    zone = next(name for name in stage.zones if name.startswith("area/") and stage.zones[name])
    card = stage.zones[zone][0]
    place = card.pos()
    table.scene.animator.play([Moved(card.card, zone, "removed", 0, 0)])
    assert len(shapes(table)) == 2, "from corner to corner, twice"
    go_to(table, 0.5)
    assert card.pos() == place
    assert all(tape.isVisible() for tape in shapes(table))
    table.scene.skip_animations()
    assert not card.isVisible()


def test_a_coin_goes_to_the_plaque() -> None:
    kit = catalogue.load("chains")
    table = Table(match_of("chains", 3), 0, speed="normal", kit=kit)
    stage = table.scene.stage
    done = Said("{seat} completes the chain with {card}.", (), {"seat": 1}, "complete")
    table.scene.animator.play([done])
    (coin,) = shapes(table)
    go_to(table, 0.9999)
    sign = next(sign for sign in stage.placed.plaques if sign.seat == 1)
    assert stage.to_pixels(sign.rect).contains(coin.pos())


def test_a_line_is_drawn_from_the_first_to_the_last() -> None:
    table = Table(new_match(), 0, kit=KIT, speed="normal")
    cells = [zone for zone in table.scene.stage.zones if zone.startswith("cell/")][:3]
    cells = cells or [z for z in table.scene.stage.zones if table.scene.stage.zone_rect(z)][:3]
    table.scene.animator.play([Said("Magic.", (), {"lit": " ".join(cells)}, "magic")])
    flash = shapes(table)[0]
    lengths = []
    for moment in (0.02, 0.08, 0.5):
        go_to(table, moment)
        lengths.append(flash._lines[0].path().length())
    assert lengths[0] < lengths[1] < lengths[2]
    rects = [table.scene.stage.zone_rect(cell).center() for cell in cells]
    whole = sum(math.hypot(*(b - a).toTuple()) for a, b in pairwise(rects))
    assert lengths[2] == pytest.approx(whole)


def test_a_light_is_seen_until_its_film_ends() -> None:
    """What it brings about follows without a moment in which nothing moves."""
    table = Table(new_match(), 0, kit=KIT, speed="normal")
    lit = next(zone for zone in table.scene.stage.zones if table.scene.stage.zone_rect(zone))
    table.scene.animator.play([Said("Direct magic.", (), {"lit": lit}, "magic")])
    light, slip = table.scene.animator._overlays
    for moment in (0.5, 0.9):
        go_to(table, moment)
        assert slip.opacity() > 0.1
    assert light.opacity() > 0.0
    go_to(table, 1.0)
    assert slip.opacity() < 0.1, "it goes softly"


def test_a_number_is_counted_on() -> None:
    kit = catalogue.load("royale")
    table = Table(match_of("royale", 4), 0, speed="normal", kit=kit)
    stage = table.scene.stage
    assert stage.view.values["kills/1"] == 0

    def figures() -> str:
        plaques = [item for state, item in stage.background.plaques if state.plaque.seat == 1]
        return plaques[0]._detail.text()

    assert "KP 0" in figures()
    table.scene.animator.play([ValueSet("kills/1", 8)])
    read = set()
    for moment in range(20):
        go_to(table, moment / 20)
        read.add(figures().partition("  ")[0])
    assert {"KP 0", "KP 3", "KP 6"} <= read
    table.scene.skip_animations()
    assert "KP 8" in figures()
