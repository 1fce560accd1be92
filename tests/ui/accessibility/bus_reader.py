"""Plays a whole game in the program's window as a screen reader would: over the accessibility bus.

    dbus-run-session -- xvfb-run -a python -m tests.ui.accessibility.bus_reader GAME

Run by test_bus.py. Prints what was announced and what was pressed, in order, the result as it was
shown, and how the window ended.
"""

import os
import subprocess
import sys
from collections.abc import Iterator
from typing import Any, NamedTuple

from jeepney import (
    DBusAddress,
    MatchRule,
    Message,
    MessageFlag,
    MessageType,
    Properties,
    new_method_call,
)
from jeepney.bus_messages import message_bus
from jeepney.io.blocking import DBusConnection, open_dbus_connection

from tabletop.engine.scratch import FastRng

ACCESSIBLE, ACTION = "org.a11y.atspi.Accessible", "org.a11y.atspi.Action"
REGISTRY, ROOT = "org.a11y.atspi.Registry", "/org/a11y/atspi/accessible/root"
PATIENCE = 60.0
"""Seconds after which an answer will not come any more."""
MOST_STEPS = 1000
SENSITIVE = 24
"""The bit of a thing's state that says it can be used (ATSPI_STATE_SENSITIVE)."""
SHOWING = 25
"""The bit that says it is on the screen (ATSPI_STATE_SHOWING)."""
WATCHED = ("object:children-changed", "object:state-changed", "object:property-change", "focus:")
"""Events that Orca has Qt send as well: of these, some are about what is being destroyed."""
SKIPPED = ("Undo", "Reactions…", "SetFocus")


class Thing(NamedTuple):
    """Something on the bus: whose it is, and its path there."""

    owner: str
    path: str


class Gone(Exception):
    """It does not exist any more."""


class Bus:
    """The accessibility bus."""

    def __init__(self) -> None:
        session = open_dbus_connection("SESSION")
        status = DBusAddress("/org/a11y/bus", "org.a11y.Bus", "org.a11y.Status")
        for name in ("IsEnabled", "ScreenReaderEnabled"):
            switched = Properties(status).set(name, "b", True)
            session.send_and_get_reply(switched, timeout=PATIENCE)
        address_query = new_method_call(
            DBusAddress("/org/a11y/bus", "org.a11y.Bus", "org.a11y.Bus"), "GetAddress"
        )
        address = session.send_and_get_reply(address_query, timeout=PATIENCE).body[0]
        self._line: DBusConnection = open_dbus_connection(address)
        self.course: list[str] = []
        """The announcements and the pressed buttons, in order."""
        rule = MatchRule(
            type="signal", interface="org.a11y.atspi.Event.Object", member="Announcement"
        )
        self._send(message_bus.AddMatch(rule))
        registry = DBusAddress("/org/a11y/atspi/registry", REGISTRY, REGISTRY)
        for event in ("object:announcement", *WATCHED):
            self._send(new_method_call(registry, "RegisterEvent", "s", (event,)))

    def _send(self, message: Message) -> Any:
        number = next(self._line.outgoing_serial)
        self._line.send(message, serial=number)
        while True:
            heard = self._line.receive(timeout=PATIENCE)
            fields = heard.header.fields
            if heard.header.message_type is MessageType.signal:
                self._note(heard)
            elif number in fields.values():
                if heard.header.message_type is MessageType.error:
                    raise Gone(str(heard.body))
                return heard.body

    def _note(self, heard: Message) -> None:
        if "Announcement" in heard.header.fields.values():
            self.course.append(f"announced: {heard.body[3][1]}")

    def windows(self) -> list[Thing]:
        """The applications there are."""
        return self.children(Thing(REGISTRY, ROOT))

    def children(self, thing: Thing) -> list[Thing]:
        answer = self._send(self._call(thing, ACCESSIBLE, "GetChildren"))[0]
        return [Thing(*each) for each in answer]

    def name(self, thing: Thing) -> str:
        place = DBusAddress(thing.path, thing.owner, ACCESSIBLE)
        return str(self._send(Properties(place).get("Name"))[0][1])

    def usable(self, thing: Thing) -> bool:
        return self._has(thing, SENSITIVE)

    def shown(self, thing: Thing) -> bool:
        return self._has(thing, SHOWING)

    def _has(self, thing: Thing, bit: int) -> bool:
        low = self._send(self._call(thing, ACCESSIBLE, "GetState"))[0][0]
        return bool(low >> bit & 1)

    def actions(self, thing: Thing) -> list[str]:
        kinds = self._send(self._call(thing, ACCESSIBLE, "GetInterfaces"))[0]
        if ACTION not in kinds:
            return []
        return [each[0] for each in self._send(self._call(thing, ACTION, "GetActions"))[0]]

    def act(self, thing: Thing, number: int) -> None:
        self.course.append(f"pressed: {self.name(thing)}")
        self._send(self._call(thing, ACTION, "DoAction", "i", (number,)))

    def press(self, thing: Thing, number: int) -> None:
        """As `act`, without an answer: a dialog may keep it until it is closed."""
        message = self._call(thing, ACTION, "DoAction", "i", (number,))
        message.header.flags |= MessageFlag.no_reply_expected
        self._line.send(message)

    @staticmethod
    def _call(thing: Thing, kind: str, what: str, *args: Any) -> Message:
        return new_method_call(DBusAddress(thing.path, thing.owner, kind), what, *args)

    def inside(self, thing: Thing) -> Iterator[tuple[Thing, str]]:
        """Everything in a thing, with its name; itself first."""
        yield thing, self.name(thing)
        for child in self.children(thing):
            yield from self.inside(child)


