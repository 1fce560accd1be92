"""Why a table isn't seen, by others or here: what was tried, and what must be allowed."""

from functools import partial
from ipaddress import ip_address

from tabletop.engine.model import Reason
from tabletop.lan.interfaces import addresses
from tabletop.language.words import Words
from tabletop.text.phrases import phrase
from ui.online.network_thread import Reachability
from ui.shell.app_context import AppContext
from ui.widgets.help_page import HelpPage

SHOWN = 6
"""The greatest number of addresses that are named."""
NETWORK = "common/network.svg"
SAME_NETWORK = phrase(
    "Both computers must be on the same network. Guest Wi-Fi, a VPN, or a router that isolates "
    "devices blocks the connection."
)
NO_NETWORK = phrase("This computer isn't on a network. Plug in a cable or join a Wi-Fi network.")


def reach_help(context: AppContext, reach: Reachability) -> HelpPage:
    """The page on a hosted table that others don't see, opened from the lobby."""
    heading = phrase("Why can't they see me?")
    return HelpPage(context, heading, partial(paragraphs, context, reach), NETWORK)


def why_unheard(words: Words, reason: Reason) -> str:
    """Return why this computer can't listen, for a sentence that goes on after it."""
    return words.reason(reason).rstrip(".。")


def guest_help(context: AppContext, unheard: Reason | None) -> HelpPage:
    """The page on tables of others that aren't seen here, opened from the list. `unheard`: why this
    computer can't listen."""
    heading = phrase("Why can't I see a table?")
    tell = partial(guest_paragraphs, context, addresses(), unheard)
    return HelpPage(context, heading, tell, NETWORK)


def guest_paragraphs(
    context: AppContext, here: tuple[str, ...], unheard: Reason | None
) -> tuple[str, ...]:
    """The results of what was tried, then the likely obstacles."""
    words = context.words
    if not here:
        heard = words(NO_NETWORK)
    elif unheard:
        heard = words(
            "This computer can't listen for tables: {why}. Another program may use UDP port 5353 "
            "for itself. This one keeps trying.",
            why=why_unheard(words, unheard),
        )
    else:
        named = words.join_list(here[:SHOWN])
        heard = words("This computer listens for tables at {addresses}.", addresses=named)
    return (
        heard,
        words(
            "The table must be open at the other computer, with a free seat or spectators allowed."
        ),
        words("This computer's firewall must allow UDP port 5353 for announcements."),
        words(SAME_NETWORK),
        words("The host's code and link lead to the table all the same."),
    )


def paragraphs(context: AppContext, reach: Reachability) -> tuple[str, ...]:
    """The results of what was tried, then the likely obstacles."""
    words = context.words
    return (
        _listening_text(context, reach),
        _announcement_text(context, reach),
        words(
            "This computer's firewall must allow TCP port {port}, and UDP port 5353 "
            "for announcements.",
            port=reach.port,
        ),
        words(SAME_NETWORK),
        words(
            "If only announcements are blocked, others can still join with the link, "
            "or with the code and address."
        ),
    )


def _listening_text(context: AppContext, reach: Reachability) -> str:
    words = context.words
    if not reach.addresses:
        return words(NO_NETWORK)
    named = words.join_list(reach.addresses[:SHOWN])
    text = words(
        "This computer listens on port {port} at these addresses: {addresses}.",
        port=reach.port,
        addresses=named,
    )
    if all(ip_address(each).is_link_local for each in reach.addresses):
        near = words("These addresses only work on the same cable or Wi-Fi.")
        text = words.sentences((text, near))
    return text


def _announcement_text(context: AppContext, reach: Reachability) -> str:
    words = context.words
    if reach.trouble:
        return words("The table couldn't be announced: {why}.", why=reach.trouble)
    if not reach.listed:
        return words("The table isn't announced: no seat is free and spectators aren't allowed.")
    return words("The table is announced and appears under Join.")
