"""Makes the program's sounds, assets/common/sounds/*.wav, from nothing but arithmetic.

Run it as `python packaging/sounds.py` after a change here; the same script makes the same files.
"""

import math
import random
import wave
from array import array
from collections.abc import Callable
from pathlib import Path

RATE = 22_050
"""Samples a second; mono, 16 bits."""
PEAK = 0.7
"""The loudest sample, of 1."""
FOLDER = Path(__file__).resolve().parent.parent / "assets" / "common" / "sounds"

Sound = list[float]


def main() -> None:
    """Write every sound again."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name, make in SOUNDS.items():
        write(FOLDER / f"{name}.wav", make(random.Random(name)))


def card(luck: random.Random) -> Sound:
    """A card slides over linen and lies down."""
    return mixed([(0.0, brushed(luck, 0.09, 0.35)), (0.07, tapped(luck, 180.0, 0.06, 0.5))])


def shuffle(luck: random.Random) -> Sound:
    """Seven cards riffle into each other."""
    return mixed([(0.055 * n, brushed(luck, 0.07, 0.3 + 0.05 * (n % 3))) for n in range(7)])


def dice(luck: random.Random) -> Sound:
    """Dice roll over wood, ever slower, and stop."""
    knocks, now, gap = [], 0.0, 0.035
    while now < 0.55:
        pitch = 900.0 + 500.0 * luck.random()
        knocks.append((now, tapped(luck, pitch, 0.03, 0.8 - now)))
        now += gap * (0.7 + 0.6 * luck.random())
        gap *= 1.17
    return mixed(knocks)


def turn(luck: random.Random) -> Sound:
    """Two soft bells, the second a fourth higher: it is your turn."""
    return mixed([(0.0, rung(659.3, 0.35, 0.5)), (0.11, rung(880.0, 0.45, 0.45))])


def win(luck: random.Random) -> Sound:
    """Five bells up a pentatonic scale: the game is over."""
    notes = (523.3, 587.3, 659.3, 784.0, 1046.5)
    return mixed([(0.13 * n, rung(pitch, 0.7, 0.4)) for n, pitch in enumerate(notes)])


SOUNDS: dict[str, Callable[[random.Random], Sound]] = {
    "card": card,
    "shuffle": shuffle,
    "dice": dice,
    "turn": turn,
    "win": win,
}


def brushed(luck: random.Random, seconds: float, loud: float) -> Sound:
    """Noise that swells and fades, without its highest and lowest parts."""
    low = high = 0.0
    sound = []
    count = int(seconds * RATE)
    for number in range(count):
        low += 0.35 * (luck.uniform(-1.0, 1.0) - low)
        high += 0.06 * (low - high)
        sound.append(loud * (low - high) * math.sin(math.pi * number / count) ** 2)
    return sound


def tapped(luck: random.Random, pitch: float, seconds: float, loud: float) -> Sound:
    """A small hard thing on wood: a short tone with a breath of noise at its beginning."""
    return [
        loud
        * min(1.0, number / 20)
        * math.exp(-6.0 * number / (seconds * RATE))
        * (0.8 * math.sin(2 * math.pi * pitch * number / RATE) + 0.2 * luck.uniform(-1.0, 1.0))
        for number in range(int(seconds * RATE))
    ]


def rung(pitch: float, seconds: float, loud: float) -> Sound:
    """A small bell: a tone and two overtones, each fading the sooner the higher it is."""
    parts = ((1.0, 1.0, 4.0), (2.0, 0.3, 7.0), (3.01, 0.12, 11.0))
    sound = []
    for number in range(int(seconds * RATE)):
        at = number / RATE
        tone = sum(
            share * math.exp(-fading * at / seconds) * math.sin(2 * math.pi * pitch * times * at)
            for times, share, fading in parts
        )
        begins = min(1.0, at / 0.006)
        ends = min(1.0, (seconds - at) / 0.03)
        sound.append(loud * begins * ends * tone)
    return sound


def mixed(parts: list[tuple[float, Sound]]) -> Sound:
    """The parts, each from its second on, over each other; as loud as all sounds are."""
    whole = [0.0] * max(int(start * RATE) + len(part) for start, part in parts)
    for start, part in parts:
        first = int(start * RATE)
        for number, sample in enumerate(part, start=first):
            whole[number] += sample
    loudest = max(abs(sample) for sample in whole)
    return [PEAK * sample / loudest for sample in whole]


def write(path: Path, sound: Sound) -> None:
    """Write a sound as a file that every player knows."""
    with wave.open(str(path), "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(RATE)
        samples = array("h", (round(32_767 * sample) for sample in sound))
        file.writeframes(samples.tobytes())


if __name__ == "__main__":
    main()
