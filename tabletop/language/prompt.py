"""Prompts of a table: a question or a status, and the choices that belong to it.

A prompt and its choices are plain values. Each screen maps the kinds of choices to its own actions.
A screen shows the first notice and the first other prompt side by side, or if it has room for only
one, the first prompt of all.
"""

from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Literal

from msgspec import Struct

from tabletop.engine.model import AUDIENCE, NO_CARD, Ask, Move
from tabletop.language.answer_buttons import (
    MAX_BUTTONS,
    arranged_verbs,
    button_text,
    buttons,
    only_answer,
    rulebook_paragraph,
)
from tabletop.language.table_status import CutOff, TablePeople, TableStatus
from tabletop.language.waiting import WAIT_STEP_S, all_idle_for_good, waiting_text
from tabletop.language.words import Words
from tabletop.match.reactions import PASS, is_reaction_chance
from tabletop.text.phrases import GAP

Tone = Literal["", "wait", "warning", "clock", "bot", "info", "person"]
"""The tone of a prompt.

"" is a question or a statement, "warning" is for example a lost connection, "clock" is a countdown,
"bot" is a bot that plays for somebody, "person" is a person who wants something.
"""

CLOCK = "{clock}"
"""The placeholder for the remaining time, which the screen counts down."""
MIN_SPOKEN_MINUTES = 2
"""The remaining minutes from which a screen reader says minutes as well as seconds."""

ChoiceKind = Literal[
    "play",
    "commit",
    "choose",
    "undo",
    "redo",
    "hint",
    "pass_all",
    "call",
    "regret",
    "reactions",
    "policy",
    "agree",
    "forget",
    "ask_to_undo",
    "consent",
    "dissent",
    "concede",
    "end_by_consent",
    "play_on",
    "hand_over",
    "hurry",
    "wait_for_bots",
    "stop_recap",
    "score_sheet",
    "another",
    "leave",
    "to_shelf",
    "language",
    "away",
    "come_back",
    "wait_on",
    "let_bot_play",
    "end_match",
    "try_now",
    "reclaim",
    "keep_picture",
    "keep_seat",
    "host_here",
    "decline_hosting",
    "let_in",
    "turn_away",
]
"""The kinds of choices; each is named after its action."""


class PromptChoice(Struct, frozen=True):
    """A choice that belongs to a prompt or to the menu of rare actions."""

    kind: ChoiceKind
    text: str
    move: Move | None = None
    """The move that the choice plays."""
    moves: tuple[Move, ...] = ()
    """The moves of the list that the choice opens."""
    name: str = ""
    """The verb, policy or language of the choice."""
    number: int = AUDIENCE
    """The seat that the choice concerns, or the number of the person who asks to be let in."""
    seats: tuple[int, ...] = ()
    """The seats that the choice acts for, if there are several."""
    primary: bool = False
    enabled: bool = True
    hint: str = ""
    """The tooltip; empty if there isn't any."""
    answers: bool = False
    """Whether the choice answers the prompt's question. Digit keys select such choices."""
    sure: str = ""
    """The question to confirm first; empty if no confirmation is needed."""
    on: bool | None = None
    """Whether a toggle is on; None if the choice isn't a toggle."""
    group: str = ""
    """The label of a group of mutually exclusive choices."""


class Prompt(Struct, frozen=True):
    """A sentence about the table, with its choices."""

    text: str
    choices: tuple[PromptChoice, ...] = ()
    asks: tuple[Ask, ...] = ()
    """The game's questions that the prompt asks."""
    active: bool = False
    """Whether the viewer must act."""
    tone: Tone = "wait"
    notice: bool = False
    """Whether the prompt concerns the whole table and is shown beside the question."""
    paragraph: str = ""
    """The rulebook paragraph that explains the prompt."""
    chance: bool = False
    """Whether the prompt is an optional chance to react."""
    seconds: int = 0
    """The remaining seconds of a wait, which replace `CLOCK` in the text."""

    @property
    def shown(self) -> str:
        """The text with the remaining time in place of `CLOCK`."""
        return self.text.replace(CLOCK, f"{self.seconds // 60}:{self.seconds % 60:02}")

    def spoken(self, words: Words) -> str:
        """Return the text with the remaining time in words."""
        minutes, seconds = divmod(self.seconds, 60)
        if minutes < MIN_SPOKEN_MINUTES:
            time = words("{n} seconds", n=self.seconds)
        else:
            time = words("{minutes} minutes {seconds} seconds", minutes=minutes, seconds=seconds)
        return self.text.replace(CLOCK, time)