def wanted(bus: Bus, application: Thing) -> list[Thing]:
    """The elements that move the game on."""
    tree = list(bus.inside(application))
    leave = [each for each, name in tree if name == "Back to the shelf"]
    if leave and bus.usable(leave[0]):
        bus.course += [f"shown: {name}" for _, name in tree if " wins" in name or " won" in name]
        return leave
    parts = {name: each for each, name in tree if name in ("The table", "Question")}
    if len(parts) < 2:
        return []
    table = list(bus.inside(parts["The table"]))
    open_to_choose = [each for each, name in table if name == "Choose"]
    choices = [
        each
        for chooser in open_to_choose
        for each in bus.children(chooser)
        if "Press" in bus.actions(each)
    ]
    if choices:
        return choices
    places = [each for each, name in table if name.endswith(", can be chosen")]
    cards = [each for each, name in table if name.endswith(", can be played")]
    if any(name.endswith(", chosen") for _, name in table):
        return places
    buttons = [
        each
        for each, name in bus.inside(parts["Question"])
        if name and name not in SKIPPED and "Press" in bus.actions(each) and bus.usable(each)
    ]
    return [*places, *cards, *buttons]


def play(bus: Bus, luck: FastRng, window: subprocess.Popen[bytes]) -> int:
    """Press what can be pressed until the window ends; gives how often."""
    pressed = 0
    while window.poll() is None and pressed < MOST_STEPS:
        try:
            applications = bus.windows()
            steps = wanted(bus, applications[0]) if applications else []
            if steps:
                thing = steps[luck.below(len(steps))]
                bus.act(thing, bus.actions(thing).index("Press"))
                pressed += 1
        except (Gone, ValueError):
            continue  # it has gone on meanwhile
    return pressed


def main() -> None:
    bus = Bus()
    environment = os.environ | {"QT_LINUX_ACCESSIBILITY_ALWAYS_ON": "1", "QT_QPA_PLATFORM": "xcb"}
    command = [sys.executable, "-m", "tests.ui.accessibility.bus_window", sys.argv[1]]
    with subprocess.Popen(command, env=environment) as window:
        pressed = play(bus, FastRng("bus"), window)
        if window.poll() is None and pressed >= MOST_STEPS:
            window.kill()
    print(*bus.course, sep="\n")
    print("pressed", pressed, "times; the window ended with", window.returncode)


if __name__ == "__main__":
    main()
