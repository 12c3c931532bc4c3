"""Hostile input: whatever is typed, an exit code from 0 to 3, no traceback, and nothing that a terminal obeys."""

from hypothesis import given
from hypothesis import strategies as st

from .run import Said, veritile

FORMS = {
    "eval": 2,
    "show": 1,
    "coalesce": 1,
    "compose": 2,
    "complement": 1,
    "inverse": 1,
    "divide": 2,
    "product": 2,
    "recast": 1,
    "slice": 2,
    "equal": 2,
    "check": 2,
}
OPTIONS = {
    "complement": [["--bound", "24"], ["--bound", "7", "--partial"], ["--extended"]],
    "inverse": [["--left"], ["--right"]],
    "recast": [["--from", "16", "--to", "32"], ["--from", "8", "--to", "4"]],
    "compose": [[], ["--in-bounds"]],
    "divide": [[], ["--form", "zipped"], ["--form", "flat"]],
    "product": [[], ["--form", "raked"], ["--form", "blocked"], ["--form", "tiled"]],
    "coalesce": [[], ["--profile", "(_,_)"]],
}

sizes = st.sampled_from(["1", "2", "2", "3", "4", "4", "5", "6", "8", "16", "_4", "1048576", "9223372036854775808"])
bad_sizes = st.sampled_from(["0", "-1", "n", "?", "", "e0"])
strides = {
    "integer": ["0", "1", "1", "2", "3", "4", "7", "8", "16", "-1", "-4", "_2", "1024", "18446744073709551616"],
    "coordinate": ["0", "e0", "e1", "2e1", "3e0", "e0+2e1", "2@1", "1@0", "-e1", "1@1@0"],
    "F2": ["0", "f1", "f2", "f3", "f5", "f16", "f65537"],
    "any": ["1", "e0", "f1", "?", "", "x", "--1"],
}


@st.composite
def modes(draw: st.DrawFn, kind: str, depth: int = 2) -> tuple[str, str]:
    """A shape and a congruent stride."""
    if depth and draw(st.booleans()):
        parts = [draw(modes(kind, depth - 1)) for _ in range(draw(st.integers(1, 4)))]
        return f"({','.join(s for s, _ in parts)})", f"({','.join(d for _, d in parts)})"
    size = draw(bad_sizes) if kind == "any" and draw(st.booleans()) else draw(sizes)
    return size, draw(st.sampled_from(strides[kind]))


def layout_of(kind: str) -> st.SearchStrategy[str]:
    return modes(kind).map(":".join)


layouts = st.one_of(
    layout_of("integer"),
    layout_of("integer"),
    st.sampled_from(["integer", "coordinate", "F2", "any"]).flatmap(layout_of),
    modes("integer").map(lambda m: m[0]),
    layout_of("integer").map(lambda text: f"S<3,0,3> o 0 o {text}"),
    layout_of("integer").map(lambda text: f"(4,8):(1,9) o 2 o {text}"),
    st.sampled_from(["<4:1,8:2>", "<4,_>", "<2:1>", "S<2,0,1>", "S<2,0,0>", "S<4,3,3>", "S<1,0,-2>"]),
)
coordinates = st.recursive(
    st.sampled_from(["_", "0", "1", "-3", "5", "1180591620717411303424"]),
    lambda t: st.lists(t, min_size=1, max_size=3).map(lambda m: f"({','.join(m)})"),
    max_leaves=4,
)
properties = st.one_of(
    st.sampled_from(
        ["injective", "onto=4", "within=9", "bijective=4", "bijective", "contiguous=4", "contiguous=99999999"]
    ),
    st.builds(lambda name, n: f"{name}={n}", st.sampled_from(["onto", "within", "size"]), st.integers(-1, 2**70)),
    layouts.map(lambda text: f"disjoint={text}"),
)
SECOND = {"eval": coordinates, "slice": coordinates, "check": properties}
noise = st.one_of(
    st.text(max_size=30),
    st.text(alphabet="()<>:,_-+@*0123456789efSwo ∘?\x1b[\u202e\x00=", max_size=40),
    st.sampled_from(["(" * 500, "9" * 5000, "1," * 40000, "(" + "9" * 600 + ",9):(1," + "9" * 640 + ")"]),
)


def calls() -> st.SearchStrategy[list[str]]:
    def of(command: str) -> st.SearchStrategy[list[str]]:
        known = [layouts, SECOND.get(command, layouts)][: FORMS[command]]
        operands = st.tuples(*(st.integers(0, 9).flatmap(lambda n, k=k: noise if n == 0 else k) for k in known))
        options = st.sampled_from(OPTIONS.get(command, [[]]))
        more = st.sampled_from([[], ["--json"], ["--budget", "0.2"]])
        return st.builds(lambda o, p, m: [command, *o, *p, *m], operands, options, more)

    return st.sampled_from(list(FORMS)).flatmap(of)


def is_clean(said: Said) -> bool:
    text = said.out + said.err
    assert said.code in (0, 1, 2, 3), text
    assert "Traceback" not in text
    assert "internal error" not in text, text
    assert all(line.isprintable() for line in text.splitlines()), text
    if said.code == 2:
        assert said.out == ""
        assert said.err.startswith("veritile: ")
        assert len(said.err.splitlines()) in (1, 3), said.err
    else:
        assert said.err == ""
        assert said.out
    return True


@given(calls())
def test_anything_in_the_place_of_an_operand(argv: list[str]) -> None:
    said = veritile(*argv, "--budget", "0.5")
    assert is_clean(said)
    if "--json" in argv and said.code != 2:
        assert {0: "proved", 1: "refuted", 3: "unknown"}[said.code] == said.json["verdict"]


@given(st.sampled_from([*FORMS, "prove", "compse", ""]), st.lists(noise, max_size=4))
def test_anything_on_the_command_line(command: str, words: list[str]) -> None:
    words = [w for w in words if not w.endswith(".py")]
    if command == "prove":
        words = ["--list", *words]
    said = veritile(command, *words)
    assert said.code in (0, 1, 2, 3)
    assert "Traceback" not in said.out + said.err
    assert all(line.isprintable() for line in (said.out + said.err).splitlines())
