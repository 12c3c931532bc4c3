"""What runs on a GPU, built only from certificates: ``kernels.copy(certificate)`` gives a kernel, or says why not."""

from .registry import kernel_modules

kernel_modules()  # makes each kernel's module one that can be called with a certificate
