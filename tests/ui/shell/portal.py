"""A desktop's portal that knows some settings, for the time that a command runs.

dbus-run-session -- python -m tests.ui.shell.portal NAME=VALUE… -- COMMAND…

With hangs=… it answers nothing.
"""

import subprocess
import sys
from threading import Thread

from jeepney import HeaderFields, Message, MessageType, new_error, new_method_return
from jeepney.bus_messages import message_bus
from jeepney.io.blocking import DBusConnection, open_dbus_connection

NAME = "org.freedesktop.portal.Desktop"
UNKNOWN = "org.freedesktop.portal.Error.NotFound"
MADE = {"u": int, "d": float, "b": lambda text: text == "1"}


def answer(line: DBusConnection, known: dict[str, str]) -> None:
    """Answer whoever asks, as version 1 of the portal does: a variant in a variant."""
    while True:
        asked = line.receive()
        if asked.header.message_type is MessageType.method_call and "hangs" not in known:
            line.send(_answer_to(asked, known))


def _answer_to(asked: Message, known: dict[str, str]) -> Message:
    named = asked.header.fields[HeaderFields.member] == "Read" and asked.body[1] in known
    if not named:
        return new_error(asked, UNKNOWN)
    kind, text = known[asked.body[1]].split()
    return new_method_return(asked, "v", (("v", (kind, MADE[kind](text))),))


def main(words: list[str]) -> int:
    at = words.index("--")
    known = dict(word.split("=") for word in words[:at])
    line = open_dbus_connection("SESSION")
    line.send_and_get_reply(message_bus.RequestName(NAME))
    Thread(target=answer, args=(line, known), daemon=True).start()
    return subprocess.run(words[at + 1 :], check=False).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
