"""The race says how far everybody is, and nothing that not everybody knows."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from tabletop.catalogue import catalogue, game_folders
from tabletop.catalogue.catalogue import GameKit
from tabletop.commands.command_line import main as run
from tabletop.engine.events import Ended, Event, fold
from tabletop.engine.mask import public_view
from tabletop.engine.model import AUDIENCE, Result, Sight, State, Zone, hidden_card
from tabletop.games import references
from tabletop.games.typed_toml import BrokenFile, TomlFile
from tabletop.games.wording import ConditionalText, RaceCount, RaceWording, Wording
from tabletop.language.race import Race, make_race
from tabletop.language.words import Words
from tabletop.match.match import Match, Player
from tabletop.studio.workshop import new_game
from tests.language.random_positions import begun, positions

PLAYED = catalogue.names()
PLAYERS = (Player("Mio"), Player("Ren"))


def race_of(match: Match, viewer: int = AUDIENCE, language: str = "en") -> Race:
    kit = match.kit
    return make_race(kit, match.view(viewer), Words(language, kit, match.players))


def figures(race: Race) -> list[tuple[str, ...]]:
    return [tuple(each.text for each in row.figures) for row in race.rows]


# What all know


@pytest.mark.parametrize("game", PLAYED)
def test_it_is_the_same_for_all_seats(game: str) -> None:
    kit = catalogue.load(game)
    for seats in {kit.box.seats[0], kit.box.seats[-1]}:
        match = begun(kit, seats)
        words = Words("en", kit, match.players)
        for number, _ in enumerate(positions(match)):
            if number % 5 and match.state.result is None:
                continue
            views = [match.view(viewer) for viewer in match.viewers]
            assert all(public_view(view) == views[0] for view in views)
            races = [make_race(kit, view, words) for view in views]
            assert all(race == races[0] for race in races)
            assert [row.seats for row in races[0].rows if len(row.seats) == 1] in (
                [(seat,) for seat in range(seats)],
                [],
            )


@pytest.mark.parametrize("game", PLAYED)
def test_every_row_is_one_sentence(game: str) -> None:
    kit = catalogue.load(game)
    match = begun(kit, kit.box.seats[-1])
    for language in ("en", "ja"):
        for _ in positions(match):
            pass
        words = Words(language, kit, match.players)
        race = make_race(kit, match.view(0), words)
        for row in race.rows:
            sentence = row.sentence(words)
            assert sentence.startswith(row.name)
            assert "{" not in sentence
            assert all(figure.text in sentence for figure in row.figures)


def test_hidden_cards_of_a_view_stay_hidden_in_the_public_one() -> None:
    zones = {"hand/0": Zone("hand/0", Sight.OWNER, 0), "row": Zone("row")}
    whole = State(
        2, (0,) * 4, zones=zones, cards={"hand/0": (2, 3), "row": (1,)}, shown={3: (0, AUDIENCE)}
    )
    view = public_view(whole)
    assert view.cards == {"hand/0": (hidden_card(0), 3), "row": (1,)}
    assert public_view(view) == view


# The five games


def test_sun_counts_looks_beds_and_the_turns_of_a_phase() -> None:
    match = begun("sun", 2)
    heads = {}
    for state in positions(match):
        race = race_of(match)
        if state.result is not None:
            break
        heads[race.heads[0]] = state.values["phase"]
        for seat, told in enumerate(figures(race)):
            if state.values["phase"] != "extermination":
                looks, bed = state.values[f"marker/{seat}"], len(state.cards[f"bed/{seat}"])
                assert told == (f"shield looks {looks}", f"bed {bed}")
    assert [head for head, phase in heads.items() if phase == "siege"] == [
        f"Siege: {n} of 8" for n in range(1, 9)
    ]
    assert "Analysis: 18 of 18" in heads
    assert "Extermination" in heads


def test_sun_counts_the_attacks_as_they_are_revealed() -> None:
    match = begun("sun", 2, "attacks")
    for _ in positions(match):
        pass
    kit, last = catalogue.load("sun"), match.plies[-1]
    words, result = Words("en", kit, match.players), match.state.result
    assert result is not None
    told = [figures(make_race(kit, view, words)) for view in shown_after(match, last.events)]
    lines = [line.points for line in result.sheet[1:]]
    for seat in (0, 1):
        attacks = [f"attack {n}: {points[seat]}" for n, points in enumerate(lines, start=1)]
        for number, attack in enumerate(attacks):
            seen = [rows[seat] for rows in told if attack in rows[seat]]
            assert seen
            assert all(set(attacks[:number]) <= set(row) for row in seen)
        assert not any("attack" in text for text in told[0][seat])


def shown_after(match: Match, events: tuple[Event, ...]) -> Iterator[State]:
    """The audience's view before the last events and after each, but for the end."""
    view = match.plies[-2].state
    yield public_view(view)
    for number in range(1, len(events) + 1):
        if not isinstance(events[number - 1], Ended):
            yield public_view(fold(view, events[:number]))


