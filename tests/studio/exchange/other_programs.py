"""Small files as other programs write them, each with everything that the program has."""

import json
from hashlib import sha256
from io import BytesIO
from pathlib import Path

from PIL import Image

from tabletop.exchange.zip_archive import pack_zip

COLOURS = ("red", "green", "blue", "orange", "purple", "brown")


def picture(colour: str, size: tuple[int, int] = (60, 84), kind: str = "PNG") -> bytes:
    out = BytesIO()
    Image.new("RGB", size, colour).save(out, kind)
    return out.getvalue()


def udonarium() -> bytes:
    """A room: a stack of four cards, of which two are equal, one card beside it, a character, two
    dice, a note, and a table with a terrain.
    """
    faces = {sha256(picture(c)).hexdigest(): picture(c) for c in COLOURS[:3]}
    back = sha256(picture("black", kind="WEBP")).hexdigest()
    red, green, blue = faces

    def card(front: str, name: str, detail: str = "") -> str:
        return (
            '<card location.name="table" state="1"><data name="card"><data name="image">'
            '<data type="image" name="imageIdentifier"></data>'
            f'<data type="image" name="front">{front}</data>'
            f'<data type="image" name="back">{back}</data></data><data name="common">'
            f'<data name="name">{name}</data><data name="size">2</data></data>'
            f'<data name="detail">{detail}</data></data></card>'
        )

    note = '<data name="情報"><data type="note" name="説明">引く</data></data>'
    told = f'<data name="コスト">3</data>{note}'
    stacked = card(red, "鯉", told) + card(green, "鷺") * 2 + card("./assets/images/x.gif", "札")
    xml = (
        '\n<?xml version="1.0" encoding="UTF-8"?><room><card-stack location.name="table">'
        '<data name="card-stack"><data name="common"><data name="name">池の山</data></data></data>'
        f'<node name="cardRoot">{stacked}</node></card-stack>{card(blue, "蛙")}'
        f"{_udonarium_table(red, green)}</room>"
    )
    files = {f"{name}.png": content for name, content in faces.items()}
    files |= {f"{back}.webp": picture("black", kind="WEBP"), "chat.xml": b"<chat/>"}
    return pack_zip(files | {"data.xml": xml.encode()})


def _udonarium_table(board: str, character: str) -> str:
    """A table with a terrain, a character with a resource, two equal dice, and a note."""
    sides = "".join(f'<data type="image" name="{n}">d6_{n}</data>' for n in range(1, 7))
    die = (
        '<dice-symbol location.name="table" face="1"><data name="dice-symbol">'
        f'<data name="image"><data type="image" name="imageIdentifier"></data>{sides}</data>'
        '<data name="common"><data name="name">D6</data></data></data></dice-symbol>'
    )
    return (
        f'<game-table name="池" width="20" height="15" imageIdentifier="{board}">'
        '<terrain><data name="terrain"/></terrain></game-table>'
        '<character location.name="table"><data name="character"><data name="image">'
        f'<data type="image" name="imageIdentifier">{character}</data></data><data name="common">'
        '<data name="name">釣り人</data><data name="size">1</data></data><data name="detail">'
        '<data name="リソース"><data type="numberResource" currentValue="9" name="HP">9</data>'
        f"</data></data></data></character>{die * 2}<text-note/>"
    )


def simulator(folder: Path) -> Path:
    """A save with a deck of five, of a sheet of 3 by 2 beside it, a card in a bag, a board, a
    locked tile, tokens, pawns, dice, a counter, and two things that no table of this program has.
    """
    sheet = Image.new("RGB", (180, 168))
    for number, colour in enumerate(COLOURS):
        place = number % 3 * 60, number // 3 * 84
        sheet.paste(Image.new("RGB", (60, 84), colour), place)
    folder.mkdir(parents=True, exist_ok=True)
    sheet.save(folder / "sheet.png")
    (folder / "httpexamplecomback.jpg").write_bytes(picture("black", kind="JPEG"))
    custom = {
        "FaceURL": "file:///C:/Users/mio/secret/sheet.png",
        "BackURL": "http://example.com/back",
        "NumWidth": 3,
        "NumHeight": 2,
        "BackIsHidden": True,
        "UniqueBack": False,
    }
    cards = [
        {"Name": "Card", "CardID": 100 + n, "Nickname": f"Card {n}", "Description": f"Text {n}"}
        for n in range(4)
    ]
    deck = {
        "Name": "DeckCustom",
        "Nickname": "Main",
        "DeckIDs": [100, 101, 102, 103, 103],
        "CustomDeck": {"1": custom},
        "ContainedObjects": cards,
    }
    loose = {"Name": "CardCustom", "CardID": 105, "CustomDeck": {"1": custom}, "Nickname": ""}
    bag = {"Name": "Bag", "ContainedObjects": [loose]}
    board, token = ({"ImageURL": f"file:///{name}.png"} for name in ("board", "token"))
    others = [
        {"Name": "Custom_Board", "Nickname": "Harbour", "CustomImage": board},
        {"Name": "Custom_Tile", "Nickname": "Crate", "CustomImage": token, "Locked": True},
        {"Name": "Custom_Token", "Nickname": "Gem", "CustomImage": token, "Number": 3},
        {"Name": "PlayerPawn"},
        {"Name": "PlayerPawn"},
        {"Name": "Die_6"},
        {"Name": "Die_6"},
        {"Name": "Custom_Dice", "Nickname": "Wind", "CustomImage": {"CustomDice": {"Type": 2}}},
        {"Name": "Counter", "Nickname": "Tide", "Counter": {"value": 7}},
        {"Name": "HandTrigger"},
        {"Name": "Notecard", "Nickname": "Help"},
    ]
    (folder / "board.png").write_bytes(picture("teal", (300, 200)))
    (folder / "token.png").write_bytes(picture("gold", (50, 50)))
    save = {
        "SaveName": "My proto",
        "ObjectStates": [deck, bag, *others],
        "LuaScript": "print('x')",
    }
    (folder / "save.json").write_text(json.dumps(save), "utf-8-sig")
    return folder / "save.json"


