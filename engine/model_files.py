"""What may be read of a pretrained model's folder: these files, and none that is larger."""

from __future__ import annotations

MEBIBYTE = 2**20
LARGEST = {"config.json": MEBIBYTE, "tokenizer_config.json": 4 * MEBIBYTE, "vocab.txt": 16 * MEBIBYTE, "model.safetensors": 1536 * MEBIBYTE}
