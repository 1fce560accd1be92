"""Checks of a game's files.

The checks find missing translations, missing rulebook paragraphs, unused cards and columns, and
mistakes in card sheets and TOML files.
"""

import ast
import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, groupby
from pathlib import Path
from typing import Any

from tabletop.catalogue.catalogue import GameKit
from tabletop.engine.mask import mask
from tabletop.engine.model import NO_CARD, Preview, State, is_face
from tabletop.engine.scratch import FastRng
from tabletop.free_table import game as free_table
from tabletop.free_table.zones import initial_cards, make_zones
from tabletop.games import card_sheet, game_info, older_layout
from tabletop.games.typed_toml import TomlFile, unknown_word
from tabletop.studio.laws import names
from tabletop.studio.laws.random_games import (
    GameTable,
    PlayedTurn,
    open_asks,
    sample_answers,
    sample_moves,
    turns_of_shot,
)
from tabletop.studio.translation import translation_check
from tabletop.studio.translation.japanese_style import JAPANESE_CHARACTER
from tabletop.studio.workshop.finding import Finding
from tabletop.studio.workshop.source_lines import (
    format_location,
    locate_cards,
    locate_name,
    locate_text,
)
from tabletop.text import phrases
from tabletop.text.phrases import fill_gaps

Games = Sequence[tuple[GameTable, Sequence[PlayedTurn]]]
HEADING_NUMBER = re.compile(r"^#{1,6} +(\d+(?:\.\d+)*)\s", re.MULTILINE)
FIELD_REFERENCE = re.compile(r"""\bcard(?:\.|\[["']|\.get\(["'])(\w+)""")
DATE_PATTERN = re.compile(
    r"[0-9]{4}-[0-9]{2}-[0-9]{2}|[0-9]{1,2}月[0-9]{1,2}日|[0-9]{1,2}-(?:Jan|Feb|Mar|Apr|May|Jun|Jul|"
    "Aug|Sep|Oct|Nov|Dec)"
)
"""Matches a date that a spreadsheet program may have made of a cell like 1/2."""
BUILT_IN_FIELDS = {
    *("name", "short", "text", "flavour", "paragraph", "copies", "back", "value", "rank", "number"),
    *("sign", "suit", "colour", "color", "icon", "picture"),
    "sides",
}
"""Card fields that the program itself reads."""
MAX_EXTRA_GAMES = 40
"""The maximum number of additional games for finding cards that never move."""
UNUSED_AFTER_ANSWERS = 4_000
"""How many answers in all games together it takes until a card that never moved is reported."""
MAX_LISTED_TEXTS = 12
"""The maximum number of missing texts listed one by one for a language without any translation.
More are reported in one line.
"""
MAX_LISTED_VALUES = 200
MAX_POSITIONS = 25
"""The maximum number of positions per game at which refusals and previews are collected."""


def find_missing_texts(kit: GameKit, games: Games) -> Iterator[Finding]:
    """Yield a finding for each name without a display text, and for each
    text without a translation.
    """
    used = names.collect_names(turns for _, turns in games)
    for sentence in names.find_unnamed(kit, used):
        section, _, problem = sentence.partition(" of words.toml: ")
        yield Finding(f"{locate_name(kit, 'words.toml', section, '')}: [{section}]: {problem}")
    yield from map(Finding, names.find_unset_values(kit, used))
    yield from _untranslated(kit)


def _untranslated(kit: GameKit) -> Iterator[Finding]:
    folder = Path(str(kit.folder))
    for language, called in (("ja", "Japanese"), ("en", "English")):
        if kit.box.language == language:
            continue
        missing = translation_check.untranslated_texts(folder, language)
        written = [text for text in missing if JAPANESE_CHARACTER.search(text)]
        if language == "ja":
            if len(written) > len(missing) / 2:
                place = locate_name(kit, game_info.CARDS_TOML, "box", "")
                yield Finding(
                    f"{place}: {len(written)} texts are Japanese "
                    'already: add language = "ja" below [box]'
                )
            texts = [text for text in missing if text not in written]
        else:
            texts = [text for text in missing if not text.isascii()]
        if len(texts) > MAX_LISTED_TEXTS and not translation_check.has_translations(
            folder, language
        ):
            fault = f"no {called} yet for {len(texts)} texts: they are shown as they are"
            yield Finding(fault, see=f"{language}.po takes it")
            continue
        for text in texts:
            line = " ".join(text.split())
            fault = f'{format_location(missing[text], folder)}: no {called} for "{line}"'
            yield Finding(fault, see=f"{language}.po takes it")


