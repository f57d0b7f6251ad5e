#!/usr/bin/env python3
"""rescale.py IN.pt OUT.pt: brings the output to median about 0 and mean absolute deviation about 1.

The loss ignores scale and shift, so they drift while training. Only the last convolution changes.
"""

import sys

import numpy as np
import torch

from network import SceneNetwork
from train import load_validation, to_input


@torch.no_grad()
def main():
    source, target = sys.argv[1:3]
    network = SceneNetwork(pretrained=False)
    weights = torch.load(source)
    network.load_state_dict(weights)
    network.eval()
    scenes = load_validation()
    half = len(scenes) // 2
    medians, deviations = [], []
    for image, _ in scenes[:80] + scenes[half : half + 80]:
        output = network(to_input(image)).flatten()
        median = output.median()
        medians.append(median.item())
        deviations.append((output - median).abs().mean().item())
    shift, scale = np.mean(medians), np.mean(deviations)
    print("median", shift, "deviation", scale)
    weights["out.weight"] /= scale
    weights["out.bias"] = (weights["out.bias"] - shift) / scale
    torch.save(weights, target)


if __name__ == "__main__":
    main()
