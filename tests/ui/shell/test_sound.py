"""Sounds: what is heard when, one at a time, equally loud, and never in the way."""

import math
import os
import runpy
import subprocess
import sys
import threading
import time
import wave
from array import array
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache, partial
from itertools import combinations, cycle, islice, pairwise
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, get_args

import miniaudio
import pytest
from msgspec.structs import replace
from pytestqt.qtbot import QtBot

from tabletop.catalogue import catalogue
from tabletop.engine.events import Answered, Ended, Moved, Rolled, Said, Shuffled, ValueSet
from tabletop.engine.model import AUDIENCE, Ask, Result
from tabletop.engine.refusals import GAME_OVER
from tabletop.engine.scratch import FastRng
from tabletop.games.game_parts import packaged_games
from tabletop.games.sounds import SOUND_NAMES, GameSounds, SoundMaterial, SoundName
from tabletop.match.match import Match, Player
from tests.net.loopback import LONG
from tests.ui.shell.sound_server import SoundServer
from tests.ui.table.royale_driver import new_match
from tests.ui.window_driver import Open, begin, click, pass_on, settle, table
from ui.pictures.window_shot import seat_one_person
from ui.settings.settings_screen import SettingsScreen
from ui.settings.sound_kind import SOUND_KINDS
from ui.shell import sound
from ui.shell.audio_device import AudioDevice
from ui.shell.sound import KINDS, URGENCY, PlayQueue, Sounds, Voice
from ui.shell.sound_files import SAMPLE_RATE_HZ, SoundSet, sounds_of_game
from ui.style.asset_folder import assets_root

FOLDER = assets_root() / "common" / "sounds"
FILES = sorted(FOLDER.glob("*/*.wav"))
SCRIPT = Path(__file__).resolve().parents[3] / "packaging" / "sounds.py"
linux_only = pytest.mark.skipif(sys.platform != "linux", reason="its sound servers are Linux's")
EQUAL = 2.0
"""Loudness units between the softest and the loudest."""


@cache
def script() -> dict[str, Any]:
    """The program that made the sounds, with its meter of loudness."""
    return runpy.run_path(str(SCRIPT), run_name="sounds")


@cache
def samples(file: Path) -> list[float]:
    with wave.open(str(file), "rb") as opened:
        assert (opened.getnchannels(), opened.getsampwidth(), opened.getframerate()) == (
            1,
            2,
            SAMPLE_RATE_HZ,
        )
        return [s / 32_768 for s in array("h", opened.readframes(opened.getnframes()))]


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


# The files


MATERIALS = get_args(SoundMaterial)


COMMON = {"step", "dice", "reaction", "phase", "count", "chat", "join", "leave"}
"""The sounds that materials may take from linen."""


def test_each_material_has_what_every_game_needs() -> None:
    names = {
        material: {f.stem for f in FILES if f.parent.name == material} for material in MATERIALS
    }
    assert names["linen"] == set(SOUND_NAMES)
    for material, made in names.items():
        assert set(SOUND_NAMES) - made <= COMMON, material
    assert {file.parent.name for file in FILES} == set(MATERIALS)
    assert sum(file.stat().st_size for file in FILES) < 1_200_000


def test_the_meter_reads_a_known_tone_as_bs_1770_says() -> None:
    for rate in (SAMPLE_RATE_HZ, 48_000):
        tone = [math.sin(2 * math.pi * 997 * n / rate) for n in range(rate)]
        assert script()["loudness"](tone, rate) == pytest.approx(-3.01, abs=0.05)


def test_all_sounds_are_equally_loud() -> None:
    loud = {file: script()["loudness"](samples(file)) for file in FILES}
    assert max(loud.values()) - min(loud.values()) < EQUAL, loud