def describe_columns(kit: GameKit) -> tuple[str, ...]:
    """Return messages that say how the columns of the card sheet were interpreted. Columns whose
    heading is the name of their field are omitted.
    """
    sheet = card_sheet.find_sheet(kit.folder)
    columns = [
        each for each in (card_sheet.sheet_columns(sheet) if sheet else ()) if not each.language
    ]
    renamed = [
        f'{each.heading} is "{each.name}"' for each in columns if each.is_known and each.is_renamed
    ]
    own = [each.heading for each in columns if not each.is_known]
    at = (card_sheet.find_heading_row(sheet) if sheet else None) or 1
    notes = {
        f"the columns are named in row {at}": at > 1,
        f"columns: {', '.join(renamed)}": renamed,
        f"fields of the cards under their own headings: {', '.join(own)}": own,
    }
    return tuple(f"{sheet.file}: {note}" for note, there in notes.items() if there and sheet)


def find_ignored_workbooks(kit: GameKit) -> Iterator[Finding]:
    """Yield a finding for each card file that is ignored because another
    card file takes precedence.
    """
    there = [name for name in card_sheet.CARD_FILES if (kit.folder / name).is_file()]
    for other in there[1:]:
        problem = f"{other}: it isn't read, as {there[0]} is there and has the cards"
        yield Finding(problem, "only one of them is the sheet that you change")


def find_outdated_entries(kit: GameKit) -> Iterator[Finding]:
    """Yield a finding for each kind of outdated entry in table.toml."""
    file = TomlFile("table.toml", kit.read_text("table.toml"), max(kit.box.seats))
    for path, group in groupby(older_layout.convert_older_entries(file), lambda entry: entry.path):
        today = next(group).replacement
        yield Finding(f'{file.name} line {file.line_of(path)}: "{path[-1]}" is read as {today}')


def find_unused_cards(kit: GameKit, games: Games) -> Iterator[Finding]:
    """Yield a finding for each card that never moves in many games, and for each card column that
    neither rules nor drawings use.
    """
    count: dict[str, int] = {}
    for card in kit.deck:
        count[str(card["name"])] = count.get(str(card["name"]), 0) + 1
    idle = dict(count)
    played = answers = 0
    for turns in chain((turns for _, turns in games), _extra_games(kit, games[-1][0])):
        played, answers = played + 1, answers + len(turns)
        for moved in _cards_moved(turns) | _cards_revealed(turns):
            idle.pop(str(kit.deck[moved]["name"]), None)
        if not idle or (played > len(games) and answers > UNUSED_AFTER_ANSWERS):
            break
    places = locate_cards(kit)
    for name in idle:
        where = f"{places[name]}: " if name in places else ""
        yield Finding(
            f'{where}In {played} games played at random, "{name}" ({count[name]} in the box) never '
            "moved",
            "it is dealt to nobody, or to a zone that nothing is taken from; or so deep in a pile "
            "that games by chance don't come to it",
        )
    sheet = card_sheet.find_sheet(kit.folder)
    renamed = {
        each.heading for each in (card_sheet.sheet_columns(sheet) if sheet else ()) if each.is_known
    }
    columns = {field for card in kit.deck for field in card} - BUILT_IN_FIELDS - renamed
    for column in sorted(columns - _used_fields(kit)):
        yield Finding(
            f'{_column_place(kit, column)}: No rule and no drawing reads "{column}" of the cards',
            "it is spelt otherwise there",
        )


