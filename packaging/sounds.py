"""Makes the program's sounds, assets/common/sounds/*/*.wav, from nothing but arithmetic.

Run it as `python packaging/sounds.py` after a change here; the same script makes the same files.

Each set is one material. All sounds of all sets are equally loud: LOUDNESS on the momentary scale
of EBU R128 (ITU-R BS.1770: K-weighted, the loudest 400 ms; a shorter sound counts as if silence
followed, since integrated loudness isn't defined below one gating block).
"""

import cmath
import math
import random
import wave
from array import array
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

RATE = 22_050
"""Samples a second; mono, 16 bits."""
LOUDNESS = -21.0
"""LUFS, momentary."""
PEAK = 0.89
"""No sample is louder, of 1: what would be is bent softly below it."""
EDGE = 0.004
"""Seconds of the fades at both ends."""
MOMENT = 0.4
"""Seconds of the window in which loudness is measured."""
FOLDER = Path(__file__).resolve().parent.parent / "assets" / "common" / "sounds"

Sound = list[float]
Make = Callable[[random.Random], Sound]
Partials = Sequence[tuple[float, float, float]]
"""Of each partial: the multiple of the pitch, the share, and how fast it fades."""

BELL: Partials = ((1.0, 1.0, 4.0), (2.0, 0.3, 7.0), (3.01, 0.12, 11.0))
GLASS: Partials = ((1.0, 1.0, 4.5), (2.32, 0.45, 7.0), (4.25, 0.25, 11.0), (6.63, 0.12, 16.0))
IRON: Partials = (
    *((1.0, 0.7, 5.0), (1.47, 0.6, 6.0), (2.09, 0.8, 7.5), (2.56, 0.5, 9.0)),
    *((3.93, 0.4, 12.0), (5.4, 0.25, 16.0)),
)
WOOD: Partials = ((1.0, 1.0, 6.0), (2.57, 0.35, 10.0), (4.9, 0.12, 18.0))
PENTATONIC = (1.0, 9 / 8, 5 / 4, 3 / 2, 2.0)


def main() -> None:
    """Write every sound again."""
    for folder, sounds in SETS.items():
        (FOLDER / folder).mkdir(parents=True, exist_ok=True)
        for name, make in sounds.items():
            write(
                FOLDER / folder / f"{name}.wav", finished(make(random.Random(f"{folder} {name}")))
            )


# Parts that sounds are put together from


def noise(luck: random.Random, seconds: float, low: float, high: float) -> Sound:
    """Noise between two frequencies."""
    rise, fall = _share(high), _share(low)
    rough = above = below = 0.0
    sound = []
    for _ in range(round(seconds * RATE)):
        rough += rise * (luck.uniform(-1.0, 1.0) - rough)
        above += rise * (rough - above)
        below += fall * (above - below)
        sound.append(above - below)
    return sound


def _share(frequency: float) -> float:
    """The share of a one-pole low pass at this frequency."""
    return 1.0 - math.exp(-2 * math.pi * frequency / RATE)


def swelling(sound: Sound, top: float = 0.5) -> Sound:
    """The sound rising to its loudest after this share of its time, and fading."""
    count = len(sound)
    return [
        s
        * math.sin(
            math.pi / 2 * (n / count / top if n < top * count else (1 - n / count) / (1 - top))
        )
        ** 2
        for n, s in enumerate(sound)
    ]


def fading(sound: Sound, speed: float) -> Sound:
    """The sound fading from its beginning."""
    count = len(sound)
    return [s * math.exp(-speed * n / count) for n, s in enumerate(sound)]


def grainy(luck: random.Random, sound: Sound, grains: float, least: float = 0.15) -> Sound:
    """The sound broken up into this many grains a second, as by the tooth of paper."""
    out: Sound = []
    level, step = 1.0, RATE / grains
    due = 0.0
    for n, s in enumerate(sound):
        if n >= due:
            level = luck.uniform(least, 1.0)
            due += step * luck.uniform(0.5, 1.5)
        out.append(s * level)
    return smoothed(out, 6000)


def smoothed(sound: Sound, frequency: float) -> Sound:
    """The sound without what is above this frequency."""
    share, at = _share(frequency), 0.0
    out = []
    for s in sound:
        at += share * (s - at)
        out.append(at)
    return out


