"""A match as its record has it, held against what one of its players heard of it."""

import re
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from tabletop.engine.mask import mask
from tabletop.engine.model import Move, State
from tabletop.language.names import sole_human
from tabletop.language.spoken_text import to_spoken_text
from tabletop.language.words import Words
from tabletop.match.history import Ply
from tabletop.match.playback import Playback
from tabletop.match.reactions import can_react, is_reaction_chance
from tabletop.match.story import concerns_seat
from tabletop.storage.record import kit_for, read, replay

NAMED = re.compile(r"\w")
"""Choices that have words: those of which way up a card lies are said of the card alone."""


class HeardPly(NamedTuple):
    """A ply as its listener meets it: the table before, as they see it; their own move, where it
    was theirs; what the log says of it that is to be heard, and what is not."""

    view: State
    move: Move | None
    lines: list[str]
    left_out: list[str]


class HeardMatch:
    """The record of a match, and what one of its players heard of it until now, in order."""

    def __init__(self, file: Path, name: str, language: str, speech: str = "all") -> None:
        """`speech`: how much of the log its player wants to hear."""
        record = read(file)
        match = replay(record)
        self._kit = kit_for(record)
        self._words = Words(language, self._kit, match.players, sole_human(match.players))
        names = [player.name for player in match.players]
        self._seat = names.index(name)
        self._names = (*names, "You", "あなた")
        """What a line may call a player."""
        self._zones = match.state.zones
        self._heard = self._with_keys = ""
        views = [mask(ply.state, self._seat) for ply in (match.plies[0], *match.plies)]
        self.plies = [
            HeardPly(view, self._own_move(ply, view), [], [])
            for ply, view in zip(match.plies, views, strict=False)
        ]
        playback = Playback(self._kit, match.players, match.plies)
        for beat, said in playback.log(self._seat):
            line = self._aloud(self._words.log_line(said, self._seat))
            ply = self.plies[playback.beats[beat].ply]
            wanted = speech == "all" or (speech == "turns" and concerns_seat(said, self._seat))
            (ply.lines if wanted else ply.left_out).append(line)

    def _own_move(self, ply: Ply, view: State) -> Move | None:
        """The move of this ply, where its listener chose it; not where nothing else was possible in
        a chance to react, which then goes by without a question."""
        if ply.entry is None or ply.seat != self._seat:
            return None
        move, meaning = ply.entry.move, self._kit.meaning
        ask = next(each for each in view.asks if each.id == move.ask)
        offers = self._kit.rules.offers(view, ask)
        forced = is_reaction_chance(meaning, ask, offers) and not can_react(ask, offers)
        return None if forced else move

    def hear(self, course: Iterable[str]) -> None:
        """Take this for all that was heard: a line each, with the keys and where speech was stopped
        between."""
        spoken = [line for line in course if not line.startswith("-")]
        self._with_keys = "\n".join(spoken)
        self._heard = "\n".join(line for line in spoken if not line.startswith("["))

    def _question(self, ply: HeardPly) -> str:
        """The question that the own move of this ply answered."""
        assert ply.move is not None
        ask = next(each for each in ply.view.asks if each.id == ply.move.ask)
        verbs = [offer.verb for offer in self._kit.rules.offers(ply.view, ask)]
        return self._aloud(self._words.prompt(ask, ply.view.values, verbs))

    def questions_missed(self) -> list[str]:
        """The questions that were not heard before they were answered, and those that were heard
        once more between the last key of the answer and what came of it."""
        missed, at = [], 0
        for number, ply in enumerate(self.plies):
            after = (line for later in self.plies[number:] for line in later.lines)
            line = next(after, None) if ply.move is not None else None
            found = self._with_keys.find(line, at) if line is not None else -1
            if found >= 0:
                question = self._question(ply)
                key = self._with_keys.rfind("\n[", at, found)
                if question not in self._with_keys[at : key if key >= 0 else found]:
                    missed.append(f"unheard: {question}")
                if key >= 0 and question in self._with_keys[key:found]:
                    missed.append(f"after its answer: {question}")
            for line in ply.lines:
                found = self._with_keys.find(line, at)
                at = found + len(line) if found >= 0 else at
        return missed

    def _aloud(self, text: str) -> str:
        return " ".join(to_spoken_text(text, self._words).split())

    @property
    def _log(self) -> list[str]:
        return [line for ply in self.plies for line in ply.lines]

    def not_heard(self) -> list[str]:
        """The lines of the log that were heard less often than they were said; where there are
        none, those that were not heard where their turn was."""
        written = "\n".join(self._log)
        missing = [
            line
            for line in dict.fromkeys(self._log)
            if self._heard.count(line) < written.count(line)
        ]
        at = 0
        for line in self._log if not missing else ():
            found = self._heard.find(line, at)
            at = found + len(line) if found >= 0 else at
            missing += [line] if found < 0 else []
        return missing

    def heard_twice(self) -> list[str]:
        """What the log says of a player, and was heard more often than it was said. What is said of
        nobody is heard beforehand as well: as what would come of a move."""
        written = "\n".join(self._log)
        return [
            line
            for line in dict.fromkeys(self._log)
            if any(name in line for name in self._names)
            and self._heard.count(line) > written.count(line)
        ]

    def heard_anyway(self) -> list[str]:
        """What the log says of a player, and was not to be heard but was."""
        left_out = dict.fromkeys(line for ply in self.plies for line in ply.left_out)
        return [
            line
            for line in left_out
            if any(name in line for name in self._names)
            and line not in self._log
            and line in self._heard
        ]

    def played_unheard(self) -> list[str]:
        """The own moves of which a part was not heard before, with that part."""
        unheard, at, since = [], 0, 0
        for number, ply in enumerate(self.plies):
            if ply.move is not None:
                after = (line for later in self.plies[number:] for line in later.lines)
                line = next(after, None)  # a pass may have no line of its own
                said = self._heard.find(line, at) if line is not None else -1
                before = self._heard[since : said if said >= 0 else None].casefold()
                parts = self._ways_to_say(ply.move, ply.view)
                missing = [ways for ways in parts if not any(w.casefold() in before for w in ways)]
                unheard += [f"{self._words.move(ply.move)}: {missing}"] if missing else []
            for line in ply.lines:
                found = self._heard.find(line, at)
                at = found + len(line) if found >= 0 else at
            since = at if ply.move is not None else since
        return unheard

    def _ways_to_say(self, move: Move, view: State) -> list[list[str]]:
        """The parts of a move, each with the ways in which it may be said."""
        words, listed = self._words, self._kit.words.listed
        parts = [[words.card(card)] for card in move.cards]
        if move.target in self._zones:
            parts.append([words.zone(move.target, self._seat)])
        for choice in filter(NAMED.search, move.choice.split(",")):
            parts.append([words.choice(choice), words(listed.get(choice, choice))])
        whole = words.move(move, self._seat, view)
        return [[self._aloud(way) for way in (*ways, whole)] for ways in parts or [[]]]
