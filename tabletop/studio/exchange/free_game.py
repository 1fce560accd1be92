"""Writes a free table made from the decks of another program.

The result is a game folder that can be played at once and edited like any other.
"""

import csv
import io
import json
import re
from collections.abc import Iterable, Sequence
from pathlib import Path

from msgspec import Struct

from tabletop.catalogue.game_folders import make_unused_id
from tabletop.files.errors import BadFile
from tabletop.files.new_folder import create_folder
from tabletop.games import card_sheet
from tabletop.studio.exchange import picture_folder, spreadsheet
from tabletop.studio.exchange.found_game import FoundDeck, FoundGame, FoundPicture
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
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        text = '"{folder}" already exists; nothing in it was changed.'
        raise BadFile(text, folder=str(folder))
    files = _files(found, title, make_unused_id(title))
    with create_folder(folder):
        for name, content in files.items():
            file = folder / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(content)


def unused_folder(parent: Path, title: str) -> Path:
    """Return an unused folder path in `parent` for a game with this `title`."""
    first = name = make_unused_id(title)
    n = 1
    while (parent / name).exists():
        n += 1
        name = f"{first}_{n}"
    return parent / name


def _files(found: FoundGame, title: str, name: str) -> dict[str, bytes]:
    """Return the content of each file of the game with the ID `name`."""
    every = "".join(f"{deck.name}{card.name}" for deck in found.decks for card in deck.cards)
    language = "ja" if _JAPANESE.search(title + every) else "en"
    words = TEXTS[language]
    decks = _decks_with_places(found.decks, words)
    names = {key: f"{n:03}{each.suffix}" for n, (key, each) in enumerate(found.pictures.items(), 1)}
    backs = tuple(dict.fromkeys(card.back for deck in decks for card in deck.cards))
    back_names = {back: f"back{n}" for n, back in enumerate(backs, 1)}
    files = {f"pictures/{names[key]}": each.content for key, each in found.pictures.items()}
    for back in filter(None, backs):
        files[f"assets/{back_names[back]}.svg"] = _back(names[back], found.pictures[back]).encode()
    if found.whole_faces and any(card.face for deck in decks for card in deck.cards):
        files["assets/face.svg"] = _FACE.encode()
    files[card_sheet.CSV_FILE] = _sheet(decks, found.pictures, names, back_names)
    files["cards.toml"] = _box(found, title, name, language, back_names.values()).encode()
    files["free.toml"] = _table(decks, words).encode()
    listed = "\n".join(f"- {deck.name}: {deck.count}" for deck in decks)
    book = words.book.format(title=title, decks=listed, language=language)
    files[f"rulebook.{language}.md"] = book.encode()
    other = "en" if language == "ja" else "ja"
    files[f"{other}.po"] = _translations(words, TEXTS[other]).encode()
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
    """Return one deck for each deck zone. If there are too many decks, the last ones are merged."""
    if len(decks) <= MAX_SEPARATE_DECKS + 1:
        return tuple(decks)
    rest = tuple(card for deck in decks[MAX_SEPARATE_DECKS:] for card in deck.cards)
    return (*decks[:MAX_SEPARATE_DECKS], FoundDeck(words.others, rest))


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


def _table(decks: Sequence[FoundDeck], words: _Words) -> str:
    """Return the text of free.toml: zones for the decks, the middle, used cards, hands, and the
    space in front of each player. Everybody may move everything.
    """
    anybody = 'take = "everybody"\nput = "everybody"\n'
    turned = 'flip = "everybody"\n'
    parts = ['[turns]\norder = "clockwise"\nrounds = 20\n']
    for number, deck in enumerate(decks, 1):
        parts.append(
            f"[zone.deck{number}]\n"
            'kind = "deck"\n'
            f"label = {_quote(re.sub('[{}]', '', deck.name) or str(number))}\n"
            f"starts = {{ deck = {_quote(deck.name)} }}\n"
            f'{anybody}shuffle = "everybody"\nlook = "everybody"\n'
        )
    zones = (
        ("middle", "row", "", words.middle, words.middle_caption, 'face = "choose"\n' + turned),
        ("used", "pile", "", words.used, words.used_caption, 'shuffle = "everybody"\n'),
        ("hand", "hand", "", words.hand, words.hand_caption, 'show = "owner"\n'),
        ("mine", "row", 'owner = "seat"\n', words.mine, words.mine_caption,
         'face = "choose"\n' + turned),
    )  # fmt: skip
    for name, kind, owner, label, caption, more in zones:
        allowed = 'put = "everybody"\n' if name == "hand" else anybody
        returns = 'returns = "deck1"\n' if name == "used" else ""
        parts.append(
            f'[zone.{name}]\nkind = "{kind}"\n{owner}label = {_quote(label)}\n'
            f"caption = {_quote(caption)}\n{allowed}{more}{returns}"
        )
    parts.append(
        f"[counter.points]\nlabel = {_quote(words.points)}\n"
        f"caption = {_quote(words.points_caption)}\n"
    )
    parts.append(f'[[score]]\ntext = {_quote(words.points_caption)}\ncounter = "points"\n')
    return "\n".join(parts)


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
