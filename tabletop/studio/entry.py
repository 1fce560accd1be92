"""The registry of the studio's commands.

`tabletop/commands/all_commands.py` loads this module only for one of these commands or for the help
text.
"""

from tabletop.commands.command_entry import BOTS, MAKE, PLAY, CommandEntry

COMMANDS = {
    "print": CommandEntry(
        "studio.commands.print_and_play",
        PLAY,
        ("print sun --out sun.pdf", "print sun --lang ja --out sun-ja.pdf"),
    ),
    "new": CommandEntry(
        "studio.commands.workshop",
        MAKE,
        (
            'new "Pond Night" --folder pond',
            'new "Cups" --template dice --seats 2-4 --folder cups',
        ),
    ),
    "dev": CommandEntry(
        "studio.commands.workshop", MAKE, ("dev pond", "dev pond --sheet tables.png")
    ),
    "check": CommandEntry(
        "studio.commands.workshop", MAKE, ("check pond", "check pond --games 10 --write")
    ),
    "layout": CommandEntry(
        "studio.commands.workshop", MAKE, ("layout pond --out pond/table.toml",)
    ),
    "share": CommandEntry(
        "studio.commands.exchange", MAKE, ("share pond --out pond.tabletop-game",)
    ),
    "export": CommandEntry(
        "studio.commands.exchange",
        MAKE,
        (
            "export pond --as pictures --out cards.zip",
            "export pond --as udonarium --lang ja --out pond.zip",
        ),
    ),
    "import": CommandEntry(
        "studio.commands.exchange",
        MAKE,
        ("import pond.tabletop-game", "import room.zip --folder pond"),
    ),
    "notes": CommandEntry(
        "studio.commands.playtest_notes", MAKE, ("notes match.tabletop --out notes",)
    ),
    "simulate": CommandEntry(
        "studio.commands.tournaments", BOTS, ("simulate sun --games 10000 --json",)
    ),
    "arena": CommandEntry(
        "studio.commands.tournaments",
        BOTS,
        (
            "arena sun --bots hard,normal",
            "arena sun --bots normal --report sun.html --compare ../older/sun",
        ),
    ),
}
