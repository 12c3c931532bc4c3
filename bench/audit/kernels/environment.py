"""Where other people's kernels compile without a GPU: what they read from the environment, what they ask a driver."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

MULTIPROCESSORS = {"10": 148, "9": 132}
"""Of a B200 and an H100, by the major version: they set grids alone, no layout."""


def architecture() -> str:
    """The architecture that is compiled for: ``sm_90a``."""
    return os.environ.setdefault("CUTE_DSL_ARCH", "sm_90a")


def number() -> str:
    """The architecture's number: ``90``."""
    return architecture().removeprefix("sm_").rstrip("af")


def multiprocessors() -> int:
    """How many multiprocessors the GPU that is stood in for has."""
    return MULTIPROCESSORS.get(number()[:-1], 100)


def prepare() -> None:
    """Tell the three packages the architecture, that no GPU is there, and to keep no cache."""
    os.environ["QUACK_ARCH"] = number()
    os.environ["FLASH_ATTENTION_ARCH"] = f"sm_{number()}"
    os.environ["FLASH_ATTENTION_NUM_SMS"] = str(multiprocessors())
    os.environ["QUACK_CACHE_ENABLED"] = "0"
    os.environ["FLASH_ATTENTION_CUTE_DSL_CACHE_ENABLED"] = "0"
    os.environ["CUDA_VISIBLE_DEVICES"] = ""
    answer_for_the_driver()


def answer_for_the_driver() -> None:
    """Persistent kernels ask the driver how many tiles run at once while they are traced: answer in its place."""
    import cutlass.utils

    hardware: Any = cutlass.utils.HardwareInfo
    hardware.__init__ = lambda self, device_id=0: None
    hardware.get_max_active_clusters = lambda self, cluster_size, stream=None: multiprocessors() // cluster_size
    hardware.get_device_multiprocessor_count = lambda self: multiprocessors()


@contextmanager
def launching() -> Iterator[None]:
    """A block that launches what it compiled, which no GPU takes: that error alone is let pass."""
    try:
        yield
    except RuntimeError as error:
        if "cudaErrorInsufficientDriver" not in str(error) and "cudaErrorNoDevice" not in str(error):
            raise
