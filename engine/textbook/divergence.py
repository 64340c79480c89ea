"""How far two distributions are apart, as a learner feels it: KL in both directions, softened targets, and the gradient they send.

Distributions are (..., V); logits z make them by softmax(z/T).
"""

from __future__ import annotations

import torch
from torch import Tensor


def kl(p: Tensor, q: Tensor) -> Tensor:
    """Σ p ln(p/q), in nats: what it costs to expect q when p is true; 0 only where they agree, and not symmetric. (..., V) -> (...)"""
    terms: Tensor = torch.special.xlogy(p, p) - torch.special.xlogy(p, q)  # 0·ln 0 = 0
    return terms.sum(-1)


def soft_loss(student: Tensor, teacher: Tensor, temperature: float) -> Tensor:
    """KL(teacher, student), both softened by T. Source: Hinton, Vinyals and Dean 2015."""
    return kl(torch.softmax(teacher / temperature, -1), torch.softmax(student / temperature, -1))


def soft_gradient(student: Tensor, teacher: Tensor, temperature: float) -> Tensor:
    """∂ soft_loss / ∂ student = (q - p)/T. At high T, where q - p itself goes like 1/T, it shrinks like 1/T².

    Hence the factor T² in front of the loss; at low T it shrinks less.
    """
    return (torch.softmax(student / temperature, -1) - torch.softmax(teacher / temperature, -1)) / temperature


def matching_gradient(student: Tensor, teacher: Tensor) -> Tensor:
    """What T²·soft_gradient becomes at high T: the difference of the centred logits, divided by V."""
    off = student - teacher
    return (off - off.mean(-1, keepdim=True)) / student.shape[-1]
