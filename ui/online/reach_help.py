"""Why others may not see a table that is hosted here: what was tried, and what must be allowed."""

from ipaddress import ip_address

from PySide6.QtWidgets import QWidget

from ui.online.network_thread import Reach
from ui.shell.app_context import AppContext
from ui.widgets.help_page import HelpPage

SHOWN = 6
"""So many addresses are named."""


class ReachHelp(HelpPage):
    """Opened from the lobby."""

    def __init__(self, context: AppContext, reach: Reach, parent: QWidget) -> None:
        title = context.words("Why can't they see me?")
        super().__init__(context, parent, title, paragraphs(context, reach))


def paragraphs(context: AppContext, reach: Reach) -> tuple[str, ...]:
    """What the page says: first what was tried and how it went, then what may be in the way."""
    words = context.words
    return (
        _listening(context, reach),
        _announced(context, reach),
        words(
            "A firewall of this computer must let in TCP at port {port}, and UDP at port 5353 for "
            "the announcement.",
            port=reach.port,
        ),
        words(
            "Both computers must be in the same network. A Wi-Fi for guests, a VPN, or a router "
            "that keeps its devices apart lets nothing through."
        ),
        words(
            "Where only the announcement does not arrive, the link, or the code together with the "
            "address, brings others here all the same."
        ),
    )


def _listening(context: AppContext, reach: Reach) -> str:
    words = context.words
    if not reach.addresses:
        return words("This computer is in no network now. Plug in a cable, or join a Wi-Fi.")
    named = words(", ").join(reach.addresses[:SHOWN])
    text = words(
        "This computer listens at port {port}, at these addresses: {addresses}.",
        port=reach.port,
        addresses=named,
    )
    if all(ip_address(each).is_link_local for each in reach.addresses):
        text += " " + words("They hold only on the cable or Wi-Fi that it is on itself.")
    return text


def _announced(context: AppContext, reach: Reach) -> str:
    words = context.words
    if reach.trouble:
        return words("The table could not be announced: {why}.", why=reach.trouble)
    if not reach.listed:
        return words("The table is not announced: no seat is free, and nobody may watch.")
    return words("The table is announced: under Join it shows up by itself.")