def struck(pitch: float, seconds: float, partials: Partials, attack: float = 0.002) -> Sound:
    """A body that was struck: its partials, each fading in its own time."""
    sound = [0.0] * round(seconds * RATE)
    for times, share, speed in partials:
        if pitch * times > 0.45 * RATE:
            continue
        turn = cmath.exp(complex(-speed / (seconds * RATE), 2 * math.pi * pitch * times / RATE))
        now = complex(share, 0.0)
        for n in range(len(sound)):
            sound[n] += now.imag
            now *= turn
    return [s * min(1.0, n / (attack * RATE)) for n, s in enumerate(sound)]


def gliding(start: float, end: float, seconds: float, speed: float) -> Sound:
    """A tone that glides from one pitch to another, and fades."""
    count, angle = round(seconds * RATE), 0.0
    sound = []
    for n in range(count):
        angle += 2 * math.pi * start * (end / start) ** (n / count) / RATE
        sound.append(math.sin(angle) * math.exp(-speed * n / count))
    return sound


def thud(luck: random.Random, pitch: float, seconds: float) -> Sound:
    """Something soft and heavy comes down."""
    body = gliding(pitch * 1.6, pitch, seconds, 6.0)
    return mixed([(0.0, body), (0.0, scaled(fading(noise(luck, seconds, 150, 1800), 9.0), 0.9))])


def scaled(sound: Sound, by: float) -> Sound:
    return [s * by for s in sound]


def mixed(parts: Iterable[tuple[float, Sound]]) -> Sound:
    """The parts over each other, each from its second on."""
    whole: Sound = []
    for start, part in parts:
        first = round(start * RATE)
        whole += [0.0] * (first + len(part) - len(whole))
        for n, s in enumerate(part, start=first):
            whole[n] += s
    return whole


def rising(notes: Sequence[float], apart: float, seconds: float, partials: Partials) -> Sound:
    """Notes one after the other, all ringing on."""
    return mixed((apart * n, struck(pitch, seconds, partials)) for n, pitch in enumerate(notes))


# Linen: the table of every game that chooses nothing else


def linen_take(luck: random.Random) -> Sound:
    return swelling(noise(luck, 0.15, 500, 3800), 0.7)


def linen_lay(luck: random.Random) -> Sound:
    slide = swelling(noise(luck, 0.1, 350, 2600), 0.6)
    return mixed([(0.0, slide), (0.07, scaled(struck(180, 0.1, WOOD), 0.5))])


def linen_flip(luck: random.Random) -> Sound:
    lift = swelling(noise(luck, 0.07, 900, 5000), 0.5)
    return mixed([(0.0, lift), (0.075, fading(noise(luck, 0.09, 400, 3000), 6.0))])


def linen_shuffle(luck: random.Random) -> Sound:
    return riffled(luck, 7, lambda n: swelling(noise(luck, 0.075, 500, 3000 + 300 * (n % 3))))


def linen_dice(luck: random.Random) -> Sound:
    """Dice roll over wood, ever slower, and stop."""
    knocks, now, gap = [], 0.0, 0.035
    while now < 0.5:
        knock = struck(900 + 500 * luck.random(), 0.05, WOOD)
        knocks.append((now, scaled(knock, 0.9 - now)))
        now += gap * (0.7 + 0.6 * luck.random())
        gap *= 1.17
    return mixed(knocks)


def linen_step(luck: random.Random) -> Sound:
    return mixed([(0.0, struck(420, 0.09, WOOD)), (0.07, scaled(struck(350, 0.11, WOOD), 0.7))])


def linen_hit(luck: random.Random) -> Sound:
    return mixed([(0.0, thud(luck, 110, 0.24)), (0.0, scaled(struck(523, 0.3, WOOD), 0.5))])


def linen_loss(luck: random.Random) -> Sound:
    return rising((440.0, 349.2, 293.7), 0.11, 0.3, WOOD)


def linen_refuse(luck: random.Random) -> Sound:
    return mixed([(0.0, struck(170, 0.09, WOOD)), (0.075, struck(150, 0.11, WOOD))])


def linen_turn(luck: random.Random) -> Sound:
    return rising((659.3, 880.0), 0.11, 0.4, BELL)


def linen_win(luck: random.Random) -> Sound:
    return rising([523.3 * times for times in PENTATONIC], 0.12, 0.5, BELL)


