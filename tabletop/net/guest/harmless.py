"""What a host passes on of others' texts, made harmless as it arrives: no host is trusted."""

from msgspec.structs import replace

from tabletop.engine.model import Reason, Value
from tabletop.net.protocol import (
    LONGEST_LINE,
    ChatLine,
    Farewell,
    FromHost,
    Notice,
    Refused,
    TableInfo,
    Welcome,
)
from tabletop.plain_text import plain


def harmless(message: FromHost) -> FromHost:
    """The message with names, chat and reasons that are each one line of plain text, not too long.

    What is told of the match itself stays as it is: it is folded, and checked against the proof.
    """
    match message:
        case ChatLine(text=text):
            return replace(message, text=plain(text, LONGEST_LINE))
        case Welcome(program=program):
            return replace(message, program=plain(program))
        case TableInfo(plan=plan, sitters=sitters, ended=ended, knocking=knocking):
            return replace(
                message,
                plan=replace(plan, name=plain(plan.name)),
                sitters=tuple(replace(sitter, name=plain(sitter.name)) for sitter in sitters),
                ended=ended and _one_line(ended),
                knocking=tuple(replace(knock, name=plain(knock.name)) for knock in knocking),
            )
        case Notice(reason=reason) | Refused(reason=reason) | Farewell(reason=reason):
            return replace(message, reason=_one_line(reason))
        case _:
            return message


def _one_line(reason: Reason) -> Reason:
    def tidied(value: Value) -> Value:
        return plain(value, LONGEST_LINE) if isinstance(value, str) else value

    args = {plain(name): tidied(value) for name, value in reason.args.items()}
    return replace(reason, text=plain(reason.text, LONGEST_LINE), args=args)
