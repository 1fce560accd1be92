"""The chat in the window."""

from tabletop.protocol.messages import MAX_CHAT_CHARACTERS, ChatLine
from tabletop.table.client import MAX_CHAT_LINES
from tests.ui.window_driver import Open
from ui.online.chat import ChatPanel
from ui.online.remote_table import RemoteTable


def test_the_chat_holds_no_more_lines_than_anybody_reads(opened: Open) -> None:
    remote = RemoteTable()
    panel = ChatPanel(opened().context, remote)
    for number in range(MAX_CHAT_LINES + 20):
        remote.guest.receive(ChatLine(-1, f"{number} " + "x" * MAX_CHAT_CHARACTERS))
    lines = panel.text.splitlines()
    assert len(lines) == MAX_CHAT_LINES
    assert f" {MAX_CHAT_LINES + 19} " in lines[-1]
    assert " 20 " in lines[0]
    panel.deleteLater()
    remote.close()
