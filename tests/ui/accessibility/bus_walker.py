"""Goes through the whole program as a screen reader would, over the accessibility bus, and leaves
its tables in every way that there is.

    dbus-run-session -- xvfb-run -a python -m tests.ui.accessibility.bus_walker WALK [FILE]

Run by test_leaving.py. The program is the real one, opened with the file or the link, where one is
given. It is read whole before every step, so that Qt has an interface of everything that the step
takes away. Prints how the program has ended.
"""

import os
import signal
import subprocess
import sys
import time

from tests.ui.accessibility.bus_reader import PATIENCE, Bus, Gone, Thing

FAULT = "Something went wrong."
PAUSE = 0.05
"""Seconds between two looks at what is there."""
Walk = tuple[str, ...]
"""Names of what is pressed, one after the other. One that begins with ">" is of a menu, and one
that begins with "=" is waited for, and not pressed."""

SCREENS: Walk = (
    *(">Statistics…", "Done", ">Settings…", "Done", ">Shortcuts", "Done"),
    *(">About Tabletop", "Done", ">Rules of this game", "Done"),
    *(">Fair shuffle and dice", "Done", ">Phones can't connect?", "Done"),
    *(">Host…", "Back to the shelf", ">Join…", "Back to the shelf"),
    *(">Replays", "Back to the shelf", ">Workshop…", "Back to the shelf"),
    *("Chains", "Back to the shelf", ">Dark table", ">日本語", ">English", ">Quit"),
)
"""Every screen and dialog, and back."""
TABLES: Walk = (
    *("Play Chains now", ">Leave the table"),
    *("Play Planetary Sisters now", "=The table", ">New game"),
    *("Play Sister Royale now", "=The table", ">Host…", "Back to the shelf"),
    *("Play AWSSterra now", "=The table", ">Join…", "Back to the shelf"),
    *("Play Chains now", "=The table", ">Workshop…", "Back to the shelf"),
    *("Play Chains now", "=The table", ">Replays", "Back to the shelf"),
    *("Play Chains now", ">Public table", ">Restart", "Restart", ">Light table", ">日本語"),
    *(">English", ">Describe the table", "=The table in words", ">New game"),  # under a dialog
    *("Children of the Sun", "Player 1 is a person", "Player 2 is a person", "Start"),
    ">Leave the table",  # under the curtain
    ">Quit",
)
"""Tables that are left while a match goes on."""
ENDED: Walk = (
    *("Play Chains now", ">Concede…", "Concede", "Back to the shelf"),
    *("Play Chains now", ">Concede…", "Concede", "Play again", ">Concede…", "Concede"),
    *("Watch replay", "Play on from here…", "Play on", ">Concede…", "Concede", "Review", "Back"),
    *("Back to the shelf", ">Replays", "Watch again", ">Quit"),
)
"""Tables that are left once the match is over, and replays."""
AT_A_TABLE: Walk = ("Play Chains now", "Flip the top card of your pile")
WALKS: dict[str, Walk] = {
    "screens": SCREENS,
    "tables": TABLES,
    "ended": ENDED,
    "quit": (*AT_A_TABLE, ">Quit"),
    "under a dialog": (*AT_A_TABLE, ">Concede…", ">Quit"),
    "terminated": (*AT_A_TABLE, "=The table"),
    "online": (
        *("Sit down at seat 1", "=Cancel", "Sit down at seat 1", "Ready"),
        "=The table",  # a lobby is left without being asked
        *(">Leave the table", "Leave", ">Quit"),
    ),
    "a game in the making": ("=The table", ">Join…", "Back to the shelf", ">Quit"),
}
KILLED = "terminated"
"""The walk after which the system ends the program."""


class Walker:
    """Walks through one program."""

    def __init__(self, bus: Bus, program: subprocess.Popen[bytes]) -> None:
        self._bus, self._program = bus, program

    def walk(self, steps: Walk) -> None:
        for step in steps:
            self._take(step)

    def _take(self, step: str) -> None:
        """Press it as soon as it is there, if it is to be pressed."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end and self._program.poll() is None:
            try:
                found = self._found(step)
                if found is not None and step.startswith("="):
                    return
                if found is not None:
                    actions = self._bus.actions(found)
                    self._bus.press(
                        found, actions.index("Press" if "Press" in actions else "Toggle")
                    )
                    return
            except (Gone, ValueError):
                pass  # it changes meanwhile
            time.sleep(PAUSE)
        raise AssertionError(f"{step} did not come; the program's end: {self._program.poll()}")

    def _found(self, step: str) -> Thing | None:
        found = None
        for application in self._bus.windows():
            for thing, name in self._bus.inside(application):
                assert not name.startswith(FAULT), name
                if name == step.lstrip("=>") and self._fits(thing, step[0]):
                    found = thing
        return found

    def _fits(self, thing: Thing, kind: str) -> bool:
        if kind == "=":
            return self._bus.shown(thing)
        there = kind == ">" or self._bus.shown(thing)  # a menu that is closed shows nothing
        acts = {"Press", "Toggle"} & set(self._bus.actions(thing))  # a radio button has no Press
        return there and self._bus.usable(thing) and bool(acts)


def main(walk: str, *opened: str) -> None:
    bus = Bus()
    command = [sys.executable, "-m", "tabletop", *opened]
    with subprocess.Popen(command, env=os.environ | {"QT_QPA_PLATFORM": "xcb"}) as program:
        try:
            Walker(bus, program).walk(WALKS[walk])
            if walk == KILLED:
                program.send_signal(signal.SIGTERM)
            program.wait(PATIENCE)
        finally:
            program.kill()
    print(f"the program ended with {program.returncode}")


if __name__ == "__main__":
    main(*sys.argv[1:])
