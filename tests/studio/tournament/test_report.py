"""Reports of tournaments: their figures, the page, its comparison, and Ctrl-C in the middle."""

import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

from tabletop.catalogue import catalogue
from tabletop.commands.command_line import main
from tabletop.studio.commands import tournaments
from tabletop.studio.tournament.arena import ArenaResult, plan_matches, play_match, vary_options
from tabletop.studio.tournament.report_data import TournamentSettings, collect_report
from tabletop.studio.tournament.report_page import parse_report, render_report

SUN = catalogue.load("sun")
SISTERS = catalogue.load("sisters")
TERMS = TournamentSettings(("easy",), "s", 1.0, 8)


def won(
    winner: int, held: tuple[tuple[int, ...], ...], half: tuple[float, ...], plies: int = 10
) -> ArenaResult:
    none = ((), ())
    scores = tuple(int(seat == winner) for seat in range(2))
    seating = ("easy", "easy")
    return ArenaResult(
        seating, (winner,), scores, (), plies, {}, none, none, held, held, (4, 6), half
    )


class Outside(HTMLParser):
    """Links of a page to elsewhere, and whether its elements end where they should."""

    def __init__(self) -> None:
        super().__init__()
        self.loads: list[tuple[str, str]] = []
        self.open: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.loads += [(tag, key) for key, _ in attrs if key in ("src", "href", "xlink:href")]
        if tag != "meta":
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def test_figures_tell_of_cards_decisions_and_comebacks():
    first, second = (card for card in range(2))
    names = [SUN.deck[card]["name"] for card in (first, second)]
    played = [won(0, ((first,), (second,)), (0.7, 0.3)) for _ in range(6)]
    played += [won(1, ((first,), (second,)), (0.6, 0.4), 14) for _ in range(2)]
    data = collect_report(SUN, TERMS, played)
    assert [(card.name, card.share, card.seen) for card in data.held] == [
        (names[0], 0.75, 8),
        (names[1], 0.25, 8),
    ]
    assert data.used == data.held
    assert all(card.low < card.share < card.high and card.even == 0.5 for card in data.held)
    assert data.comebacks.share == 0.25
    assert (data.moves.mean, data.moves.counts) == (11, {10: 6, 14: 2})
    assert data.moves.low < 11 < data.moves.high
    assert data.decisions.mean == 5
    assert (data.shared.share, data.drawn.share) == (0, 0)


def test_options_that_vary_meet_every_seating_and_are_told_apart():
    planned = plan_matches("sisters", {"helper": "off"}, ["normal", "easy"], 2, 8, "s", fresh=True)
    both = vary_options(planned, {"parent": ("lot", "first")})
    met = [(each.options["parent"], each.seating) for each in both]
    assert {met.count(each) for each in met} == {2}
    assert all(each.options["helper"] == "off" for each in both)
    assert vary_options(planned, {}) == planned


def test_a_match_tells_what_was_held_used_and_decided():
    (pairing,) = plan_matches("sisters", catalogue.options(SISTERS), ["easy"], 2, 1, "report")
    result = play_match(pairing)
    for seat in range(2):
        assert {*result.began[seat], *result.ended[seat]} <= set(result.held[seat])
        assert set(result.used[seat]) <= set(result.held[seat])
        assert result.used[seat]
        assert 0 < result.decisions[seat] <= result.plies
    assert sum(result.half) == pytest.approx(1, abs=0.01)


@pytest.mark.parametrize("language", ["en", "ja"])
def test_a_page_is_whole_loads_nothing_and_is_read_again(language):
    cards = tuple(range(12))
    played = [
        won(n % 2, (cards[: 6 + n % 3], cards[6:]), (0.5, 0.5), 9 + n % 30) for n in range(40)
    ]
    data = collect_report(SUN, TERMS, played)
    other = collect_report(SUN, TERMS, played[:10])
    written = render_report(SUN, data, language, other)
    outside = Outside()
    outside.feed(written)
    assert (outside.loads, outside.open) == ([], [])
    assert "url(" not in written
    assert f'<html lang="{language}">' in written
    assert ("太陽の子供たち" in written) == (language == "ja")
    assert parse_report(written) == data
    numbers = [float(n) for n in re.findall(r'[xy c][12xy]="([\d.-]+)%', written)]
    assert numbers
    assert all(0 <= n <= 100 for n in numbers)


def test_the_command_writes_a_report_and_compares_it(tmp_path: Path, capsys) -> None:
    first, second = tmp_path / "first.html", tmp_path / "second.html"
    words = ["arena", "sisters", "--bots", "easy", "--games", "4", "--jobs", "1"]
    assert main([*words, "--report", str(first), "--vary", "parent"]) == 0
    assert "4 of 4" in capsys.readouterr().out
    assert {row.choice for row in parse_report(first.read_text("utf-8")).options} == {
        "Drawn by lot",
        "The first seat",
    }
    assert main([*words, "--report", str(second), "--compare", str(first), "--lang", "ja"]) == 0
    assert 'class="other"' in second.read_text("utf-8")


def test_ctrl_c_gives_the_report_of_what_was_played(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def stopped(planned, jobs, executor):
        for n in range(enough):
            yield n, won(n % 2, ((0,), (1,)), (0.5, 0.5))
        raise KeyboardInterrupt

    monkeypatch.setattr(tournaments, "play_tournament", stopped)
    out = tmp_path / "report.html"
    words = ["arena", "sun", "--bots", "easy", "--games", "9", "--report", str(out)]
    enough = 3
    assert main(words) == 0
    assert "3 of 9 games" in capsys.readouterr().out
    assert main(words[:-2]) == 0  # and the table as well
    assert "3 of 9 games" in capsys.readouterr().out
    assert parse_report(out.read_text("utf-8")).played == 3
    assert "stopped early: 9 were planned" in out.read_text("utf-8")
    out.unlink()
    enough = 0
    assert main(words) == 130
    assert not out.exists()


@pytest.mark.parametrize(("stops", "compared"), [(99, True), (12, True), (9, False), (4, False)])
def test_another_version_is_played_unless_not_waited_for(
    stops: int, compared: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = []

    def played(planned, jobs, executor):
        for number, pairing in enumerate(planned):
            if len(told) == stops:
                raise KeyboardInterrupt
            told.append(pairing.seed)
            yield number, won(0, ((0,), (1,)), (0.5, 0.5))

    monkeypatch.setattr(tournaments, "play_tournament", played)
    out = tmp_path / "report.html"
    words = ["arena", "sun", "--bots", "easy", "--games", "9", "--report", str(out)]
    assert main([*words, "--compare", "sun"]) == 0
    assert len(told) == min(stops, 18)
    assert told[9:] == told[:9][: len(told) - 9]  # by the same seeds
    assert ('<li class="other">' in out.read_text("utf-8")) == compared


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--compare", "sisters"], "--compare needs --report"),
        (["--report", "r.html", "--compare", "{file}"], 'Can\'t compare with "no.html": it'),
        (["--report", "r.html", "--compare", "sunn"], 'There is no game called "sunn"'),
        (["--report", "r.html", "--vary", "luck"], '"Children of the Sun" has no option "luck"'),
        (["--report", "r.html", "--lang", "fr"], '--lang can\'t be "fr"'),
    ],
)
def test_what_cannot_be_reported_is_one_sentence(words, sentence, tmp_path, capsys) -> None:
    file = tmp_path / "no.html"
    file.write_text("<html>", "utf-8")
    assert main(["arena", "sun", *(word.format(file=file) for word in words)]) == 2
    told = capsys.readouterr().err
    assert told.startswith(sentence)
    assert told.count("\n") == 1