def test_sisters_counts_open_houses_and_pretends_nothing_else() -> None:
    kit = catalogue.load("sisters")
    match = begun(kit, 4)
    for state in positions(match):
        if state.result is None:
            race = race_of(match)
            assert race.heads == (f"Round {state.values['round']} of 8", "Nothing is scored yet")
            assert figures(race) == [()] * 4
    assert [row.ahead for row in race_of(match).rows] == [False] * 4
    match = begun(kit, 2, helper="on")
    for state in positions(match):
        if state.result is not None:
            break
        told = figures(race_of(match))
        for seat in (0, 1):
            zones = (f"house/{seat}", f"gained/{seat}/1", f"gained/{seat}/2")
            cards = [card for zone in zones for card in state.cards[zone]]
            points = sum(score.points for score in kit.rules.home(cards))
            late = state.values["round"] >= 5
            minus = str(points).replace("-", "−")
            assert told[seat] == ((f"house {minus}",) if late else ())


def test_sisters_counts_no_houses_without_the_score_helper() -> None:
    match = begun(catalogue.load("sisters"), 2)
    for state in positions(match):
        race = race_of(match)
        if state.result is None and state.values["phase"] == "contest":
            assert figures(race) == [()] * 2
            assert not any(row.ahead for row in race.rows)
            assert race.heads == (f"Round {state.values['round']} of 8", "Nothing is scored yet")


@pytest.mark.parametrize("seats", [1, 2, 5])
def test_chains_promises_no_less_than_comes(seats: int) -> None:
    kit = catalogue.load("chains")
    match = begun(kit, seats)
    promised = []
    for state in positions(match):
        counted = kit.rules.figures(match.view(AUDIENCE))
        points = [state.values[f"score/{seat}"] for seat in range(seats)]
        promised.append([p + counted[f"left/{seat}"] for seat, p in enumerate(points)])
        for seat in range(seats):
            if state.values[f"out/{seat}"]:
                assert counted[f"left/{seat}"] == 0
    result = match.state.result
    assert result is not None
    for each in promised:
        assert all(most >= got for most, got in zip(each, result.scores, strict=True))
    assert promised[-1] == list(result.scores)


def test_awss_counts_what_is_open_and_then_what_was_declared() -> None:
    match = begun("awss", 3)
    seasons = ("autumn", "winter", "spring", "summer")
    for state in positions(match):
        if state.result is not None:
            break
        race = race_of(match)
        for seat, told in enumerate(figures(race)):
            for place, season in enumerate(seasons):
                declared = state.values.get(f"points/{season}/{seat}")
                if declared is not None:
                    assert told[place] == f"{season} {str(declared).replace('-', '−')}"
            early = state.values["phase"] in ("draft", "appeal", "order")
            assert (f"VP {state.values[f'score/{seat}']}" in told) is not early
            opened = sum(bool(state.values.get(f"appeal/{seat}/{n}")) for n in range(9))
            if early and not opened:
                assert [figure.share for figure in race.rows[seat].figures] == [0.0] * 4


def test_royale_counts_turns_retirements_and_points() -> None:
    match = begun("royale", 6, length="4")
    for state in positions(match):
        if state.result is not None:
            break
        values, race = state.values, race_of(match)
        assert race.heads == (
            f"Turn {values['turn']} of {values['last']}",
            f"{values['retired']} of 11 retired",
        )
        for seat, told in enumerate(figures(race)):
            points = values[f"score/{seat}"]
            said = "1 point" if points == 1 else f"{points} points".replace("-", "−")
            assert told[-3:] == (
                f"KP {values[f'kills/{seat}']}",
                f"DP {values[f'deaths/{seat}']}",
                said,
            )


# The grammar


def kit_with(race: RaceWording | None, **values: int) -> tuple[GameKit, State]:
    kit = catalogue.load("sun")
    kit = replace(kit, words=replace(kit.words, race=race), rules=object())
    view = State(2, kit.backs, viewer=AUDIENCE, values=values)
    return kit, view


def sentences(race: Race) -> list[str]:
    return [row.sentence(Words("en", players=PLAYERS)) for row in race.rows]


def tell_race(race: RaceWording | None, **values: int) -> Race:
    kit, view = kit_with(race, **values)
    return make_race(kit, view, Words("en", kit, PLAYERS))


