"""Writes a free table made from the decks of another program, or updates one.

The result is a game folder that can be played at once and edited like any other.
"""

import csv
import io
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from msgspec import Struct

from tabletop.catalogue.game_folders import make_unused_id
from tabletop.files.atomic_write import make_folder, write_atomically
from tabletop.files.errors import BadFile
from tabletop.files.new_folder import write_new_folder
from tabletop.games import card_sheet, game_info
from tabletop.games.game_id import make_game_id
from tabletop.games.safe_toml import parse_toml
from tabletop.studio.exchange import picture_folder, spreadsheet
from tabletop.studio.exchange.found_components import MAX_COUNT
from tabletop.studio.exchange.found_game import FoundCounter, FoundDeck, FoundGame, FoundPicture
from tabletop.studio.exchange.import_record import (
    RECORD_FILE,
    ImportRecord,
    digest,
    is_imported_file,
    read_record,
)
from tabletop.studio.exchange.untrusted_data import as_dict
from tabletop.studio.workshop.new_game import MAX_TITLE_CHARS
from tabletop.text.plain_text import plain_line

MAX_SEATS = 6
FACE_SIZE = (240, 336)
"""The width and height of a card, in the units of its SVG drawing."""
MAX_SHAPE_DIFFERENCE = 0.09
"""How much a picture's aspect ratio may differ from the card's, relatively, for the picture to be
stretched over the whole card.
"""
MAX_COLUMNS = 30
"""The maximum number of card fields that become columns of the card sheet."""
MAX_SEPARATE_DECKS = 8
"""The maximum number of decks that get zones of their own. All others share one zone."""
FREE_TOML = "free.toml"
REPLACED = "replaced"
"""The folder in a game for edited files that an update has replaced."""
_BACKS = re.compile(r"^back\s*=\s*\[[^\]]*\]", re.MULTILINE)
MAX_ROW_TOKENS = 24
"""The maximum number of tokens that lie side by side. More are a pile."""
DEFAULT_MOST = 999
"""The maximum value of a counter whose `most` isn't written."""
_ANYBODY = 'take = "everybody"\nput = "everybody"\n'
_JAPANESE = re.compile(r"[\u3040-\u30ff\u4e00-\u9fff]")


class _Words(Struct, frozen=True):
    """The texts of an imported game in one language."""

    feel: str
    credit: str
    hand: str
    hand_caption: str
    middle: str
    middle_caption: str
    used: str
    used_caption: str
    mine: str
    mine_caption: str
    points: str
    points_caption: str
    others: str
    dice: str
    of_seat: str
    """The name of a counter that each player has."""
    book: str
    tools: dict[str, str] = {}
    """Translations of tool names that are descriptions rather than names of programs."""


TEXTS = {
    "en": _Words(
        "Everything may be moved; play as you agree.",
        "Imported from {tool}",
        "{seat}'s hand",
        "Hand",
        "the middle of the table",
        "Table",
        "the used cards",
        "Used",
        "{seat}'s cards",
        "Cards",
        "{seat}'s points",
        "Points",
        "Other cards",
        "Dice",
        "{{seat}}'s {name}",
        "# {title}\n\n## 1 What is there\n\n{decks}\n\n## 2 How it is played\n\n"
        "Write here what you agree on: this page is `rulebook.{language}.md` of the game's "
        "folder.\n",
    ),
    "ja": _Words(
        "どのカードも動かせます。遊び方はみんなで決めましょう。",
        "{tool}から取り込み",
        "{seat}の手札",
        "手札",
        "場",
        "場",
        "使ったカード",
        "使用済み",
        "{seat}の前",
        "自分の前",
        "{seat}の点",
        "点",
        "その他のカード",
        "ダイス",
        "{{seat}}の{name}",
        "# {title}\n\n## 1 内容物\n\n{decks}\n\n## 2 遊び方\n\n"
        "決めた遊び方をここに書きましょう。このページは、ゲームのフォルダーにある`rulebook.{language}.md`です。\n",
        {picture_folder.TOOL: "画像", spreadsheet.TOOL: "表計算の表"},
    ),
}