def prompts(status: TableStatus) -> Iterator[Prompt]:
    """Yield all current prompts of the table, most urgent first."""
    return chain(prompts_before_game(status), (game_prompt(status),))


def prompts_before_game(status: TableStatus) -> Iterator[Prompt]:
    """Yield the prompts that take precedence over the game's own, most urgent first."""
    words = status.words
    if status.screen.plays_recap:
        stop = PromptChoice("stop_recap", words("Stop"), answers=True)
        yield Prompt(words("Since your last turn"), (stop,))
    yield from _connection_prompts(status)
    yield from _people_prompts(status)
    if status.pending and not status.over:
        yield Prompt(words("Your move is on its way…"))


def game_prompt(status: TableStatus, waited: int = 0) -> Prompt:
    """Return the game's own prompt.

    `waited`: the seconds that the table has waited for other players.
    """
    if status.screen.asks_undo:
        return _agreement_prompt(status)
    if status.screen.conceding:
        return _concession_prompt(status)
    if status.over:
        return _result_prompt(status)
    if status.viewing.reacting:
        return _ask_all_prompt(status)
    if status.viewing.due:
        return _hand_over_prompt(status)
    if status.asks:
        return _task_prompt(status, status.asks[0])
    words = status.words
    if status.passing:
        text = words("Passing for {name}…", name=words.seat(status.looking))
        return Prompt(text, (_reactions_choice(words),))
    return _others_turn_prompt(status, waited)


# The table among its people


def lobby_notice(people: TablePeople, words: Words) -> Prompt | None:
    """Return the notice to show at a table before its match, or None.

    It is about a lost connection, a host who wants to hand the table over, or somebody who asks to
    be let in.
    """
    if people.line.cut_off is not None:
        return _connection_notice(people.line.cut_off, words)
    if people.line.asked_to_host:
        return _hosting_prompt(people, words, tone="person", notice=True)
    return _knock_prompt(people, words)


def _connection_notice(cut: CutOff, words: Words, playing: bool = False) -> Prompt:
    """Return the notice about a lost connection to the host, with the possible actions.

    Its choices reconnect immediately or take back a seat that another device took over. If the host
    may stay away for long, they save a picture of the match or wait for the host's return.
    """
    text = words.reason(cut.reason) if cut.reason else words("Connection lost. Your seat is kept.")
    choices: tuple[PromptChoice, ...] = ()
    if cut.displaced:
        choices = (PromptChoice("reclaim", words("Take the seat back"), primary=True),)
    elif cut.again:
        n = cut.seconds
        after = (
            words("Only the host's computer can bring the table back.")
            if cut.gone
            else words("Trying again in {n} s.", n=n)
            if n
            else words("Trying again…")
        )
        text = words.sentences((text, after))
        choices = (PromptChoice("try_now", words("Try now")),)
    if cut.gone and playing:
        choices += (PromptChoice("keep_picture", words("Save a picture…")),)
    if cut.gone:
        choices += (PromptChoice("keep_seat", words("Tell me when it's back"), primary=True),)
    return Prompt(text, choices, tone="warning", notice=True)


def _hosting_prompt(
    people: TablePeople, words: Words, tone: Tone = "", notice: bool = False
) -> Prompt:
    """Return the prompt that asks the people at this screen to take over hosting."""
    host = people.host or words("The host")
    return Prompt(
        words("{name} asks you to host this table from now on.", name=host),
        (
            PromptChoice("host_here", words("Host it here"), primary=True),
            PromptChoice("decline_hosting", words("No")),
        ),
        active=True,
        tone=tone,
        notice=notice,
    )


def _knock_prompt(people: TablePeople, words: Words) -> Prompt | None:
    """Return the notice about the first person who asks to be let in, or None if nobody does."""
    if not people.knocking:
        return None
    (number, name), *more = people.knocking
    text = words("“{name}” has the code and wants to join.", name=name)
    if more:
        text = words.sentences((text, words("{n} more waiting.", n=len(more))))
    choices = (
        PromptChoice("let_in", words("Let in"), number=number, primary=True),
        PromptChoice("turn_away", words("Decline"), number=number),
    )
    return Prompt(text, choices, tone="person", notice=True)


