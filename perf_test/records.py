# SPDX-FileCopyrightText: The Tessera Authors
# SPDX-License-Identifier: BSD-3-Clause
"""Records and figures for the scripts that draw: records may be compressed, figures are small."""
import json
import lzma

COLORS = "1f77b4 ff7f0e 2ca02c d62728 9467bd 8c564b e377c2 7f7f7f bcbd22 17becf".split()


def read_json(path):
    """A record, FILE.json or FILE.json.xz."""
    opener = lzma.open if str(path).endswith(".xz") else open
    with opener(path, "rt", encoding="utf-8") as file:
        return json.load(file)


def _palette():
    """Greys, and matplotlib's ten colours in four tints each."""
    colors = [[17 * step] * 3 for step in range(16)]
    for color in COLORS:
        channels = bytes.fromhex(color)
        colors += [[round(255 + (c - 255) * t) for c in channels] for t in (1, 0.8, 0.5, 0.25)]
    return [channel for color in colors for channel in color]


def save_figure(figure, path):
    """The same file from the same record. A PNG has few colours: an SVG has an element per point."""
    if str(path).endswith(".png"):
        from PIL import Image

        figure.savefig(path, dpi=96, metadata={"Software": None})
        palette = Image.new("P", (1, 1))
        palette.putpalette(_palette())
        with Image.open(path) as image:
            small = image.convert("RGB").quantize(palette=palette, dither=Image.Dither.NONE)
        small.save(path, optimize=True)
    else:
        figure.savefig(path, metadata={"Date": None} if str(path).endswith(".svg") else None)