def write(found: FoundGame, folder: Path, title: str) -> None:
    """Write `found` as a game with a new ID to `folder`, which must be empty or not exist.

    Raises:
        BadFile: `folder` isn't empty, or `title` is empty.
        StorageError: The files can't be written.
    """
    title = plain_line(title, MAX_TITLE_CHARS).strip()
    if not title:
        raise BadFile("A title has 1 to {n} characters, on one line.", n=MAX_TITLE_CHARS)
    write_new_folder(folder, _files(found, title, make_unused_id(title), ImportRecord()))


def unused_folder(parent: Path, title: str) -> Path:
    """Return an unused folder path in `parent` for a game with this `title`."""
    first = name = make_unused_id(title)
    n = 1
    while (parent / name).exists():
        n += 1
        name = f"{first}_{n}"
    return parent / name


class CardUpdate(Struct, frozen=True):
    """What an update has changed besides the cards."""

    replaced: tuple[str, ...] = ()
    """The edited files that were copied to the folder `REPLACED`."""
    added: tuple[str, ...] = ()
    """The decks that got a zone of their own in free.toml."""
    gone: tuple[str, ...] = ()
    """The decks that free.toml names and that have no cards any more."""


def update(found: FoundGame, folder: Path) -> CardUpdate:
    """Replace the cards and pictures of an imported game with those of `found`.

    Everything else stays, such as the rules, layout and texts. free.toml gets a zone for each new
    deck. Files that were edited after the import are copied to the folder `REPLACED` first.

    Raises:
        BadFile: `folder` isn't an imported game.
        StorageError: A file can't be written.
    """
    record = read_record(folder)
    try:
        table = (folder / FREE_TOML).read_text("utf-8")
        box = (folder / game_info.CARDS_TOML).read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise BadFile('"{folder}" isn\'t an imported game.', folder=folder.name) from error
    if record is None:
        raise BadFile('"{folder}" isn\'t an imported game.', folder=folder.name)
    files = _files(found, found.title, make_game_id(folder.name), record)
    new = {name: content for name, content in files.items() if is_imported_file(name)}
    replaced = tuple(_keep_edited_files(folder, record, new))
    for name in record.digests.keys() - new.keys():
        if name.rpartition("/")[2] not in table + box:
            (folder / name).unlink(missing_ok=True)
    decks = _decks_with_places(found.decks, TEXTS[_language(found, found.title)])
    table, added, gone = _add_zones(table, decks)
    if added:
        new[FREE_TOML] = table.encode()
    new[game_info.CARDS_TOML] = _with_backs(box, files[game_info.CARDS_TOML].decode()).encode()
    new[RECORD_FILE] = files[RECORD_FILE]
    for name, content in new.items():
        make_folder((folder / name).parent)
        write_atomically(folder / name, content)
    return CardUpdate(replaced, added, gone)


def _keep_edited_files(
    folder: Path, record: ImportRecord, new: Mapping[str, bytes]
) -> Iterator[str]:
    """Copy the files to `REPLACED` that differ from what was imported, and from `new`."""
    for name in sorted(record.digests.keys() | new.keys()):
        file = folder / name
        if not file.is_file():
            continue
        content = file.read_bytes()
        if digest(content) != record.digests.get(name) and content != new.get(name):
            target = folder / REPLACED / name
            make_folder(target.parent)
            write_atomically(target, content)
            yield name


def _add_zones(
    table: str, decks: Sequence[FoundDeck]
) -> tuple[str, tuple[str, ...], tuple[str, ...]]:
    """Return the free.toml `table` with a zone for each deck that no zone starts with, the names of
    these decks, and of the decks that it names and that don't exist.

    A file that can't be read stays as it is: the program says what is wrong with it.
    """
    try:
        zones = as_dict(parse_toml(table).get("zone"))
    except ValueError:
        return table, (), ()
    starts = [as_dict(zone).get("starts") for zone in zones.values()]
    if "all" in starts:
        return table, (), ()
    named: dict[str, None] = {}
    for value in (as_dict(each).get("deck") for each in starts):
        named |= dict.fromkeys(map(str, value if isinstance(value, list) else [value]))
    named.pop("None", None)
    added = [deck for deck in decks if deck.name not in named]
    number = 1
    for deck in added:
        while f"deck{number}" in zones or f"[zone.deck{number}]" in table:
            number += 1
        table = f"{table.rstrip()}\n\n{_deck_zone(f'deck{number}', deck)}"
    there = {deck.name for deck in decks}
    gone = tuple(name for name in named if name not in there)
    return table, tuple(deck.name for deck in added), gone