def linen_chat(luck: random.Random) -> Sound:
    return rising((784.0, 1046.5), 0.07, 0.24, BELL)


def linen_join(luck: random.Random) -> Sound:
    return rising((523.3, 659.3, 784.0), 0.09, 0.3, WOOD)


def linen_leave(luck: random.Random) -> Sound:
    return rising((784.0, 659.3, 523.3), 0.09, 0.3, WOOD)


def linen_reaction(luck: random.Random) -> Sound:
    return rising((987.8, 784.0, 987.8), 0.1, 0.32, BELL)


def linen_phase(luck: random.Random) -> Sound:
    """A gong behind a curtain that is drawn."""
    curtain = scaled(swelling(noise(luck, 0.35, 300, 1800), 0.4), 0.6)
    return mixed(
        [(0.0, curtain), (0.12, struck(392.0, 0.8, BELL)), (0.12, struck(196.0, 0.8, BELL))]
    )


def linen_count(luck: random.Random) -> Sound:
    """A counter is put on a pile."""
    return mixed(
        [(0.0, struck(1174.7, 0.12, WOOD)), (0.05, scaled(struck(880.0, 0.16, WOOD), 0.6))]
    )


# Glass and wind


def wind(luck: random.Random, seconds: float, low: float, high: float) -> Sound:
    return swelling(smoothed(noise(luck, seconds, low, high), high), 0.45)


def glass_take(luck: random.Random) -> Sound:
    return mixed(
        [(0.0, wind(luck, 0.16, 700, 2400)), (0.04, scaled(struck(2093, 0.1, GLASS), 0.12))]
    )


def glass_lay(luck: random.Random) -> Sound:
    tap = scaled(struck(1319, 0.15, GLASS), 0.4)
    return mixed([(0.0, fading(noise(luck, 0.09, 400, 2500), 5.0)), (0.02, tap)])


def glass_flip(luck: random.Random) -> Sound:
    return mixed(
        [(0.0, wind(luck, 0.1, 900, 3500)), (0.06, scaled(struck(1760, 0.13, GLASS), 0.3))]
    )


def glass_shuffle(luck: random.Random) -> Sound:
    return riffled(
        luck, 6, lambda n: scaled(struck(1100 + 170 * ((n * 5) % 6), 0.12, GLASS), 0.6), 0.06
    )


def glass_step(luck: random.Random) -> Sound:
    """The ghost goes by: a breath."""
    return mixed(
        [(0.0, wind(luck, 0.28, 300, 1100)), (0.05, scaled(gliding(520, 620, 0.2, 2), 0.1))]
    )


def glass_hit(luck: random.Random) -> Sound:
    shards = [(0.012 * n, struck(1500 + 900 * luck.random(), 0.2, GLASS)) for n in range(4)]
    return mixed([*shards, (0.0, fading(noise(luck, 0.12, 1500, 7000), 6.0))])


def glass_loss(luck: random.Random) -> Sound:
    falling = rising((988.0, 740.0, 587.3), 0.1, 0.28, GLASS)
    return mixed([(0.0, falling), (0.1, scaled(wind(luck, 0.35, 200, 700), 1.2))])


def glass_refuse(luck: random.Random) -> Sound:
    return mixed([(0.0, struck(311, 0.1, GLASS)), (0.08, struck(294, 0.12, GLASS))])


def glass_turn(luck: random.Random) -> Sound:
    return rising((784.0, 1174.7), 0.12, 0.4, GLASS)


def glass_win(luck: random.Random) -> Sound:
    notes = rising([587.3 * times for times in PENTATONIC], 0.12, 0.5, GLASS)
    return mixed([(0.0, notes), (0.0, scaled(wind(luck, 0.9, 400, 1600), 0.5))])


# Paper and bells


def paper_take(luck: random.Random) -> Sound:
    return swelling(grainy(luck, noise(luck, 0.15, 1200, 6500), 160), 0.65)


def paper_lay(luck: random.Random) -> Sound:
    rustle = swelling(grainy(luck, noise(luck, 0.1, 900, 5000), 140), 0.4)
    return mixed([(0.0, rustle), (0.08, fading(noise(luck, 0.07, 200, 1500), 5.0))])


