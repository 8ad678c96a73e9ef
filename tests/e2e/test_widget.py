"""The notebook's module in a browser, with a model that stands for the notebook's."""

from __future__ import annotations

import json
from pathlib import Path

from playwright.sync_api import Browser, expect

from overbet.cards.range import Range
from overbet.interfaces.notebook.grid import MODULE, range_data
from tests.e2e.conftest import PATIENCE

PAGE = """<!doctype html><meta charset="utf-8"><body data-jp-theme-light="true"><div id="cell"></div>
<script type="module">
const source = URL.createObjectURL(new Blob([MODULE], { type: "text/javascript" }));
const { default: widget } = await import(source);
const values = STATE, calls = {};
const model = {
  get: (name) => values[name],
  set: (name, value) => { values[name] = value; for (const call of calls[`change:${name}`] ?? []) call(); },
  on: (event, call) => (calls[event] ??= []).push(call),
  off: (event, call) => { calls[event] = (calls[event] ?? []).filter((one) => one !== call); },
  save_changes: () => { window.saved = { ...values }; },
};
window.model = model;
window.gone = widget.render({ model, el: document.getElementById("cell") });
</script>"""


def node() -> dict[str, object]:
    """Two hands at a node with two actions, as `node_data` writes it."""
    weight, none = [0.0] * 169, [None] * 169
    weight[0], weight[1] = 1.0, 0.5  # AA, AKs
    mix = [[0.25, 1.0] + [None] * 167, [0.75, 0.0] + [None] * 167]
    seat = {"weight": weight, "mix": mix, "combos": 8.0, "mean_ev": 3.5, "mean_equity": 0.6}
    values = {"ev": [4.0, 2.0, *none[2:]], "equity": [0.8, 0.4, *none[2:]], "realisation": none}
    actions = [
        {"label": "check", "token": "c", "frequency": 0.4},
        {"label": "bet 75", "token": "b75", "frequency": 0.6},
    ]
    oop, ip = {**seat, **values}, {**seat, **values, "mix": None}
    return {"title": "a node", "note": "", "unit": "bb", "actions": actions, "seats": {"oop": oop, "ip": ip}}


def test_the_grid_shows_and_tells(chromium: Browser, tmp_path: Path) -> None:
    state = {"data": node(), "player": "oop", "view": "strategy", "palette": "standard", "chosen": ""}
    module = json.dumps(MODULE.read_text(encoding="utf-8")).replace("</", "<\\/")
    text = PAGE.replace("MODULE", module).replace("STATE", json.dumps(state))
    (tmp_path / "page.html").write_text(text, encoding="utf-8")
    page = chromium.new_page(viewport={"width": 700, "height": 700})
    page.set_default_timeout(PATIENCE)
    faults: list[str] = []
    asked: list[str] = []
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.on("request", lambda request: asked.append(request.url))
    page.goto((tmp_path / "page.html").as_uri())
    aces = page.get_by_role("gridcell", name="AA: bet 75 75.0%, check 25.0%")
    expect(aces).to_be_visible()
    assert page.evaluate(
        "() => { const c = document.querySelector('canvas'); const d = c.getContext('2d')"
        ".getImageData(2, c.width / 26, 1, 1).data; return d[0] > d[2]; }"
    )  # the first cell begins with the bet's red
    aces.click()
    assert page.evaluate("window.saved.chosen") == "AA"
    page.mouse.move(5, 5)
    expect(page.locator("footer")).to_contain_text("EV 4.00 bb, equity 80.0%")
    page.get_by_role("button", name="EV", exact=True).click()
    expect(page.get_by_role("gridcell", name="AKs: ev 2.00")).to_be_visible()
    page.get_by_role("button", name="IP").click()
    assert page.evaluate("window.saved.player") == "ip"
    expect(page.get_by_role("button", name="Strategy")).to_have_count(0)
    held = range_data(Range.parse("KK,QQ:0.5"))  # Python shows something else in the same widget
    page.evaluate("(data) => window.model.set('data', data)", held)
    expect(page.get_by_role("gridcell", name="QQ: weight 50.0%")).to_be_visible()
    page.evaluate("document.body.dataset.jpThemeLight = 'false'")
    expect(page.locator(".widget.dark")).to_be_visible()
    page.evaluate("window.gone()")
    expect(page.locator("canvas")).to_have_count(0)
    assert not faults
    assert all(address.startswith(("file:", "blob:")) for address in asked), asked
    page.close()