def _column_place(kit: GameKit, column: str) -> str:
    """Return where `column` is defined, as a file with a line or row."""
    with_it = [str(card["name"]) for card in kit.deck if column in card]
    place = locate_cards(kit).get(with_it[0], card_sheet.CSV_FILE)
    file = place.partition(" ")[0]
    sheet = card_sheet.find_sheet(kit.folder)
    at = card_sheet.find_heading_row(sheet) if sheet else None
    return f"{file} row {at or 1}" if file in card_sheet.CARD_FILES else place


def find_non_numeric_cells(kit: GameKit) -> Iterator[Finding]:
    """Yield a finding for each cell of a scored column that isn't a number."""
    if not isinstance(kit.rules, free_table.Rules):
        return
    places = locate_cards(kit)
    for column in dict.fromkeys(line.column for line in kit.rules.table.score if line.column):
        odd = {str(card["name"]): card[column] for card in kit.deck if column in card}
        for name, cell in odd.items():
            if not re.fullmatch(r"-?[0-9]+", str(cell).strip()):
                yield Finding(
                    f'{places.get(name, "")}, column "{column}": "{cell}" isn\'t a number,'
                    " so it counts as 0",
                    "free.toml adds this column up",
                )


def find_overdrawn_zones(kit: GameKit) -> Iterator[Finding]:
    """Yield a finding if a zone of a free table deals more cards than it contains."""
    if not isinstance(kit.rules, free_table.Rules):
        return
    for seats in sorted(kit.box.seats):
        spots = make_zones(kit.rules.table, seats)
        dice = sum(map(kit.is_die, range(len(kit.deck))))
        lying = initial_cards(spots, kit.deck, len(kit.deck) - dice)
        for spot in spots:
            wanted = sum(
                count * len([s for s in spots if s.home == home and spot.owner in (None, s.owner)])
                for home, count in spot.area.deal.items()
                if isinstance(count, int)  # the others deal whatever there is
            )
            if wanted > (there := len(lying.get(spot.name, ()))):
                yield Finding(
                    f'{locate_name(kit, "free.toml", "zone", spot.home)}: "{spot.home}" deals '
                    f"{wanted} cards to {seats} players, and has {there}"
                )
                return


def find_empty_starts(kit: GameKit) -> Iterator[Finding]:
    """Yield a finding for each value in `starts` of free.toml that no card has."""
    if not isinstance(kit.rules, free_table.Rules):
        return
    for name, area in kit.rules.table.zone.items():
        if not isinstance(area.starts, dict):
            continue
        for field, wanted in area.starts.items():
            there = {str(card[field]) for card in kit.deck if field in card}
            for value in wanted if isinstance(wanted, tuple) else (wanted,):
                if str(value) not in there:
                    place = locate_name(kit, "free.toml", "zone", name)
                    problem = unknown_word(str(value), sorted(there)[:MAX_LISTED_VALUES])
                    yield Finding(
                        f'{place}: "starts" of "{name}" finds no card with {field} = "{value}"',
                        problem,
                    )


def find_unknown_cases(kit: GameKit) -> Iterator[Finding]:
    """Yield a finding for each `case` of `match move.verb` or `match ask.what` in the rules that
    no verb or question has.
    """
    try:
        tree = ast.parse(kit.read_text("rules.py"))
    except (SyntaxError, ValueError, RecursionError):
        return
    called = [each for node in ast.walk(tree) if isinstance(node, ast.Call) for each in node.args]
    strings = {
        each.value
        for each in called
        if isinstance(each, ast.Constant) and isinstance(each.value, str)
    }
    known = {"verb": {*kit.words.verbs} | strings, "what": {*kit.words.asks} | strings}
    for match in ast.walk(tree):
        if not (isinstance(match, ast.Match) and isinstance(match.subject, ast.Attribute)):
            continue
        if (names := known.get(match.subject.attr)) is None:
            continue
        kind = "verb" if match.subject.attr == "verb" else "question"
        for line, value in _literal_cases(match):
            if value not in names:
                problem = unknown_word(value, names).replace(" is not known", f" is no {kind}")
                yield Finding(f'rules.py line {line}: case "{value}" never matches', problem)


