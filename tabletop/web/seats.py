"""The seats of a page, and the lobby before a match."""

from collections.abc import Iterator, Mapping

from tabletop.catalogue.planned_teams import planned_teams
from tabletop.engine.model import AUDIENCE, State, Teams, Value
from tabletop.engine.teams import partnered, teams_at
from tabletop.games.conditions import condition_values, conditions_hold
from tabletop.games.layout import Plaque
from tabletop.language import labels
from tabletop.language.lobby_text import SPECTATORS, next_step_text, seat_codes_sentence
from tabletop.language.race import Race, RaceRow
from tabletop.language.rare_actions import language_choices, leave_choice, leave_question
from tabletop.language.table_status import people_at
from tabletop.language.words import Words
from tabletop.match.match import SYMBOLS
from tabletop.match.open_asks import awaited_seats
from tabletop.match.seat import Seat
from tabletop.protocol.messages import SeatInfo, TableInfo
from tabletop.protocol.quick_words import quick_text
from tabletop.protocol.seat_access import seat_access
from tabletop.text.phrases import fill_gaps, phrase
from tabletop.web.cards import picture_name
from tabletop.web.drawer import BOX_KEY
from tabletop.web.page_context import PageContext
from tabletop.web.page_parts import (
    LobbySeat,
    PageButton,
    PageChatLine,
    PageColours,
    PageSeat,
    TapMessage,
)
from tabletop.web.prompt import choice_buttons
from tabletop.web.wire import ShowLobby

MAX_CHAT_LINES = 40


def page_seats(seat: Seat, context: PageContext, words: Words, race: Race) -> tuple[PageSeat, ...]:
    """Return all seats in order, with the texts of their nameplates and their standings."""
    view = seat.view
    waited = awaited_seats(view) if view.result is None else ()
    turn = view.values.get(context.kit.meaning.turn) if context.kit.meaning.turn else None
    teams = teams_at(view)
    rows = {seat: row for row in race.rows for seat in row.seats}
    values = condition_values(view, "")
    seats = []
    for number in range(view.seats):
        has_turn = number == turn if turn is not None else number in waited
        mark = _state_of(context.info, number, number in waited)
        texts = [words(text, n=n) for text, n in _figures(context, view, values, number)]
        if context.kit.meaning.is_eliminated(view, number):
            texts = [words(labels.OUT)]
        if partnered(teams):
            texts.insert(0, _team_text(teams, number, seat.number, words))
        if mark:
            texts.insert(0, words(mark))
        if has_turn:
            texts.insert(0, words("has the turn"))
        sitter = PageSeat(
            words.seat(number),
            context.players[number].symbol if number < len(context.players) else "",
            turn=has_turn,
            told=words.join_facts(texts),
            points=lead.n if (lead := rows[number].lead) is not None else "",
            race=words.join_facts(_facts_of(rows[number], words)),
        )
        seats.append(sitter)
    return tuple(seats)


def _facts_of(row: RaceRow, words: Words) -> list[str]:
    """Return the texts that describe a player's standing."""
    ahead = [words(labels.AHEAD)] if row.ahead else []
    return [*ahead, *(figure.text for figure in row.figures)]


def _team_text(teams: Teams, seat: int, viewer: int, words: Words) -> str:
    """Return the name of the team that `seat` is in, marked if the viewer is in the team too."""
    number = next(number for number, team in enumerate(teams) if seat in team)
    partner = viewer in teams[number] and viewer != seat
    return words("{team}, your partner", team=words.team(number)) if partner else words.team(number)


def _state_of(info: TableInfo | None, seat: int, waited: bool) -> str:
    """Return the seat's state as an English text; "" for none."""
    if info is not None and seat < len(info.sitters):
        state = info.sitters[seat].state
        if state == "away":
            return phrase("away")
        if state == "bot" and info.sitters[seat].kind == "person":
            return phrase("a bot plays")
    return phrase("thinking") if waited else ""


def _figures(
    context: PageContext, view: State, values: Mapping[str, Value], seat: int
) -> Iterator[tuple[str, Value]]:
    """Yield each number on the seat's nameplates with its label."""
    layout = context.kit.layout
    gaps = {"me": seat, "seat": seat, "other": seat}
    shown = set()
    plaques: list[Plaque] = [*layout.plaque]
    for panel in layout.panel:
        if conditions_hold(panel.when, panel.unless, values, gaps):
            plaques += panel.plaque
    for plaque in plaques:
        if int(fill_gaps(plaque.seat, gaps)) != seat:
            continue
        if not conditions_hold(plaque.when, plaque.unless, values, gaps):
            continue
        for figure in plaque.figures:
            if figure.text in shown:
                continue
            shown.add(figure.text)
            if (number := figure.number_in(view, gaps)) is not None:
                yield figure.text, number


