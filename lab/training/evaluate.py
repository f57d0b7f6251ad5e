#!/usr/bin/env python3
"""evaluate.py CHECKPOINT.pt MATTES: scores hand estimator, network and their mixture on photographs with known depth.

MATTES: ISNet mattes of those photographs (see matte.mjs). DEPTH_EVAL names a folder with depth_eval.py, which defines
the metrics, and the photographs' index.json. Neither belongs to this project: they are for evaluation only.
"""

import json
import os
import sys

import cv2
import numpy as np
import torch

import hand
from network import SceneNetwork
from train import to_input

sys.path.insert(0, os.environ.get("DEPTH_EVAL", "."))
import depth_eval  # noqa: E402


def load_network(checkpoint):
    network = SceneNetwork(pretrained=False)
    network.load_state_dict(torch.load(checkpoint))
    return network.eval()


@torch.no_grad()
def predict(network, image):
    """BGR uint8 of any size -> relative inverse depth, averaged with the mirrored picture's."""
    height, width = image.shape[:2]
    scale = (192 * 256 / (height * width)) ** 0.5
    size = [32 * max(3, round(length * scale / 32)) for length in (width, height)]
    x = to_input(cv2.resize(image, size, interpolation=cv2.INTER_AREA))
    return ((network(x) + network(x.flip(3)).flip(3)) / 2)[0, 0].numpy()


def show(name, index, predictions):
    results = []
    for entry in index:
        result = depth_eval.one(entry, predictions[entry["id"]])
        results.append({**result, "kind": entry["kind"], "g": depth_eval.GROUP[entry["kind"]]})
    totals = depth_eval.agg(results)
    scores = " ".join(f"{key} {totals[key][0]:.3f}" for key in ("ord", "absrel", "d1", "ssi", "edgeF"))
    print(f"{name:22} {scores}", flush=True)


def main():
    checkpoint, mattes = sys.argv[1:3]
    with open(depth_eval.D + "index.json") as file:
        index = json.load(file)
    network = load_network(checkpoint)
    maps = {"hand": {}, "network": {}, "mixture": {}, "mixture + snap": {}}
    for entry in index:
        name = entry["id"]
        image = cv2.imread(depth_eval.D + entry["rgb"])
        height, width = image.shape[:2]
        matte = np.fromfile(f"{mattes}/{name}.mat", np.float32).reshape(512, 512)
        stretched = cv2.resize(image, (256, 192), interpolation=cv2.INTER_AREA)[..., ::-1]
        by_hand = hand.hand(stretched, matte)
        by_network = predict(network, image)
        mixture = hand.fuse(by_network, by_hand)
        maps["hand"][name] = by_hand
        maps["network"][name] = by_network
        maps["mixture"][name] = mixture
        maps["mixture + snap"][name] = hand.finish(mixture, width, height, matte)
    for name, predictions in maps.items():
        show(name, index, predictions)


if __name__ == "__main__":
    main()