def paper_flip(luck: random.Random) -> Sound:
    page = swelling(grainy(luck, noise(luck, 0.12, 1500, 7500), 220), 0.3)
    return mixed([(0.0, page), (0.11, fading(noise(luck, 0.05, 700, 5000), 6.0))])


def paper_shuffle(luck: random.Random) -> Sound:
    return riffled(luck, 7, lambda n: swelling(grainy(luck, noise(luck, 0.08, 1200, 6000), 180)))


def paper_hit(luck: random.Random) -> Sound:
    bell = struck(1046.5, 0.34, BELL)
    return mixed([(0.0, bell), (0.0, scaled(fading(noise(luck, 0.05, 1000, 6000), 5.0), 0.6))])


def paper_loss(luck: random.Random) -> Sound:
    return mixed([(0.0, rising((698.5, 523.3), 0.14, 0.34, BELL)), (0.28, crumpled(luck, 0.2))])


def crumpled(luck: random.Random, seconds: float) -> Sound:
    return scaled(fading(grainy(luck, noise(luck, seconds, 1500, 7000), 90, 0.0), 3.0), 0.7)


def paper_refuse(luck: random.Random) -> Sound:
    flick = fading(grainy(luck, noise(luck, 0.07, 500, 3000), 250), 4.0)
    return mixed([(0.0, flick), (0.08, flick)])


def paper_turn(luck: random.Random) -> Sound:
    return rising((1046.5, 1318.5), 0.12, 0.4, BELL)


def paper_win(luck: random.Random) -> Sound:
    return rising([698.5 * times for times in PENTATONIC], 0.12, 0.5, BELL)


# Links


def clink(luck: random.Random, pitch: float, seconds: float = 0.12) -> Sound:
    return struck(pitch * luck.uniform(0.97, 1.03), seconds, IRON, 0.001)


def links_take(luck: random.Random) -> Sound:
    slide = scaled(swelling(noise(luck, 0.13, 1500, 5000), 0.7), 0.5)
    return mixed([(0.0, slide), (0.09, scaled(clink(luck, 1700, 0.08), 0.3))])


def links_lay(luck: random.Random) -> Sound:
    """One link falls into the other."""
    return mixed([(0.0, scaled(clink(luck, 1250), 0.6)), (0.045, clink(luck, 930, 0.13))])


def links_flip(luck: random.Random) -> Sound:
    return mixed(
        [(0.0, fading(noise(luck, 0.06, 1500, 6000), 4.0)), (0.06, clink(luck, 1500, 0.1))]
    )


def links_shuffle(luck: random.Random) -> Sound:
    return riffled(luck, 8, lambda n: clink(luck, 900 + 150 * (n * 3 % 5), 0.09), 0.045)


def links_hit(luck: random.Random) -> Sound:
    """A chain snaps shut."""
    run = [(0.035 * n, scaled(clink(luck, 900 + 90 * n, 0.08), 0.5)) for n in range(4)]
    return mixed([*run, (0.15, clink(luck, 620, 0.25)), (0.15, scaled(thud(luck, 130, 0.15), 0.6))])


def links_loss(luck: random.Random) -> Sound:
    """A chain falls down."""
    falling = [(0.05 * n, clink(luck, 1200 - 130 * n, 0.1)) for n in range(6)]
    return mixed([*falling, (0.32, thud(luck, 95, 0.16))])


def links_refuse(luck: random.Random) -> Sound:
    return mixed([(0.0, clink(luck, 420, 0.08)), (0.08, clink(luck, 380, 0.11))])


def links_turn(luck: random.Random) -> Sound:
    return mixed([(0.0, struck(740, 0.3, IRON)), (0.12, struck(987.8, 0.38, IRON))])


def links_win(luck: random.Random) -> Sound:
    return rising([440.0 * times for times in PENTATONIC], 0.12, 0.5, IRON)


# Pencils and stamps


def stroke(luck: random.Random, seconds: float) -> Sound:
    return swelling(grainy(luck, noise(luck, seconds, 1800, 7000), 60, 0.3), 0.4)


def stamp(luck: random.Random, pitch: float = 120) -> Sound:
    return mixed(
        [(0.0, thud(luck, pitch, 0.14)), (0.1, scaled(noise(luck, 0.05, 900, 4000), 0.12))]
    )


def pencil_take(luck: random.Random) -> Sound:
    return swelling(noise(luck, 0.14, 800, 4500), 0.7)


