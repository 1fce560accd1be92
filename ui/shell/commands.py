"""The menus and their commands, with names, texts and default shortcuts."""

from collections.abc import Mapping

from msgspec import Struct

from tabletop.language import labels
from tabletop.text.phrases import phrase


class Command(Struct, frozen=True):
    """A command in a menu. `play`: whether it is available only during a match."""

    name: str
    text: str
    keys: tuple[str, ...] = ()
    play: bool = False
    checked: bool = False


class Menu(Struct, frozen=True):
    """A menu of commands, separators (None) and names of submenus, which are filled elsewhere."""

    title: str
    entries: tuple[Command | str | None, ...]


PACES = {
    "slow": phrase("Slow"),
    "normal": phrase("Calm"),
    "fast": phrase("Brisk"),
    "off": phrase("Instant"),
}
"""The labels for the speed of animations and bots, by the value of the setting `animation`."""
THEMES = {
    "light": phrase("Light table"),
    "dark": phrase("Dark table"),
    "contrast": phrase("High contrast"),
}
SUBMENUS = {
    "continue": phrase("Continue"),
    "hand_over": phrase("Move the table to"),
    "guests": phrase("Guests"),
    "pace": phrase("Speed"),
    "theme": phrase("Theme"),
    "language": phrase("Language"),
}

MENUS = (
    Menu(
        phrase("Game"),
        (
            Command("new", phrase("New game"), ("Ctrl+N",)),
            "continue",
            Command("open", phrase("Open a file…"), ("Ctrl+O",)),
            Command("open_replay", phrase("Open a replay…"), ("Ctrl+Shift+O",)),
            Command("replays", phrase("Replays")),
            None,
            Command("host", phrase("Host…")),
            Command("join", phrase("Join…")),
            "hand_over",
            "guests",
            Command("seat_code", phrase("Code of my seat…"), play=True),
            None,
            Command("save", phrase("Save as…"), ("Ctrl+S",), play=True),
            Command("restart", phrase("Restart"), play=True),
            Command("leave", phrase("Leave the table"), play=True),
            None,
            Command("statistics", phrase("Statistics…")),
            Command("workshop", phrase("Workshop…")),
            None,
            Command("quit", phrase("Quit"), ("Ctrl+Q",)),
        ),
    ),
    Menu(
        phrase("Edit"),
        (
            Command("undo", phrase("Undo"), ("Ctrl+Z",), play=True),
            Command("redo", phrase("Redo"), ("Ctrl+Shift+Z", "Ctrl+Y"), play=True),
            None,
            Command("copy_log", phrase("Copy the log"), play=True),
        ),
    ),
    Menu(
        phrase("Play"),
        (
            Command("hint", phrase("Hint"), ("H",), play=True),
            Command("tell", phrase("Describe the table"), ("F9",), play=True),
            Command("say_again", phrase("Read the question again"), ("F8",), play=True),
            Command("review", phrase("Review"), play=True),
            Command("note", phrase("Note…"), ("Ctrl+Shift+N",), play=True),
            Command("actions", phrase("Legal actions"), ("Ctrl+L",), play=True),
            Command("pass", phrase("Pass"), ("P",), play=True),
            Command("end_turn", phrase("End turn"), ("Ctrl+Return",), play=True),
            Command("sort_hand", phrase("Sort hand"), play=True),
            Command("reactions", phrase("Reactions…"), ("Ctrl+R",), play=True),
            None,
            Command("away", labels.AWAY, play=True),
            Command("stand_ins", phrase("A bot plays for…"), play=True),
            Command("concede", phrase("Concede…"), play=True),
        ),
    ),
    Menu(
        phrase("View"),
        (
            Command("zoom_in", phrase("Zoom in"), ("Ctrl++", "Ctrl+="), play=True),
            Command("zoom_out", phrase("Zoom out"), ("Ctrl+-",), play=True),
            Command("zoom_usual", phrase("Normal size"), ("Ctrl+0",), play=True),
            Command("boards", phrase("Players' boards"), ("B",), play=True),
            Command("full_screen", phrase("Full screen"), ("F11",), checked=True),
            Command("public_table", phrase("Public table"), ("Shift+F11",), True, True),
            None,
            Command("now", phrase("Now"), ("N",), play=True),
            Command("card", phrase("Card"), play=True),
            Command("log", labels.LOG, play=True),
            Command("chat", labels.CHAT, ("Ctrl+T",), play=True),
            Command("score", labels.SCORE, ("Ctrl+E",), play=True),
            Command("reset_layout", phrase("Reset layout"), play=True),
            None,
            Command("change_pace", phrase("Change the speed"), ("F",)),
            "pace",
            "theme",
            Command("sounds", phrase("Sounds"), ("Ctrl+M",), checked=True),
        ),
    ),
    Menu(
        phrase("Settings"),
        (
            Command("settings", phrase("Settings…"), ("Ctrl+,",)),
            "language",
        ),
    ),
    Menu(
        phrase("Help"),
        (
            Command("learn", phrase("Learn to play")),
            Command("rules", phrase("Rules of this game"), ("F1",)),
            Command("shortcuts", phrase("Shortcuts")),
            Command("fair", phrase("Fair shuffle and dice")),
            Command("phones", phrase("Phones can't connect?")),
            None,
            Command("report", phrase("Report a bug…")),
            Command("about", phrase("About Tabletop")),
        ),
    ),
)