def _connection_prompts(status: TableStatus) -> Iterator[Prompt]:
    """Yield the prompts about a lost or closed connection, and about a match that ended early."""
    words, line, ended = status.words, status.people.line, status.people.ended
    shelf = PromptChoice("to_shelf", words("Back to the shelf"))
    if line.closed is not None:
        yield Prompt(words.reason(line.closed), (shelf,), tone="warning", notice=True)
    if line.cut_off is not None:
        yield _connection_notice(line.cut_off, words, playing=True)
    if not line.connected:
        text = (
            words("Your move waits until you are connected again.")
            if status.pending
            else words("The table waits until you are connected again.")
        )
        yield Prompt(text, tone="warning")
    if ended is not None:
        yield Prompt(
            words.reason(ended), (*_rematch_choices(status), shelf), tone="info", notice=True
        )


def _people_prompts(status: TableStatus) -> Iterator[Prompt]:
    """Yield the prompts about requests of other people and about people who are away."""
    words, people = status.words, status.people
    if people.line.asked_to_host:
        yield _hosting_prompt(people, words)
    if not status.over and people.undo_of != AUDIENCE:
        yield _undo_prompt(words, people)
    if not status.over and set(people.asked_to_end).intersection(people.here):
        yield _agreed_end_prompt(words, people)
    if not status.over and people.missed:
        yield _pause_prompt(words, people)
        yield _away_prompt(status, people.missed)
    if people.replaced:
        text, seats = words("Take the seat back"), people.replaced
        back = PromptChoice("come_back", text, seats=seats, primary=True)
        text = words("A bot plays for {names}.", names=words.seats(people.replaced))
        yield Prompt(text, (back,), tone="bot", notice=True)
    if (knocking := _knock_prompt(people, words)) is not None:
        yield knocking


def _undo_prompt(words: Words, people: TablePeople) -> Prompt:
    asked = people.asked_to_undo
    if set(asked).intersection(people.here):
        return Prompt(
            words("{name} wants to undo the last move. Agree?", name=words.seat(people.undo_of)),
            (
                PromptChoice("consent", words("Agree"), primary=True, answers=True),
                PromptChoice("dissent", words("No"), answers=True),
            ),
            active=True,
            tone="",
        )
    names = words.seats(asked)
    return Prompt(
        words("{names} is asked about the undo…", names=names)
        if len(asked) == 1
        else words("{names} are asked about the undo…", names=names)
    )


def _agreed_end_prompt(words: Words, people: TablePeople) -> Prompt:
    """Return the prompt that asks whether to end the match after somebody has conceded."""
    name = words.seat(people.conceded)
    return Prompt(
        words("{name} has conceded, and a bot plays on. End the match?", name=name),
        (
            PromptChoice("play_on", words("Play on"), primary=True),
            PromptChoice("end_by_consent", words("End the match")),
        ),
        tone="person",
        notice=True,
    )


def _pause_prompt(words: Words, people: TablePeople) -> Prompt:
    names = words.seats(people.missed)
    text = (
        words("The table waits for {names}: {clock} left.", names=names, clock=CLOCK)
        if people.left
        else words("{names} did not come back in time.", names=names)
    )
    choices: tuple[PromptChoice, ...] = ()
    if mine := tuple(seat for seat in people.missed if seat in people.own):
        choices = (PromptChoice("come_back", words("I am back"), seats=mine, primary=True),)
    elif people.decides:
        choices = (
            PromptChoice("wait_on", words("Wait on")),
            PromptChoice("let_bot_play", words("Let a bot play")),
            PromptChoice(
                "end_match",
                words("End the match"),
                sure=words("End the match for everyone? Nobody wins it."),
            ),
        )
    elif not people.left:
        text = words.sentences((text, words("The host decides what happens next.")))
    return Prompt(text, choices, tone="clock", notice=True, seconds=people.left)


def _away_prompt(status: TableStatus, seats: tuple[int, ...]) -> Prompt:
    words = status.words
    return Prompt(
        words("{names} to come back…", names=words.seats(seats)), _personal_undo_choices(status)
    )


# The game


def _result_prompt(status: TableStatus) -> Prompt:
    words = status.words
    sheet = PromptChoice("score_sheet", words("Score sheet"), primary=True)
    choices = () if status.screen.is_sheet_open else (sheet,)
    return Prompt(words("The game is over."), (*choices, *_rematch_choices(status)), tone="")


def _rematch_choices(status: TableStatus) -> tuple[PromptChoice, ...]:
    """Return the choice of a rematch; empty if it was made already or isn't available."""
    if status.people.wants_another is not False:
        return ()
    return (PromptChoice("another", status.words("Rematch"), primary=True),)


