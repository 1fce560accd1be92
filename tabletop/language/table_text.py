"""A table as text: zones, values, open questions, the latest log lines.

`table_dump` writes everything, for debugging; `table_summary` is for players.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType

from tabletop.engine.events import Said
from tabletop.engine.model import Result, State, is_face
from tabletop.engine.teams import lost, partnered, partners, teams_of
from tabletop.games.game_semantics import GameSemantics
from tabletop.games.layout import Piece
from tabletop.language import labels
from tabletop.language.words import Words
from tabletop.match.playback import Playback
from tabletop.text.phrases import fill_gaps
from tabletop.text.typography import with_minus_sign

_BRACKETED = re.compile(r"\(([^()]+)\)")


def table_dump(view: State, words: Words, log: Sequence[Said] = ()) -> str:
    """Return the table as its viewer sees it, with one line per item.

    The host's view contains everything.
    """
    parts = [
        (words.join_facts((words.heading(view), words("Move {n}", n=view.ply))), ()),
        (words("Zones"), _zones(view, words, view.cards)),
        (words("Values"), (_value(view, words, key) for key in view.values)),
        (words("Questions"), _questions(view, words)),
        (words("The result"), _result(view.result, words) if view.result else ()),
        (words(labels.LOG), (words.log_line(entry, view.viewer) for entry in log)),
    ]
    lines: list[str] = []
    for title, inside in parts:
        indented = [f"  {line}" for line in inside]
        if indented or not lines:
            lines += [title, *indented]
    return "\n".join(lines)


def table_summary(
    view: State,
    words: Words,
    meaning: GameSemantics,
    zones: Iterable[str],
    log: Sequence[Said] = (),
    pieces: Iterable[Piece] = (),
    figures: Mapping[int, Sequence[str]] = MappingProxyType({}),
    texts: Sequence[str] = (),
) -> str:
    """Return the table as text for a player who can't see the screen.

    It contains the question, the player's cards, the centre of the table, the other players and the
    latest log lines, in the language of `words`. Hidden information in `view` stays hidden.

    Args:
        zones: the zones shown on the table.
        pieces: the game's pieces, which are listed with their zones.
        figures: the texts on the players' nameplates, by seat.
        texts: other texts written on the table.
    """
    owned: dict[int | None, list[str]] = {}
    for name in zones:
        owned.setdefault(view.zones[name].owner, []).append(name)
    mine = [seat for seat in range(view.seats) if seat == view.viewer]
    others = [seat for seat in range(view.seats) if seat not in mine]
    middle = [
        *_zones(view, words, owned.get(None, ())),
        *_pieces_with_places(view, words, pieces),
        *words.describe(view),
    ]
    if texts:
        written = words.join_list(dict.fromkeys(texts))
        middle.append(words.with_label(words("Written on the table"), written))
    parts = [
        (words.heading(view), [*_questions(view, words)]),
        *((words("Yours"), _seat(view, words, seat, meaning, owned, figures)) for seat in mine),
        (words("The table"), middle),
        *((words.seat(seat), _seat(view, words, seat, meaning, owned, figures)) for seat in others),
        (words("The result"), [*_result(view.result, words)] if view.result else []),
        (words("Latest events"), [words.log_line(entry, view.viewer) for entry in log]),
    ]
    return "\n\n".join("\n".join(filter(None, [title, *lines])) for title, lines in parts if lines)


def _seat(
    view: State,
    words: Words,
    seat: int,
    meaning: GameSemantics,
    owned: Mapping[int | None, list[str]],
    figures: Mapping[int, Sequence[str]],
) -> list[str]:
    points = view.values.get(meaning.score.replace("{seat}", str(seat)))
    parts = [words("Points: {n}", n=points)] if points is not None else []
    if others := partners(view, seat):
        parts.insert(0, words("Partner of {names}", names=words.seats(others)))
    parts += [words("out")] if meaning.is_eliminated(view, seat) else []
    parts += [words.join_list(figures[seat])] if figures.get(seat) else []
    return [*parts, *_zones(view, words, owned.get(seat, ()))]


def match_text(
    playback: Playback, viewer: int | None, words: Words, comments: Mapping[int, str]
) -> str:
    """Return a whole match as text: the players, the log by round, comments and the scores.

    `comments`: the comment on each move, by the move's number.
    """
    last = playback.view(playback.last_beat, viewer)
    names = words.join_list(words.seat(seat) for seat in range(len(playback.players)))
    lines = [words(playback.kit.box.title), names, ""]
    entries: dict[int, list[str]] = {}
    for at, line in playback.log(viewer):
        entries.setdefault(at, []).append(words.log_line(line, last.viewer))
    remarks = {playback.beat_after_ply(move): text for move, text in comments.items() if text}
    for at in range(playback.last_beat + 1):
        if at in playback.round_starts and len(playback.round_starts) > 1:
            lines += ["", f"— {words.round(playback.state(at))} —"]
        lines += entries.get(at, ())
        lines += [f"  ※ {remarks[at]}"] if at in remarks else ()
    if last.result is not None:
        lines += ["", *_result(last.result, words)]
    return "\n".join(lines) + "\n"


def winner_text(result: Result, seats: int, words: Words) -> str:
    """Return a sentence that says who has won."""
    names = [words.seat(seat) for seat in result.winners]
    if not names and not lost(result.winners, teams_of(result, seats)):
        return words("A draw")
    if not names:
        return words("Everyone loses") if seats > 1 else words("Not won this time")
    if len(names) == 1:
        return words("{name} wins", name=names[0])
    if result.winners in teams_of(result, seats):
        return words("{names} win", names=words.seats(result.winners))
    return words("{names} win together", names=words.join_list(names))


def outcome_text(result: Result, words: Words) -> str:
    """Return a sentence that says who has won, and the points."""
    names = words.seats(result.winners)
    teams = teams_of(result, len(result.scores))
    if lost(result.winners, teams) and partnered(teams):
        won = words("Everyone lost")
    else:
        won = words("{names} won", names=names) if names else words("Nobody won")
    counted = words.join_scores(result.scores[team[0]] for team in teams if result.scores)
    sentence = (
        words("{won}, {points}.", won=won, points=counted) if counted else words("{won}.", won=won)
    )
    return words.sentences((sentence, words.tie_breaker(result) if result.decided else ""))


def spoken_result(result: Result, seats: int, words: Words, close: Sequence[str] = ()) -> str:
    """Return the result for a screen reader: winner, tie-breaker, points and where they are from.

    `close`: sentences about how close the result was, inserted after the points.
    """
    teams = teams_of(result, seats) if result.scores else ()
    points = [
        words.with_label(words.seats(team), points_text(result.scores[team[0]], words))
        for team in teams
    ]
    lines = [
        words.with_label(words.seats(team), figures)
        for team in teams
        if (figures := words.join_list(_figures(result, team[0], words)))
    ]
    tie_breaker = words.tie_breaker(result) if result.decided else ""
    return words.sentences(
        (winner_text(result, seats, words), tie_breaker, *points, *close, *lines)
    )


def points_text(score: int, words: Words) -> str:
    """Return `score` as text for a screen reader; just the number if scores are ranks."""
    if words.scores_are_ranks:
        return str(score)
    return words("1 point") if score == 1 else words("{n} points", n=with_minus_sign(score))


def _figures(result: Result, seat: int, words: Words) -> Iterator[str]:
    """Yield what `seat` scored in each line of the score sheet, without the calculation.

    Lines without points for `seat` are left out. The last line is read out with its formulas if it
    broke a tie.
    """
    for line in result.sheet:
        points, formula = line.points[seat], words.formula(line, seat)
        lost_points = _not_counted(formula, words)
        breaks_tie = bool(result.decided) and line is result.sheet[-1] and not any(line.points)
        if breaks_tie and formula:
            yield words.with_label(words.line(line), formula)
        elif lost_points:
            text = words.with_note(points_text(points, words), lost_points)
            yield words.with_label(words.line(line), text)
        elif points:
            yield words.with_label(words.line(line), points_text(points, words))


def _not_counted(formula: str, words: Words) -> str | None:
    """Return the text for a `formula` in brackets, whose points don't count, or "" if they are 0.

    Return None for any other formula.
    """
    bracketed = _BRACKETED.fullmatch(formula)
    if bracketed is None:
        return None
    return words("{points} not counted", points=bracketed[1]) if bracketed[1] != "0" else ""


def _zones(view: State, words: Words, names: Iterable[str]) -> Iterator[str]:
    empty = []
    for name in names:
        place, cards = words.zone(name, view.viewer), view.cards[name]
        if not cards:
            empty.append(place)
        elif len(cards) == 1 or not any(is_face(card) for card in cards):
            yield words.with_label(place, words.cards(cards))
        else:
            yield words.with_label(
                words.with_note(place, words("{n} cards", n=len(cards))), words.cards(cards)
            )
    if empty:
        yield words("empty: {places}", places=words.join_list(empty))


def _pieces_with_places(view: State, words: Words, pieces: Iterable[Piece]) -> Iterator[str]:
    """Yield each piece with its zone, except those that a sentence of the game describes."""
    for piece in pieces:
        names = {piece.name: piece.zone}
        if piece.repeat:
            names = {
                f"{piece.name} {seat}": fill_gaps(piece.zone, {"seat": str(seat)})
                for seat in range(view.seats)
            }
        for name, value in names.items():
            zone = str(view.values.get(value, ""))
            if zone in view.zones and not words.tells(value):
                place = words.zone(zone, view.viewer)
                yield words.with_label(words.piece(name), place)


def _value(view: State, words: Words, key: str) -> str:
    return words.with_label(key, words.value(key, view.values[key]))


def _questions(view: State, words: Words) -> Iterator[str]:
    for ask in view.asks:
        marks = [
            *([words("in secret")] if ask.sealed else []),
            *([words("may be left")] if ask.optional else []),
            *([words("answered")] if ask.id in view.answers else []),
        ]
        asked = words.prompt(ask, view.values)
        yield words.with_label(
            words.seat(ask.seat), words.with_note(asked, words.join_list(marks)) if marks else asked
        )


def _result(result: Result, words: Words) -> Iterator[str]:
    yield outcome_text(result, words)
    for line in result.sheet:
        teams = teams_of(result, len(line.points))
        for team in teams:
            seat, *_ = team
            name = words.seats(team) if len(teams) > 1 else ""
            formula, points = words.formula(line, seat), f"{line.points[seat]}"
            lost_points = _not_counted(formula, words)
            if lost_points:
                points = words.with_note(points, lost_points)
            elif formula and lost_points is None:
                points = f"{points} = {formula}" if any(line.points) else formula
            called = words.join_list(filter(None, (words.line(line), name)))
            yield words.with_label(called, points)
