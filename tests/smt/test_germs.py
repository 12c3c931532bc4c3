"""Germs: what they decide holds at every t from the start of their tail on."""

from random import Random

import pytest

from veritile.model.names import Expr
from veritile.smt.germs import Germ, Outside, Split, Tail, Traced, common_divisor


def random_program(random: Random, n: int) -> list[int]:
    """Arithmetic and comparisons; the same for the same state of ``random``, but for what n decides."""
    found = [n, random.randint(1, 9)]
    for _ in range(6):
        a, b = random.choice(found), random.choice(found)
        what = random.randrange(5)
        if what == 0:
            found.append(a + b)
        elif what == 1:
            found.append(a * b if len(found) < 5 else a - b)
        elif what in (2, 3) and b != 0:
            found.append(a // b if what == 2 else a % b)
        else:
            found.append(a if a <= b else b - 1)
    return found


@pytest.mark.parametrize("seed", range(150))
def test_from_the_start_on_a_run_is_that_of_numbers(seed: int) -> None:
    modulus = rest = 0
    classes = [(1, 0)]
    while classes and modulus < 200:
        modulus, rest = classes.pop()
        tail = Tail(modulus, rest)
        try:
            found = random_program(Random(seed), Traced(tail.name, Expr.of("n")))
        except Split as split:
            classes = [(modulus * split.factor, rest + modulus * s) for s in range(min(split.factor, 3))]
            continue
        except Outside:
            return
        for t in range(tail.start, tail.start + 4):
            n = modulus * t + rest
            for germ, number in zip(found, random_program(Random(seed), n), strict=True):
                value = germ.value if isinstance(germ, Traced) else germ
                assert (value.at(t) if isinstance(value, Germ) else value) == number
                if isinstance(germ, Traced) and n > 0:
                    assert germ.expression.at({"n": n}) == number
        if not classes:
            return


def test_a_symbol_is_no_plain_number() -> None:
    n = Traced(Tail(1, 0).name, Expr.of("n"))
    for use in (
        lambda: hash(n),
        lambda: n.bit_length(),
        lambda: n & 1,
        lambda: [1, 2][n],
        lambda: n + int.__add__(n, 0),
    ):
        with pytest.raises((Outside, IndexError)):
            use()


def test_the_common_divisor_of_polynomials() -> None:
    assert common_divisor(Tail(4, 2).name, 4) == 2
    with pytest.raises(Split):
        common_divisor(Tail(1, 0).name, 4)
    assert common_divisor(12, 18) == 6
