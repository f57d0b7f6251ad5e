#!/usr/bin/env python3
"""Makes scenes: generate.py shards FOLDER COUNT SCENES_PER_SHARD [MAX_WAITING]   or   generate.py sheet OUT.png

A shard is an .npz with pictures (BGR uint8) and inverse depth (float16, relative to its median) of as many landscape
scenes (landscape_images, landscape_depths) as portrait ones. Needs the folders photographs/ and mattes/ that
prepare.sh makes; without them photographs are replaced by noise. SEED in the environment repeats a stream.
"""

import glob
import os
import sys
import time

import cv2
import numpy as np

import cutouts
import textures
from families import FAMILIES
from objects import Fixed
from randomness import chance, rng

HERE = os.path.dirname(os.path.abspath(__file__))
WEIGHTS = np.array([weight for _, weight in FAMILIES], float)
WEIGHTS /= WEIGHTS.sum()


def prepare(photographs=HERE + "/photographs", mattes=HERE + "/mattes"):
    """Makes all textures and cut-outs; once, before the first scene."""
    cutouts.load_photographs(photographs, mattes)
    textures.fill_pool()
    cutouts.fill_pool()
    Fixed.prepare()


def make_scene(portrait, family=None):
    """A scene of a drawn or the given family (an index): picture, inverse depth, index. Redraws degenerate ones."""
    while True:
        index = rng.choice(len(FAMILIES), p=WEIGHTS) if family is None else family
        try:
            image, inverse_depth = FAMILIES[index][0](portrait)
        except (ZeroDivisionError, cv2.error, FloatingPointError):
            continue
        far, near = np.quantile(inverse_depth, [0.03, 0.97])
        nearly_constant = near < far * 1.06
        on_the_lens = np.median(inverse_depth) > 8
        if (nearly_constant and not chance(0.2)) or on_the_lens:
            continue
        return image, inverse_depth, index


def relative(inverse_depth):
    """In units of the median of what is not infinitely far, as float16."""
    finite = inverse_depth > 2e-3
    median = np.median(inverse_depth[finite]) if finite.any() else 1.0
    return np.clip(inverse_depth / median, 0, 60).astype(np.float16)


def write_shards(folder, count, scenes_per_shard, max_waiting):
    """Waits while the trainer has max_waiting shards left to read."""
    os.makedirs(folder, exist_ok=True)
    started = time.time()
    for number in range(count):
        while len(glob.glob(folder + "/shard_*.npz")) >= max_waiting:
            time.sleep(1)
        images, depths = {False: [], True: []}, {False: [], True: []}
        for j in range(scenes_per_shard):
            portrait = j % 2 == 1
            image, inverse_depth, _ = make_scene(portrait)
            images[portrait].append(image)
            depths[portrait].append(relative(inverse_depth))
            textures.renew_pool(1)
            if j % 8 == 0:
                cutouts.renew_pool()
        partial = f"{folder}/partial_{os.getpid()}.npz"
        np.savez(
            partial,
            landscape_images=np.array(images[False]),
            landscape_depths=np.array(depths[False]),
            portrait_images=np.array(images[True]),
            portrait_depths=np.array(depths[True]),
        )
        os.rename(partial, f"{folder}/shard_{os.environ.get('SEED', '0')}_{number:05d}.npz")
        made = (number + 1) * scenes_per_shard
        print(number, made, round((time.time() - started) / made * 1000), "ms a scene", flush=True)


def draw_sheet(path):
    """Four scenes of each family with their depth, to look at."""
    rows = []
    for index in range(len(FAMILIES)):
        row = []
        for j in range(4):
            image, inverse_depth, _ = make_scene(j % 2 == 1, index)
            low, high = np.percentile(inverse_depth, [1, 99]) ** 0.5
            grey = np.clip((np.sqrt(inverse_depth) - low) / (high - low + 1e-6), 0, 1) * 255
            row += [_tile(image), _tile(cv2.applyColorMap(grey.astype(np.uint8), cv2.COLORMAP_INFERNO))]
        rows.append(np.hstack(row))
    cv2.imwrite(path, np.vstack(rows))


def _tile(image, side=154):
    small = cv2.resize(image, None, fx=0.6, fy=0.6, interpolation=cv2.INTER_AREA)
    height, width = small.shape[:2]
    return cv2.copyMakeBorder(small, 0, side - height, 0, side - width, cv2.BORDER_CONSTANT)


if __name__ == "__main__":
    prepare()
    if sys.argv[1] == "sheet":
        draw_sheet(sys.argv[2])
    else:
        waiting = int(sys.argv[5]) if len(sys.argv) > 5 else 12
        write_shards(sys.argv[2], int(sys.argv[3]), int(sys.argv[4]), waiting)
