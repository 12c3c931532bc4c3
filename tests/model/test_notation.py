"""The notation: what CuTe prints is read, text comes back as it went, and nothing else than InputError is raised."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from veritile import E, InputError, Layout, layout, parse, parse_coordinate, parse_shape, parse_tiler
from veritile.model.htuple import text_of
from veritile.model.notation import MAX_DEPTH, MAX_DIGITS, MAX_LENGTH

from . import postconditions as post
from .strategies import any_layouts, composed, coordinate_layouts, f2_layouts, layouts, swizzles

READERS = (layout, parse, parse_coordinate, parse_shape, parse_tiler)


@given(any_layouts(3) | coordinate_layouts(3, 3, nested=True) | f2_layouts(2))
def test_round_trip(a: Layout) -> None:
    assert layout(str(a)) == a
    assert parse_tiler(str(a)) == a
    assert parse_shape(text_of(a.shape)) == a.shape


@given(swizzles() | composed())
def test_round_trip_of_functions(a: object) -> None:
    assert parse(str(a)) == a


@given(layouts(3))
def test_cute_prints_static_integers(a: Layout) -> None:
    def static(t: object) -> str:
        if isinstance(t, tuple):
            return "(" + ",".join(map(static, t)) + ")"
        return f"_{t}" if isinstance(t, int) and t >= 0 else str(t)

    assert layout(f"{static(a.shape)}:{static(a.stride)}") == a


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("(_4,_8):(_1,_4)", "(4,8):(1,4)"),
        ("(4,8):(1@0,1@1)", "(4,8):(e0,e1)"),
        ("(4,8):(2@1,1@0)", "(4,8):(2e1,e0)"),
        ("( 4 , ( 2,3 ) ) : ( 1 , ( 4,8 ) )", "(4,(2,3)):(1,(4,8))"),
        ("(4,8)", "(4,8):(1,4)"),
        ("8", "8:1"),
        ("(33,):(1,)", "(33):(1)"),
        ("4:e0+2e1", "4:e0+2e1"),
        ("4:f0", "4:0"),
        ("Sw<3,4,3> o _0 o (_8,_64):(_64,_1)", "S<3,4,3> o 0 o (8,64):(64,1)"),
        ("S<3,4,3> ∘ 0 ∘ (8,64):(64,1)", "S<3,4,3> o 0 o (8,64):(64,1)"),
        ("S<2,0,-3>", "S<2,0,-3>"),
    ],
)
def test_what_cute_prints(text: str, same: str) -> None:
    assert str(parse(text)) == same


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "(",
        ")",
        "()",
        "(4,8",
        "(4,8):",
        "(4,8):(1,4",
        "(4,8):(1,4))",
        "(4,8):(1)",
        "(4,8):1",
        "4:(1)",
        "(4,0)",
        "(4,-8)",
        "(4,8):(1,e0)",
        "(4,8):(f1,2)",
        "(4,8):(f1,e0)",
        "4:e",
        "4:f",
        "4:f-1",
        "4:-f1",
        "4:2@",
        "4:@0",
        "4::1",
        "4:1:1",
        "1.5",
        "4:1e",
        "(4,?):(1,4)",
        "(4,n):(1,4)",
        "S<3,4>",
        "S<3,4,0>",
        "S<-1,4,3>",
        "S<3,4,3",
        "S<3,4,3> o",
        "S<3,4,3> o 0",
        "S<3,4,3> o 0 o",
        "S<3,4,3> o 0 o 4:e0",
        "S<99999,0,3>",
        "__import__('os')",
        "4:1;4:1",
        "４:1",
        "²:1",
        "4:1\x00",
        "4: 1 2",
    ],
)
def test_malformed(text: str) -> None:
    error = post.raises(InputError, lambda: layout(text))
    assert "\n" not in error.message
    if error.position is not None:
        shown = str(error).split("\n")
        assert len(shown) == 3 and shown[2].rstrip().endswith("^") and len(shown[2]) <= 80


@pytest.mark.parametrize("reader", READERS)
def test_limits(reader: object) -> None:
    read = reader
    assert callable(read)
    for text in (
        "(" * (MAX_DEPTH + 1) + "4" + ")" * (MAX_DEPTH + 1),
        "<" * 5000,
        "(" * 60_000,
        "4 o 0 o " * 5000 + "4",
        "9" * (MAX_DIGITS + 1),
        "(4," * 5000,
        "4" + " " * MAX_LENGTH,
        "-" * 60_000,
        "4:" + "e0+" * 15_000 + "e0" + "+" * 3,
        "4:1" + "@1" * 20_000,
    ):
        outcome = post.only_ours(lambda text=text: read(text))
        assert isinstance(outcome, (InputError, Layout))
    for nothing in (None, 4, b"4:1", ["4:1"]):
        post.raises(InputError, lambda nothing=nothing: read(nothing))


def test_up_to_the_limits() -> None:
    nested = "(" * MAX_DEPTH + "4" + ")" * MAX_DEPTH
    assert post.size_of(parse_shape(nested)) == 4
    post.raises(InputError, lambda: parse_shape(f"({nested})"))
    assert layout("9" * MAX_DIGITS)(5) == 5
    post.raises(InputError, lambda: layout("9" * (MAX_DIGITS + 1)))
    many = ",".join(["1"] * 15_000)
    assert len(layout(f"({many}):({','.join(['0'] * 15_000)})")) == 15_000


@given(st.text(max_size=40))
def test_random_text(text: str) -> None:
    for read in READERS:
        post.only_ours(lambda read=read: read(text))


@given(st.text(alphabet="()<>:,_@-+0123456789efSwo∘?n .", max_size=40))
def test_text_of_the_right_letters(text: str) -> None:
    for read in READERS:
        outcome = post.only_ours(lambda read=read: read(text))
        if read is parse and not isinstance(outcome, Exception):
            assert parse(str(outcome)) == outcome


@given(any_layouts(3), st.data())
def test_a_broken_layout(a: Layout, data: st.DataObject) -> None:
    text = str(a)
    place = data.draw(st.integers(0, len(text) - 1))
    other = data.draw(st.sampled_from(["", "(", ")", ",", ":", "e", "f", "-", "0", "_", "@"]))
    post.only_ours(lambda: layout(text[:place] + other + text[place + 1 :]))


def test_coordinates_and_tilers() -> None:
    assert parse_coordinate("(_,(1,-2))") == (None, (1, -2))
    assert parse_coordinate("_") is None
    assert parse_tiler("<4:1,8:2>") == (layout("4:1"), layout("8:2"))
    assert parse_tiler("<<4:1,2>,_>") == ((layout("4:1"), 2), None)
    assert parse_tiler("(32,_,40)") == (32, None, 40)
    assert parse_tiler("4") == 4 and parse_tiler("_") is None
    post.raises(InputError, lambda: parse_tiler("<>"))
    post.raises(InputError, lambda: parse_tiler("(4,_):(1,2)"))
    post.raises(InputError, lambda: parse_shape("(4,_)"))


def test_strides_of_nested_modes() -> None:
    assert layout("(2,2):(1@0@1,3@1@1)").stride == (E(1, 0), 3 * E(1, 1))
    assert str(layout("(2,2):(1@0@1,3@1@1)")) == "(2,2):(1@0@1,3@1@1)"
