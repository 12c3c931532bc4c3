"""Run compiled kernels: buffers between guards, launches, times by device events. Needs a driver, no torch.

A buffer lies between two guards of a fixed pattern, so that a write outside it is seen; a written operand is poisoned
first (every byte 0xFF: NaN for floating types), so that an element that nothing wrote is seen.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from ..model.errors import VeritileError
from .build import Built, Operand
from .element import element
from .lower import pointer

GUARD = 4096
"""Bytes of a guard, at either end of a buffer."""
PATTERN, POISON = 0xA5, 0xFF


class DeviceFailed(VeritileError):
    """A driver call that failed, in one line."""


def _ok(answer: tuple[Any, ...]) -> Any:
    """The results of a driver call, or its error."""
    code, *rest = answer
    if int(code) != 0:
        raise DeviceFailed(f"the driver answers {code.name}")
    return rest[0] if len(rest) == 1 else rest


@dataclass(frozen=True)
class Buffer:
    """``size`` bytes of device memory at ``address``, between guards."""

    base: int
    address: int
    size: int


class Device:
    """One GPU, through CUDA's driver interface; its primary context is shared with whoever else uses it."""

    def __init__(self, number: int = 0) -> None:
        try:
            from cuda.bindings import driver  # type: ignore[import-not-found]
        except ImportError as missing:
            raise DeviceFailed(f"no CUDA bindings here: {missing}") from missing
        self.driver = driver
        try:
            begun = driver.cuInit(0)
        except Exception as missing:  # the bindings' own kinds of error: the driver's library is not there
            raise DeviceFailed(f"no CUDA driver here: {str(missing).splitlines()[0]}") from missing
        _ok(begun)
        handle = _ok(driver.cuDeviceGet(number))
        _ok(driver.cuCtxSetCurrent(_ok(driver.cuDevicePrimaryCtxRetain(handle))))
        name = driver.CUdevice_attribute
        major = _ok(driver.cuDeviceGetAttribute(name.CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, handle))
        minor = _ok(driver.cuDeviceGetAttribute(name.CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, handle))
        self.processors = _ok(driver.cuDeviceGetAttribute(name.CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, handle))
        self.name = _ok(driver.cuDeviceGetName(128, handle)).split(b"\0")[0].decode()
        self.architecture = f"sm_{major}{minor}" + ("a" if major >= 9 else "")
        self.stream = driver.CUstream(0)

    def allocate(self, size: int, shift: int = 0) -> Buffer:
        """``size`` bytes between guards; ``shift`` moves the address off its alignment of 4096 bytes."""
        base = int(_ok(self.driver.cuMemAlloc(size + 2 * GUARD + shift)))
        _ok(self.driver.cuMemsetD8(base, PATTERN, size + 2 * GUARD + shift))
        return Buffer(base, base + GUARD + shift, size)

    def upload(self, array: Any, shift: int = 0) -> Buffer:
        """A NumPy array's bytes in a buffer of their own."""
        buffer = self.allocate(array.nbytes, shift)
        _ok(self.driver.cuMemcpyHtoD(buffer.address, array.ctypes.data, array.nbytes))
        return buffer

    def download(self, buffer: Buffer, storage: str) -> Any:
        """A buffer's elements; DeviceFailed when a guard was written."""
        import numpy as np

        raw = np.empty(buffer.size + 2 * GUARD, np.uint8)
        start = buffer.address - GUARD
        _ok(self.driver.cuMemcpyDtoH(raw.ctypes.data, start, raw.nbytes))
        for where, guard in (("before", raw[:GUARD]), ("after", raw[GUARD + buffer.size :])):
            if (guard != PATTERN).any():
                raise DeviceFailed(f"{int((guard != PATTERN).sum())} bytes were written {where} the buffer")
        return raw[GUARD : GUARD + buffer.size].view(storage)

    def poison(self, buffer: Buffer) -> None:
        """Every byte of the buffer 0xFF."""
        _ok(self.driver.cuMemsetD8(buffer.address, POISON, buffer.size))

    def free(self, *buffers: Buffer) -> None:
        """Buffers given back."""
        for buffer in buffers:
            _ok(self.driver.cuMemFree(buffer.base))

    def wait(self) -> None:
        """Until all launches are done; DeviceFailed when one failed."""
        _ok(self.driver.cuCtxSynchronize())

    def times(
        self,
        actions: Sequence[Callable[[], Any]],
        repeats: int,
        warm: int = 3,
        between: Callable[[], Any] = lambda: None,
    ) -> list[list[float]]:
        """Milliseconds of each action, ``repeats`` times, the actions taking turns: a list an action.

        ``between`` is launched before each action, outside its time. Whoever ran before leaves the second-level cache
        full of what it wrote, and the next one pays for writing that back: 50 MB are 2 % of 2 GiB.
        """
        for _ in range(warm):
            for action in actions:
                action()
        count = repeats * len(actions)
        events = [(_ok(self.driver.cuEventCreate(0)), _ok(self.driver.cuEventCreate(0))) for _ in range(count)]
        scratch = self.allocate(1 << 30)
        self.wait()
        # The GPU is kept busy while the host gets ahead of it, so that no gap between launches is taken for work.
        for _ in range(8 + 2 * count):
            _ok(self.driver.cuMemsetD8Async(scratch.address, 0, scratch.size, self.stream))
        for i, (begin, end) in enumerate(events):
            between()
            _ok(self.driver.cuEventRecord(begin, self.stream))
            actions[i % len(actions)]()
            _ok(self.driver.cuEventRecord(end, self.stream))
        self.wait()
        spans = [_ok(self.driver.cuEventElapsedTime(begin, end)) for begin, end in events]
        self.free(scratch)
        for pair in events:
            for event in pair:
                _ok(self.driver.cuEventDestroy(event))
        return [spans[i :: len(actions)] for i in range(len(actions))]


def run(device: Device, built: Built, operands: tuple[Operand, ...], arrays: dict[str, Any], shift: int = 0) -> Any:
    """The kernel launched once on copies of the arrays; gives every written operand's elements, by name.

    An operand that is only written is poisoned. ``shift`` moves every buffer that many bytes off its alignment.
    """
    import numpy as np

    buffers = []
    for operand in operands:
        storage = element(operand.element).storage
        if operand.read:
            buffers.append(device.upload(np.ascontiguousarray(arrays[operand.name], storage), shift))
        else:
            buffers.append(device.allocate(operand.size * element(operand.element).bytes, shift))
            device.poison(buffers[-1])
    pointers = [pointer(b.address, o.element, o.align) for b, o in zip(buffers, operands, strict=True)]
    built.launch(*pointers, device.stream)
    device.wait()
    found = {
        operand.name: device.download(buffer, element(operand.element).storage)
        for operand, buffer in zip(operands, buffers, strict=True)
        if operand.written
    }
    device.free(*buffers)
    return found
