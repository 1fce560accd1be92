"""Questions about a host whose certificate is new or has changed."""

from PySide6.QtWidgets import QWidget

from tabletop.engine.model import Reason
from tabletop.language import labels
from tabletop.net.guest.dial import UNKNOWN_FINGERPRINT
from tabletop.table.connection_events import ChangedCertificate
from ui.shell.app_context import AppContext
from ui.widgets.question import ask_question


def ask_trust(context: AppContext, parent: QWidget, why: Reason, changed: bool = True) -> bool:
    """Ask whether to connect despite `why`, and return whether the user agrees.

    Nothing is sent to the host before. `changed`: whether the host presented a different
    certificate on an earlier visit; otherwise it is new.
    """
    words = context.words
    more = words("Ask the host. If they reinstalled the program, continue.") if changed else ""
    trust = words(labels.CONTINUE_ANYWAY) if changed else words("Trust this server")
    return ask_question(words, parent, words.reason(why), trust, words("Don't connect"), more)


def confirm_certificate(context: AppContext, parent: QWidget, event: ChangedCertificate) -> bool:
    """Ask whether to accept the new or changed certificate in `event`, and return the answer."""
    is_known = event.address.fingerprint != UNKNOWN_FINGERPRINT
    return ask_trust(context, parent, event.reason, is_known)