@pytest.mark.parametrize("file", FILES, ids=lambda file: f"{file.parent.name} {file.stem}")
def test_no_sound_clips_cracks_or_leans(file: Path) -> None:
    heard = samples(file)
    assert SAMPLE_RATE_HZ / 10 < len(heard) < SAMPLE_RATE_HZ * 1.2
    assert 0.15 < max(map(abs, heard)) < 0.9
    assert abs(sum(heard) / len(heard)) < 0.001, "it has a constant part"
    edge = SAMPLE_RATE_HZ // 1000
    assert max(map(abs, (*heard[:2], *heard[-2:]))) < 0.01, "it begins or ends with a crack"
    assert max(map(abs, heard[-edge:])) < max(map(abs, heard)) / 4


def test_the_script_makes_the_files_byte_for_byte(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A third of each set where time is short, and of the next set another third."""
    made = script()
    sets, step = made["SETS"], 1 if LONG else 3
    names = {Path(folder, f"{name}.wav") for folder, sounds in sets.items() for name in sounds}
    assert names == {file.relative_to(FOLDER) for file in FILES}
    some = {
        folder: dict(islice(sounds.items(), number % step, None, step))
        for number, (folder, sounds) in enumerate(sets.items())
    }
    monkeypatch.setitem(made["main"].__globals__, "FOLDER", tmp_path)
    monkeypatch.setitem(made["main"].__globals__, "SETS", some)
    made["main"]()
    again = {file.relative_to(tmp_path): file.read_bytes() for file in tmp_path.glob("*/*.wav")}
    assert len(again) == sum(map(len, some.values()))
    assert again == {name: (FOLDER / name).read_bytes() for name in again}


def test_the_sets_are_of_different_matter() -> None:
    """Of any two, some sound is of another height, by its zero crossings."""
    names = ("lay", "hit", "shuffle", "turn")

    def heights(material: str) -> list[float]:
        heard = [samples(FOLDER / material / f"{name}.wav") for name in names]
        return [sum(a * b < 0 for a, b in pairwise(each)) / len(each) for each in heard]

    for one, other in combinations(MATERIALS, 2):
        pairs = zip(heights(one), heights(other), strict=True)
        assert any(max(pair) > 1.5 * min(pair) for pair in pairs), (one, other)


# Which event makes which sound

GAMES = sorted(game for game in packaged_games() if game.isalpha())
"""The program's games without the empty one, which sounds like linen."""


def test_every_game_of_the_program_has_its_own_material() -> None:
    chosen = [catalogue.load(game).layout.sounds.material for game in GAMES]
    assert len(set(chosen)) == len(chosen)
    assert "linen" not in chosen


@pytest.mark.parametrize("game", GAMES)
def test_a_game_names_only_sentences_that_it_says(game: str) -> None:
    kit = catalogue.load(game)
    written = "".join(path.read_text() for path in Path(str(kit.folder)).rglob("*.py"))
    for tag in kit.layout.sounds.said:
        assert f'tag="{tag}"' in written or f'"{tag}"' in written, tag


def test_the_events_that_can_be_heard() -> None:
    of = GameSounds(
        said={"capture": "hit"}, moved={"bed": "take"}, valued={"alarm": "loss"}
    ).sound_for
    assert of(Moved(1, "deck", "hand/0", 0, -1), 0) == "take"
    assert of(Moved(1, "hand/0", "grid/1,1", 0, -1), 0) == "lay"
    assert of(Moved(1, "grid/1,1", "bed/0", 0, -1), 0) == "take"
    assert of(Said("Nobody hears this."), 0) is None
    assert of(Said("Caught.", tag="capture"), 0) == "hit"
    assert of(Shuffled("deck", ()), 0) == "shuffle"
    assert of(Rolled("attack", (6, 6), (1, 2)), 0) == "dice"
    assert of(ValueSet("alarm/1", 3), 0) == "loss"
    assert of(ValueSet("score/1", 3), 0) is None
    assert of(ValueSet("ghost/cell", "grid/1,1"), 0, ("ghost/cell",)) == "step"


@pytest.mark.parametrize(
    ("result", "viewer", "heard"),
    [
        (Result((0,), (3, 1)), 0, "win"),
        (Result((0,), (3, 1)), 1, "loss"),
        (Result((0,), (3, 1)), AUDIENCE, "win"),
        (Result((), (2, 2)), 1, "win"),
        (Result((), (2,)), 0, "loss"),
        (Result((), ()), 0, "loss"),
    ],
)
def test_the_end_sounds_as_it_is_for_who_hears_it(result: Result, viewer: int, heard: str) -> None:
    assert GameSounds().sound_for(Ended(result), viewer) == heard


def test_a_piece_that_goes_is_heard_without_a_word_in_the_file(opened: Open) -> None:
    kit = catalogue.load("royale")
    assert (
        kit.layout.sounds.sound_for(ValueSet("at/2", "area/1,1"), 0, kit.layout.movement_prefixes)
        == "step"
    )
    window = opened()
    played: list[tuple[str, SoundSet]] = []
    window.context.sounds.play = lambda name, sounds, *_: played.append((name, sounds))
    window.matches.show_match(new_match(3))
    played.clear()
    table(window).scene.animator.event_started.emit(ValueSet("at/2", "area/1,1"))
    assert played == [("step", sounds_of_game(kit))]
    assert played[0][1].material == "water"


def test_what_others_do_is_softer_than_what_i_do(opened: Open) -> None:
    window = opened()
    played: list[tuple[str, bool]] = []
    match = new_match(3)
    seat_one_person(match, 1, window.context.words)
    window.matches.show_match(match)
    screen = table(window)
    stage, hear = screen.scene.animator.stage, screen.scene.animator.event_started.emit
    stage.view = replace(stage.view, asks=tuple(Ask(seat, seat, "draw") for seat in range(3)))
    window.context.sounds.play = lambda name, _, softly=False: played.append((name, softly))
    for seat in range(3):
        hear(Answered(seat, None))
        hear(Moved(1, "deck", f"hand/{seat}", 0, -1))
    assert played == [("take", True), ("take", False), ("take", True)]


def test_a_new_phase_a_count_and_a_reaction_are_heard(opened: Open) -> None:
    window = opened()
    played: list[str] = []
    match = new_match(3)
    seat_one_person(match, 1, window.context.words)
    window.matches.show_match(match)
    screen = table(window)
    window.context.sounds.play = lambda name, *_: played.append(name)
    animator, meaning = screen.scene.animator, screen.seated.kit.meaning
    animator.event_started.emit(ValueSet(meaning.replay.round[0], 2))
    animator.sound_requested.emit("count")
    seat = screen.switch.shown_seat
    for what in (next(iter(meaning.reactions)), "action"):
        seat.view = replace(seat.view, asks=(Ask(1, seat.number, what),))
        screen._alert_viewer(True)
    assert played == ["phase", "count", "reaction", "turn"], "a ribbon adds no second sound"


def test_a_ribbon_is_heard_where_no_round_begins(opened: Open) -> None:
    window = opened()
    played: list[str] = []
    kit = catalogue.load("sisters")
    match = Match(kit, [Player("Mio"), Player("Haru")], catalogue.options(kit), "ribbon")
    seat_one_person(match, 1, window.context.words)
    window.matches.show_match(match)
    window.context.sounds.play = lambda name, *_: played.append(name)
    hear = table(window).scene.animator.event_started.emit
    hear(ValueSet("phase", "scoring"))
    hear(ValueSet("phase", "scoring"))
    hear(ValueSet("round", 4))
    assert played == ["flip", "phase"]


def test_softly_is_nine_decibels_and_not_for_news() -> None:
    sounds = Sounds(Box())
    sounds._thread = threading.current_thread()  # nobody takes what is wanted
    sounds.set_volume(100)

    def peak(name: SoundName, softly: bool) -> int:
        sounds._pitches = cycle((1.0,))
        sounds.play(name, softly=softly)
        taken = sounds._queue.get()
        return max(map(abs, taken.next_samples(SAMPLE_RATE_HZ)))

    for name in SOUND_NAMES:
        less = 20 * math.log10(peak(name, softly=True) / peak(name, softly=False))
        assert less == pytest.approx(
            0 if URGENCY[name] >= sound.MIN_QUEUED_URGENCY else -9, abs=0.1
        ), name


def test_no_two_cards_in_a_row_sound_alike() -> None:
    sounds = Sounds(Box())
    sounds._thread = threading.current_thread()
    sounds.set_volume(100)
    for name in ("lay", "lay", "lay", "win", "win"):
        sounds.play(name)
    taken = [sounds._queue.get().samples for _ in range(5)]
    lengths = [len(samples) for samples in taken]
    assert lengths[1] == pytest.approx(lengths[0] / 0.96, abs=2)
    assert lengths[2] == pytest.approx(lengths[0] / 1.04, abs=2)
    assert lengths[3] == lengths[4]
    assert all(abs(samples[-1]) < 400 for samples in taken), "it ends with a crack"


def test_a_game_brings_its_own_sounds(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    for name, rate in (("hit", SAMPLE_RATE_HZ), ("take", 8_000)):
        with wave.open(str(tmp_path / f"{name}.wav"), "wb") as file:
            file.setnchannels(1)
            file.setsampwidth(2)
            file.setframerate(rate)
            file.writeframes(array("h", [7] * 100).tobytes())
    (tmp_path / "lay.wav").write_bytes(b"no sound")
    own, usual = SoundSet("glass", tmp_path), SoundSet("glass")
    assert own.samples("hit") == array("h", [7] * 100)
    assert own.samples("flip") == usual.samples("flip")
    assert own.samples("take") == usual.samples("take")
    assert own.samples("lay") == usual.samples("lay")
    assert Counter("can't be played" in record.message for record in caplog.records)[True] == 2


def test_a_set_lacks_nothing() -> None:
    for material in MATERIALS:
        for name in SOUND_NAMES:
            assert SoundSet(material).samples(name)


# One at a time


def voice(value: int, length: int, urgency: int) -> Voice:
    return Voice(array("h", [value] * length), 1.0, urgency)


def test_two_sounds_never_play_at_once() -> None:
    queue = PlayQueue()
    queue.add(voice(100, 4, 0))
    queue.add(voice(200, 4, 0))
    assert queue.next_samples(6) == array("h", [100] * 4 + [0] * 2), "a noise meanwhile is left out"


def test_what_has_something_to_say_waits_for_its_turn() -> None:
    queue = PlayQueue()
    queue.add(voice(100, 4, 3))
    queue.add(voice(200, 2, 2))
    queue.add(voice(300, 2, 3))
    queue.add(voice(400, 2, 2))
    queue.add(voice(500, 2, 1))
    assert queue.next_samples(8) == array("h", [100] * 4 + [300] * 2 + [0] * 2)


def test_the_more_urgent_cuts_the_other_off_softly() -> None:
    queue = PlayQueue()
    queue.add(voice(1000, SAMPLE_RATE_HZ, 0))
    assert queue.next_samples(3) == array("h", [1000] * 3)
    queue.add(voice(-7, 2, 4))
    heard = queue.next_samples(sound.FADE_SAMPLES + 4)
    fade = heard[: sound.FADE_SAMPLES]
    assert list(fade) == sorted(fade, reverse=True), "it fades"
    assert fade[0] == 1000
    assert fade[-1] < 20
    assert heard[sound.FADE_SAMPLES :] == array("h", [-7, -7, 0, 0])


def test_each_sound_has_a_kind_and_an_urgency() -> None:
    named = [name for names in KINDS.values() for name in names]
    assert sorted(named) == sorted(SOUND_NAMES)
    assert set(URGENCY) == set(SOUND_NAMES)
    assert set(SOUND_KINDS) == set(KINDS)


@pytest.mark.parametrize("kind", KINDS)
def test_a_kind_that_is_off_is_not_heard(kind: str) -> None:
    sounds = Sounds(Box())
    sounds._thread = threading.current_thread()  # nobody takes what is wanted
    sounds.set_volume(50, (kind, "a kind of another version"))
    for name in SOUND_NAMES:
        sounds.play(name)
    assert sounds._queue.qsize() == len(SOUND_NAMES) - len(KINDS[kind])


def test_the_audio_device_opens_on_demand_and_closes() -> None:
    box = Box()
    sounds = Sounds(box, idle_timeout=0.05)
    sounds.set_volume(70)
    assert box.opened == 0
    sounds.play("lay")
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
    for name in SOUND_NAMES:
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
    took = threading.Event()

    def silent() -> sound.Device:
        return AudioDevice((miniaudio.Backend.NULL,))

    class Listened(array):
        def __getitem__(self, part):
            took.set()
            return super().__getitem__(part)

    sounds = Sounds(silent)
    sounds.set_volume(50)
    sounds._queue.put(Voice(Listened("h", [1000] * SAMPLE_RATE_HZ), 0.5))
    sounds.play("lay")
    assert took.wait(5)
    sounds.close()


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[SoundServer]:
    with TemporaryDirectory() as folder:  # a socket's path is short
        server = SoundServer(Path(folder))
        monkeypatch.setenv("PULSE_SERVER", server.place)
        server.start()
        yield server
        server.kill()


def wait_until(is_true: Callable[[], object], act: Callable[[], object] = bool) -> None:
    stuck = time.monotonic() + 60
    while not is_true():
        assert time.monotonic() < stuck
        act()


def descriptors() -> int:
    return len(os.listdir("/proc/self/fd"))


@linux_only
def test_two_hundred_sounds_leave_no_client_and_no_descriptor(
    server: SoundServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    closed = threading.Semaphore(0)
    end = AudioDevice.close
    monkeypatch.setattr(AudioDevice, "close", lambda self: (end(self), closed.release()))
    sounds = Sounds(idle_timeout=0)
    sounds.set_volume(50)

    def play() -> None:
        sounds.play("lay")
        assert closed.acquire(timeout=60)

    play()
    wait_until(lambda: server.clients() == 0)
    before = descriptors()
    for _ in range(200):
        play()
    assert descriptors() == before
    wait_until(lambda: server.clients() == 0)
    sounds.close()


@linux_only
def test_a_device_that_cannot_be_opened_leaves_no_descriptor(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PULSE_SERVER", f"unix:{tmp_path / 'none'}")
    monkeypatch.setenv("ALSA_CONFIG_PATH", str(tmp_path / "none"))

    def fail() -> None:
        with pytest.raises(miniaudio.MiniaudioError):
            AudioDevice()

    fail()
    before = descriptors()
    for _ in range(20):
        fail()
    assert descriptors() <= before


@linux_only
def test_sound_comes_back_after_the_sound_server_has_restarted(
    server: SoundServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whether the server ends while a device is open, or is away when one is wanted."""
    monkeypatch.setattr(sound, "STALL_TIMEOUT_S", 0.5)
    monkeypatch.setattr(sound, "RETRY_DELAY_S", 0.1)
    monkeypatch.setenv("ALSA_CONFIG_PATH", "none")
    sounds = Sounds(idle_timeout=60)
    sounds.set_volume(50)

    play = partial(sounds.play, "lay")
    wait_until(server.streams, play)
    server.kill()
    wait_until(lambda: sounds._failed_at is not None, play)
    server.start()
    wait_until(server.streams, play)
    server.kill()
    server.start()
    wait_until(server.streams, play)
    sounds.close()
    wait_until(lambda: server.clients() == 0)


def test_an_audio_device_that_fails_is_asked_for_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sound, "RETRY_DELAY_S", 0)
    box, failed = Box(), threading.Event()
    results = iter([OSError("there is no sound card"), OSError("there is still none"), box])

    def open_device() -> sound.Device:
        result = next(results)
        if isinstance(result, OSError):
            failed.set()
            raise result
        return result()

    sounds = Sounds(open_device)
    sounds.set_volume(100)
    for _ in range(2):
        sounds.play("win")
        assert failed.wait(60)
        failed.clear()
    sounds.play("win")
    assert any(box.heard(400))
    sounds.close()


def test_a_device_that_does_not_start_is_closed() -> None:
    box = Box()

    def fail(mix: sound.Mix) -> None:
        raise OSError("the sound card is busy")

    box.start = fail
    sounds = Sounds(box)
    sounds.set_volume(100)
    sounds.play("win")
    assert box.ended.wait(60)
    sounds.close()


def test_what_happens_at_the_table_is_heard(
    opened: Open, monkeypatch: pytest.MonkeyPatch, qtbot: QtBot
) -> None:
    heard: list[str] = []
    monkeypatch.setattr(sound.Sounds, "play", lambda self, name, *_: heard.append(name))
    window = opened()
    screen = begin(window, 1)
    pass_on(qtbot, screen, FastRng(1), 6)
    assert {"lay", "turn"} <= set(heard)


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
    dialog = SettingsScreen(window.context)
    dialog.volume.setValue(35)
    assert window.context.settings.volume == 35
    dialog.switches["sounds"].click()
    assert not window.context.settings.sounds
    assert not dialog.volume.isEnabled()
    assert not dialog.sound_kinds["cards"].isEnabled()
    settle()


def test_the_settings_turn_each_kind_off(opened: Open) -> None:
    window = opened()
    dialog = SettingsScreen(window.context)
    for box in dialog.sound_kinds.values():
        assert box.isChecked()
    dialog.sound_kinds["refusals"].click()
    dialog.sound_kinds["cards"].click()
    assert window.context.settings.sounds_off == ("cards", "refusals")
    assert window.context.sounds._off == {*KINDS["cards"], *KINDS["refusals"]}
    dialog.sound_kinds["cards"].click()
    assert window.context.settings.sounds_off == ("refusals",)
    dialog.defaults.click()
    assert window.context.settings.sounds_off == ()
    assert dialog.sound_kinds["refusals"].isChecked()


def test_the_settings_let_each_kind_be_heard(opened: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    heard: list[str] = []
    dialog = SettingsScreen(opened().context)
    monkeypatch.setattr(sound.Sounds, "play", lambda self, name, *_: heard.append(name))
    before = dialog.context.settings
    for kind in dialog.kinds.values():
        click(kind.sample_button)
    assert heard == ["lay", "dice", "loss", "refuse", "turn", "phase", "win", "chat"]
    assert dialog.context.settings == before
    dialog.sound_kinds["victory"].click()
    assert not dialog.kinds["victory"].sample_button.isEnabled()


def test_a_refusal_is_heard(opened: Open, monkeypatch: pytest.MonkeyPatch, qtbot: QtBot) -> None:
    heard: list[str] = []
    monkeypatch.setattr(sound.Sounds, "play", lambda self, name, *_: heard.append(name))
    window = opened()
    screen = begin(window, 1)
    settle()
    heard.clear()
    screen.scene.choice.refused.notify(GAME_OVER)
    assert heard == ["refuse"]


@linux_only
def test_a_computer_without_sound_says_nothing(tmp_path: Path) -> None:
    """alsa-lib would write to standard error, for each way that it tries."""
    opening = "from ui.shell.sound import _open_device\ntry: _open_device()\nexcept Exception: pass"
    none = {"ALSA_CONFIG_PATH": str(tmp_path / "none"), "HOME": str(tmp_path)}
    environment = os.environ | none
    found = subprocess.run(
        [sys.executable, "-c", opening], env=environment, capture_output=True, check=True, text=True
    )
    assert "ALSA" not in found.stderr
