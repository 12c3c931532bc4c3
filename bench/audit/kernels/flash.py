"""Kernels of flash-attn-4: each function compiles one or more, through the package's own way, with fake tensors."""

import os

import cutlass.cute as cute
import torch
from cutlass import BFloat16, Float32
from flash_attn.cute import interface
from flash_attn.cute.compute_block_sparsity import compute_block_sparsity
from torch._subclasses.fake_tensor import FakeTensorMode

from .environment import architecture
from .fake import fake

INTEGER, REAL = torch.int32, torch.float32


def forward() -> None:
    with FakeTensorMode():
        interface._flash_attn_fwd(*(fake(2, 1024, 8, 128) for _ in range(3)))


def forward_causal_grouped() -> None:
    """Eight query heads over two."""
    with FakeTensorMode():
        interface._flash_attn_fwd(
            fake(2, 1024, 8, 128), fake(2, 1024, 2, 128), fake(2, 1024, 2, 128), causal=True, pack_gqa=True
        )


def backward() -> None:
    """Three kernels: before, the gradients, after."""
    with FakeTensorMode():
        interface._flash_attn_bwd(*(fake(2, 1024, 8, 128) for _ in range(5)), fake(2, 8, 1024, dtype=REAL))


def backward_256() -> None:
    """Head dimension 256: two kernels of their own on sm_100."""
    with FakeTensorMode():
        interface._flash_attn_bwd(*(fake(2, 1024, 8, 256) for _ in range(5)), fake(2, 8, 1024, dtype=REAL))


def combine() -> None:
    interface._compile_fwd_combine(
        architecture(), BFloat16, Float32, 128, 8, 8, 128, 5, False, False, True, False, False, False
    )


def scheduler() -> None:
    with FakeTensorMode():
        interface._get_scheduler_metadata(
            4, 1024, 1024, 8, 2, 128, 4, 128, 128, causal=True, pack_gqa=True, seqused_k=fake(4, dtype=INTEGER)
        )


def tile_cumsum() -> None:
    with FakeTensorMode():
        interface._compute_tile_cumsum(cu_seqlens=fake(5, dtype=INTEGER), tile_size=128)


def blocks_to_batch() -> None:
    with FakeTensorMode():
        interface._compute_blocks_to_batch(fake(5, dtype=INTEGER), 64, "cuda")


@cute.jit
def _causal(batch: object, head: object, row: object, column: object, lengths: object, data: object) -> object:
    return row >= column


def block_sparsity() -> None:
    with FakeTensorMode():
        compute_block_sparsity(128, 128, 2, 8, 1024, 1024, _causal, None, "cuda")


def _latent(heads: int, gathered: int = 0) -> None:
    """Latent attention: ``heads`` query heads over one, of all keys or of some gathered."""
    with FakeTensorMode():
        interface._flash_attn_fwd(
            fake(2, 1024, heads, 64),
            fake(2, 1024, 1, 64),
            fake(2, 1024, 1, 512),
            fake(2, 1024, heads, 512),
            gather_kv_indices=fake(2, 1024, gathered, dtype=INTEGER) if gathered else None,
        )


def latent_forward() -> None:
    _latent(128)


def latent_forward_gather() -> None:
    _latent(128, 512)


def latent_forward_one_block() -> None:
    """In one block instead of a pair."""
    os.environ["FLASH_ATTENTION_MLA_1CTA"] = "1"
    _latent(128)


def latent_forward_64_gather() -> None:
    os.environ["FLASH_ATTENTION_MLA_1CTA"] = "1"
    _latent(64, 512)


def latent_dq() -> None:
    interface._compile_sparse_mla_dq_dqv(interface.dQdQvGemmKernel, BFloat16, 128, 64, 512, 512, False, False, True)


def latent_dq_64() -> None:
    interface._compile_sparse_mla_dq_dqv(interface.dQdQvGemmKernelH64, BFloat16, 64, 64, 512, 512, False, False, True)


def latent_dk() -> None:
    interface._compile_sparse_mla_dk(BFloat16, Float32, 128, 64, 512, False)
