"""The prompt of a page: the question or the wait, and the buttons that aren't moves."""

from collections.abc import Iterable

from tabletop.engine.model import AUDIENCE
from tabletop.language.words import OWN_NAMES, Words
from tabletop.match.reactions import POLICIES, has_chances, is_chance
from tabletop.match.seat import Seat
from tabletop.net.protocol import Pause, TableInfo, Wish
from tabletop.web.answer_steps import AnswerSteps
from tabletop.web.page_context import PageContext
from tabletop.web.page_parts import PageButton, PagePrompt, Tap

Asked = tuple[PagePrompt, tuple[PageButton, ...]]


def asked(link: Seat, context: PageContext, words: Words, answers: AnswerSteps) -> Asked:
    """The most pressing prompt before the game's own; else the game's."""
    info = context.info
    if not context.connected:
        return _lost(link, words), ()
    if info is not None:
        if info.ended is not None:
            return PagePrompt(words.reason(info.ended)), _after(link, context, words)
        if link.view.result is None and info.wish is not None and link.seat != AUDIENCE:
            return _wish(info.wish, link, words)
        if link.view.result is None and info.pause is not None:
            return _pause(info, info.pause, link, words)
        if 0 <= link.seat < len(info.sitters) and info.sitters[link.seat].state == "bot":
            back = PageButton(words("Take the seat back"), Tap("back"), primary=True)
            text = words("A bot plays for {names}.", names=words.seat(link.seat))
            return PagePrompt(text, tone="bot"), (back,)
    if link.view.result is not None:
        return PagePrompt(words("The game is over.")), _after(link, context, words)
    return _task(link, context, words, answers)


def _lost(link: Seat, words: Words) -> PagePrompt:
    waits = link.pending is not None
    return PagePrompt(
        words("Your move waits until you are connected again.")
        if waits
        else words("The table waits until you are connected again."),
        tone="warning",
    )


def _wish(wish: Wish, link: Seat, words: Words) -> Asked:
    """The prompt about a wish to undo a move."""
    if link.seat in wish.waiting:
        name = words.seat(wish.seat)
        text = words("{name} wants to undo the last move. Agree?", name=name)
        agree = PageButton(words("Agree"), Tap("consent", agree=True), primary=True)
        return PagePrompt(text, active=True), (agree, PageButton(words("No"), Tap("consent")))
    names = words.seats(wish.waiting)
    text = (
        words("{names} is asked about the undo…", names=names)
        if len(wish.waiting) == 1
        else words("{names} are asked about the undo…", names=names)
    )
    return PagePrompt(text, tone="wait"), ()


def _pause(info: TableInfo, pause: Pause, link: Seat, words: Words) -> Asked:
    """The table waits for somebody who is away."""
    names, left = words.seats(pause.seats), max(0, round(pause.left))
    text = (
        words("The table waits for {names}.", names=names)
        if left
        else words("{names} did not come back in time.", names=names)
    )
    buttons: tuple[PageButton, ...] = ()
    if link.seat in pause.seats:
        buttons = (PageButton(words("I am back"), Tap("back"), primary=True),)
    elif not info.host_here and link.seat != AUDIENCE:
        buttons = (
            PageButton(words("Wait on"), Tap("decide", what="wait")),
            PageButton(words("Let a bot play"), Tap("decide", what="bot")),
            PageButton(words("End the match"), Tap("decide", what="end")),
        )
    elif not left:
        text += " " + words("The host decides what happens next.")
    return PagePrompt(text, tone="clock", seconds=left), buttons