def _with_backs(box: str, imported: str) -> str:
    """Return the cards.toml `box` with the list of backs of the `imported` one."""
    backs = _BACKS.search(imported)
    if backs is None or _BACKS.search(box) is None:
        return f"{backs[0] if backs else ''}\n{box}"
    return _BACKS.sub(lambda _: backs[0], box, count=1)


def _language(found: FoundGame, title: str) -> str:
    every = "".join(f"{deck.name}{card.name}" for deck in found.decks for card in deck.cards)
    return "ja" if _JAPANESE.search(title + every) else "en"


def _files(found: FoundGame, title: str, name: str, record: ImportRecord) -> dict[str, bytes]:
    """Return the content of each file of the game with the ID `name`. Pictures and backs that the
    earlier import `record` knows keep their file names.
    """
    language = _language(found, title)
    words = TEXTS[language]
    decks = _decks_with_places(found.decks, words)
    names = record.name_pictures(found.pictures)
    backs = tuple(dict.fromkeys(card.back for deck in decks for card in deck.cards))
    back_names = record.name_backs(backs)
    files = {f"pictures/{names[key]}": each.content for key, each in found.pictures.items()}
    for back in filter(None, backs):
        files[f"assets/{back_names[back]}.svg"] = _back(names[back], found.pictures[back]).encode()
    if found.whole_faces and any(card.face for deck in decks for card in deck.cards):
        files["assets/face.svg"] = _FACE.encode()
    files[card_sheet.CSV_FILE] = _sheet(decks, found.pictures, names, back_names)
    files[game_info.CARDS_TOML] = _box(found, title, name, language, back_names.values()).encode()
    files[FREE_TOML] = _table(decks, found, names.get(found.board, ""), words).encode()
    listed = "\n".join(f"- {deck.name}: {deck.count}" for deck in decks)
    book = words.book.format(title=title, decks=listed, language=language)
    files[f"rulebook.{language}.md"] = book.encode()
    other = "en" if language == "ja" else "ja"
    files[f"{other}.po"] = _translations(words, TEXTS[other]).encode()
    imported = {each: digest(files[each]) for each in files if is_imported_file(each)}
    written = ImportRecord(found.file, found.tool, names, back_names, imported)
    files[RECORD_FILE] = written.encode()
    return files


def _translations(own: _Words, other: _Words) -> str:
    """Return a PO file for the texts common to all imported games, which
    translates from `own` to `other`.
    """
    names = ("feel", "hand", "hand_caption", "middle", "middle_caption", "used", "used_caption",
             "mine", "mine_caption", "points", "points_caption")  # fmt: skip
    pairs = {getattr(own, name): getattr(other, name) for name in names}
    pairs[f"{own.points}: {{value}}"] = f"{other.points}: {{value}}"
    entries = (f"msgid {_quote(a)}\nmsgstr {_quote(b)}\n" for a, b in pairs.items())
    return "\n".join(entries)


def _decks_with_places(decks: Sequence[FoundDeck], words: _Words) -> tuple[FoundDeck, ...]:
    """Return one deck for each deck zone. If there are too many decks, the last ones are merged,
    open decks separately.
    """
    tokens = [deck for deck in decks if deck.is_open]
    decks = [deck for deck in decks if not deck.is_open]
    if len(decks) > MAX_SEPARATE_DECKS + 1:
        rest = tuple(card for deck in decks[MAX_SEPARATE_DECKS:] for card in deck.cards)
        decks = [*decks[:MAX_SEPARATE_DECKS], FoundDeck(words.others, rest)]
    if len(tokens) > 1:
        every = tuple(card for deck in tokens for card in deck.cards)
        tokens = [FoundDeck(tokens[0].name, every, is_open=True)]
    return (*decks, *tokens)


