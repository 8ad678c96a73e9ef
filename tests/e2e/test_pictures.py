"""Pictures: a table dropped on the page, a field corrected, and Solve opens with what was read."""

from __future__ import annotations

import base64
import io
import re
from collections.abc import Callable

import pytest
from PIL import Image
from playwright.sync_api import Page, expect

from overbet.cards.cards import card_name
from overbet.interfaces.vision.drawn.samples import samples
from overbet.interfaces.vision.drawn.themes import THEMES

pytest.importorskip("cv2")
DROP = """data => {
  const bytes = Uint8Array.from(atob(data), letter => letter.charCodeAt(0));
  const held = new DataTransfer();
  held.items.add(new File([bytes], "table.png", {type: "image/png"}));
  window.dispatchEvent(new DragEvent("drop", {dataTransfer: held, bubbles: true, cancelable: true}));
}"""


def test_a_dropped_table_is_corrected_and_solved(
    open_page: Callable[..., Page], screenshot: Callable[[Page, str], None]
) -> None:
    sample = next(
        sample
        for sample in samples(THEMES["paper"], 8, clean=True)
        if len(sample.state.board) >= 3 and min(sample.state.stacks)
    )
    buffer = io.BytesIO()
    Image.fromarray(sample.picture).save(buffer, "PNG")
    page = open_page("#/pictures", size={"width": 1280, "height": 640})
    page.get_by_label("Profile").select_option("paper")
    page.evaluate(DROP, base64.b64encode(buffer.getvalue()).decode())
    read = page.get_by_role("region", name="What was read")
    expect(read).to_be_visible()
    board = [card_name(card) for card in sample.state.board]
    for place, card in enumerate(board):
        expect(read.get_by_label(f"board card {place + 1}")).to_have_value(card)
    for field in read.locator("input.unsure").all():
        field.focus()
    screenshot(page, "pictures")
    pot = read.get_by_label("pot", exact=True)
    expect(pot).to_have_value(str(sample.state.pot // 100))
    blind = sample.state.style.big_blind // 100
    pot.fill(str(8 * blind))
    read.get_by_label(re.compile("Big blind")).fill(str(blind))
    read.get_by_role("button", name="Solve this").click()
    expect(page).to_have_url(re.compile("#/solve$"))
    expect(page.get_by_label("Board as text")).to_have_value("".join(board))
    expect(page.get_by_label("Pot, bb")).to_have_value("8")
    expect(page.locator(".form").get_by_role("alert")).to_have_count(0)
