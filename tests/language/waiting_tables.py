"""A table of two among its people, as a window and a phone know it."""

from msgspec.structs import replace

from tabletop.catalogue import catalogue
from tabletop.language.table_status import TablePeople, TableStatus
from tabletop.language.words import Words
from tabletop.match.match import Match, Player

KIT = catalogue.load("sun")
PLAYERS = (Player("Hinata", "sun"), Player("Kaname", "moon"))
WORDS = Words("en", KIT, PLAYERS)
MATCH = Match(KIT.game, KIT.backs, PLAYERS, seed="prompt")
HERE = TablePeople(own=(0,), host="Kaname")
WINDOW = TableStatus(
    words=WORDS, kit=KIT, people=(0,), view=MATCH.view(0), shared=HERE, looking=0, local=False
)
PHONE = replace(WINDOW, personal=True, wants_another=False)
