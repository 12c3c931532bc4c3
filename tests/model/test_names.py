"""Expressions and conditions: read, written, evaluated, and never run as code."""

from random import Random

import pytest

from veritile.model.errors import InputError
from veritile.model.names import Expr, code_of, guard, parse_condition, parse_expression
from veritile.model.notation import parse

TEXTS = [
    "n",
    "4*n",
    "n/8",
    "(n+5)/8",
    "ceil(n/8)",
    "floor((n+1)/4)",
    "m*n-3",
    "mod(n,8)+1",
    "min(n,4)",
    "12/n",
    "2*n*m",
]


@pytest.mark.parametrize("text", TEXTS)
def test_what_is_written_is_read_again(text: str) -> None:
    e = parse_expression(text)
    assert parse_expression(str(e)) == e


def test_arithmetic_is_that_of_integers() -> None:
    random = Random(1)
    n, m = Expr.of("n"), Expr.of("m")
    for _ in range(300):
        a, b, c = random.randint(-9, 9), random.randint(1, 9), random.randint(1, 9)
        values = {"n": random.randint(1, 40), "m": random.randint(1, 40)}
        x, y = values["n"], values["m"]
        assert ((a * n + b * m + c) // c).at(values) == (a * x + b * y + c) // c
        assert ((a * n * m + b) % c).at(values) == (a * x * y + b) % c
        assert (-(-(a * n) // m)).at(values) == -(-(a * x) // y)
        assert ((n * m * a) // m).at(values) == (x * y * a) // y


def test_code_has_the_value_of_the_expression() -> None:
    random = Random(5)
    for _ in range(400):
        found = [Expr.of("m"), Expr.of("n"), Expr.of(12)]
        for _ in range(8):
            a, b = random.choice(found), random.choice(found)
            what = random.randrange(6)
            found.append(
                a + b if what == 0 else a * b if what == 1 else a - b if what == 2 else a * random.randint(2, 9)
            )
            k = random.choice((2, 3, 12, Expr.of("n")))
            found.append(found[-1] % k if what % 2 else found[-1] // k)
        for e in found:
            if len(str(e)) > 300:
                continue
            code = compile(code_of(e), "code", "eval")
            for values in ({"m": 1, "n": 4}, {"m": 5, "n": 7}, {"m": 12, "n": 30}):
                assert eval(code, {}, dict(values)) == e.at(values), (code_of(e), values)


def test_a_sum_that_begins_and_ends_with_parentheses_is_divided_as_a_whole() -> None:
    n = Expr.of("n")
    text = code_of(((12 // n) % 2 * (n % 12) + 12 % n) // 12)
    assert text == "(((12 // n) % 2) * (n % 12) + (12 % n)) // 12"
    assert parse_expression(text).at({"n": 4}) == 0


@pytest.mark.parametrize(
    "text",
    [
        "n % 8 == 0 and n <= 65536", "n in (1, 2, 3) or n % 48 == 0", "m + 4 * n < 69", "(n == 1 or m == 2) and n != 7",
        "n not in (3, 4)", "-(-n // 8) <= 4", "(m * n) % 4 == 0",
    ],
)  # fmt: skip
def test_a_condition_is_python(text: str) -> None:
    condition = parse_condition(text)
    again = parse_condition(condition.code())
    for n in range(1, 60):
        for m in (1, 2, 7):
            values = {"n": n, "m": m}
            assert condition.at(values) == again.at(values) == eval(guard(condition, "python"), {}, dict(values))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("n % 0 == 0", "a division by 0"),
        ("n", "a comparison is expected here"),
        ("n == __import__('os')", "an integer or a name is expected|nothing more is expected"),
        ("n = 4", "write == for a comparison"),
        ("2n == 4", r"write 2\*n"),
        ("(" * 100 + "n == 1" + ")" * 100, "nested deeper"),
    ],
)
def test_bad_conditions_are_told_in_one_line(text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        parse_condition(text)


@pytest.mark.parametrize(
    "text",
    [
        "(4,n):(1,4)", "(4,n/8,8,4):(e0,8e1,e1,4e0)", "((n+1)/2,3):(2*n*e1,n*e0)", "(4,ceil(n/8)):(1,4)", "n:1",
        "((4,n),m):((1,4),4*n)", "S<3,4,3> o 0 o (8,n):(n,1)",
    ],
)  # fmt: skip
def test_layouts_with_names(text: str) -> None:
    found = parse(text, names=True)
    assert str(found) == text and str(parse(str(found), names=True)) == text


def test_without_a_value_nothing_is_computed() -> None:
    a = parse("(4,n):(1,4)", names=True)
    with pytest.raises(InputError, match="the value of n is not known here"):
        bool(a.shape[1] < 3)  # type: ignore[union-attr]


def test_what_no_assume_says_is_checked_on_the_host() -> None:
    assert guard(parse_condition("n % 8 == 0"), "cute") == "n = cute.assume(n, divby=8)"
    assert guard(parse_condition("n <= 4"), "cute").startswith("assert n <= 4  #")
    assert guard(parse_condition("n % 8 == 0 or n <= 4"), "cpp") == "assert(n % 8 == 0 || n <= 4);"
