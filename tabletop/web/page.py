"""Builds the page of one seat, as a pure function of values.

If a seat can't tell two tables apart, `build_page` returns byte-identical pages
(`tests/studio/laws/test_pages.py`). The browser needs no rules: a page consists of sentences in the
seat's language, and of IDs to send back.
"""

from collections.abc import Iterable, Iterator

from tabletop.engine.model import AUDIENCE, Move, Reason, Result, ScoreLine
from tabletop.engine.teams import teams_of
from tabletop.language import labels, odds
from tabletop.language.lobby_text import seat_codes_sentence
from tabletop.language.race import make_race
from tabletop.language.table_text import winner_text as winners_of
from tabletop.language.words import Words
from tabletop.match.seat import Seat
from tabletop.protocol.match_notes import NOTE_READER, NOTES_FEATURE, UNNAMED_HOST
from tabletop.text.typography import with_minus_sign
from tabletop.web import prompt as prompts
from tabletop.web import seats
from tabletop.web.answer_steps import AnswerSteps
from tabletop.web.cards import TableCards
from tabletop.web.page_context import PageContext
from tabletop.web.page_parts import (
    MovePreview,
    Node,
    Page,
    PageColours,
    PageRemark,
    PageResult,
    PageVerdict,
)

MAX_LOG_LINES = 40
"""The maximum number of log lines on a page. The browser requests earlier lines."""


def build_page(seat: Seat, context: PageContext, words: Words) -> Page:
    """Return the page of `seat` in the language of `words`."""
    view, info, kit = seat.view, context.info, context.kit
    answers = AnswerSteps(seat, context, words)
    lying = TableCards(seat, context, words, answers)
    status = prompts.page_status(seat, context, words)
    prompt, buttons = prompts.first_prompt(status)
    gatherings = answers.multi_selections()
    cards = lying.cards()
    zones = lying.zones(cards)
    actions, at_place = answers.cardless_steps()
    race = make_race(kit, view, words)
    figures = seats.page_seats(seat, context, words, race)
    own = figures[seat.number] if seat.number != AUDIENCE else None
    ended = info is not None and info.ended is not None
    spots = dict.fromkeys(spot for gathering in gatherings for spot in gathering.spots)
    return Page(
        game=kit.id,
        title=words(kit.box.title),
        look=PageColours.of(kit.layout.look),
        heading=words.heading(view),
        seat=seat.number,
        name=own.name if own else "",
        symbol=own.symbol if own else "",
        connected=context.connected,
        phase="over" if view.result is not None else "ended" if ended else "playing",
        prompt=prompt,
        buttons=buttons,
        menu=prompts.menu_buttons(status),
        moving=seat_codes_sentence({seat.number: context.seat_code}, words),
        zones=zones,
        cards=cards,
        faces=lying.faces(zones, cards.values()),
        actions=actions,
        there=at_place,
        choosing=prompt.active and any(card.playable for card in cards.values()),
        gatherings=gatherings,
        places={spot: answers.zone_name(spot) for spot in spots},
        others=figures,
        race=words.join_facts(race.heads),
        log=log_lines(seat, words, len(seat.log)),
        logged=len(seat.log),
        result=page_result(view.result, view.seats, words) if view.result is not None else None,
        verdict=_verdict(context, words),
        chat=seats.chat_lines(context, words),
        muted=info is not None and seat.number in info.muted,
        notes=_note_reader(context, words) if NOTES_FEATURE in context.features else "",
    )


def _note_reader(context: PageContext, words: Words) -> str:
    """Return a sentence that says who can read playtest notes."""
    name = context.info.name_of(context.info.host) if context.info is not None else ""
    return words(NOTE_READER.text, name=name or words(UNNAMED_HOST.text))


def log_lines(seat: Seat, words: Words, before: int) -> tuple[str, ...]:
    """Return up to `MAX_LOG_LINES` lines of the log before line `before`."""
    last = max(0, min(before, len(seat.log)))
    shown = seat.log[max(0, last - MAX_LOG_LINES) : last]
    return tuple(words.log_line(sentence, seat.view.viewer) for sentence in shown)


def preview_move(seat: Seat, context: PageContext, words: Words, move: Move) -> MovePreview | None:
    """Return the description and the consequences of `move`, which may be unfinished; None if the
    seat isn't offered it.
    """
    answers = AnswerSteps(seat, context, words)
    offers = answers.offers.get(move.ask, ())
    whole = any(offer.admits(move) for offer in offers)
    if not whole and not any(offer.begins(move) for offer in offers):
        return None
    preview = seat.preview(move)
    return MovePreview(
        answers.sentence(move) if whole else "",
        tuple(
            PageRemark(words.note(note, seat.view.viewer), note.paragraph, note.zones)
            for note in (preview.notes if preview else ())
        ),
        odds.odds_text(words, context.kit, seat, [move]) if whole else "",
    )


def page_remark(reason: Reason, words: Words, seat: Seat | None) -> PageRemark:
    """Return `reason` as a sentence, with the rulebook paragraph that it refers to."""
    viewer = seat.view.viewer if seat is not None else None
    return PageRemark(words.reason(reason, viewer), reason.paragraph)


def page_result(result: Result, count: int, words: Words) -> PageResult:
    """Return the result of a match with `count` seats."""
    return PageResult(
        winners_of(result, count, words), words.tie_breaker(result), _sheet(result, count, words)
    )


def _sheet(result: Result, count: int, words: Words) -> Node | None:
    """Return the score sheet with a column for each team; None if the game has no scores."""
    if not (result.sheet or result.scores):
        return None
    teams = teams_of(result, count)

    def cells(tag: str, texts: Iterable[Node]) -> Iterator[Node]:
        for (seat, *_), text in zip(teams, texts, strict=True):
            yield f"{tag}.wins" if seat in result.winners else tag, *text

    def row(line: ScoreLine) -> Node:
        cells_of_line = (
            (with_minus_sign(line.points[seat]), ("small", words.formula(line, seat)))
            if any(line.points) or not any(line.formulas)
            else (words.formula(line, seat),)  # a line without points decides a tie
            for seat, *_ in teams
        )
        return (
            "tr",
            ("th", {"scope": "row"}, words.line(line)),
            *(("td", *each) for each in cells_of_line),
        )

    names = ((words.seats(team),) for team in teams)
    total = ("th", {"scope": "row"}, words(labels.TOTAL))
    totals = ((with_minus_sign(result.scores[seat]),) for seat, *_ in teams)
    return (
        "table",
        ("thead", ("tr", ("td",), *cells("th", names))),
        ("tbody", *map(row, result.sheet)),
        *([("tfoot", ("tr", total, *cells("td", totals)))] if result.scores else []),
    )


def _verdict(context: PageContext, words: Words) -> PageVerdict | None:
    """Return the verdict, and a sentence about the seat's share of the seed. The share was
    generated by the gateway's computer, not by the phone.
    """
    if context.verdict is None:
        return None
    drawn = words("The share of this browser was drawn by the computer that serves its page.")
    return PageVerdict(
        words.sentences((words.reason(context.verdict.reason), drawn)), context.verdict.is_clean
    )