def _quote(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _box(found: FoundGame, title: str, name: str, language: str, backs: Iterable[str]) -> str:
    words = TEXTS[language]
    listed = ", ".join(map(_quote, backs))
    seats = list(range(2, MAX_SEATS + 1))
    return f"""\
back = [{listed}]

[box]
id = {_quote(name)}
title = {_quote(title)}
language = {_quote(language)}
seats = {seats}
minutes = 30
feel = {_quote(words.feel)}
credit = {_quote(words.credit.format(tool=words.tools.get(found.tool, found.tool)))}
rules = 1
"""


def _table(decks: Sequence[FoundDeck], found: FoundGame, board: str, words: _Words) -> str:
    """Return the text of free.toml: zones for the decks, the middle, used cards, hands, and the
    space in front of each player, dice, counters, and the table's picture `board`. Everybody may
    move everything.
    """
    turned = 'flip = "everybody"\n'
    parts = [f"[table]\npicture = {_quote(board)}\n"] if board else []
    parts.append('[turns]\norder = "clockwise"\nrounds = 20\n')
    names = dict(_named_zones(decks))
    parts += (_deck_zone(name, deck) for name, deck in names.items())
    zones = (
        ("middle", "row", "", words.middle, words.middle_caption, 'face = "choose"\n' + turned),
        ("used", "pile", "", words.used, words.used_caption, 'shuffle = "everybody"\n'),
        ("hand", "hand", "", words.hand, words.hand_caption, 'show = "owner"\n'),
        ("mine", "row", 'owner = "seat"\n', words.mine, words.mine_caption,
         'face = "choose"\n' + turned),
    )  # fmt: skip
    for name, kind, owner, label, caption, more in zones:
        allowed = 'put = "everybody"\n' if name == "hand" else _ANYBODY
        returns = 'returns = "deck1"\n' if name == "used" and "deck1" in names else ""
        parts.append(
            f'[zone.{name}]\nkind = "{kind}"\n{owner}label = {_quote(label)}\n'
            f"caption = {_quote(caption)}\n{allowed}{more}{returns}"
        )
    parts.append(
        f"[counter.points]\nlabel = {_quote(words.points)}\n"
        f"caption = {_quote(words.points_caption)}\n"
    )
    parts += (
        f"[dice.dice{number}]\nlabel = {_label(each.name or words.dice, number)}\n"
        f'sides = {each.sides}\ncount = {each.count}\nroll = "everybody"\n'
        for number, each in enumerate(found.dice, 1)
    )
    parts += (_counter(number, each, words) for number, each in enumerate(found.counters, 1))
    parts.append(f'[[score]]\ntext = {_quote(words.points_caption)}\ncounter = "points"\n')
    return "\n".join(parts)


def _named_zones(decks: Sequence[FoundDeck]) -> Iterator[tuple[str, FoundDeck]]:
    """Yield the name of each deck's zone: "deck1" and so on, and "tokens1" for open decks."""
    counts = {False: 0, True: 0}
    for deck in decks:
        counts[deck.is_open] += 1
        yield f"{'tokens' if deck.is_open else 'deck'}{counts[deck.is_open]}", deck


def _deck_zone(name: str, deck: FoundDeck) -> str:
    """Return the section of free.toml for a deck's zone."""
    kind, more = "deck", 'shuffle = "everybody"\nlook = "everybody"\n'
    if deck.is_open:
        kind = "row" if deck.count <= MAX_ROW_TOKENS else "pile"
        more = 'face = "up"\nshuffled = false\nflip = "everybody"\n'
    return (
        f'[zone.{name}]\nkind = "{kind}"\nlabel = {_label(deck.name, name)}\n'
        f"starts = {{ deck = {_quote(deck.name)} }}\n{_ANYBODY}{more}"
    )


def _label(name: str, otherwise: object) -> str:
    return _quote(re.sub("[{}]", "", name).strip() or str(otherwise))


def _counter(number: int, counter: FoundCounter, words: _Words) -> str:
    """Return the section of free.toml for a counter."""
    name = re.sub("[{}]", "", counter.name).strip() or f"{words.points_caption} {number}"
    owner = "seat" if counter.of_seats else "table"
    label = words.of_seat.format(name=name) if counter.of_seats else name
    least = f"least = {-MAX_COUNT}\n" if counter.start < 0 else ""
    most = f"most = {MAX_COUNT}\n" if counter.start > DEFAULT_MOST else ""
    return (
        f'[counter.counter{number}]\nowner = "{owner}"\nlabel = {_quote(label)}\n'
        f"caption = {_quote(name)}\nstart = {counter.start}\n{least}{most}"
    )


def _sheet(
    decks: Sequence[FoundDeck],
    pictures: dict[str, FoundPicture],
    names: dict[str, str],
    backs: dict[str, str],
) -> bytes:
    fixed = ["name", "copies", "deck", "back", "picture", "wide", "high", "text"]
    own = dict.fromkeys(heading for deck in decks for card in deck.cards for heading in card.fields)
    headings = _columns(own, fixed)
    used = [c for c in fixed if c != "text" or any(card.text for d in decks for card in d.cards)]
    out = io.StringIO(newline="")
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow([*used, *headings])
    for deck in decks:
        for card in deck.cards:
            wide, high = _on_card(pictures[card.face].size) if card.face else ("", "")
            row = {
                "name": card.name,
                "copies": card.copies,
                "deck": deck.name,
                "back": backs[card.back],
                "picture": names.get(card.face, ""),
                "wide": wide,
                "high": high,
                "text": card.text,
            }
            cells = [row[name] for name in used]
            writer.writerow([*cells, *(card.fields.get(heading, "") for heading in headings)])
    return out.getvalue().encode()


def _columns(headings: Iterable[str], taken: Iterable[str]) -> list[str]:
    """Return the headings that become columns of the card sheet, without duplicates and without the
    columns in `taken`.
    """
    known = {card_sheet.parse_heading(each) for each in taken}
    columns: list[str] = []
    for heading in headings:
        column = card_sheet.parse_heading(heading)
        if column is not None and column not in known and heading.lower() not in taken:
            known.add(column)
            columns.append(heading)
        if len(columns) == MAX_COLUMNS:
            break
    return columns


def _on_card(size: tuple[int, int]) -> tuple[int, int]:
    """Return the size at which a picture of this `size` is drawn on a card. A picture with nearly
    the card's aspect ratio covers the whole card.
    """
    wide, high = FACE_SIZE
    scale = min(wide / size[0], high / size[1])
    shown = max(1, round(size[0] * scale)), max(1, round(size[1] * scale))
    return FACE_SIZE if min(shown[0] / wide, shown[1] / high) > 1 - MAX_SHAPE_DIFFERENCE else shown


_OPEN = (
    '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" '
    f'viewBox="0 0 {FACE_SIZE[0]} {FACE_SIZE[1]}" width="{FACE_SIZE[0]}" height="{FACE_SIZE[1]}">'
)
_STOCK = (
    f'<rect width="{FACE_SIZE[0]}" height="{FACE_SIZE[1]}" rx="14.4" fill="{{{{ theme.stock }}}}"/>'
)
_FACE = f"""\
{{# The picture of the card; one without a picture is drawn as a plain card. #}}
{{% set card = card | default({{"name": "Card"}}) %}}
{{% set named = card.picture | default("") %}}
{{% set wide, high = card.wide | default({FACE_SIZE[0]}), card.high | default({FACE_SIZE[1]}) %}}
{{% set shown = picture(named, wide, high, true) if named and picture is defined else "" %}}
{{% if shown %}}
{_OPEN}
{_STOCK}
<image x="{{{{ ({FACE_SIZE[0]} - wide) / 2 }}}}" y="{{{{ ({FACE_SIZE[1]} - high) / 2 }}}}" \
width="{{{{ wide }}}}" height="{{{{ high }}}}" xlink:href="{{{{ shown }}}}"/>
</svg>
{{% else %}}{{% include "common/face.svg" %}}{{% endif %}}
"""


def _back(name: str, picture: FoundPicture) -> str:
    wide, high = _on_card(picture.size)
    x, y = (FACE_SIZE[0] - wide) / 2, (FACE_SIZE[1] - high) / 2
    place = f'x="{x}" y="{y}" width="{wide}" height="{high}"'
    shown = f'picture("{name}", {wide}, {high}, true) if picture is defined else ""'
    return (
        f"{{% set shown = {shown} %}}\n{_OPEN}\n{_STOCK}\n"
        f'{{% if shown %}}<image {place} xlink:href="{{{{ shown }}}}"/>{{% endif %}}\n</svg>\n'
    )
