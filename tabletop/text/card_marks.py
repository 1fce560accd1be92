"""Words and markup that cards use: colours and icons in English and Japanese, emoji for icons, and
in texts `**bold**` and `:coin:` for an icon.
"""

import re

from tabletop.text.normalisation import TooManyMarks, normalise

ICON_NAMES = (
    *("bell", "cloud", "coin", "crane", "crown", "drop", "fan", "fish", "flame", "flower", "gem"),
    *("heart", "key", "leaf", "moon", "mountain", "shield", "star", "sun", "sword", "tree", "wave"),
)
"""The icons available in texts; `assets/common/parts.svg` draws them."""
COLOURS = {
    "red": "#b3372f",
    "blue": "#2c5f96",
    "green": "#39743f",
    "yellow": "#9a6b00",
    "gold": "#9a6b00",
    "orange": "#b4571a",
    "purple": "#71468f",
    "violet": "#71468f",
    "pink": "#ad4272",
    "brown": "#7a5233",
    "black": "#2b2b30",
    "white": "#77705f",
    "grey": "#666a70",
    "gray": "#666a70",
    "silver": "#666a70",
    "teal": "#226f73",
}
"""The inks of plain cards, by the English name of the colour."""
JAPANESE_COLOURS = {
    "red": "赤 赤色 あか アカ レッド 紅 朱",
    "blue": "青 青色 あお アオ ブルー 水色 紺",
    "green": "緑 緑色 みどり ミドリ グリーン 黄緑",
    "yellow": "黄 黄色 きいろ キイロ イエロー",
    "gold": "金 金色 きん ゴールド",
    "orange": "橙 橙色 だいだい オレンジ オレンジ色",
    "purple": "紫 紫色 むらさき ムラサキ パープル",
    "pink": "桃 桃色 ももいろ ピンク",
    "brown": "茶 茶色 ちゃいろ ブラウン",
    "black": "黒 黒色 くろ クロ ブラック",
    "white": "白 白色 しろ シロ ホワイト",
    "grey": "灰 灰色 はいいろ グレー グレイ",
    "silver": "銀 銀色 ぎん シルバー",
    "teal": "青緑 青緑色",
}
"""The Japanese words for each colour, separated by spaces."""
ICON_WORDS = {
    "bell": "鈴 鐘 ベル 🔔",
    "cloud": "雲 くも",
    "coin": "コイン 硬貨 お金 🪙 💰",
    "crane": "鶴 つる",
    "crown": "王冠 冠 👑",
    "drop": "水滴 しずく 雫 水 💧",
    "fan": "扇 扇子 🪭",
    "fish": "魚 さかな 🐟 🐠",
    "flame": "炎 火 ほのお 🔥",
    "flower": "花 はな 🌸 🌼 🌺 🌷",
    "gem": "宝石 💎",
    "heart": "ハート 心 ❤ 💗 💖",
    "key": "鍵 かぎ カギ 🔑 🗝",
    "leaf": "葉 はっぱ 葉っぱ 🍃 🍀 🌿 🍂",
    "moon": "月 つき 🌙 🌕",
    "mountain": "山 やま ⛰ 🏔 🗻",
    "shield": "盾 たて 🛡",
    "star": "星 ほし スター ⭐ 🌟",
    "sun": "太陽 日 🌞",
    "sword": "剣 つるぎ 刀 ⚔ 🗡",
    "tree": "木 き 🌳 🌲 🌴",
    "wave": "波 なみ 🌊",
}
"""The Japanese words and the emoji for each icon, separated by spaces."""
_COLOUR_BY_WORD = {
    word: COLOURS[name] for name, words in JAPANESE_COLOURS.items() for word in words.split()
} | COLOURS
_ICON_BY_WORD = {word: name for name, words in ICON_WORDS.items() for word in words.split()} | {
    name: name for name in ICON_NAMES
}
_EMOJI = "".join(
    word
    for word in _ICON_BY_WORD
    if len(word) == 1 and ("\u2600" <= word <= "\u2bff" or word >= "\U0001f000")
)
"""The emoji that icons replace, because the program's font lacks them."""
_VARIATION = "\ufe0f"
"""The character after a sign that asks for its picture as an emoji."""
_HEX_COLOUR = re.compile(r"#[0-9a-f]{6}")
MAX_WORD_CHARS = 40
MARKUP = re.compile(
    r"\*\*(?P<bold>[^\n]+?)\*\*|:(?P<icon>"
    + "|".join(ICON_NAMES)
    + rf"):|(?P<emoji>[{_EMOJI}]){_VARIATION}?"
)


def find_colour(word: str) -> str:
    """Return the ink for a colour's name or "#rrggbb", or "" if it is unknown."""
    plain = _plain_word(word)
    return plain if _HEX_COLOUR.fullmatch(plain) else _COLOUR_BY_WORD.get(plain, "")


def find_icon(word: str) -> str:
    """Return the name of the icon that a word or an emoji names, or "" if it is unknown."""
    return _ICON_BY_WORD.get(_plain_word(word), "")


def find_emoji_icon(sign: str) -> str:
    """Return the name of the icon that replaces a single emoji, or "" for any other text."""
    plain = sign.strip().replace(_VARIATION, "")
    return find_icon(plain) if len(plain) == 1 and plain in _EMOJI else ""


def _plain_word(word: str) -> str:
    try:
        plain = normalise("NFKC", word[:MAX_WORD_CHARS], MAX_WORD_CHARS)
    except TooManyMarks:
        return ""
    return plain.strip().lower().replace(_VARIATION, "")


def without_marks(text: str) -> str:
    """Return `text` without markup for readers and screen readers; icons become their names."""
    return MARKUP.sub(
        lambda found: (
            without_marks(found["bold"])
            if found["bold"]
            else found["icon"] or find_icon(found["emoji"])
        ),
        text,
    )
