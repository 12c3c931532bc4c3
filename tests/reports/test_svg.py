"""Pictures: well-formed, described, marked by more than colour, cut where too large, and small as files."""

import xml.etree.ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st

import veritile as vt
from veritile.model.errors import InputError, VeritileError
from veritile.model.htuple import map_leaves
from veritile.proofs.contracts.banks import Access
from veritile.reports.svg.banks import draw_banks, draw_swizzle
from veritile.reports.svg.canvas import Drawing
from veritile.reports.svg.composition import draw_composition
from veritile.reports.svg.layouts import draw_layout
from veritile.reports.svg.tiles import draw_complement, draw_divide
from veritile.reports.svg.timeline import draw_timeline
from veritile.reports.svg.tv import draw_tv

NAME = "{http://www.w3.org/2000/svg}"
P = vt.parse
TRACE = ["producer: waits on empty[0] for parity 1", "producer: copies version 0 into stage[0]", "consumer: reads <b>"]
PICTURES = {
    "4x8": lambda: draw_layout(P("(4,8):(1,5)")),
    "8x8 nested": lambda: draw_layout(P("((2,4),(2,2,2)):((1,4),(2,16,0))")),
    "32x32": lambda: draw_layout(P("(32,32):(1,32)")),
    "128x64": lambda: draw_layout(P("(128,64):(64,1)")),
    "coordinates": lambda: draw_layout(P("(4,(4,2)):(e1,(e0,6e1))")),
    "F2": lambda: draw_layout(P("(4,(4,3)):(f1,(f5,f16))")),
    "swizzled": lambda: draw_layout(P("S<1,0,3> o 0 o (8,8):(8,1)")),
    "one": lambda: draw_layout(P("1:0")),
    "tv": lambda: draw_tv(P("((4,8),2):((16,1),8)"), (8, 8)),
    "tv of coordinates": lambda: draw_tv(P("((4,8),2):((2e1,e0),e1)"), (8, 8)),
    "tv overlap": lambda: draw_tv(P("(4,8):(1,2)"), (4, 8)),
    "trace": lambda: draw_composition(P("(6,2):(1,7)"), P("(3,2):(2,3)")),
    "trace past the end": lambda: draw_composition(P("7:11"), P("3:4")),
    "composition": lambda: draw_composition(P("(8,8):(1,9)"), P("((4,8),2):((16,1),8)")),
    "divide": lambda: draw_divide(P("(8,16):(20,1)"), vt.parse_tiler("<4:1,8:2>")),
    "ragged": lambda: draw_divide(P("(10,9):(1,10)"), (4, 4)),
    "divide whole": lambda: draw_divide(P("24:3"), P("8:3")),
    "complement": lambda: draw_complement(P("(2,2):(1,6)"), 24),
    "no complement": lambda: draw_complement(P("(2,2):(1,3)"), 24),
    "banks": lambda: draw_banks(Access(P("(8,8):(1,8)"), P("(8,64):(64,1)"), 16, 8)),
    "no conflicts": lambda: draw_banks(Access(P("(8,8):(1,8)"), P("S<3,3,3> o 0 o (8,64):(64,1)"), 16, 8)),
    "swizzle": lambda: draw_swizzle(vt.Swizzle(3, 4, 3)),
    "timeline": lambda: draw_timeline(TRACE, "a race"),
}


@pytest.mark.parametrize("name", PICTURES)
def test_pictures_are_well_formed_and_described(name: str) -> None:
    drawing = PICTURES[name]()
    root = ET.fromstring(drawing.svg())
    title, desc = root.find(f"{NAME}title"), root.find(f"{NAME}desc")
    assert title is not None and title.text and desc is not None and desc.text and len(desc.text) > 20
    assert root.get("role") == "img"
    assert root.get("aria-labelledby") == f"{title.get('id')} {desc.get('id')}"
    assert {node.tag.removeprefix(NAME) for node in root.iter()} <= {
        "svg",
        "title",
        "desc",
        "style",
        "g",
        "path",
        "text",
    }
    assert not {a for node in root.iter() for a in node.attrib if a.startswith("on") or "href" in a}
    width, height = float(root.get("width", "")), float(root.get("height", ""))
    for text in root.iter(f"{NAME}text"):
        assert 0 <= float(text.get("x", "")) <= width and 0 <= float(text.get("y", "")) <= height


