"""Plays the events of a match on the stage, one animation after the other.

An animation only moves items. When it has finished or is skipped, the scene shows the current view.
The engine never waits for an animation.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Collection, Iterable, Iterator, Sequence

from PySide6.QtCore import QObject, QPointF, QTimer, Signal
from PySide6.QtGui import QPixmap
from PySide6.QtWidgets import QGraphicsItem

from tabletop.engine.events import (
    Announced,
    Answered,
    Asked,
    Closed,
    Ended,
    Event,
    Moved,
    Planned,
    Rolled,
    Said,
    Shown,
    Shuffled,
    Thrown,
    ValueSet,
)
from tabletop.games.films import FilmName
from ui.table.animation.consequences import TAPE_MS, make_effect, make_heart_loss
from ui.table.animation.final_count import CountPage, FinalPause, make_count_pages
from ui.table.animation.flights import card_tracks, piece_tracks, riffle_card, tumble_die
from ui.table.animation.lights import (
    Animated,
    LightMarks,
    format_sentence,
    is_scoring_page,
    make_light,
    make_slip,
    zone_colour,
)
from ui.table.animation.opening import OpeningAnimation
from ui.table.animation.ribbons import Ribbons
from ui.table.animation.track_player import Track, TrackPlayer, ease_out_cubic, hold_still, linear
from ui.table.items.card_item import CardItem
from ui.table.items.dice_item import DieItem
from ui.table.items.light_items import SoftGlowItem, ZoneFlashItem
from ui.table.items.stage import Stage
from ui.table.layout.slots import Slot

DEAL_INTERVAL_MS = 60
COUNT_STEP_MS, MIN_COUNT_MS, MAX_COUNT_MS = 70, 140, 420
"""Duration of counting a number up by one, and the minimum and maximum duration of the whole count,
in milliseconds.
"""
FLIP_MS = 180
DICE_MS = 600
DICE_REST_MS = 450
FLASH_MS = 600
FADE_DRAWINGS_MS = 260
LINE_SPEED_FACTOR = 4.0
"""How many times faster the line of a flash is drawn than the flash fades."""
LINGER_MS, MIN_LINGER_MS = 1100, 400
"""How long a text stays on screen, in milliseconds;
the minimum applies while further events are queued.
"""
READ_CHARACTER_MS = 22
"""Reading time per character of a sentence beside a flash, in milliseconds."""
MIN_PAGE_MS = 2000
"""Minimum time that a scoring page rests on the table, in milliseconds."""
MAX_READ_MS = 3000
"""Maximum reading time of a sentence beside a flash, in milliseconds."""
VISIBLE_SHARE = 0.84
"""Share of a flash's duration after which the flash is invisible and the next animation starts."""
SHUFFLE_MS = 260
RETURN_MS = 200
TILT_MS = 220
NUDGE_MS = 110
FLYING_Z = 800.0
OVERLAY_Z = 900.0

SPEED_FACTORS = {"off": 0.0, "fast": 0.5, "normal": 1.0, "slow": 2.0}
"""Factor by which animation durations are multiplied, by value of the `animation` setting."""