def pencil_lay(luck: random.Random) -> Sound:
    return mixed([(0.0, stroke(luck, 0.09)), (0.08, scaled(struck(240, 0.09, WOOD), 0.5))])


def pencil_flip(luck: random.Random) -> Sound:
    return mixed([(0.0, stroke(luck, 0.07)), (0.075, stroke(luck, 0.08))])


def pencil_shuffle(luck: random.Random) -> Sound:
    return riffled(luck, 6, lambda n: swelling(noise(luck, 0.08, 700, 4200), 0.3))


def pencil_step(luck: random.Random) -> Sound:
    return mixed([(0.0, struck(610, 0.08, WOOD)), (0.06, stroke(luck, 0.1))])


def pencil_hit(luck: random.Random) -> Sound:
    return stamp(luck)


def pencil_loss(luck: random.Random) -> Sound:
    """A line is struck through, and the pencil is put down."""
    return mixed(
        [(0.0, stroke(luck, 0.22)), (0.24, struck(330, 0.1, WOOD)), (0.33, struck(247, 0.17, WOOD))]
    )


def pencil_refuse(luck: random.Random) -> Sound:
    return mixed([(0.0, struck(200, 0.08, WOOD)), (0.07, stroke(luck, 0.09))])


def pencil_turn(luck: random.Random) -> Sound:
    return rising((587.3, 784.0), 0.12, 0.36, WOOD)


def pencil_win(luck: random.Random) -> Sound:
    stamps = [(0.17 * n, stamp(luck, 110 + 15 * n)) for n in range(4)]
    return mixed([*stamps, (0.55, scaled(rising((784.0, 1174.7), 0.1, 0.36, BELL), 0.8))])


# Water and footsteps


def drop(luck: random.Random, pitch: float, seconds: float = 0.12) -> Sound:
    return gliding(pitch * luck.uniform(0.95, 1.05), pitch * 1.9, seconds, 4.5)


def splash(luck: random.Random, seconds: float) -> Sound:
    water = fading(noise(luck, seconds, 500, 4500), 4.0)
    drops = [
        (luck.uniform(0.0, 0.5) * seconds, scaled(drop(luck, 700, 0.07), 0.25)) for _ in range(4)
    ]
    return mixed([(0.0, water), *drops])


def footfall(luck: random.Random, pitch: float) -> Sound:
    gravel = scaled(grainy(luck, fading(noise(luck, 0.1, 900, 4000), 5.0), 200), 0.7)
    return mixed([(0.0, thud(luck, pitch, 0.1)), (0.015, gravel)])


def water_take(luck: random.Random) -> Sound:
    return mixed(
        [
            (0.0, swelling(noise(luck, 0.13, 500, 3500), 0.6)),
            (0.07, scaled(drop(luck, 620, 0.08), 0.3)),
        ]
    )


def water_lay(luck: random.Random) -> Sound:
    return mixed(
        [
            (0.0, fading(noise(luck, 0.08, 300, 2200), 4.0)),
            (0.03, scaled(drop(luck, 380, 0.12), 0.6)),
        ]
    )


def water_flip(luck: random.Random) -> Sound:
    return mixed(
        [(0.0, swelling(noise(luck, 0.08, 900, 4500))), (0.07, scaled(drop(luck, 820, 0.1), 0.6))]
    )


def water_shuffle(luck: random.Random) -> Sound:
    return riffled(
        luck,
        6,
        lambda n: mixed([(0.0, splash(luck, 0.1)), (0.02, drop(luck, 450 + 90 * (n % 3), 0.08))]),
        0.06,
    )


def water_step(luck: random.Random) -> Sound:
    return mixed([(0.0, footfall(luck, 95)), (0.13, footfall(luck, 85))])


def water_hit(luck: random.Random) -> Sound:
    return mixed([(0.0, thud(luck, 85, 0.2)), (0.02, splash(luck, 0.26))])


def water_loss(luck: random.Random) -> Sound:
    """Something goes under."""
    sinking = [(0.09 * n, gliding(520 - 90 * n, 260 - 40 * n, 0.16, 3.0)) for n in range(3)]
    return mixed([*sinking, (0.2, scaled(swelling(noise(luck, 0.25, 200, 1200), 0.3), 0.8))])


def water_refuse(luck: random.Random) -> Sound:
    return mixed([(0.0, thud(luck, 120, 0.08)), (0.08, thud(luck, 105, 0.11))])