def test_a_picture_of_4096_cells_is_under_300_kilobytes() -> None:
    for notation in ("(64,64):(64,1)", "((8,8),(8,8)):((1,64),(8,512))", "(64,64):(1,999)", "(64,64):(0,0)"):
        assert len(draw_layout(P(notation)).svg().encode()) < 300_000


def test_what_is_large_is_an_excerpt_and_says_so() -> None:
    told = draw_layout(P("(128,64):(64,1)")).description
    assert "an excerpt: 32 of 128 rows and 32 of 64 columns are drawn" in told
    assert len(draw_layout(P("(100000,100000):(1,100000)")).svg()) < 200_000


def test_marks_are_more_than_colour() -> None:
    shared = draw_layout(P("(4,8):(1,2)")).svg(standalone=False)
    assert 'class="dup"' in shared and "offsets shared (dashed): 2, " in shared
    twice = draw_tv(P("(4,8):(1,2)"), (4, 8)).svg(standalone=False)
    assert "T0V1+1" in twice and 'class="hole"' in twice and "at (2,0) T0V1 and T2V0" in twice
    banks = PICTURES["banks"]().svg(standalone=False)
    assert "bank 0 for 8" in banks and 'class="bad"' in banks
    assert "no bank is asked for two words" in PICTURES["no conflicts"]().svg()


def test_every_element_of_a_divide_is_in_the_tile_that_the_divide_says() -> None:
    found = PICTURES["divide"]().svg(standalone=False)
    assert found.count(">0.") == 32 + 0 and ">3.31<" in found
    assert "54 places fall outside" in PICTURES["ragged"]().description


def test_the_trace_shows_both_values() -> None:
    text = PICTURES["trace"]().svg(standalone=False)
    assert "8≠7" in text and text.count('class="arrow"') == 2 and "expected 8, got 7: no layout" in text


def test_what_cannot_be_drawn_is_refused_in_a_line() -> None:
    for wrong in (
        lambda: draw_tv(P("8:1"), (4, 8)),
        lambda: draw_tv(P("(1000,1000):(1,1000)"), (4, 8)),
        lambda: draw_complement(P("4:-1"), 8),
        lambda: draw_swizzle(vt.Swizzle(9, 4, 9)),
    ):
        with pytest.raises(InputError):
            wrong()


def test_text_in_a_picture_is_text() -> None:
    drawing = Drawing("<script>", "a\x1b]0;x\x07")
    drawing.text(0, 10, '</text><script>alert("x")</script>\x1b[31m')
    text = drawing.svg()
    assert "<script" not in text and "\x1b" not in text and ET.fromstring(text) is not None


def test_notebooks_get_pictures() -> None:
    assert vt.Layout((4, 8))._repr_svg_().startswith("<svg")  # type: ignore[attr-defined]
    assert "<svg" in P("S<1,0,3> o 0 o (8,8):(8,1)")._repr_html_()  # type: ignore[union-attr]


SHAPES = st.recursive(st.integers(1, 6), lambda part: st.lists(part, min_size=1, max_size=3).map(tuple), max_leaves=4)


@st.composite
def layouts(draw: st.DrawFn) -> vt.Layout:
    shape = draw(SHAPES)
    strides = draw(
        st.sampled_from(
            [st.integers(-3, 30), st.sampled_from([vt.E(0), 2 * vt.E(1), 0]), st.builds(vt.F2, st.integers(0, 9))]
        )
    )
    return vt.Layout(shape, map_leaves(lambda _: draw(strides), shape))


@given(layouts(), layouts(), st.integers(1, 80))
def test_any_layout_is_drawn_or_refused(a: vt.Layout, b: vt.Layout, bound: int) -> None:
    ET.fromstring(draw_layout(a).svg())
    for picture in (
        lambda: draw_composition(a, b),
        lambda: draw_tv(b, a.shape),
        lambda: draw_divide(a, b),
        lambda: draw_complement(a, bound),
    ):
        try:
            ET.fromstring(picture().svg())
        except VeritileError:
            continue