def _task(link: Seat, context: PageContext, words: Words, answers: AnswerSteps) -> Asked:
    view = link.view
    undo = (PageButton(words("Undo"), Tap("undo")),) if link.undoable else ()
    ask = next((ask for ask in view.asks if ask.id in answers.offers), None)
    if ask is not None:
        wording = context.kit.words.asks.get(ask.what)
        prompt = PagePrompt(
            words.prompt(ask, view.values),
            wording.rests_on(view.values) if wording else "",
            active=not ask.optional,
            reaction=is_chance(context.kit.meaning, ask, answers.offers[ask.id]),
        )
        return prompt, undo
    if link.pending is not None:
        return PagePrompt(words("Your move is on its way…"), tone="wait"), ()
    if link.passing:
        return PagePrompt(words("Passing for {name}…", name=words.seat(link.seat)), tone="wait"), ()
    if away := _away(context.info, waited_for(link)):
        names = words.seats(away)
        return PagePrompt(words("{names} to come back…", names=names), tone="wait"), undo
    return PagePrompt(_waiting(link, context, words), tone="wait"), undo


def _waiting(link: Seat, context: PageContext, words: Words) -> str:
    """The reason why the viewer has nothing to do, if the game gives one, and whose turn it is."""
    idle = context.kit.meaning.idle_of(link.view, link.seat) if link.seat != AUDIENCE else None
    waiting = waited_for(link)
    turn = words("{names} to play…", names=words.seats(waiting)) if waiting else ""
    return " · ".join(filter(None, (words(idle.text) if idle else "", turn)))


def _after(link: Seat, context: PageContext, words: Words) -> tuple[PageButton, ...]:
    if link.seat == AUDIENCE or context.again:
        return ()
    return (PageButton(words("Rematch"), Tap("again"), primary=True),)


def menu(
    link: Seat, context: PageContext, words: Words, answers: AnswerSteps
) -> tuple[PageButton, ...]:
    """The menu of rare actions, with a question before those that can't be undone."""
    info, view = context.info, link.view
    over = view.result is not None or bool(info and info.ended)
    buttons = []
    if link.seat != AUDIENCE and not over and context.connected:
        if info is not None and not link.undoable and view.ply and info.wish is None:
            buttons.append(_back(info, link.seat, words))
        if context.advises and answers.offers:
            buttons.append(PageButton(words("Hint"), Tap("hint")))
        sure = words("Concede the match? The others win.")
        buttons.append(PageButton(words("Concede"), Tap("concede"), confirm=sure))
    if info is not None:
        sure = (
            words("Leave for good? Your seat becomes free.")
            if link.seat != AUDIENCE
            else words("Leave the table for good?")
        )
        buttons.append(PageButton(words("Leave the table"), Tap("leave"), confirm=sure))
    if link.seat != AUDIENCE and has_chances(context.kit.meaning):
        group = words("How you are asked to react")
        buttons += [
            PageButton(words(text), Tap("way", way=way), on=way == context.way, group=group)
            for way, text in POLICIES.items()
        ]
    return (*buttons, *languages(words))


def _back(info: TableInfo, seat: int, words: Words) -> PageButton:
    """The button that asks to undo a move; where nobody else plays, nobody has to be asked."""
    if all(each.kind == "bot" for other, each in enumerate(info.sitters) if other != seat):
        sure = words("Undo your last move? The bots agree.")
        return PageButton(words("Take back"), Tap("undo"), confirm=sure)
    sure = words("Ask the others to undo the last move?")
    return PageButton(words("Ask to undo"), Tap("undo"), confirm=sure)


def languages(words: Words) -> tuple[PageButton, ...]:
    """The languages that a page may be read in, each in its own words."""
    return tuple(
        PageButton(
            OWN_NAMES.get(each, each),  # the browser knows what others are called
            Tap("language", language=each),
            on=each == words.language,
            group=words("Language"),
        )
        for each in words.languages
    )


def waited_for(link: Seat) -> tuple[int, ...]:
    """The seats whose answer the table waits for."""
    view = link.view
    if view.result is not None:
        return ()
    asks = (ask for ask in view.asks if ask.id not in view.answers and not ask.optional)
    return tuple(sorted({ask.seat for ask in asks}))


def _away(info: TableInfo | None, seats: Iterable[int]) -> tuple[int, ...]:
    sitters = info.sitters if info else ()
    return tuple(s for s in seats if s < len(sitters) and sitters[s].state == "away")