def _literal_cases(match: ast.Match) -> Iterator[tuple[int, str]]:
    """Yield the line and the text of each string pattern of a `match` statement."""
    waiting = [case.pattern for case in match.cases]
    while waiting:
        pattern = waiting.pop(0)
        if isinstance(pattern, ast.MatchOr):
            waiting[:0] = pattern.patterns
        elif isinstance(pattern, ast.MatchAs) and pattern.pattern is not None:
            waiting.insert(0, pattern.pattern)
        elif (
            isinstance(pattern, ast.MatchValue)
            and isinstance(pattern.value, ast.Constant)
            and isinstance(pattern.value.value, str)
        ):
            yield pattern.lineno, pattern.value.value


def find_conflicting_translations(kit: GameKit) -> Iterator[Finding]:
    """Yield a finding for each text that the card sheet translates in two ways. Only the first
    translation is used.
    """
    translations: dict[tuple[str, str], tuple[str, int]] = {}
    sheet = card_sheet.find_sheet(kit.folder)
    for row in card_sheet.read_cards(sheet) if sheet else ():
        for language, texts in row.translations.items():
            for column, other in texts.items():
                english = str(row.card.get(column, ""))
                known, line = translations.setdefault((language, english), (other, row.number))
                if known != other:
                    assert sheet is not None
                    at = f'{sheet.file} row {row.number}, column "{column}.{language}"'
                    problem = f'"{english}" is "{known}" in row {line}, and that is shown'
                    yield Finding(f"{at}: {problem}")


def find_date_cells(kit: GameKit) -> Iterator[Finding]:
    """Yield a finding for the first cell that a spreadsheet program seems to
    have converted to a date.
    """
    sheet = card_sheet.find_sheet(kit.folder)
    for row in card_sheet.read_cards(sheet) if sheet else ():
        for column, cell in row.card.items():
            if DATE_PATTERN.fullmatch(str(cell)):
                assert sheet is not None
                at = f'{sheet.file} row {row.number}, column "{column}"'
                yield Finding(
                    f'{at}: "{cell}" is a date',
                    "the spreadsheet made it of something like 1/2: format the cells as text",
                )
                return


def find_impossible_conditions(kit: GameKit, games: Games) -> Iterator[Finding]:
    """Yield a finding for each idle condition in meaning.toml that compares a number with a
    text."""
    values = [turn.after.values for _, turns in games for turn in turns]
    for number, idle in enumerate(kit.meaning.idle):
        if not idle.value or re.fullmatch(r"-?[0-9]+", str(idle.equals)):
            continue
        key = fill_gaps(idle.value, {"seat": 0})
        kinds = {type(each[key]) for each in values if key in each}
        if kinds == {int}:
            file = TomlFile("meaning.toml", kit.read_text("meaning.toml"), max(kit.box.seats))
            line = file.line_of(("idle", number, "equals"))
            yield Finding(
                f'meaning.toml line {line}: "equals" is the text "{idle.equals}", but'
                f' "{idle.value}" is always a number, so this never holds'
            )


def _extra_games(kit: GameKit, table: GameTable) -> Iterator[Sequence[PlayedTurn]]:
    for number in range(MAX_EXTRA_GAMES):
        yield list(turns_of_shot(table, kit, f"more {number}", UNUSED_AFTER_ANSWERS))


def _cards_moved(turns: Sequence[PlayedTurn]) -> set[int]:
    """Return the cards that were part of a move or changed zones after the deal."""
    dealt = {card: zone for zone, held in turns[0].after.cards.items() for card in held}
    moved = {card for turn in turns[1:] if turn.move for card in turn.move.cards}
    for turn in turns[1:]:
        for zone, held in turn.after.cards.items():
            moved.update(card for card in held if dealt.get(card) != zone)
    return moved


def _cards_revealed(turns: Sequence[PlayedTurn]) -> set[int]:
    """Return the cards that were hidden from a player after the deal and that all players see at
    the end: those that decide the game without moving, such as secret goals.
    """
    return _cards_seen_by_all(turns[-1].after) - _cards_seen_by_all(turns[0].after)


