"""Part of positions_sinusoidal: positions as pictures, and at D = 8 cell by cell: each rotated by M_k, and with each other multiplied."""

from __future__ import annotations

import torch

from engine.assemble import Numbers
from engine.experiments._shifted_text import TOKENS
from engine.label import Label
from engine.measures import Grid, Measure
from engine.textbook.absolute_positions import shift_matrix, sinusoidal

SHOWN = 8  # d_model of what is read cell by cell
IMAGE_PLACES, IMAGE_WIDTH = 24, 32  # positions and d_model of a picture in which the waves are seen


def matrices(distance: int) -> Numbers:
    """At D = 8, so that each cell can be read; a cell of the shifted positions opens into its two terms."""
    encoding, turn = sinusoidal(torch.arange(TOKENS), SHOWN), shift_matrix(distance, SHOWN).T
    many = sinusoidal(torch.arange(IMAGE_PLACES + distance), IMAGE_WIDTH)
    return {
        "waves": many[:IMAGE_PLACES],
        "waves_shifted": many[distance:],
        "encoding": encoding,
        "encoding_shifted": encoding @ turn,
        "turn": turn,
        "dots": encoding @ encoding.T,
        "encoding_T": encoding.T,
    }


POSITION_GRIDS: tuple[Measure, ...] = (
    Grid("waves", Label("positions (rows) at D = 32", "D = 32 的位置编码，每行一个位置"), rows="p{0}", columns="{0}"),
    Grid("waves_shifted", Label("k positions further", "后移 k 个位置"), rows="p{0}", columns="{0}"),
    Grid(
        "encoding",
        Label("positions at D = 8", "D = 8 的位置编码"),
        rows="p{0}",
        columns="{0}",
        formula=r"PE(p)_{2i} = \sin\left(\frac{p}{10000^{2i/D}}\right),\ PE(p)_{2i+1} = \cos\left(\frac{p}{10000^{2i/D}}\right)",
    ),
    Grid(
        "encoding_shifted",
        Label("positions k further at D = 8", "D = 8 的位置编码，后移 k 个位置"),
        rows="p{0}",
        columns="{0}",
        formula=r"PE(p + k) = M_k PE(p)",
        product_of=("encoding", "turn"),
    ),
    Grid(
        "turn",
        Label("M_k, transposed: one rotation a pair", "M_k 的转置：每对维度一个旋转"),
        rows="{0}",
        columns="{0}",
        formula=r"M_k^\top",
    ),
    Grid(
        "dots",
        Label("dot products: equal along diagonals", "点积：沿对角线相等"),
        rows="p{0}",
        columns="p{0}",
        formula=r"PE\, PE^\top",
        product_of=("encoding", "encoding_T"),
    ),
    Grid("encoding_T", Label("positions, transposed", "位置编码的转置"), rows="{0}", columns="p{0}", formula=r"PE^\top"),
)