def _others_turn_prompt(status: TableStatus, waited: int) -> Prompt:
    """Return the prompt during others' turns.

    If the table waits only for bots for a while, the prompt has a choice to speed them up.
    """
    words = status.words
    if status.viewing.hurried:
        return Prompt(words("Bots are playing…"), (PromptChoice("wait_for_bots", words("Stop")),))
    others = (seat for seat in status.waiting if seat != status.looking)
    if away := tuple(seat for seat in others if seat in status.people.away):
        return _away_prompt(status, away)
    choices: tuple[PromptChoice, ...] = ()
    if status.waits_only_for_bots and (waited >= WAIT_STEP_S or all_idle_for_good(status)):
        hint = words("Bots play instantly and think only briefly")
        text = words("Finish quickly") if all_idle_for_good(status) else words("Next question")
        choices = (PromptChoice("hurry", text, hint=hint),)
    return Prompt(waiting_text(status, waited), (*choices, *_personal_undo_choices(status)))


def undo_question(status: TableStatus) -> str:
    """Return the question whether to undo a move.

    A person who plays alone is asked only if the others left after the question was opened.
    """
    words, people = status.words, status.people
    if not people.all_here:
        return words("Ask the others to undo the last move?")
    if people.is_alone:
        return words("Undo your last move?")
    return words("Does everyone agree to undo the last move?")


def _agreement_prompt(status: TableStatus) -> Prompt:
    words, people = status.words, status.people
    if not people.all_here:
        agreed = words("Ask")
    elif people.is_alone:
        agreed = words("Take back")
    else:
        agreed = words("{names} agree", names=words.seats(people.here))
    choices = (
        PromptChoice("agree", agreed, primary=True, answers=True),
        PromptChoice("forget", words("Cancel"), answers=True),
    )
    return Prompt(undo_question(status), choices, active=True, tone="")


def _concession_prompt(status: TableStatus) -> Prompt:
    """Return the prompt for when the viewer concedes and several others here play on."""
    words = status.words
    others = tuple(seat for seat in status.people.here if seat != status.looking)
    names = words.seats(others)
    agreed = (
        words("{names} agrees to end", names=names)
        if len(others) == 1
        else words("{names} agree to end", names=names)
    )
    choices = (
        PromptChoice("play_on", words("A bot plays on"), primary=True, answers=True),
        PromptChoice("end_by_consent", agreed, answers=True),
        PromptChoice("forget", words("Cancel"), answers=True),
    )
    name = words.seat(status.looking)
    text = words("{name} concedes: a bot plays on, unless all agree to end the match.", name=name)
    return Prompt(text, choices, active=True, tone="")


