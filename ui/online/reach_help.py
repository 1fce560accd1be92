"""Help pages for tables that don't appear on the network, with test results and likely causes."""

from functools import partial
from ipaddress import ip_address

from tabletop.engine.model import Reason
from tabletop.lan.interfaces import addresses
from tabletop.language.words import Words
from tabletop.text.phrases import phrase
from ui.online.network_thread import Reachability
from ui.shell.app_context import AppContext
from ui.widgets.help_page import HelpPage

MAX_ADDRESSES = 6
PICTURE = "common/network.svg"
SAME_NETWORK = phrase(
    "Both computers must be on the same network. Guest Wi-Fi, a VPN, or a router that isolates "
    "devices blocks the connection."
)
NO_NETWORK = phrase("This computer isn't on a network. Plug in a cable or join a Wi-Fi network.")


def reach_help(context: AppContext, reach: Reachability) -> HelpPage:
    """Return the page about a hosted table that others can't see, which the lobby opens."""
    heading = phrase("Why can't they see me?")
    return HelpPage(context, heading, partial(host_paragraphs, context, reach), PICTURE)


def discovery_error_text(words: Words, reason: Reason) -> str:
    """Return the text of `reason` without its full stop, for use inside a sentence."""
    return words.reason(reason).rstrip(".。")


def guest_help(context: AppContext, discovery_error: Reason | None) -> HelpPage:
    """Return the page about tables that don't appear here, which the join screen opens.

    `discovery_error`: why announcements can't be received; None if they can.
    """
    heading = phrase("Why can't I see a table?")
    get_paragraphs = partial(guest_paragraphs, context, addresses(), discovery_error)
    return HelpPage(context, heading, get_paragraphs, PICTURE)


def guest_paragraphs(
    context: AppContext, here: tuple[str, ...], discovery_error: Reason | None
) -> tuple[str, ...]:
    """Return the paragraphs of `guest_help`: the state of discovery, then the likely causes.

    `here`: this computer's network addresses.
    """
    words = context.words
    if not here:
        discovery = words(NO_NETWORK)
    elif discovery_error:
        discovery = words(
            "This computer can't listen for tables: {why}. Another program may use UDP port 5353 "
            "for itself. This one keeps trying.",
            why=discovery_error_text(words, discovery_error),
        )
    else:
        named = words.join_list(here[:MAX_ADDRESSES])
        discovery = words("This computer listens for tables at {addresses}.", addresses=named)
    return (
        discovery,
        words(
            "The table must be open at the other computer, with a free seat or spectators allowed."
        ),
        words("This computer's firewall must allow UDP port 5353 for announcements."),
        words(SAME_NETWORK),
        words("The host's code and link lead to the table all the same."),
    )


def host_paragraphs(context: AppContext, reach: Reachability) -> tuple[str, ...]:
    """Return the paragraphs of `reach_help`: ways to reach the table, then likely causes."""
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
    named = words.join_list(reach.addresses[:MAX_ADDRESSES])
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
    if reach.announce_error:
        return words("The table couldn't be announced: {why}.", why=reach.announce_error)
    if not reach.is_announced:
        return words("The table isn't announced: no seat is free and spectators aren't allowed.")
    return words("The table is announced and appears under Join.")
