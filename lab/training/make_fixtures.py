#!/usr/bin/env python3
"""Writes the reference maps that the tests of engine/src/depth compare with: make_fixtures.py [FOLDER]

Two drawn scenes, each as NAME.rgb.png (256 x 192), NAME.matte.png (512 x 512, 8 bits), NAME.network.f32 (a stand-in
for the network's output, 96 x 128) and, computed by hand.py, NAME.hand.f32 (96 x 128) and NAME.finished.f32
(150 rows x 200 columns, before the range is normalised). The .f32 files are plain little-endian float32 rows.
"""

import os
import sys

import cv2
import numpy as np

import hand

HERE = os.path.dirname(os.path.abspath(__file__))
FINISHED_WIDTH, FINISHED_HEIGHT = 200, 150


def soft_ellipse(centre_x, centre_y, radius_x, radius_y, softness=0.04):
    """512 x 512 opacity of an ellipse with a soft outline; coordinates are shares of the picture."""
    y, x = np.mgrid[:512, :512] / 511
    distance = np.hypot((x - centre_x) / radius_x, (y - centre_y) / radius_y)
    return np.clip((1 - distance) / softness + 0.5, 0, 1)


def meadow(rng):
    """Blue sky, rough grass, a person standing on it, and a speck too small to be an object."""
    y, x = np.mgrid[:192, :256].astype(np.float32)
    rgb = np.empty((192, 256, 3), np.float32)
    rgb[:] = np.stack([110 + y * 0.4, 160 + y * 0.3, 235 - y * 0.1], 2)
    grass = y > 84 + 5 * np.sin(x / 20)
    rgb[grass] = np.stack([70 + 0 * y, 110 + y * 0.3, 50 + 0 * y], 2)[grass]
    rgb[grass] += rng.normal(0, 22, (int(grass.sum()), 1))
    matte = np.maximum(soft_ellipse(0.42, 0.34, 0.06, 0.08), soft_ellipse(0.42, 0.63, 0.10, 0.26))
    matte = np.maximum(matte, soft_ellipse(0.80, 0.75, 0.02, 0.02))
    return rgb, matte


def table(rng):
    """No sky: a vase cropped by the lower border before a wall, and a plate beside it that lies higher up."""
    y, x = np.mgrid[:192, :256].astype(np.float32)
    rgb = np.stack([150 + 20 * np.sin(x / 9), 120 + 0.2 * y, 90 + 0 * x], 2)
    rgb += rng.normal(0, 9, rgb.shape)
    matte = np.maximum(soft_ellipse(0.30, 0.85, 0.16, 0.40), 0.85 * soft_ellipse(0.74, 0.55, 0.17, 0.07, 0.2))
    return rgb, matte


def main():
    folder = sys.argv[1] if len(sys.argv) > 1 else os.path.join(HERE, "../../engine/src/depth/fixtures")
    os.makedirs(folder, exist_ok=True)
    rng = np.random.default_rng(1)
    y, x = np.mgrid[: hand.GRID_HEIGHT, : hand.GRID_WIDTH].astype(np.float32)
    for scene in (meadow, table):
        rgb, matte = scene(rng)
        rgb = np.clip(np.round(rgb), 0, 255).astype(np.uint8)
        matte8 = np.round(matte * 255).astype(np.uint8)
        matte = matte8.astype(np.float32) / 255
        network = (y / 60 - np.cos(x / 17) * 0.4 + rng.normal(0, 0.02, y.shape)).astype(np.float32)
        by_hand = hand.hand(rgb, matte).astype(np.float32)
        finished = hand.finish(hand.fuse(network, by_hand), FINISHED_WIDTH, FINISHED_HEIGHT, matte)

        stem = os.path.join(folder, scene.__name__)
        cv2.imwrite(stem + ".rgb.png", rgb[..., ::-1], [cv2.IMWRITE_PNG_COMPRESSION, 9])
        cv2.imwrite(stem + ".matte.png", matte8, [cv2.IMWRITE_PNG_COMPRESSION, 9])
        for name, values in (("network", network), ("hand", by_hand), ("finished", finished)):
            values.astype("<f4").tofile(f"{stem}.{name}.f32")


if __name__ == "__main__":
    main()