class Animator(QObject):
    """Queues events and plays their animations one after the other."""

    started = Signal()
    """Emitted when the first animation of a batch starts."""
    finished = Signal()
    """Emitted when every queued event has been played."""
    event_started = Signal(object)
    """Emitted with an event when its animation starts, so that its sound can be played."""
    progressed = Signal()
    """Emitted when the stage has applied an event and an animation is running."""
    sound_requested = Signal(str)
    """Emitted with the name of a sound that no event triggers."""
    flights_moved = Signal()
    """Emitted when cards in `flying_cards` have moved or landed."""

    def __init__(self, stage: Stage) -> None:
        super().__init__()
        self.stage = stage
        self.speed = "normal"
        self._queue: deque[Animated] = deque()
        self._player = TrackPlayer(self)
        self._player.finished.connect(self._play_next)
        self._player.stepped.connect(self._update_flights)
        self.flying_cards: list[CardItem] = []
        """The cards that are flying over the table."""
        self._small_moves = TrackPlayer(self)
        self.marks = LightMarks(stage)
        self.ribbons = Ribbons(stage, self)
        self.event_started.connect(self._follow_ribbons)
        self.finished.connect(self.ribbons.end_batch)
        self._overlays: list[QGraphicsItem] = []
        self._glows: list[SoftGlowItem] = []
        """The glow items that `_glow_timer` removes."""
        self._glow_timer = QTimer(self, singleShot=True, interval=FLASH_MS)
        self._glow_timer.timeout.connect(self._remove_glows)
        self._playing = False
        self.is_opening = False
        """Whether the opening animation is running."""

    @property
    def is_running(self) -> bool:
        """Whether events are being played."""
        return self._playing

    @property
    def pending_sentences(self) -> int:
        """The number of queued log sentences."""
        return sum(isinstance(event, Said) for event in self._queue)

    @property
    def duration_factor(self) -> float:
        """The factor for all durations; 0 if animations are
        off or every window with the table is minimised.
        """
        views = self.stage.scene.views()
        unseen = bool(views) and all(view.window().isMinimized() for view in views)
        return 0 if unseen else SPEED_FACTORS[self.speed]

    def play(self, events: Iterable[Event]) -> None:
        """Append `events` to the queue, and start playing it if no event is being played."""
        coming = tuple(self._with_final_count(events))
        self._queue.extend(coming)
        self.marks.clear()
        if self._playing:
            self._player.skip_rest(MIN_LINGER_MS * self.duration_factor)
            return
        self._small_moves.finish()
        self._playing = True
        if self.duration_factor:
            self.started.emit()
        if self.duration_factor == 0:
            for event in coming:
                if not isinstance(event, CountPage | FinalPause):
                    self.event_started.emit(event)
            self.skip()
            self._show_glows(coming)
            self.marks.show_events(coming)
        else:
            self._play_next()

    def play_opening(self, box: QPixmap, shelf: QPointF | None = None) -> None:
        """Play the opening animation: the table is set up from `box`, then the hands are dealt.

        `shelf`: the position of the box on the shelf, in scene coordinates. Events that arrive
        during the animation are played afterwards. Nothing happens if animations are off or events
        are being played.
        """
        if not self.duration_factor or self._playing:
            return
        self._small_moves.finish()
        opening = OpeningAnimation(self.stage, box, self.sound_requested.emit, shelf)
        self._playing = self.is_opening = True
        self.started.emit()
        for item in opening.items:
            self.stage.scene.addItem(item)
            self._overlays.append(item)
        self._player.run(opening.tracks, self.duration_factor)

    def end_opening(self) -> None:
        """Skip to the end of the opening animation, if it is running."""
        if self.is_opening:
            self._player.finish()
            self._play_next()

    def skip(self) -> None:
        """Apply all queued events without animation, then emit `finished`."""
        if not self._playing:
            self._small_moves.finish()
            self._remove_glows()  # the layout may have changed
            return
        self._player.finish()
        self._clear_overlays()
        self._update_flights()
        self.is_opening = False
        while self._queue:
            self._apply(self._queue.popleft())
        self._playing = False
        self.finished.emit()
        self._small_moves.finish()  # don't leave small moves running

    def skip_to_next_page(self) -> bool:
        """Skip to the next scoring page. Return False without skipping if none is queued."""
        if not self._playing or not any(is_scoring_page(event) for event in self._queue):
            return False
        self._player.finish()
        self._clear_overlays()
        while not is_scoring_page(self._queue[0]):
            self._apply(self._queue.popleft())
        self.stage.arrange()
        self._play_next()
        return True

    def stop(self) -> None:
        """Drop all queued events and end the running animation without emitting `finished`."""
        self.marks.clear()
        self.ribbons.clear()
        self.ribbons.end_batch()
        self._queue.clear()
        self._playing = self.is_opening = False
        self._player.finish()
        self._small_moves.finish()
        self._glow_timer.stop()
        self._clear_overlays()
        self._update_flights()

    # Small moves without an event

    def glide(self, moves: Iterable[tuple[CardItem, Slot | None]], length: float) -> None:
        """Slide the card of each (card, slot) pair to its slot within `length` milliseconds."""
        self._small_moves.finish()
        tracks = [
            track
            for item, slot in moves
            for track in card_tracks(self.stage, item, slot, 0, length)
        ]
        self._small_moves.run(tracks, self.duration_factor)

    def finish_glide(self) -> None:
        """Move gliding cards to their slots at once."""
        self._small_moves.finish()

    def shake(self, item: CardItem) -> None:
        """Shake `item` to show that the card can't be used."""
        self._small_moves.finish()
        angle = item.slot.angle if item.slot else item.rotation()

        def step(share: float) -> None:
            item.setRotation(angle + 3.0 * math.sin(share * 4 * math.pi) * (1 - share))

        self._small_moves.run([Track(0, TILT_MS, step)], self.duration_factor)

    def _update_flights(self) -> None:
        before, self.flying_cards = (
            self.flying_cards,
            [item for item in self.stage.items if item.is_flying],
        )
        if before or self.flying_cards:
            self.flights_moved.emit()

    # Events

    def _follow_ribbons(self, event: Event) -> None:
        self.ribbons.follow(event, still=not self.duration_factor)

    def _play_next(self) -> None:
        if not self._playing:
            return
        self._clear_overlays()
        self._update_flights()
        self.is_opening = False
        if self._queue and self.duration_factor == 0:  # the window was minimised
            self.skip()
            return
        while self._queue:
            event = self._queue.popleft()
            if isinstance(event, CountPage):
                tracks = self._sentence_tracks(event)
            elif isinstance(event, FinalPause):
                tracks = [*self._rearrange(), Track(0, LINGER_MS, hold_still)]
            else:
                self.event_started.emit(event)
                tracks = self._tracks_with_consequences(event)
            if tracks:
                self._player.run(tracks, self.duration_factor)
                self.progressed.emit()
                return
        self._playing = False
        self.finished.emit()

    def _tracks_with_consequences(self, event: Event) -> list[Track]:
        """Apply `event`, and return the tracks of its
        animation and of its effect (heart, coin or tape).
        """
        stage = self.stage
        film = self._effect_of(event)
        if film is None and isinstance(event, ValueSet) and self._is_heart_loss(event):
            told = self._queue.popleft()
            assert isinstance(told, Said)
            self.event_started.emit(told)
            stage.apply_event(told)
            tracks = self._rearrange()  # earlier values may have been deferred
            drawn, seen = make_heart_loss(stage, event, told)
            for item in drawn:
                self._add_overlay(item)
            return [*tracks, *seen]
        if film is None:
            return self._tracks_of(event)
        drawn, seen = make_effect(stage, film, event)
        tracks = self._tracks_of(event)
        for item in drawn:
            self._add_overlay(item)
        if film == "tape":  # show the tape before the piece moves
            tracks = [each._replace(start=each.start + TAPE_MS) for each in tracks]
        return [*seen, *tracks]

    def _effect_of(self, event: Animated) -> FilmName | None:
        """Return the effect that the game's layout assigns to `event`, or None."""
        view = self.stage.view
        if view is None or isinstance(event, CountPage | FinalPause):
            return None
        return self.stage.layouts[0].films.film_for(event, view.values)

    def _is_heart_loss(self, event: ValueSet) -> bool:
        """Return whether `event` lowers a number and the next queued event is the log sentence
        about lost hearts.
        """
        view, told = self.stage.view, self._queue[0] if self._queue else None
        if view is None or not isinstance(told, Said) or self._effect_of(told) != "heart":
            return False
        before, now = view.values.get(event.key), event.value
        return isinstance(before, int) and isinstance(now, int) and now < before

    def _tracks_of(self, event: Event) -> list[Track]:
        """Apply `event` to the stage and return its tracks."""
        match event:
            case Moved():
                return self._move_cards(event)
            case Shuffled():
                return self._shuffle(self.stage.apply_event(event))
            case Shown():
                items = self.stage.apply_event(event)
                while self._queue and isinstance(
                    self._queue[0], Shown
                ):  # start all at the same time
                    items += self._apply(self._queue.popleft())
                return self._flip_cards(items)
            case Rolled():
                self.stage.apply_event(event)
                return self._roll_dice(event)
            case Thrown():
                items = self.stage.apply_event(event)
                while self._queue and isinstance(
                    self._queue[0], Thrown
                ):  # start all at the same time
                    items += self._apply(self._queue.popleft())
                return self._throw_dice(items)
            case Said(args=args) if args.get("lit") or is_scoring_page(event):
                self.stage.apply_event(event)
                return self._sentence_tracks(event)
            case ValueSet(key=key, value=value) if value != "" and key in self._lingering_values:
                self.stage.apply_event(event)
                return [*self._rearrange(), Track(0, LINGER_MS, hold_still)]
            case _:
                self.stage.apply_event(event)
                return [] if self._can_defer(event) else self._rearrange()

    def _can_defer(self, event: Event) -> bool:
        """Return whether the changes of `event` can be drawn together with those of the next event.

        A move by twelve players causes dozens of such events, and each
        layout takes milliseconds. In a sequence of value changes only
        the last is drawn, unless one of them moves a piece or marker.
        """
        if not self._queue:
            return False
        match event:
            case Announced() | Asked() | Answered() | Closed() | Planned() | Said():
                return True
            case ValueSet(key=key):
                follows = isinstance(self._queue[0], ValueSet)
                return follows and not key.startswith(self.stage.movement_prefixes)
            case _:
                return False

    @property
    def _lingering_values(self) -> Collection[str]:
        """The keys of values whose changes stay visible long enough to be read."""
        placed = self.stage.placed
        return placed.surface.lingers if placed is not None else ()

    def _move_cards(self, first: Moved) -> list[Track]:
        """Return the tracks of `first` and of the similar moves queued after it, started
        `DEAL_INTERVAL_MS` apart.
        """
        moved: list[CardItem] = []
        moves = [first]
        while self._queue and _continues_deal(self._queue[0], first):
            follower = self._queue.popleft()
            assert isinstance(follower, Moved)
            moves.append(follower)
        for move in moves:
            moved += self.stage.apply_event(move)
        self.stage.lay_out()
        tracks: list[Track] = []
        for item, slot in self.stage.slots():
            if item in moved:
                start = DEAL_INTERVAL_MS * moved.index(item)
                self._bring_to_front(item, moved.index(item))
                tracks += card_tracks(self.stage, item, slot, start, flies=True)
            else:
                tracks += card_tracks(self.stage, item, slot, 0)
        return tracks + self._piece_tracks()

    def _bring_to_front(self, item: CardItem, order: int) -> None:
        item.setZValue(FLYING_Z + order)

    def _rearrange(self, blank: Collection[str] = ()) -> list[Track]:
        """Lay out the table again, and return the tracks that move all cards and pieces to their
        new positions.

        Drawings show the values whose keys are in `blank` as empty.
        """
        self.stage.lay_out(blank)
        tracks = [
            track
            for item, slot in self.stage.slots()
            for track in card_tracks(self.stage, item, slot, 0)
        ]
        return tracks + self._piece_tracks()

    def _flip_cards(self, items: Sequence[CardItem]) -> list[Track]:
        self.stage.lay_out()
        turns = {item: (number * DEAL_INTERVAL_MS, FLIP_MS) for number, item in enumerate(items)}
        return [
            track
            for item, slot in self.stage.slots()  # neighbours may move too
            for track in card_tracks(self.stage, item, slot, *turns.get(item, (0, 0)))
        ]

    def _shuffle(self, items: Sequence[CardItem]) -> list[Track]:
        """Return tracks that slide the cards of a pile apart and together twice."""
        self.stage.lay_out()
        tracks = []
        slots = dict(self.stage.slots())
        for number, item in enumerate(items):
            slot = slots[item]
            if slot is None or not slot.is_visible:
                continue
            aside = item.width * 0.22 * (1 if number % 2 else -1)
            tracks.append(Track(0, SHUFFLE_MS, riffle_card(self.stage, item, slot, aside)))
        return tracks

    def _throw_dice(self, items: Sequence[CardItem]) -> list[Track]:
        """Return tracks in which the dice `items` tumble
        in place. Dice without a slot change immediately.
        """
        self.stage.lay_out()
        slots = dict(self.stage.slots())
        for item in [item for item, slot in slots.items() if slot is None]:
            self.stage.put_card(item, None)
        return [
            Track(0, DICE_MS, tumble_die(self.stage, item, slot, number))
            for number, item in enumerate(items)
            if (slot := slots[item]) is not None and slot.is_visible
        ]

    def _roll_dice(self, event: Rolled) -> list[Track]:
        """Return tracks in which dice tumble and stop on the results of `event`."""
        stage = self.stage
        assert stage.placed is not None
        place = stage.placed.surface.dice
        size = (place.h if place else 0.62) * stage.placed.unit
        x, y = stage.placed.to_pixels(*(place or stage.placed.surface_rect).centre)
        x -= (len(event.faces) - 1) * size * 0.7
        thrown = stage.placed.surface.thrown
        tracks = self._rearrange(thrown) if thrown else []
        for number, (sides, face) in enumerate(zip(event.sides, event.faces, strict=True)):
            die = DieItem(sides, size, stage.pixmaps.theme)
            die.setPos(x + number * size * 1.4, y)
            self._add_overlay(die)
            tracks.append(Track(0, DICE_MS + DICE_REST_MS, die.tumble(face, number)))
        return tracks

    def _with_final_count(self, events: Iterable[Event]) -> Iterator[Animated]:
        """Yield `events`, preceding the end of the match
        by a pause and the pages of the final count.
        """
        view = self.stage.view
        for event in events:
            if isinstance(event, Ended) and view is not None:
                yield FinalPause()
                yield from make_count_pages(
                    self.stage.pixmaps.kit.meaning.count, event.result, view.viewer
                )
            yield event

    def _apply(self, event: Animated) -> list[CardItem]:
        """Apply `event` to the stage and return the affected cards; empty for a page or a pause."""
        if isinstance(event, CountPage | FinalPause):
            return []
        self._follow_ribbons(event)  # a skipped event hasn't started
        return self.stage.apply_event(event)

    def _sentence_tracks(self, event: Said | CountPage) -> list[Track]:
        """Return the track that flashes the subject of a sentence and shows the sentence long
        enough to be read.
        """
        light = make_light(self.stage, event)
        if light is None:
            return []
        self._add_overlay(light.item)
        light.item.setOpacity(0.0)
        lines = [event]
        more = 0 if isinstance(event, CountPage) else int(event.args.get("lines", 0))
        while self._queue and len(lines) <= more:
            follower = self._queue.popleft()
            self._apply(follower)
            if isinstance(follower, Said):
                lines.append(follower)
        sentence = "\n".join(format_sentence(self.stage, line) for line in lines)
        slip = make_slip(self.stage, sentence, light.rects)
        slip.setOpacity(0.0)
        self._add_overlay(slip)

        def step(share: float) -> None:
            if isinstance(light.item, ZoneFlashItem):
                light.item.draw_line(min(1.0, LINE_SPEED_FACTOR * share))
            bright = 3.2 * share * (1 - share) + (0.4 if share < 0.9 else 0.0)
            light.item.setOpacity(min(1.0, bright))
            slip.setOpacity(min(1.0, 8 * share, 12 * (1 - share)))

        whole = FLASH_MS + min(READ_CHARACTER_MS * len(slip.sentence), MAX_READ_MS)
        if is_scoring_page(event):
            whole = max(whole, round(MIN_PAGE_MS / VISIBLE_SHARE) + 1)
            self.sound_requested.emit("count" if isinstance(event, CountPage) else "lay")
        return [
            Track(0, VISIBLE_SHARE * whole, step, lambda time: ease_out_cubic(VISIBLE_SHARE * time))
        ]

    # Pieces

    def _piece_tracks(self) -> list[Track]:
        stage = self.stage
        assert stage.placed is not None
        tracks: list[Track] = []
        for stand in stage.placed.pieces:
            tracks += piece_tracks(stage, stage.pieces[stand.name], stand)
        for stand in stage.placed.markers:
            tracks += piece_tracks(stage, stage.markers[stand.name], stand)
        if stage.appearing or stage.disappearing:
            stage.fade_drawings(0.0)
            tracks.append(Track(0, FADE_DRAWINGS_MS, stage.fade_drawings))
        if changes := stage.background.number_changes:
            steps = max(abs(change.now - change.before) for change in changes)
            length = max(MIN_COUNT_MS, min(MAX_COUNT_MS, COUNT_STEP_MS * steps))
            stage.background.show_changes(0.0)
            tracks.append(Track(0, length, stage.background.show_changes, linear))
        return tracks

    def _show_glows(self, events: Iterable[Animated]) -> None:
        """Show a brief glow on the targets of `events`, in place of animations."""
        zones: dict[str, str] = {}
        for event in events:
            match event:
                case Moved(target=target):
                    zones[target] = zone_colour(self.stage, target)
                case Said(args=args) if args.get("lit"):
                    lit = str(args["lit"]).split()
                    zones.update({zone: zone_colour(self.stage, zone) for zone in lit})
                case _:
                    pass
        rects = [(self.stage.zone_rect(zone), colour) for zone, colour in zones.items()]
        self._remove_glows()
        self._glows = [SoftGlowItem(rect, colour) for rect, colour in rects if rect is not None]
        for item in self._glows:
            self._add_overlay(item)
        self._glow_timer.start()

    def _remove_glows(self) -> None:
        for item in self._glows:
            if item in self._overlays:
                self._overlays.remove(item)
                self.stage.scene.removeItem(item)
        self._glows = []

    def _add_overlay(self, item: QGraphicsItem) -> None:
        item.setZValue(OVERLAY_Z)
        self.stage.scene.addItem(item)
        self._overlays.append(item)

    def _clear_overlays(self) -> None:
        for item in self._overlays:
            self.stage.scene.removeItem(item)
        self._overlays, self._glows = [], []


def _continues_deal(event: Animated, first: Moved) -> bool:
    """Return whether `event` belongs to the same deal or the same passing of cards as `first`."""
    if not isinstance(event, Moved):
        return False
    return event.source == first.source or (
        _name_without_seat(event.source) == _name_without_seat(first.source)
        and _name_without_seat(event.target) == _name_without_seat(first.target)
    )


def _name_without_seat(zone: str) -> str:
    return zone.partition("/")[0]
