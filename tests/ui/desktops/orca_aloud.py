"""Orca with a voice that writes.

    /usr/bin/python3 tests/ui/desktops/orca_aloud.py HEARD HOME

What it would speak goes to the file HEARD, a line each; an empty line is where it stops speaking.
It runs under the Python of the system, which has Orca, and knows nothing of the program.
"""

import sys
import types
from pathlib import Path
from typing import Any

from orca import orca, speechserver

try:
    from orca.settings_manager import getManager
except ImportError:
    getManager = orca.getSettingsManager

VOICE = "written_voice"
"""The name of the module that Orca takes its voice from."""
SETTINGS = {"speechServerFactory": VOICE, "enableKeyEcho": False, "enableBraille": False}


class SpeechServer(speechserver.SpeechServer):
    """A voice that writes what it would say."""

    only: "SpeechServer | None" = None

    def __init__(self) -> None:
        super().__init__()
        self._heard = open(sys.argv[1], "a", encoding="utf-8", buffering=1)  # noqa: SIM115

    @staticmethod
    def getFactoryName() -> str:
        return "Written"

    @staticmethod
    def getSpeechServers() -> "list[SpeechServer]":
        return [SpeechServer.getSpeechServer()]

    @staticmethod
    def getSpeechServer(info: object = None) -> "SpeechServer":
        SpeechServer.only = SpeechServer.only or SpeechServer()
        return SpeechServer.only

    @staticmethod
    def shutdownActiveServers() -> None:
        SpeechServer.only = None

    def getInfo(self) -> list[str]:
        return ["Written", VOICE]

    def getVoiceFamilies(self) -> list[Any]:
        return []

    def speak(self, text: str = "", acss: object = None, interrupt: bool = True) -> None:
        words = " ".join((text or "").split())
        if words:
            self._heard.write(f"{words}\n")

    def speakCharacter(self, character: str, acss: object = None) -> None:
        self.speak(character)

    def sayAll(self, utterances: Any, progress: object) -> None:
        for context, _ in utterances:
            self.speak(context.utterance)

    def stop(self) -> None:
        self._heard.write("\n")


def main(home: str) -> int:
    """Run Orca until it is ended."""
    voice = types.ModuleType(VOICE)
    voice.SpeechServer = SpeechServer  # type: ignore[attr-defined]
    sys.modules[VOICE] = voice
    Path(home).mkdir(parents=True, exist_ok=True)
    getManager().activate(home, SETTINGS)
    sys.path.insert(0, home)
    return int(orca.main() or 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[2]))