COMMANDS = {
    entry.name: entry for menu in MENUS for entry in menu.entries if isinstance(entry, Command)
}


def reject_unknown_command(name: str) -> None:
    """Raise an error if `name` isn't a command. Do nothing if the command is only unavailable now.

    Raises:
        LookupError: no command has this name.
    """
    if name not in COMMANDS:
        raise LookupError(f'The window has no command "{name}".')


MENU_BAR_KEY = "F10"
"""The key that opens the menu bar. Qt defines none on Linux."""

WINDOW_KEYS = (((MENU_BAR_KEY,), phrase("Open the menus")),)
"""Pairs of fixed keys and their description, for the window."""

TABLE_KEYS = (
    (("Left", "Right", "Up", "Down"), phrase("Move between cards and places")),
    (("Space", "Return"), phrase("Pick up or put down a card")),
    ((phrase("1 to 9"),), phrase("First to ninth card or choice")),
    (("Ctrl+Left", "Ctrl+Right"), phrase("Move the focused card within your hand")),
    (("Tab",), phrase("Next zone")),
    (("Shift",), phrase("Hold: enlarge the focused card")),
    (("Esc",), labels.CANCEL),
    (("Space",), phrase("Hold: open the curtain")),
)
"""Pairs of fixed keys and their description, for the table."""

REPLAY_KEYS = (
    (("Left", "Right"), phrase("Previous event, next event")),
    (("Ctrl+Left", "Ctrl+Right"), phrase("Previous turn, next turn")),
    (("Home", "End"), phrase("Go to the start, go to the end")),
    (("Space",), phrase("Play or pause")),
    (("V",), phrase("Next viewpoint")),
    (("R",), phrase("Review: your costliest moves")),
    (("C",), phrase("Comment on the position")),
    (("Esc",), phrase("Back")),
)
"""Pairs of fixed keys and their description, for a replay."""


def shortcuts_of(command: Command, chosen: Mapping[str, str]) -> tuple[str, ...]:
    """Return the shortcuts of `command`: the user's own in `chosen`, or the defaults."""
    if command.name not in chosen:
        return command.keys
    own = chosen[command.name]
    return (own,) if own else ()


def command_with_key(key: str, name: str, chosen: Mapping[str, str]) -> Command | None:
    """Return the command other than `name` that has the shortcut `key`; None if there is none."""
    if not key:
        return None
    return next(
        (c for c in COMMANDS.values() if c.name != name and key in shortcuts_of(c, chosen)), None
    )
