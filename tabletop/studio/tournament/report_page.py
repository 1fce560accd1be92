"""A tournament report as a self-contained HTML page.

Charts are inline. The data is embedded too, so that a later report can be compared with it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache
from importlib.resources import files
from math import ceil
from typing import Any

import jinja2
import msgspec

from tabletop.catalogue.catalogue import GameKit
from tabletop.language.words import Words
from tabletop.studio.tournament.balance import Share
from tabletop.studio.tournament.report_data import FORMAT, Mean, ReportData
from tabletop.text.phrases import phrase

_DATA = re.compile(r'<script type="application/json" id="report">(.*?)</script>', re.DOTALL)
LEVELS = {"easy": phrase("easy"), "normal": phrase("normal"), "hard": phrase("hard")}
MAX_ROWS_SHOWN = 16
"""How many cards are visible at first. The others can be expanded."""
MIN_COLUMNS = 9
MAX_COLUMNS = 24
"""The maximum number of columns in a histogram."""


class InvalidReport(ValueError):
    """The reason why a file can't be read as a report, as one sentence fragment."""


def parse_report(html: str) -> ReportData:
    """Return the data embedded in the text `html`.

    Raises:
        InvalidReport: `html` isn't a report, or has another version.
    """
    match = _DATA.search(html)
    try:
        data = msgspec.json.decode(match[1] if match else "", type=ReportData)
    except msgspec.MsgspecError as error:
        raise InvalidReport("it isn't a tournament report, or has another version") from error
    if data.format != FORMAT:
        raise InvalidReport("it is a report of another version")
    return data


def render_report(
    kit: GameKit, data: ReportData, language: str, other: ReportData | None = None
) -> str:
    """Return the HTML text of a report in `language`, compared with the report `other` if given."""
    words = Words(language, kit)
    chart = _Chart(words, data, other)
    # "<" would end the script in the middle of a card's name
    embedded = msgspec.json.encode(data).decode().replace("<", "\\u003c")
    return _template().render(
        language=language,
        title=words("{game}: balance", game=words(kit.box.title)),
        terms=chart.terms(),
        legend=chart.legend(),
        tiles=list(chart.tiles()),
        sheets=[sheet for sheet in chart.sheets() if "title" in sheet],
        more=words("{n} more"),
        data=embedded,
    )


@cache
def _template() -> jinja2.Template:
    text = (files("tabletop.studio.tournament") / "report.html").read_text("utf-8")
    environment = jinja2.Environment(
        autoescape=True, undefined=jinja2.StrictUndefined, trim_blocks=True
    )
    return environment.from_string(text)


