"""Fences: orders that hold, and the same with one event taken out: refuted, and by the event that was taken out."""

from __future__ import annotations

from dataclasses import replace

import pytest

from veritile import InputError
from veritile.proofs.contracts.fences import Event, Order, decide_fences, unrolled

from .evaluation import refuted, verdicts, witness


def e(agent: str, do: str, *on: str, **more: object) -> Event:
    return Event(agent, do, tuple(on), **more)  # type: ignore[arg-type]


EPILOGUE = [
    e("group", "use", registers=("acc",)),
    e("group", "write", "sC"),
    e("group", "fence-proxy-async"),
    e("group", "sync", agents=("group", "tma")),
    e("tma", "tma-store", "sC"),
    e("tma", "bulk-commit"),
    e("tma", "bulk-wait-read"),
    e("tma", "sync", agents=("group", "tma")),
    e("group", "write", "sC"),
    e("tma", "exit"),
]
MAINLOOP = [
    e("tma", "init", barrier="full"),
    e("tma", "init", barrier="empty"),
    e("tma", "fence-init"),
    e("tma", "sync"),
    e("tma", "tma-load", "sA", barrier="full", loop=True),
    e("group", "wait", barrier="full", loop=True),
    e("group", "wgmma-fence", loop=True),
    e("group", "wgmma", "sA", registers=("acc",), loop=True),
    e("group", "wgmma-commit", loop=True),
    e("group", "wgmma-wait", loop=True),
    e("group", "arrive", barrier="empty", loop=True),
    e("tma", "wait", barrier="empty", loop=True),
    e("group", "use", registers=("acc",)),
]
COPIES = [
    e("threads", "cp-async", "s"),
    e("threads", "cp-commit"),
    e("threads", "cp-async", "t"),
    e("threads", "cp-commit"),
    e("threads", "cp-wait", number=1),
    e("threads", "fence-proxy-async"),
    e("threads", "sync", agents=("threads", "group")),
    e("group", "wgmma-fence"),
    e("group", "wgmma", "s", registers=("acc",)),
]
TENSOR = [
    e("mma", "init", barrier="ready"),
    e("mma", "fence-init"),
    e("mma", "sync"),
    e("mma", "umma", "sA", registers=("acc",)),
    e("mma", "umma-commit", barrier="ready"),
    e("epilogue", "wait", barrier="ready"),
    e("epilogue", "tmem-fence-after"),
    e("epilogue", "tmem-load", "acc", registers=("r",)),
    e("epilogue", "tmem-wait-load"),
    e("epilogue", "use", registers=("r",)),
    e("epilogue", "tmem-fence-before"),
    e("epilogue", "sync"),
    e("mma", "tmem-fence-after"),
    e("mma", "umma", "sA", registers=("acc",)),
]
STORED = [
    e("softmax", "tmem-store", "P", registers=("p",)),
    e("softmax", "tmem-wait-store"),
    e("softmax", "tmem-fence-before"),
    e("softmax", "sync"),
    e("mma", "tmem-fence-after"),
    e("mma", "umma", "P", registers=("O",)),
]
LISTS = {"epilogue": EPILOGUE, "mainloop": MAINLOOP, "copies": COPIES, "tensor memory": TENSOR, "stored": STORED}
NEEDED = {
    *("fence-proxy-async", "fence-init", "sync", "bulk-commit", "bulk-wait-read", "wgmma-fence", "wgmma-commit"),
    *("wgmma-wait", "wait", "arrive", "init", "cp-wait", "umma-commit", "tmem-fence-after", "tmem-fence-before"),
    *("tmem-wait-load", "tmem-wait-store"),
}


@pytest.mark.parametrize("name", LISTS)
def test_an_order_that_holds(name: str) -> None:
    assert set(verdicts(decide_fences(LISTS[name])).values()) == {"proved"}


