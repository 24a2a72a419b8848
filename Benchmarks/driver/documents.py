"""JSON documents of different kinds for the formatter. A name and a size determine every byte."""

import dataclasses
import json
import random
from collections.abc import Callable


def write(path, kind, size):
    """Writes a document of at least this number of bytes on one line: an array of values of one kind."""
    source = random.Random(kind)
    # Values are written in turn from a few hundred: creating each would take minutes.
    values = [json.dumps(KINDS[kind].create(source), ensure_ascii=kind == "escapes", separators=(",", ":")).encode()
              for _ in range(400)]
    written = 0
    with path.open("wb") as file:
        while written < size:
            written += file.write((b"," if written else b"[") + b",".join(source.sample(values, len(values))))
        file.write(b"]")


def api_object(source):
    """A record of an API: short names and values, small containers."""
    return {
        "id": source.getrandbits(20), "name": f"user {source.getrandbits(16)}", "active": source.random() < 0.5,
        "tags": source.sample(["a", "bb", "ccc", "dd"], 3), "score": round(source.random() * 100, 2), "parent": None,
        "position": {"x": source.randint(0, 99), "y": source.randint(-9, 99)}, "none": [],
        "roles": [1, 2, source.randint(0, 9)],
    }


def long_text(source):
    """An article: paragraphs of several kilobytes with few escapes."""
    lines = [" ".join(words(source, source.randint(60, 200))) + "." for _ in range(source.randint(4, 12))]
    return {"title": " ".join(words(source, 5)), "text": "\n\n".join(lines), "quote": f'"{lines[0][:80]}"'}


def coordinates(source):
    """A polygon of GeoJSON: pairs of numbers."""
    ring = [[round(source.uniform(-180, 180), 6), round(source.uniform(-90, 90), 6)] for _ in range(60)]
    return {"type": "Feature", "geometry": {"type": "Polygon", "coordinates": [ring]}}


def foreign_text(source):
    """A message in one of several scripts, with some emoji."""
    script = source.choice(["あいうえおかきくけこ東京大阪京都日本語", "абвгдежзиклмнопрстуфхцчшщ", "åäöéèêüßñç", "가나다라마바사"])
    text = "".join(source.choices(script + "  ", k=source.randint(40, 400)))
    return {"id": source.getrandbits(30), "text": text + source.choice(["", "😀", "🚀🎉"])}


def words(source, count):
    return ["".join(source.choices("etaoinshrdlu", k=source.randint(2, 9))) for _ in range(count)]


@dataclasses.dataclass
class Kind:
    """A kind of document."""
    create: Callable[[random.Random], dict]
    # A member of each value.
    member: str
    # How many times as fast as jq the formatter must be.
    target: float


KINDS = {
    "API objects": Kind(api_object, "name", 20),
    "long text": Kind(long_text, "title", 20),
    "coordinates": Kind(coordinates, "type", 28),
    "escapes": Kind(foreign_text, "id", 8),
    "UTF-8 text": Kind(foreign_text, "id", 13),
}
