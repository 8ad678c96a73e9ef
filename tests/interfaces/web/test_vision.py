"""Pictures over the API: sent, read, corrected, made a spot; profiles; what is refused."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from fastapi.testclient import TestClient
from PIL import Image

from overbet.interfaces.vision.drawn.samples import Sample, clicks_of, reference, samples, truth_of
from overbet.interfaces.vision.drawn.themes import THEMES
from overbet.interfaces.web.app import create_app
from overbet.interfaces.web.limits import Settings

pytest.importorskip("cv2")
BINARY = {"content-type": "application/octet-stream"}


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> TestClient:
    settings = Settings(data=tmp_path_factory.mktemp("data"), port=80, example=False)
    return TestClient(create_app(settings), base_url="http://127.0.0.1")


def file_of(sample: Sample) -> bytes:
    buffer = io.BytesIO()
    Image.fromarray(sample.picture).save(buffer, "PNG")
    return buffer.getvalue()


def test_a_picture_becomes_a_spot(client: TestClient) -> None:
    theme = THEMES["paper"]
    sample = next(s for s in samples(theme, 8, clean=True) if len(s.state.board) >= 3 and min(s.state.stacks))
    assert client.get("/api/vision").json()["available"]
    picture = client.post("/api/vision/pictures", content=file_of(sample), headers=BINARY)
    assert picture.status_code == 201
    asked = {"picture": picture.json()["id"], "profile": "paper"}
    reading = client.post("/api/vision/readings", json=asked).json()
    assert {one["name"] for one in reading["fields"]} == {*sample.truth}
    assert all(one["box"] for one in reading["fields"] if one["kind"] in ("card", "amount"))
    fields = {
        name: str(int(value) / 100) if name == "pot" or name.endswith((".stack", ".bet")) else str(value)
        for name, value in truth_of(sample.state).items()
    }
    body = {"profile": "paper", "unit": reading["unit"], "fields": fields, "oop": "AA,KK", "ip": "QQ,AKs"}
    spot = client.post("/api/vision/spots", json=body).json()
    assert spot["spot"]["ranges"]["oop"] == "KK+"
    assert len(spot["spot"]["board"]) == 2 * len(sample.state.board)
    assert spot["line"].startswith("r:0")


def test_a_profile_from_clicks(client: TestClient) -> None:
    sample = reference(THEMES["mint"])
    picture = client.post("/api/vision/pictures", content=file_of(sample), headers=BINARY).json()["id"]
    clicks = clicks_of(THEMES["mint"], sample.state).model_dump(mode="json")
    made = client.post("/api/vision/profiles", json={"name": "mine", "picture": picture, "clicks": clicks})
    assert made.status_code == 201, made.text
    assert "mine" in {one["name"] for one in client.get("/api/vision").json()["profiles"]}
    for name in ("../up", "A B", ""):
        bad = client.post("/api/vision/profiles", json={"name": name, "picture": picture, "clicks": clicks})
        assert bad.status_code == 422


def test_what_is_no_picture_is_refused(client: TestClient, tmp_path: Path) -> None:
    for data in (b"", b"GIF89a", b"\x89PNG\r\n\x1a\n"):
        found = client.post("/api/vision/pictures", content=data, headers=BINARY)
        assert found.status_code == 422
        assert "\n" not in found.json()["error"]
    assert client.post("/api/vision/pictures", content=b"\0" * (25 << 20), headers=BINARY).status_code == 413
    gone = client.post("/api/vision/readings", json={"picture": "gone", "profile": "green"})
    assert gone.status_code == 404
    file = client.post("/api/vision/readings", json={"picture": "gone", "profile": "/etc/x.json"})
    assert file.status_code == 422
