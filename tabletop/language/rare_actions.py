"""Rare actions at a table, which are in a menu on phones and are commands in the window."""

from collections.abc import Iterator

from tabletop.engine.model import AUDIENCE
from tabletop.language import labels
from tabletop.language.languages import OWN_NAMES
from tabletop.language.prompt import ChoiceKind, PromptChoice, undo_question
from tabletop.language.table_status import TableStatus
from tabletop.language.words import Words
from tabletop.match.reactions import POLICY_LABELS
from tabletop.match.stand_ins import concession_ends_match


def rare_action_kinds(status: TableStatus) -> Iterator[ChoiceKind]:
    """Yield the kinds of the rare actions that are available now."""
    people = status.people
    acts = people.line.connected and status.looking not in people.replaced
    if status.plays and acts:
        if status.can_redo:
            yield "redo"
        if status.can_agree and not status.can_undo:
            yield "ask_to_undo"
        # no hints against people on other screens: they couldn't see that one was used
        fair = people.all_here and not people.missed
        if status.screen.advised and fair and status.asks and not status.viewing.due:
            yield "hint"
        if people.shared and not set(people.here) <= set(people.away):
            yield "away"
        yield "concede"
    if people.shared:
        yield "leave"
    if status.looking != AUDIENCE and status.screen.policy is not None and status.has_chances:
        yield "policy"


def rare_action_choices(status: TableStatus) -> Iterator[PromptChoice]:
    """Yield the rare actions as choices, with a confirmation question for irreversible ones."""
    words, people = status.words, status.people
    for kind in rare_action_kinds(status):
        match kind:
            case "redo":
                yield PromptChoice(kind, words("Redo"))
            case "ask_to_undo":
                text = words("Take back") if people.all_here else words("Ask to undo")
                sure = "" if people.is_alone else undo_question(status)
                yield PromptChoice(kind, text, sure=sure)
            case "hint":
                yield PromptChoice(kind, words("Hint"))
            case "away":
                yield PromptChoice(kind, words(labels.AWAY))
            case "concede":
                yield PromptChoice(kind, words("Concede"), sure=concede_question(status))
            case "leave":
                yield leave_choice(words, leave_question(words, people.hosts, status.plays))
            case "policy":
                yield from _policy_choices(status)


def concession_ends(status: TableStatus) -> bool:
    """Return whether the match ends immediately if the viewer concedes."""
    people = status.people
    return not people.plays_on or concession_ends_match(status.view, status.looking, people.playing)


def concede_question(status: TableStatus) -> str:
    """Return the confirmation question for conceding."""
    words = status.words
    if status.view.seats == 1:
        return words("Give this game up? This can't be undone.")
    if not concession_ends(status):
        return words(
            "Concede? A bot plays on for you, unless all the others agree to end the match."
        )
    if status.view.seats == 2:
        other = words.seats((1 - status.looking,))
        return words("Concede? {name} wins. This can't be undone.", name=other)
    return words("Concede? Your opponents win. This can't be undone.")


def leave_choice(words: Words, sure: str) -> PromptChoice:
    """Return the choice that leaves the table for good. `sure` is the question to confirm first."""
    return PromptChoice("leave", words("Leave the table"), sure=sure)


def leave_question(words: Words, hosts: bool = False, plays: bool = False) -> str:
    """Return the confirmation question for leaving the table, for a viewer who hosts or plays."""
    if hosts:
        return words("You host this table. If you leave, it ends for everyone.")
    if plays:
        return words("Leave the match? The others continue without you.")
    return words("Leave the table for good?")


def _policy_choices(status: TableStatus) -> Iterator[PromptChoice]:
    words = status.words
    group = words("How you are asked to react")
    for policy, text in POLICY_LABELS.items():
        on = policy == status.screen.policy
        yield PromptChoice("policy", words(text), name=policy, on=on, group=group)


def language_choices(words: Words) -> Iterator[PromptChoice]:
    """Yield the languages available at the table, each named in its own language."""
    group = words("Language")
    for each in words.languages:
        text = OWN_NAMES.get(each, each)  # browsers know the names of other languages
        yield PromptChoice("language", text, name=each, on=each == words.language, group=group)
