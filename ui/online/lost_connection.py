"""The message while the connection to the host is lost and retried."""

from tabletop.language.words import Words
from ui.online.remote_table import RemoteTable
from ui.widgets.prompt_button import PromptButton


def lost_line(remote: RemoteTable, words: Words) -> tuple[str, str, list[PromptButton]]:
    """For a notice bar: that nothing is lost, when it is tried again, and the way to do so now; or
    that somebody else has the seat, and the way to have it back."""
    if remote.displaced and remote.lost is not None:
        back = PromptButton(words("Take the seat back"), remote.try_again, True)
        return words.reason(remote.lost), "warning", [back]
    seconds = remote.again_in
    text = (
        words.reason(remote.farewell)
        if remote.farewell
        else words("Connection lost. Your seat is kept.")
    )
    if seconds is None:
        return text, "warning", []
    more = words("Trying again in {n} s.", n=seconds) if seconds else words("Trying again…")
    return f"{text} {more}", "warning", [PromptButton(words("Try now"), remote.try_again)]