def chat_lines(context: PageContext, words: Words) -> tuple[PageChatLine, ...]:
    """Return the latest chat messages."""
    return tuple(
        PageChatLine(
            words.seat(line.seat) if line.seat != AUDIENCE else words(labels.A_SPECTATOR),
            quick_text(line.quick, words) or line.text,
            context.players[line.seat].symbol if 0 <= line.seat < len(context.players) else "",
        )
        for line in context.chat
    )


def lobby_message(info: TableInfo, seat: int, context: PageContext, words: Words) -> ShowLobby:
    """Return the lobby as one browser sees it; `seat` is `AUDIENCE` for
    a browser without a seat.
    """
    box = context.kit.box
    sitter = info.sitters[seat] if 0 <= seat < len(info.sitters) else None
    mine = sitter is not None and sitter.kind == "person"
    ready = mine and sitter is not None and sitter.state == "ready"
    people = people_at(info, (seat,) if mine else (), features=context.features)
    starting = info.phase == "shuffling"
    teams = planned_teams(context.kit, len(info.sitters), info.plan.options)
    offered: tuple[PageButton, ...] = ()
    if mine and not starting:
        offered = (
            PageButton(words(labels.NOT_READY), TapMessage("ready"))
            if ready
            else PageButton(words(labels.READY), TapMessage("ready", ready=True), primary=True),
            PageButton(words(labels.LEAVE_SEAT), TapMessage("rise")),
        )
    elif not mine and info.plan.spectators != "none":
        offered = (PageButton(words(labels.WATCH), TapMessage("watch")),)
    return ShowLobby(
        title=words(box.title),
        look=PageColours.of(context.kit.layout.look),
        box=picture_name(context.kit.id, BOX_KEY, words.language, context.art_version),
        name=info.plan.name,
        text=next_step_text(people, words, personal=True),
        seats=tuple(
            LobbySeat(
                number,
                each.state,
                words.join_facts(
                    (
                        _sitter_text(each, number, words),
                        words(labels.HOST) if number == info.host else "",
                        words("away") if each.kind == "person" and each.state == "away" else "",
                        words(labels.MUTED_SEAT) if number in info.muted else "",
                        _team_text(teams, number, seat, words) if partnered(teams) else "",
                    )
                ),
                "" if mine else seat_access(info, each, people.takes_over),
                each.symbol,
            )
            for number, each in enumerate(info.sitters)
        ),
        me=seat if mine else AUDIENCE,
        symbols=tuple(s for s in SYMBOLS if s not in {each.symbol for each in info.sitters}),
        facts=_facts(info, context, words),
        buttons=offered,
        menu=choice_buttons((leave_choice(words, leave_question(words)), *language_choices(words))),
        moving=seat_codes_sentence({seat: context.seat_code}, words),
        connected=context.connected,
        chat=chat_lines(context, words),
        muted=mine and seat in info.muted,
    )


def _sitter_text(sitter: SeatInfo, seat: int, words: Words) -> str:
    match sitter.state:
        case _ if sitter.vacant:
            return words(labels.FREED_SEAT, name=sitter.name)
        case "free":
            return words("Seat {n}, free", n=seat + 1)
        case _ if sitter.kind == "bot":
            return words(labels.BOT)
        case _:
            return sitter.name


def _facts(info: TableInfo, context: PageContext, words: Words) -> tuple[str, ...]:
    """Return short texts about the table: duration, options, host, spectators, and whether records
    are public.
    """
    chosen = info.plan.options
    facts = [words(labels.MINUTES, n=context.kit.box.minutes)]
    for option in context.kit.box.options:
        if option.applies(chosen):
            value = chosen.get(option.key, option.default(True))
            chosen_of = (choice.label for choice in option.choices if choice.value == value)
            facts += (words.with_label(words(option.label), words(label)) for label in chosen_of)
    if host := info.name_of(info.host):
        facts.append(words(labels.HOSTED_BY, name=host))
    facts.append(words(SPECTATORS[info.plan.spectators]))
    if info.plan.records == "link":
        facts.append(words(labels.RECORDS_OPEN))
    if info.watching:
        facts.append(words(labels.WATCHING, n=info.watching))
    return tuple(facts)
