"""The question about a host whose certificate is new or has changed."""

from PySide6.QtWidgets import QWidget

from tabletop.engine.model import Reason
from tabletop.net.guest.dial import UNKNOWN_FINGERPRINT
from tabletop.table.connection_events import ChangedCertificate
from ui.shell.app_context import AppContext
from ui.widgets.question import ask_question


def ask_trust(context: AppContext, parent: QWidget, why: Reason, met: bool = True) -> bool:
    """Ask whether to go on; nothing is sent before the answer. `met`: the host showed another
    certificate before."""
    words = context.words
    more = words("Ask the host. If they reinstalled the program, continue.") if met else ""
    trust = words("Continue anyway") if met else words("Trust this server")
    return ask_question(words, parent, words.reason(why), trust, words("Don't connect"), more)


def trusts(context: AppContext, parent: QWidget, changed: ChangedCertificate) -> bool:
    """Ask about the certificate of a host that was called: a new one, or a changed one."""
    met = changed.address.fingerprint != UNKNOWN_FINGERPRINT
    return ask_trust(context, parent, changed.reason, met)
