# These classes hold what msgpack.unpackb returns:
#
#     m = msgpack.unpackb(data, timestamp=3, strict_map_key=False)
#     value = Gallery.from_message(m)
#
# A field of type ... | None with a default is left out of messages if it is None.
# A datetime has microseconds; smaller parts of a time are lost. To write one,
# pass datetime=True to msgpack.packb.

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal, TypeAlias


@dataclass(kw_only=True)
class Gallery:
    flag: bool
    small: int
    id: int
    ratio: float
    exact: int | float | None
    name: str
    data: bytes | None
    hash: bytes  # 4 bytes
    at: datetime
    until: datetime | None = None
    address: bytes  # written by net/netip.Addr
    ext: tuple[int, bytes]
    any: Any
    raw: Any
    point: list[float]
    tags: list[str] | None
    scores: dict[str, list[int | None] | None] | None
    by_id: dict[int, Home] | None = None
    flags: dict[bool, str] | None
    pairs: dict[Any, Any] | None
    home: Home | None
    rows: list[Row] | None = None
    sparse: Sparse
    class_: Node
    größe_日本: Forest | None
    x2_quoted: Book | None
    shape: Shape | None
    figures: list[Figure | None] | None
    loose: Loose
    from_message_: GalleryFromMessage
    x: GalleryX

    @classmethod
    def from_message(cls, m: Any) -> Gallery:
        return cls(
            flag=m["flag"],
            small=m["small"],
            id=m["id"],
            ratio=m["ratio"],
            exact=m["exact"],
            name=m["name"],
            data=m["data"],
            hash=m["hash"],
            at=m["at"],
            until=m.get("until"),
            address=m["address"],
            ext=m["ext"],
            any=m["any"],
            raw=m["raw"],
            point=m["point"],
            tags=m["tags"],
            scores=m["scores"],
            by_id=None if m.get("by_id") is None else {k: Home.from_message(e) for k, e in m["by_id"].items()},
            flags=m["flags"],
            pairs=m["pairs"],
            home=None if m["home"] is None else Home.from_message(m["home"]),
            rows=None if m.get("rows") is None else [Row.from_message(e) for e in m["rows"]],
            sparse=Sparse.from_message(m["sparse"]),
            class_=Node.from_message(m["class"]),
            größe_日本=m["größe (日本)"],
            x2_quoted=None if m["2 \"quoted\" \\"] is None else book_from_message(m["2 \"quoted\" \\"]),
            shape=None if m["shape"] is None else shape_from_message(m["shape"]),
            figures=None if m["figures"] is None else [None if e is None else figure_from_message(e) for e in m["figures"]],
            loose=Loose.from_message(m["loose"]),
            from_message_=GalleryFromMessage.from_message(m["from_message"]),
            x=GalleryX.from_message(m["-"]),
        )

    def to_message(self) -> Any:
        m: dict[Any, Any] = {
            "flag": self.flag,
            "small": self.small,
            "id": self.id,
            "ratio": self.ratio,
            "exact": self.exact,
            "name": self.name,
            "data": self.data,
            "hash": self.hash,
            "at": self.at,
            "address": self.address,
            "ext": self.ext,
            "any": self.any,
            "raw": self.raw,
            "point": self.point,
            "tags": self.tags,
            "scores": self.scores,
            "flags": self.flags,
            "pairs": self.pairs,
            "home": None if self.home is None else self.home.to_message(),
            "sparse": self.sparse.to_message(),
            "class": self.class_.to_message(),
            "größe (日本)": self.größe_日本,
            "2 \"quoted\" \\": None if self.x2_quoted is None else book_to_message(self.x2_quoted),
            "shape": None if self.shape is None else shape_to_message(self.shape),
            "figures": None if self.figures is None else [None if e is None else figure_to_message(e) for e in self.figures],
            "loose": self.loose.to_message(),
            "from_message": self.from_message_.to_message(),
            "-": self.x.to_message(),
        }
        if self.until is not None:
            m["until"] = self.until
        if self.by_id is not None:
            m["by_id"] = {k: e.to_message() for k, e in self.by_id.items()}
        if self.rows is not None:
            m["rows"] = [e.to_message() for e in self.rows]
        return m


@dataclass(kw_only=True)
class Home:
    zip: str | None = None
    floor: int | None = None

    @classmethod
    def from_message(cls, m: Any) -> Home:
        return cls(
            zip=m.get("zip"),
            floor=m.get("floor"),
        )

    def to_message(self) -> Any:
        m: dict[Any, Any] = {}
        if self.zip is not None:
            m["zip"] = self.zip
        if self.floor is not None:
            m["floor"] = self.floor
        return m


@dataclass(kw_only=True)
class Row:
    x: float
    y: float
    home: Home | None

    @classmethod
    def from_message(cls, m: Any) -> Row:
        return cls(
            x=m[0],
            y=m[1],
            home=None if m[2] is None else Home.from_message(m[2]),
        )

    def to_message(self) -> Any:
        return [
            self.x,
            self.y,
            None if self.home is None else self.home.to_message(),
        ]