class _Chart:
    """The content of a report page, as the template needs it."""

    def __init__(self, words: Words, data: ReportData, other: ReportData | None) -> None:
        self._words, self._data, self._other = words, data, other

    def terms(self) -> str:
        data, words = self._data, self._words
        levels = words.join_list(words(LEVELS.get(level, level)) for level in data.bots)
        facts = [
            words("{n} games with {seats} seats", n=data.played, seats=data.seats),
            words("bots: {levels}", levels=levels),
            words("seed {seed}", seed=data.seed),
        ]
        if "hard" in data.bots:
            facts.insert(2, words("{n} s per move for hard bots", n=f"{data.seconds:g}"))
        if data.played < data.planned:
            facts.append(
                words(
                    "stopped early: {n} were planned, and short games finish first", n=data.planned
                )
            )
        return words.join_facts(facts)

    def legend(self) -> list[tuple[str, str]]:
        words, other = self._words, self._other
        marks = [
            ("own", words("this game; the line is the 95% interval")),
            ("even", words("an even share")),
        ]
        if other is not None:
            same = other.title == self._data.title
            name = words("the other version") if same else words(other.title)
            label = words("{name}: {n} games", name=name, n=other.played)
            marks.insert(1, ("other", label))
        return marks

    def tiles(self) -> Iterator[dict[str, str]]:
        words, data, other = self._words, self._data, self._other
        means = [
            (words("Moves in a game"), data.moves, other and other.moves),
            (words("Decisions of a player"), data.decisions, other and other.decisions),
        ]
        for name, mean, beside in means:
            text = _number(beside.mean) if beside else ""
            yield _tile(name, _number(mean.mean), _range(mean), text)
        for name, of in (
            (words("Won from behind at half-time"), "comebacks"),
            (words("Ties"), "shared"),
            (words("Without a winner"), "drawn"),
        ):
            own: Share | None = getattr(data, of)
            theirs: Share | None = getattr(other, of) if other else None
            if own is not None:
                text = _percent(words, theirs.share) if theirs else ""
                yield _tile(name, _percent(words, own.share), _interval(words, own), text)

    def sheets(self) -> Iterator[dict[str, Any]]:
        words, data, other = self._words, self._data, self._other
        seats = [
            words(phrase("Seats {n}") if "+" in share.name else "Seat {n}", n=share.name)
            for share in data.balance.seats
        ]
        yield self._bars(
            words("Seats"),
            words("How often each seat won."),
            data.balance.seats,
            other.balance.seats if other else (),
            dict(zip((s.name for s in data.balance.seats), seats, strict=True)),
        )
        if len(data.levels) > 1:
            levels, theirs = (
                [
                    Share(r.level, r.games, r.share, r.low, r.high, r.even)
                    for r in (of.levels if of else ())
                ]
                for of in (data, other)
            )
            yield self._bars(
                words("Bots"),
                words("How often each level won."),
                levels,
                theirs,
                {each.name: words(LEVELS.get(each.name, each.name)) for each in levels},
            )
        yield self._options()
        yield self._columns(words("Length"), words("Moves in a game."), "moves")
        yield self._columns(
            words("Decisions"), words("How often a player had a choice in a game."), "decisions"
        )
        yield self._points()
        note = words(
            "How often its holder won. By chance, one in twenty cards that make no difference is "
            "outside its interval."
        )
        for title, own, beside in (
            (words("Cards in hand or before a player"), data.held, other and other.held),
            (words("Cards played"), data.used, other and other.used),
        ):
            yield self._bars(title, note, own, beside or ()) | {"cards": True}

    def _bars(
        self,
        title: str,
        note: str,
        own: Sequence[Share],
        theirs: Sequence[Share],
        names: dict[str, str] | None = None,
    ) -> dict[str, Any]:
        if not own:
            return {}
        words = self._words
        beside = {share.name: share for share in theirs}
        top = _top([*own, *(beside[s.name] for s in own if s.name in beside)])
        rows = [self._row(share, beside.get(share.name), top, names) for share in own]
        half = MAX_ROWS_SHOWN // 2
        many = len(rows) > MAX_ROWS_SHOWN + 4
        shown = [*rows[:half], *rows[-half:]] if many else rows
        rest = rows[half:-half] if many else []
        return _sheet(title, note, rows=shown, rest=rest, most=words.percent(top))

    def _row(
        self,
        share: Share,
        other: Share | None,
        top: float,
        names: dict[str, str] | None = None,
    ) -> dict[str, Any]:
        words = self._words
        marks = [_mark("own", share, top, 7 if other else 11)]
        if other is not None:
            marks.append(_mark("other", other, top, 16))
        name = names[share.name] if names else words(share.name)
        return {
            "name": name,
            "even": round(100 * share.even / top, 2) if share.even else None,
            "marks": marks,
            "value": _percent(words, share.share),
            "seen": words("{n} times", n=share.seen),
            "other": _percent(words, other.share) if other else "",
            "told": words(
                "{name}: {share} ({interval})",
                name=name,
                share=_percent(words, share.share),
                interval=_interval(words, share),
            ),
        }

    def _options(self) -> dict[str, Any]:
        words, data, other = self._words, self._data, self._other
        if not data.options:
            return {}
        theirs = {(o.option, o.choice): o.first for o in (other.options if other else ())}
        top = _top([row.first for row in data.options] + [*theirs.values()])
        rows = []
        for row in data.options:
            name = words.with_label(words(row.option), words(row.choice))
            made = self._row(row.first, theirs.get((row.option, row.choice)), top, {"": name})
            made["seen"] = words("{n} moves", n=_number(row.moves))
            rows.append(made)
        note = words(
            "How often the first seat won with each choice, and the number of moves in a game."
        )
        return _sheet(words("Options"), note, rows=rows, most=words.percent(top))

    def _points(self) -> dict[str, Any]:
        """Return the data for the chart of points: each line of the score sheet, for all players
        and for winners.
        """
        words, data = self._words, self._data
        lines = data.balance.points
        most = max((max(line.mean, line.winners) for line in lines), default=0)
        if most <= 0:
            return {}
        rows = []
        for line in lines:
            other = data.lines.get(line.name)
            wide = max(0.0, 100 * line.winners / most)
            rows.append(
                {
                    "name": words.line(other) if other else words("Sum"),
                    "even": None,
                    "marks": [{"kind": "own", "low": 0, "high": wide, "at": wide, "y": 11}],
                    "value": f"{line.winners:.1f}",
                    "seen": words("all: {n}", n=f"{line.mean:.1f}"),
                    "other": "",
                    "told": f"{line.winners:.1f}",
                }
            )
        return _sheet(words("Points"), words("What each line brings to winners."), rows=rows)

    def _columns(self, title: str, note: str, of: str) -> dict[str, Any]:
        own: Mean = getattr(self._data, of)
        other: Mean | None = getattr(self._other, of) if self._other else None
        values = {*own.counts, *(other.counts if other else ())}
        least, most = min(values), max(values)
        spare = max(0, MIN_COLUMNS - (most - least + 1))
        least, most = max(0, least - spare // 2), most + (spare + 1) // 2
        step = max(1, ceil((most - least + 1) / MAX_COLUMNS))
        own_bars, other_bars = (
            _bin_counts(mean.counts, least, most, step) if mean else [] for mean in (own, other)
        )
        highest = max((*own_bars, *other_bars))
        columns = [
            {
                "own": round(96 * bar / highest, 2),
                "other": round(96 * other_bars[n] / highest, 2) if other_bars else 0,
            }
            for n, bar in enumerate(own_bars)
        ]
        return _sheet(
            title, note, columns=columns, compared=bool(other), least=f"{least}", most=f"{most}"
        )


def _sheet(title: str, note: str, **parts: Any) -> dict[str, Any]:
    empty = {"rows": (), "rest": (), "columns": (), "compared": False, "cards": False}
    return {"title": title, "note": note, "least": "", "most": ""} | empty | parts


def _tile(name: str, value: str, interval: str, other: str) -> dict[str, str]:
    return {"name": name, "value": value, "interval": interval, "other": other}


def _top(shares: Sequence[Share]) -> float:
    """Return the largest value on a chart's axis, which covers all `shares`."""
    return min(1.0, ceil(10 * max(each.high for each in shares)) / 10)


def _mark(kind: str, share: Share, top: float, y: int) -> dict[str, Any]:
    low, high, at = (round(100 * n / top, 2) for n in (share.low, share.high, share.share))
    return {"kind": kind, "low": low, "high": high, "at": at, "y": y}


def _bin_counts(counts: dict[int, int], least: int, most: int, step: int) -> list[float]:
    """Return the relative frequency of values in each column of a histogram."""
    bars = [0] * ((most - least) // step + 1)
    for value, times in counts.items():
        bars[(value - least) // step] += times
    return [bar / sum(counts.values()) for bar in bars]


def _percent(words: Words, share: float) -> str:
    return words.percent(share, 1)


def _interval(words: Words, share: Share) -> str:
    return words("{low}–{high}%", low=f"{100 * share.low:.1f}", high=f"{100 * share.high:.1f}")


def _number(value: float) -> str:
    return f"{value:.1f}"


def _range(mean: Mean) -> str:
    return f"{mean.low:.1f}–{mean.high:.1f}"