def ccfolia() -> bytes:
    items = {f"i{n}": {"imageUrl": f"{c}.png", "memo": f"札{n}\n効果{n}"}
             for n, c in enumerate(COLOURS[:3])}  # fmt: skip
    loose = {
        "a": {"imageUrl": "blue.png", "coverImageUrl": "back.webp", "memo": None},
        "board": {"imageUrl": "red.png", "coverImageUrl": None, "memo": "船"},
    }
    status = [{"label": "HP", "value": 12, "max": 12}]
    character = {"name": "船長", "iconUrl": "green.png", "status": status, "params": []}
    others = {
        "characters": {"c": character, "d": character | {"name": "料理人"}},
        "dices": {"d1": {"faces": 10, "value": 1}},
        "notes": {"n": {"name": "進行"}},
    }
    deck = {"coverImageUrl": "back.webp", "items": items, "x": 1, "width": 8}
    data = {
        "meta": {"version": "1.1.0"},
        "entities": {
            "room": {"name": "季節の卓", "foregroundUrl": "sea.png", "backgroundUrl": "red.png"},
            "decks": {"d": deck},
            "items": loose,
            **others,
        },
        "resources": {},
    }
    files = {f"{c}.png": picture(c) for c in COLOURS[:3]}
    files |= {"back.webp": picture("black", kind="WEBP"), ".token": b"0.1"}
    files["sea.png"] = picture("navy", (300, 200))
    return pack_zip(files | {"__data.json": json.dumps(data).encode()})


def pcio() -> bytes:
    kinds = {
        "own": {"face": "package://userassets/red.png", "label": "Own", "rank": 3},
        "drawn": {"image": "package://userassets/green.png", "label": "Drawn"},
        "unused": {"label": "Unused"},
    }
    back = [{"type": "image", "value": "package://userassets/back.png", "valueType": "static"}]
    deck = {
        "id": "dk",
        "type": "cardDeck",
        "cardTypes": kinds,
        "faceTemplate": {"objects": [{"type": "image", "value": "image", "valueType": "dynamic"}]},
        "backTemplate": {"objects": back},
    }
    laid = [{"id": f"c{n}", "type": "card", "deck": "dk", "cardType": kind}
            for n, kind in enumerate(("own", "own", "drawn"))]  # fmt: skip
    files = {f"userassets/{c}.png": picture(c) for c in ("red", "green")}
    files["userassets/back.png"] = picture("black")
    files["userassets/board.png"] = picture("teal", (300, 200))
    others = [
        {"type": "hand"},
        {"type": "board", "boardImage": "package://userassets/board.png"},
        {"type": "gamePiece", "pieceType": "pin", "color": "red"},
        {"type": "gamePiece", "pieceType": "pin", "color": "red"},
        {"type": "counter", "label": "Score", "counterValue": 3},
        {"type": "spinner", "options": [1, 2, 3, 4], "value": 1},
        {"type": "automationButton", "label": "Deal"},
    ]
    widgets = json.dumps([*others, deck, *laid])
    return pack_zip(files | {"widgets.json": widgets.encode()})


def cgs(folder: Path) -> Path:
    (folder / "sets" / "base").mkdir(parents=True)
    told = {"name": "Tide", "cardImageFileType": "jpg", "cardNameIdentifier": "title"}
    (folder / "cgs.json").write_text(json.dumps(told), "utf-8")
    cards = [{"id": "1", "title": "Wave", "set": "base", "power": 4, "text": "Rolls."},
             {"id": "2", "title": "Foam", "set": "base"}]  # fmt: skip
    (folder / "AllCards.json").write_text(json.dumps(cards), "utf-8")
    (folder / "sets" / "base" / "1.jpg").write_bytes(picture("blue", kind="JPEG"))
    (folder / "CardBack.png").write_bytes(picture("black"))
    return folder
