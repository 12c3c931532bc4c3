"""The audit of somebody else's kernel: every layout operation in its IR, decided again exactly.

``veritile audit`` does it in processes of their own; :func:`auditing` around one's own ``cute.compile``.
"""

from .session import AuditFailed, Session, auditing

__all__ = ["AuditFailed", "Session", "auditing"]