def _cards_seen_by_all(state: State) -> set[int]:
    seen: set[int] | None = None
    for seat in range(state.seats):
        view = mask(state, seat)
        faces = {card for held in view.cards.values() for card in held if is_face(card)}
        seen = faces if seen is None else seen & faces
    return seen or set()


class _RecordingCard(dict[str, Any]):
    """A card that records which of its fields are read."""

    def __init__(self, card: Mapping[str, Any], read: set[str]) -> None:
        super().__init__(card)
        self._read = read

    def __getitem__(self, key: str) -> Any:
        self._read.add(key)
        return super().__getitem__(key)

    def get(self, key: str, default: Any = None) -> Any:
        self._read.add(key)
        return super().get(key, default)


def _used_fields(kit: GameKit) -> set[str]:
    """Return the card fields in use: the rules read them when they are created, or drawings, Python
    files or sentences mention them.
    """
    fields: set[str] = set()
    if not kit.read_text("rules.py"):  # free tables use the program's own rules
        return {field for card in kit.deck for field in card}
    type(kit.rules)(tuple(_RecordingCard(card, fields) for card in kit.deck))  # type: ignore[call-arg]
    for sentence in kit.words.faces:
        fields.update(phrases.GAP.findall(sentence))
    folder = Path(str(kit.folder))
    for file in (*folder.rglob("*.svg"), *folder.rglob("*.py")):
        fields.update(FIELD_REFERENCE.findall(file.read_text("utf-8", errors="replace")))
    return fields


def find_missing_paragraphs(kit: GameKit, games: Games) -> Iterator[Finding]:
    """Yield a finding for each paragraph number in a question, card or refusal that the rulebook
    doesn't contain.
    """
    named: dict[str, str] = {}
    where: dict[str, str] = {}
    places = locate_cards(kit)
    for question, asked in kit.words.asks.items():
        problem = f'the question "{question}" of words.toml'
        named |= dict.fromkeys(asked.paragraphs, problem)
        where |= dict.fromkeys(asked.paragraphs, locate_name(kit, "words.toml", "asks", question))
    for card in kit.deck:
        if paragraph := card.get("paragraph"):
            name = str(card.get("name", ""))
            named.setdefault(str(paragraph), f'the card "{name}"')
            where.setdefault(str(paragraph), places.get(name, ""))
    for table, turns in games:
        for paragraph, why in _refusals(table, turns):
            named.setdefault(paragraph, why)
            if paragraph not in where:
                text = why.partition('"')[2].removesuffix('"')
                where[paragraph] = locate_text(kit, text, "en")
    for language in ("en", "ja"):
        file = f"rulebook.{language}.md"
        paragraphs = set(HEADING_NUMBER.findall(kit.read_text(file)))
        for paragraph in sorted(named.keys() - paragraphs - {""}):
            at = f"{place}: " if (place := where.get(paragraph)) else ""
            problem = f"{file} has no paragraph {paragraph}, which {named[paragraph]} names"
            yield Finding(at + problem)


def _refusals(table: GameTable, turns: Sequence[PlayedTurn]) -> Iterator[tuple[str, str]]:
    """Yield the paragraph numbers in refusals and previews, each with a
    description of where it is from.
    """
    chance = FastRng("refusals")
    for turn in sample_answers(turns, MAX_POSITIONS):
        for ask in open_asks(turn.before):
            view = mask(turn.before, ask.seat)
            cards = [card for held in view.cards.values() for card in held if is_face(card)]
            tried = [(NO_CARD, zone) for zone in view.zones] + [(card, "") for card in cards]
            for card, zone in tried:
                if reason := table.game.why(view, ask, card, zone):
                    yield reason.paragraph, f'the refusal "{reason.text}"'
            for offer in table.game.offers(view, ask):
                for move in sample_moves(offer, ask.id, 2, chance):
                    preview = table.game.preview(view, ask, move) or Preview()
                    for note in preview.notes:
                        yield note.paragraph, f'the note "{note.text}"'
