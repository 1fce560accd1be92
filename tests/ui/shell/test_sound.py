"""Sounds: what is heard when, mixed without crackling, and never in the way."""

import threading
import wave
from array import array

import pytest
from pytestqt.qtbot import QtBot

from tabletop.engine.events import Ended, Moved, Rolled, Said, Shuffled
from tabletop.engine.model import Result
from tabletop.engine.scratch import Luck
from tests.ui.window_driver import Open, begin, click, pass_on, settle
from ui.settings.settings_dialog import SettingsDialog
from ui.shell import sound
from ui.shell.sound import NAMES, RATE, Sounds, Voice, mixed, mixing
from ui.style.asset_folder import assets_root


class Box:
    """A device that plays into a list, on request."""

    def __init__(self) -> None:
        self.opened = self.closed = 0
        self.begun = threading.Event()
        self.ended = threading.Event()
        self.mix: sound.Mix | None = None

    def __call__(self) -> "Box":
        self.opened += 1
        return self

    def start(self, mix: sound.Mix) -> None:
        self.mix = mix
        self.begun.set()

    def close(self) -> None:
        self.closed += 1
        self.ended.set()

    def heard(self, count: int) -> array:
        assert self.begun.wait(5)
        return self.mix.send(count)


@pytest.mark.parametrize("name", NAMES)
def test_each_sound_is_a_short_audible_file(name: str) -> None:
    with wave.open(str(assets_root() / "common" / "sounds" / f"{name}.wav"), "rb") as file:
        assert (file.getnchannels(), file.getsampwidth(), file.getframerate()) == (1, 2, RATE)
        samples = array("h", file.readframes(file.getnframes()))
    assert RATE // 20 < len(samples) < RATE * 3 // 2
    assert 16_000 < max(map(abs, samples)) < 32_767
    assert abs(samples[0]) < 2_000, "it begins with a crack"
    assert abs(samples[-1]) < 2_000, "it ends with a crack"


def test_voices_are_laid_over_each_other_and_cut_where_too_loud() -> None:
    assert mixed([[1, 2, 3], [10]], 4) == array("h", [11, 2, 3, 0])
    assert mixed([[30_000], [30_000]], 1) == array("h", [32_767])
    assert mixed([[-30_000], [-30_000]], 1) == array("h", [-32_768])


def test_a_voice_that_is_over_leaves_the_mix() -> None:
    voices = [Voice(array("h", [100, 200, 300]), 0.5), Voice(array("h", [1000] * 5), 1.0)]
    mix = mixing(voices)
    next(mix)
    assert mix.send(2) == array("h", [1050, 1100])
    assert mix.send(2) == array("h", [1150, 1000])
    assert len(voices) == 1
    assert mix.send(3) == array("h", [1000, 0, 0])
    assert voices == []
    assert mix.send(2) == array("h", [0, 0])


def test_the_events_that_can_be_heard() -> None:
    box = Box()
    sounds = Sounds(box)
    played: list[str] = []
    sounds.play = played.append
    sounds.hear(Moved(1, "deck", "hand/0", 0, -1))
    sounds.hear(Said("Nobody hears this."))
    sounds.hear(Shuffled("deck", ()))
    sounds.hear(Rolled("attack", (6, 6), (1, 2)))
    sounds.hear(Ended(Result((0,), (), ())))
    assert played == ["card", "shuffle", "dice", "win"]


def test_the_audio_device_opens_on_demand_and_closes() -> None:
    box = Box()
    sounds = Sounds(box, rest=0.05)
    sounds.set_volume(70)
    assert box.opened == 0
    sounds.play("card")
    assert any(box.heard(400))
    assert box.ended.wait(5)
    box.begun.clear()
    sounds.play("turn")
    assert any(box.heard(400))
    assert box.opened == 2
    sounds.close()


def test_off_means_that_no_device_is_asked_for() -> None:
    box = Box()
    sounds = Sounds(box)
    sounds.set_volume(0)
    for name in NAMES:
        sounds.play(name)
    sounds.close()
    assert box.opened == 0


def test_without_a_sound_card_the_game_goes_on() -> None:
    asked = threading.Event()

    def broken() -> sound.Device:
        asked.set()
        raise OSError("there is no sound card")

    sounds = Sounds(broken)
    sounds.set_volume(100)
    sounds.play("dice")
    assert asked.wait(5)
    sounds.play("dice")
    sounds.close()


def test_the_real_player_takes_what_is_mixed() -> None:
    miniaudio = pytest.importorskip("miniaudio")
    took = threading.Event()

    def silent() -> sound.Device:
        return miniaudio.PlaybackDevice(
            output_format=miniaudio.SampleFormat.SIGNED16,
            nchannels=1,
            sample_rate=RATE,
            buffersize_msec=20,
            backends=[miniaudio.Backend.NULL],
        )

    class Listened(array):
        def __getitem__(self, part):
            took.set()
            return super().__getitem__(part)

    sounds = Sounds(silent)
    sounds.set_volume(50)
    sounds._wanted.put(Voice(Listened("h", [1000] * RATE), 0.5))
    sounds.play("card")
    assert took.wait(5)
    sounds.close()


def test_what_happens_at_the_table_is_heard(
    opened: Open, monkeypatch: pytest.MonkeyPatch, qtbot: QtBot
) -> None:
    heard: list[str] = []
    monkeypatch.setattr(sound.Sounds, "play", lambda self, name: heard.append(name))
    window = opened()
    screen = begin(window, 1)
    pass_on(qtbot, screen, Luck(1), 6)
    assert {"card", "turn"} <= set(heard)


def test_the_speaker_in_the_corner_is_one_click(opened: Open) -> None:
    window = opened((960, 540))
    speaker = window.menus.sounds
    assert not speaker.visibleRegion().isEmpty()
    assert speaker.accessibleName() == "Turn the sounds off"
    click(speaker)
    assert not window.context.settings.sounds
    assert not window.menus.commands["sounds"].isChecked()
    assert speaker.accessibleName() == "Turn the sounds on"
    click(speaker)
    assert window.context.settings.sounds


def test_the_settings_turn_the_volume(opened: Open) -> None:
    window = opened()
    dialog = SettingsDialog(window.context, window)
    dialog.volume.setValue(35)
    assert window.context.settings.volume == 35
    dialog.switches["sounds"].click()
    assert not window.context.settings.sounds
    assert not dialog.volume.isEnabled()
    settle()