@pytest.mark.parametrize(
    ("name", "at"), [(name, at) for name, events in LISTS.items() for at, one in enumerate(events) if one.do in NEEDED]
)
def test_every_event_that_is_needed_is_missed(name: str, at: int) -> None:
    events = LISTS[name]
    found = decide_fences(events[:at] + events[at + 1 :])
    assert refuted(found), f"{events[at]} is not missed"
    for rule in refuted(found):
        values = witness(found, rule)
        order = Order(unrolled(events[:at] + events[at + 1 :]))
        first, second = values["first_at"], values["second_at"]
        assert str(order.events[second]) == values["second"] and first < second
        assert first < 0 or str(order.events[first]) == values["first"]


@pytest.mark.parametrize(
    ("events", "rule", "missing"),
    [
        (EPILOGUE[:2] + EPILOGUE[3:], "proxy", "fence-proxy-async"),
        ([*EPILOGUE[:2], EPILOGUE[3], EPILOGUE[2], *EPILOGUE[4:]], "proxy", "a barrier of group and tma"),
        ([*EPILOGUE[:2], replace(EPILOGUE[2], agent="tma"), *EPILOGUE[3:]], "proxy", "fence-proxy-async"),
        (EPILOGUE[:6] + EPILOGUE[7:], "bulk-read", "bulk-wait-read"),
        ([*EPILOGUE[:6], replace(EPILOGUE[6], number=1), *EPILOGUE[7:]], "bulk-read", "bulk-wait-read"),
        (EPILOGUE[:5] + EPILOGUE[6:], "bulk-read", "bulk-commit"),
        ([MAINLOOP[4]], "init", "init of full"),
        (MAINLOOP[:2] + MAINLOOP[3:], "init", "fence-init"),
        (MAINLOOP[:3] + MAINLOOP[4:], "init", "a barrier"),
        (MAINLOOP[:6] + MAINLOOP[7:], "wgmma", "wgmma-fence"),
        ([*MAINLOOP[:9], replace(MAINLOOP[9], number=1), *MAINLOOP[10:]], "wgmma-wait", "wgmma-wait"),
        ([*MAINLOOP[:9], replace(MAINLOOP[9], number=1), *MAINLOOP[10:]], "mma-reads", "wgmma-wait"),
        (MAINLOOP[:5] + MAINLOOP[6:], "tma-load", "wait on full"),
        ([*COPIES[:4], replace(COPIES[4], number=2), *COPIES[5:]], "cp-async", "cp-wait"),
        ([*COPIES[:4], COPIES[5], COPIES[4], *COPIES[6:]], "proxy", "fence-proxy-async"),
        (TENSOR[:8] + TENSOR[9:], "tmem-load", "tmem-wait-load"),
        (TENSOR[:4] + TENSOR[5:], "tmem-order", "umma-commit"),
        (STORED[:1] + STORED[2:], "tmem-store", "tmem-wait-store"),
        (STORED[:2] + STORED[3:], "tmem-order", "tmem-fence-before"),
    ],
)
def test_what_is_missing(events: list[Event], rule: str, missing: str) -> None:
    found = decide_fences(events)
    assert rule in refuted(found)
    assert missing in witness(found, rule)["missing"]


def test_accumulators_that_are_touched_need_a_fence_again() -> None:
    start = [e("g", "wgmma-fence"), e("g", "wgmma", registers=("acc",)), e("g", "wgmma-commit"), e("g", "wgmma-wait")]
    again = [e("g", "use", registers=("acc",)), e("g", "wgmma", registers=("acc",))]
    assert refuted(decide_fences([*start, *again])) == ["wgmma"]
    assert refuted(decide_fences([*start, again[0], e("g", "wgmma-fence"), again[1]])) == []
    assert refuted(decide_fences([*start, again[1]])) == []


def test_loops() -> None:
    assert len(unrolled(MAINLOOP)) == len(MAINLOOP) + 8
    with pytest.raises(InputError, match="stand together"):
        unrolled([e("a", "write", "s", loop=True), e("a", "read", "s"), e("a", "write", "s", loop=True)])
    twice = [
        e("a", "write", "s"),
        e("a", "fence-proxy-async"),
        e("a", "sync", agents=("a", "b", "a")),
        e("b", "wgmma", "s"),
    ]
    assert "proxy" not in refuted(decide_fences(twice))
    with pytest.raises(InputError, match="no kind of event"):
        decide_fences([e("a", "jump")])
