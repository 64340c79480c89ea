"""One thread for torch, as in the engine's process: small operations are twenty times quicker, and sums do not depend on the machine."""

from __future__ import annotations

import torch

torch.set_num_threads(1)
