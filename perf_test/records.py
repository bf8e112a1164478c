# SPDX-FileCopyrightText: The Tessera Authors
# SPDX-License-Identifier: BSD-3-Clause
"""Records and figures for the scripts that draw: records may be compressed, figures are small."""
import json
import lzma


def read_json(path):
    """A record, FILE.json or FILE.json.xz."""
    opener = lzma.open if str(path).endswith(".xz") else open
    with opener(path, "rt", encoding="utf-8") as file:
        return json.load(file)


def save_figure(figure, path):
    """The same file from the same record. A PNG has 256 colours: an SVG has an element per point."""
    if str(path).endswith(".png"):
        figure.savefig(path, dpi=96, metadata={"Software": None})
        from PIL import Image

        with Image.open(path) as image:
            small = image.convert("RGB").quantize(256, dither=Image.Dither.NONE)
        small.save(path, optimize=True)
    else:
        figure.savefig(path, metadata={"Date": None} if str(path).endswith(".svg") else None)