def _ask_all_prompt(status: TableStatus) -> Prompt:
    """Return the prompt that asks everybody at this screen at once, regardless of their cards."""
    words, asks = status.words, status.viewing.reacting
    tasks = {words.prompt(ask, status.view.values) for ask in asks}
    seats = tuple(dict.fromkeys(ask.seat for ask in asks))
    if len(tasks) > 1:
        text = words("Anyone?")
    elif len(seats) > 1 or asks[0].sealed:
        text = words("Anyone? {task}", task=tasks.pop())
    else:
        name = words.seat(seats[0])
        text = words("{name}, do you react? {task}", name=name, task=tasks.pop())
    seconds = -(-status.screen.reaction_pause // 1000)
    nobody = (
        words("No one")
        if status.viewing.reactions_stay_open
        else words("No one ({n} s)", n=seconds)
    )
    hint = words("Change your answer while others are still choosing")
    choices = [PromptChoice("call", words.seat(seat), number=seat, answers=True) for seat in seats]
    choices.append(PromptChoice("pass_all", nobody, answers=True))
    choices += [
        PromptChoice("regret", words("{name}: undo", name=words.seat(seat)), number=seat, hint=hint)
        for seat in status.viewing.undoable_reactions
    ]
    if status.has_chances:
        choices.append(_reactions_choice(words))
    return Prompt(text, tuple(choices), asks, active=True, tone="")


def _reactions_choice(words: Words) -> PromptChoice:
    """Return the choice that opens the settings for reactions."""
    hint = words("How each player is asked for reactions")
    return PromptChoice("reactions", words("Reactions…"), hint=hint)


def _hand_over_prompt(status: TableStatus) -> Prompt:
    words, name = status.words, status.words.seat(status.viewing.following)
    text = (
        words("{name} is next.", name=name)
        if status.viewing.went_back or status.looking not in status.people.here
        else words("Your move is made. {name} is next.", name=name)
    )
    key = _tooltip_of(status, "end_turn")
    over = PromptChoice("hand_over", words("Hand over"), primary=True, hint=key, answers=True)
    return Prompt(text, (over, *_undo_choices(status)), active=True, tone="")


def _task_prompt(status: TableStatus, ask: Ask) -> Prompt:
    words = status.words
    verbs = [offer.verb for offer in status.offers[ask.id]]
    task = words.prompt(ask, status.view.values, verbs, _held_card(status, ask))
    task = words.choosing_prompt(status.half_made.choosing) or task
    if status.half_made.outcome:
        task = words.sentences((task, status.half_made.outcome))
    must = not ask.optional
    if must and not status.screen.personal:
        task = words("{name}'s turn: {task}", name=words.seat(ask.seat), task=task)
    chance = is_reaction_chance(status.kit.meaning, ask, status.offers[ask.id])
    ways = (_reactions_choice(words),) if chance else ()
    return Prompt(
        task,
        (*_move_choices(status, ask), *_undo_choices(status), *ways),
        (ask,),
        active=must,
        tone="",
        paragraph=rulebook_paragraph(status, (ask,)),
        chance=chance,
    )


def _held_card(status: TableStatus, ask: Ask) -> int:
    """Return the picked-up card if it belongs to `ask` and still needs a target, else `NO_CARD`."""
    offers = status.offers[ask.id]
    goes = any(offer.targets and status.half_made.held in offer.cards for offer in offers)
    return status.half_made.held if goes else NO_CARD


def _move_choices(status: TableStatus, ask: Ask) -> Iterator[PromptChoice]:
    """Yield choices for moves that aren't made by clicking a card, and to send arranged cards."""
    offers, layout = status.offers[ask.id], status.kit.layout
    only = only_answer(offers, ask.id)
    moves: dict[str, Move] = {}
    found = buttons(offers, ask.id, MAX_BUTTONS, layout.verbs)
    for move in found.moves:
        moves.setdefault(_name_with_odds(status, move), move)  # one button for equal cards
    for text, move in moves.items():
        yield PromptChoice(
            "play",
            text,
            move,
            primary=move == only and not layout.gesture(move.verb).gives_up,
            hint=_tooltip_of(status, "pass") if move.verb == PASS else status.words.hint(move),
            answers=True,
        )
    for listed in found.lists:
        yield PromptChoice(
            "choose", _name_of_list(status, listed), moves=tuple(listed), primary=True, answers=True
        )
    for verb in arranged_verbs(offers):
        yield PromptChoice(
            "commit",
            button_text(status.kit, status.words, verb),
            name=verb,
            primary=True,
            enabled=verb in status.half_made.arranged,
            hint=_tooltip_of(status, "end_turn"),
        )


def _name_of_list(status: TableStatus, moves: Sequence[Move]) -> str:
    """Return the text of a button that opens a list of `moves`.

    It is the button text of their verb. If they have several verbs or no button text, it is
    "Choose…".
    """
    verbs = {move.verb for move in moves}
    wording = status.kit.words.verbs.get(moves[0].verb)
    if len(verbs) > 1 or wording is None or not wording.button or GAP.search(wording.button):
        return status.words("Choose…")
    return status.words(wording.button) + "…"


def _name_with_odds(status: TableStatus, move: Move) -> str:
    """Return the text of `move`, including its chance of success if that is known."""
    name = status.words.move_button(move, status.looking, status.view)
    odds = status.half_made.odds(move)
    return status.words("{move} · {chance}", move=name, chance=odds) if odds else name


def _personal_undo_choices(status: TableStatus) -> tuple[PromptChoice, ...]:
    """Return the undo choice during others' turns, for screens without an undo command."""
    return _undo_choices(status) if status.screen.personal else ()


def _undo_choices(status: TableStatus) -> tuple[PromptChoice, ...]:
    if not status.can_undo:
        return ()
    return (PromptChoice("undo", status.words("Undo"), hint=_tooltip_of(status, "undo")),)


def _tooltip_of(status: TableStatus, command: str) -> str:
    """Return a tooltip with the shortcut of `command`, or "" if it has no shortcut."""
    key = status.screen.keys.get(command, "")
    return status.words("Key: {key}", key=key) if key else ""
