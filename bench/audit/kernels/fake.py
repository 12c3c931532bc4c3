"""Tensors of torch that hold nothing."""

import torch


def fake(*shape: int, dtype: torch.dtype = torch.bfloat16, device: str = "cuda") -> torch.Tensor:
    """A contiguous tensor, to be made in torch's FakeTensorMode."""
    return torch.empty(shape, dtype=dtype, device=device)
