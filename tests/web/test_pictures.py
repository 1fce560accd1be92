"""Pictures of the table: a browser with the one before gets only the changes."""

import asyncio
from pathlib import Path

from tabletop.web.drawer import DrawnPicture, DrawnTable, FaceOrder, PictureCells, PictureOrder
from tests.net.loopback import plan
from tests.web.gateways import Browser, Json, seat_all, web_table


class Sketcher:
    """Draws every table as one cell that looks like no other; it notes how each was sent."""

    version = "sketch"

    def __init__(self) -> None:
        self.had: list[PictureCells | None] = []
        self.languages: set[str] = set()

    async def face(self, order: FaceOrder) -> DrawnPicture | None:
        return None

    async def picture(
        self, order: PictureOrder, had: PictureCells | None = None
    ) -> DrawnTable | None:
        self.had.append(had)
        self.languages.add(order.language)
        number = len(self.had)
        shown, changed = PictureCells(20, 10, (number,)), None if had is None else ((0, 0),)
        return DrawnTable(f"{number}".encode(), "image/webp", shown, changed)


def pictures(browser: Browser) -> list[Json]:
    return [told for told in browser.heard if told["kind"] == "picture"]


async def test_viewers_of_a_picture_get_its_changes(tmp_path: Path) -> None:
    drawer = Sketcher()
    async with web_table(tmp_path, plan("sun", 2), drawer=drawer) as (_, owner, made):
        code = owner.code
        async with Browser(made.port, code=code) as one, Browser(made.port, code=code) as two:
            await seat_all(owner, one, two)

            async def told(look: Json | None, whole: bool) -> None:
                """Look so, or let a move be made; the next picture is whole, or is not."""
                count = len(pictures(one))
                if look is not None:
                    one.send("look", **look)
                else:
                    while (move := one.play() or two.play()) is None:
                        await asyncio.sleep(0.001)  # until the next question is shown
                    await move
                await one.until(lambda: len(pictures(one)) > count)
                found = pictures(one)[-1]
                assert found.get("changed") == (None if whole else [[0, 0]])
                before = None if whole else len(drawer.had) - 1
                had = drawer.had[-1]
                assert (had.marks[0] if had is not None else None) == before
                assert (found["width"], found["height"]) == (20, 10)

            shown = {"width": 600, "height": 400, "theme": "light"}
            await told(shown, whole=True)
            await told(None, whole=False)
            await told(None, whole=False)
            # a browser that looked elsewhere, lost it, or came again gets everything
            one.send("look", width=0, whole=False)
            await told({**shown, "whole": False}, whole=True)
            await told(shown, whole=True)
            lines = one.lines
            await one.drop()
            await one.until(lambda: one.lines > lines and one.page)
            await told({**shown, "whole": False}, whole=True)


async def test_nothing_is_fetched_where_nothing_looks_otherwise(tmp_path: Path) -> None:
    class Same(Sketcher):
        async def picture(
            self, order: PictureOrder, had: PictureCells | None = None
        ) -> DrawnTable | None:
            drawn = await super().picture(order, had)
            assert drawn is not None
            return drawn if had is None else DrawnTable(b"", "", had, ())

    async with web_table(tmp_path, plan("sun", 2), drawer=Same()) as (_, owner, made):
        code = owner.code
        async with Browser(made.port, code=code) as one, Browser(made.port, code=code) as two:
            await seat_all(owner, one, two)
            one.send("look", width=600, height=400, theme="light")
            await one.until(lambda: pictures(one))
            await (one.play() or two.play())
            await one.until(lambda: len(pictures(one)) > 1)
            first, second = pictures(one)
            assert first["name"]
            assert (second["name"], second["changed"]) == ("", [])


async def test_a_table_is_drawn_in_languages_of_its_game_alone(tmp_path: Path) -> None:
    """A drawer keeps drawings of each language."""
    drawer = Sketcher()
    async with web_table(tmp_path, plan("sun", 2), drawer=drawer) as (_, owner, made):
        code = owner.code
        async with (
            Browser(made.port, code=code, language="xyz") as one,
            Browser(made.port, code=code, language="ja") as two,
        ):
            await seat_all(owner, one, two)
            for phone in (one, two):
                phone.send("look", width=600, height=400, theme="light")
                await phone.until(lambda phone=phone: pictures(phone))
    assert drawer.languages == {"en", "ja"}