def test_without_a_race_the_points_are_counted() -> None:
    race = tell_race(None, **{"score/0": 3, "score/1": 1, "turn": 2})
    assert sentences(race) == ["Mio: ahead, 3 points", "Ren: 1 point"]
    assert [row.figures[0].share for row in race.rows] == [1.0, 1 / 3]
    assert tell_race(None, turn=2).heads[-1] == "Nothing is scored yet"
    assert not any(row.ahead for row in tell_race(None, **{"score/0": 3, "score/1": 3}).rows)


def test_a_bar_of_no_points_is_empty() -> None:
    race = tell_race(None, **{"score/0": -3, "score/1": 0})
    assert [row.figures[0].share for row in race.rows] == [0.0, 0.0]
    kit, view = kit_with(None)
    over = replace(view, result=Result((0,), (4, -2)))
    rows = make_race(kit, over, Words("en", kit, (Player("Mio"), Player("Ren")))).rows
    assert [row.figures[0].share for row in rows] == [1.0, 0.0]


def test_the_fewest_may_be_ahead_and_bars_have_a_whole() -> None:
    strokes = RaceCount(
        text="{n} of {par}", value="strokes/{seat}", of="par", leads=True, fewest=True
    )
    late = ConditionalText(text="Hole {hole}", unless={"hole": 1})
    race = tell_race(
        RaceWording(heads=(late,), figures=(strokes,)),
        **{"strokes/0": 4, "strokes/1": 2, "par": 8, "hole": 3},
    )
    assert race.heads == ("Hole 3",)
    assert sentences(race) == ["Mio: 4 of 8", "Ren: ahead, 2 of 8"]
    assert [row.figures[0].share for row in race.rows] == [0.5, 0.25]


def test_a_column_adds_up_the_open_cards_alone() -> None:
    kit, view = kit_with(
        RaceWording(figures=(RaceCount(text="{n}", zone="row/{seat}/{cell}", column="turn"),))
    )
    turns = [int(face["turn"]) for face in kit.deck]
    zones = {f"row/{seat}/{cell}": Zone(f"row/{seat}/{cell}") for seat in (0, 1) for cell in (1, 2)}
    cards = {"row/0/1": (0,), "row/0/2": (5, hidden_card(0)), "row/1/1": (), "row/1/2": (9,)}
    race = make_race(kit, replace(view, zones=zones, cards=cards), Words("en", kit))
    assert [row.figures[0].n.replace("−", "-") for row in race.rows] == [
        str(turns[0] + turns[5]),
        str(turns[9]),
    ]


def test_the_end_shows_the_result() -> None:
    kit, view = kit_with(None, **{"score/0": 3, "score/1": 1})
    words = Words("en", kit, PLAYERS)
    over = make_race(kit, replace(view, result=Result((1,), (4, 9))), words)
    assert sentences(over) == ["Mio: 4 points", "Ren: winner, 9 points"]
    given_up = make_race(kit, replace(view, result=Result((1,), ())), words)
    assert given_up.heads == ("No points were scored.",)
    assert sentences(given_up) == ["Mio", "Ren: winner"]


@pytest.mark.parametrize(
    ("figure", "problem"),
    [
        ("", 'a figure of the race needs "value" or "zone"'),
        ('zone = "hnad/{seat}"', '"hnad/{seat}" is not known; did you mean "hand/{seat}"?'),
        ('value = "score/{me}"', "the gap {me} is not known here"),
        ('valu = "score/{seat}"', '"valu" is not known; did you mean "value"?'),
    ],
)
def test_a_mistake_is_one_sentence(figure: str, problem: str) -> None:
    text = f'[zones]\n"hand/{{seat}}" = "hand"\n\n[[race.figures]]\ntext = "x"\n{figure}\n'
    file = TomlFile("words.toml", text, 2)
    with pytest.raises(BrokenFile, match=r"words\.toml line \d") as error:
        references.check_race(file, file.read(Wording))
    assert problem in str(error.value)


@pytest.mark.parametrize("template", new_game.load_templates())
def test_a_template_has_a_race(
    template: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TABLETOP_HOME", str(tmp_path / "home"))
    monkeypatch.setenv(game_folders.GAMES_VARIABLE, "")
    assert run(["new", "Pond", "--folder", str(tmp_path / "f"), "--template", template]) == 0
    (known,) = game_folders.add(tmp_path / "f")
    try:
        kit = catalogue.load(known.id)
        match = begun(kit, kit.box.seats[-1])
        words = Words("ja", kit, match.players)
        for _ in positions(match):
            races = [make_race(kit, match.view(viewer), words) for viewer in match.viewers]
            assert all(race == races[0] for race in races)
            assert any(row.figures or row.won for row in races[0].rows)
    finally:
        game_folders.clear_cache()