def water_turn(luck: random.Random) -> Sound:
    return mixed(
        [
            (0.0, drop(luck, 520, 0.16)),
            (0.13, drop(luck, 700, 0.2)),
            (0.13, struck(880, 0.36, BELL)),
        ]
    )


def water_win(luck: random.Random) -> Sound:
    notes = [(0.12 * n, drop(luck, 440 * times, 0.14)) for n, times in enumerate(PENTATONIC)]
    return mixed([*notes, (0.5, splash(luck, 0.3)), (0.48, struck(1046.5, 0.45, BELL))])


def riffled(
    luck: random.Random, count: int, one: Callable[[int], Sound], apart: float = 0.052
) -> Sound:
    """This many sounds, one after the other, not quite evenly."""
    return mixed((n * apart + luck.uniform(0, 0.01), one(n)) for n in range(count))


def set_of(material: str) -> dict[str, Make]:
    """The sounds of one material, by their kinds."""
    prefix = f"{material}_"
    return {
        name.removeprefix(prefix): make
        for name, make in globals().items()
        if name.startswith(prefix)
    }


SETS = {name: set_of(name) for name in ("linen", "glass", "paper", "links", "pencil", "water")}


# Loudness


def finished(sound: Sound) -> Sound:
    """The sound without a constant part, faded at its ends, and as loud as all others."""
    sound = faded(without_offset(sound))
    low, high = 1e-3, 1e3
    for _ in range(40):  # bending is not linear: the gain is found by halving
        gain = math.sqrt(low * high)
        low, high = (gain, high) if loudness(bent(sound, gain)) < LOUDNESS else (low, gain)
    return without_offset(bent(sound, low))


def bent(sound: Sound, gain: float) -> Sound:
    """The sound louder, and never louder than PEAK."""
    return [PEAK * math.tanh(gain * s / PEAK) for s in sound]


def without_offset(sound: Sound) -> Sound:
    """The sound without a constant part, taken off where it is loud: its ends stay silent."""
    weight = sum(map(abs, sound))
    offset = sum(sound) / weight if weight else 0.0
    return [s - offset * abs(s) for s in sound]


def faded(sound: Sound) -> Sound:
    edge = round(EDGE * RATE)
    last = len(sound) - 1
    return [s * min(1.0, n / edge, (last - n) / edge) for n, s in enumerate(sound)]


def loudness(sound: Sequence[float], rate: int = RATE) -> float:
    """The momentary loudness of a sound of one channel at its loudest, in LUFS (BS.1770)."""
    heard = weighted(sound, rate)
    window = round(MOMENT * rate)
    energy = most = 0.0
    for n, s in enumerate(heard):
        energy += s * s
        if n >= window:
            energy -= heard[n - window] ** 2
        most = max(most, energy)
    return -0.691 + 10 * math.log10(max(most / window, 1e-12))


def weighted(sound: Sequence[float], rate: int) -> Sound:
    """The sound as BS.1770 weighs it: the head's shelf, then the ear's deafness to the deep. Its
    two filters are given for 48 kHz; these are the analogue ones behind them, for any rate."""
    gain, root = 10 ** (3.999843853973347 / 20), 0.7071752369554196
    k = math.tan(math.pi * 1681.974450955533 / rate)
    high, band = gain, gain**0.4996667741545416
    over = 1 + k / root + k * k
    shelf = (
        (high + band * k / root + k * k) / over,
        2 * (k * k - high) / over,
        (high - band * k / root + k * k) / over,
        2 * (k * k - 1) / over,
        (1 - k / root + k * k) / over,
    )
    root = 0.5003270373238773
    k = math.tan(math.pi * 38.13547087602444 / rate)
    over = 1 + k / root + k * k
    deep = (1.0, -2.0, 1.0, 2 * (k * k - 1) / over, (1 - k / root + k * k) / over)
    return _filtered(_filtered(sound, shelf), deep)


def _filtered(sound: Sequence[float], by: tuple[float, float, float, float, float]) -> Sound:
    b0, b1, b2, a1, a2 = by
    one = two = 0.0
    out = []
    for s in sound:
        y = b0 * s + one
        one = b1 * s - a1 * y + two
        two = b2 * s - a2 * y
        out.append(y)
    return out


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
