"""Fake arguments as text: what is read, and what is refused at its place."""

import pytest

from veritile.kernels.audit.arguments import (
    Constant,
    FakePointer,
    FakeTensor,
    Named,
    Number,
    Size,
    Stream,
    named,
    read_argument,
    read_pair,
)
from veritile.model.errors import InputError

N = Size(None, "n", 8)


@pytest.mark.parametrize(
    ("text", "argument"),
    [
        ("f16[n%8,128]:(128,1)@16", FakeTensor("f16", (N, Size(128)), (Size(128), Size(1)), 16)),
        ("f16[n%8,128]", FakeTensor("f16", (N, Size(128)))),
        (" f16 [ n % 8 , 128 ] : ( 128 , 1 ) @ 16".replace("@ 16", "@16"),
         FakeTensor("f16", (N, Size(128)), (Size(128), Size(1)), 16)),
        ("f32[?]:(i64 s%4)", FakeTensor("f32", (Size(),), (Size(None, "s", 4, 64),))),
        ("f32[?%8]", FakeTensor("f32", (Size(None, "?", 8),))),
        ("f32[4]:(0)", FakeTensor("f32", (Size(4),), (Size(0),))),
        ("f32[4]:2@16", FakeTensor("f32", (Size(4),), (Size(2),), 16)),
        ("f32[4]:i64 s%4", FakeTensor("f32", (Size(4),), (Size(None, "s", 4, 64),))),
        ("f32*", FakePointer("f32")),
        ("f32*@128", FakePointer("f32", 128)),
        ("i32", Number("i32")),
        ("type bf16", Named("bf16")),
        ("stream", Stream()),
        ("128", Constant(128)),
        ("-1.5e-3", Constant(-0.0015)),
        ("true", Constant(True)),
        ("none", Constant(None)),
        ("'a,b'", Constant("a,b")),
        ("(64,128)", Constant((64, 128))),
        (128, Constant(128)),
        (False, Constant(False)),
    ],
)  # fmt: skip
def test_an_argument(text: object, argument: object) -> None:
    assert read_argument(text) == argument


@pytest.mark.parametrize(
    ("text", "position", "words"),
    [
        ("f99[4]", 0, "element type"),
        ("type f99", 5, "element type"),
        ("f16[4", 5, "','"),
        ("f16[]", 4, "number, a name"),
        ("f16[0]", 4, "positive"),
        ("f16[4,8]:(8)", 9, "2 strides"),
        ("f16[4,8]:8", 9, "'('"),
        ("f16[4]:", 7, "a number, a name"),
        ("f16[4]:1)", 8, "nothing more"),
        ("f16[4%2]", 4, "no divisor"),
        ("f16[i64 4]", 4, "no bits"),
        ("f16[n%0]", 4, "divisor must be positive"),
        ("f16[4]@3", 7, "power of two"),
        ("f16[4]@", 7, "power of two"),
        ("f16[4] x", 7, "nothing more"),
        ("f16*x", 4, "nothing more"),
        ("", 0, "expected"),
        ("__import__('os')", 0, "element type"),
        ("[1]", 0, "constant"),
        ("f16[" + ",".join(["2"] * 65) + "]", None, "at most 64"),
    ],
)
def test_what_is_no_argument_is_refused_at_its_place(text: str, position: int | None, words: str) -> None:
    with pytest.raises(InputError) as refused:
        read_argument(text)
    assert words in refused.value.message
    assert position is None or refused.value.position == position


def test_what_is_said_of_a_name_once_holds_everywhere() -> None:
    found = named(map(read_argument, ("f16[m,n]:(n%8,1)", "f16[n,i64 k]", "f32[i64 k]", "f32[?%8]", "i32")))
    assert found == {
        "m": Size(None, "m", 1, 32),
        "n": Size(None, "n", 8, 32),
        "k": Size(None, "k", 1, 64),
    }
    for one, other, told in (("n%8", "n%4", "divisors, 8 and 4"), ("i64 n", "i32 n", "numbers of bits, 64 and 32")):
        with pytest.raises(InputError, match=f"the name n is written with two {told}"):
            named([read_argument(f"f16[{one},n]:({other},1)")])


def test_a_pair() -> None:
    assert read_pair("x=f16[4]:(1)") == ("x", "f16[4]:(1)")


@pytest.mark.parametrize(("text", "position"), [("x", 0), ("=3", 0), ("2x=3", 0), ("x=f99", 2), ("x", 0)])
def test_what_is_no_pair_is_refused_at_its_place(text: str, position: int) -> None:
    with pytest.raises(InputError) as refused:
        read_pair(text)
    assert (refused.value.text, refused.value.position) == (text, position)