@dataclass(kw_only=True)
class Sparse:
    x1: str
    x5: Home | None = None

    @classmethod
    def from_message(cls, m: Any) -> Sparse:
        return cls(
            x1=m[1],
            x5=None if m.get(-5) is None else Home.from_message(m[-5]),
        )

    def to_message(self) -> Any:
        m: dict[Any, Any] = {
            1: self.x1,
        }
        if self.x5 is not None:
            m[-5] = self.x5.to_message()
        return m


@dataclass(kw_only=True)
class Node:
    value: int
    next: Node | None = None
    list_: list[Node] | None

    @classmethod
    def from_message(cls, m: Any) -> Node:
        return cls(
            value=m["value"],
            next=None if m.get("next") is None else Node.from_message(m["next"]),
            list_=None if m["List"] is None else [Node.from_message(e) for e in m["List"]],
        )

    def to_message(self) -> Any:
        m: dict[Any, Any] = {
            "value": self.value,
            "List": None if self.list_ is None else [e.to_message() for e in self.list_],
        }
        if self.next is not None:
            m["next"] = self.next.to_message()
        return m


Forest: TypeAlias = "list[Forest | None]"


Book: TypeAlias = "dict[str, Chapter]"


def book_from_message(m: Any) -> Book:
    return {k: Chapter.from_message(e) for k, e in m.items()}


def book_to_message(v: Book) -> Any:
    return {k: e.to_message() for k, e in v.items()}


@dataclass(kw_only=True)
class Chapter:
    parts: Book | None

    @classmethod
    def from_message(cls, m: Any) -> Chapter:
        return cls(
            parts=None if m["Parts"] is None else book_from_message(m["Parts"]),
        )

    def to_message(self) -> Any:
        m: dict[Any, Any] = {
            "Parts": None if self.parts is None else book_to_message(self.parts),
        }
        return m


Shape: TypeAlias = "Circle | Square"


def shape_from_message(m: Any) -> Shape:
    tag = m["type"]
    if tag == "circle":
        return Circle.from_message(m)
    if tag == 2:
        return Square.from_message(m)
    raise ValueError(f"unknown tag {tag!r} of Shape")


def shape_to_message(v: Shape) -> Any:
    if isinstance(v, Circle):
        return {"type": "circle"} | v.to_message()
    if isinstance(v, Square):
        return {"type": 2} | v.to_message()
    raise ValueError(f"{v!r} is not of type Shape")


@dataclass(kw_only=True)
class Circle:
    radius: float

    @classmethod
    def from_message(cls, m: Any) -> Circle:
        return cls(
            radius=m["radius"],
        )

    def to_message(self) -> Any:
        m: dict[Any, Any] = {
            "radius": self.radius,
        }
        return m


@dataclass(kw_only=True)
class Square:
    side: int

    @classmethod
    def from_message(cls, m: Any) -> Square:
        return cls(
            side=m["side"],
        )

    def to_message(self) -> Any:
        m: dict[Any, Any] = {
            "side": self.side,
        }
        return m


Figure: TypeAlias = "tuple[Literal[\"polygon\"], Polygon] | tuple[Literal[-1], int]"


def figure_from_message(m: Any) -> Figure:
    tag, m = m
    if tag == "polygon":
        return ("polygon", Polygon.from_message(m))
    if tag == -1:
        return (-1, m)
    raise ValueError(f"unknown tag {tag!r} of Figure")


def figure_to_message(v: Figure) -> Any:
    if v[0] == "polygon":
        return ["polygon", v[1].to_message()]
    if v[0] == -1:
        return [-1, v[1]]
    raise ValueError(f"{v!r} is not of type Figure")


@dataclass(kw_only=True)
class Polygon:
    points: list[list[int]] | None

    @classmethod
    def from_message(cls, m: Any) -> Polygon:
        return cls(
            points=m["Points"],
        )

    def to_message(self) -> Any:
        m: dict[Any, Any] = {
            "Points": self.points,
        }
        return m


@dataclass(kw_only=True)
class Loose:
    known: str
    rest: dict[str, Home | None]  # other keys

    @classmethod
    def from_message(cls, m: Any) -> Loose:
        return cls(
            known=m["known"],
            rest={k: None if e is None else Home.from_message(e) for k, e in m.items() if k not in ("known",)},
        )

    def to_message(self) -> Any:
        m: dict[Any, Any] = {
            "known": self.known,
        }
        m.update({k: None if e is None else e.to_message() for k, e in self.rest.items()})
        return m


@dataclass(kw_only=True)
class GalleryFromMessage:
    x: int
    y: int

    @classmethod
    def from_message(cls, m: Any) -> GalleryFromMessage:
        return cls(
            x=m["X"],
            y=m["Y"],
        )

    def to_message(self) -> Any:
        m: dict[Any, Any] = {
            "X": self.x,
            "Y": self.y,
        }
        return m


@dataclass(kw_only=True)
class GalleryX:
    @classmethod
    def from_message(cls, m: Any) -> GalleryX:
        return cls()

    def to_message(self) -> Any:
        m: dict[Any, Any] = {}
        return m
