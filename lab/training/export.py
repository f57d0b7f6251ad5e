#!/usr/bin/env python3
"""export.py IN.pt OUT.onnx: ONNX with dynamic height and width (multiples of 32), batch 1.

Writes OUT.parity.json and OUT.parity.bin too: inputs and PyTorch's outputs for parity.mjs.
"""

import json
import sys

import numpy as np
import torch

from network import SceneNetwork

PARITY_SIZES = ((192, 256), (256, 192), (160, 288), (224, 224))


def main():
    source, target = sys.argv[1:3]
    network = SceneNetwork(pretrained=False)
    network.load_state_dict(torch.load(source))
    network.eval()
    torch.onnx.export(
        network,
        torch.rand(1, 3, 192, 256),
        target,
        opset_version=13,
        input_names=["image"],
        output_names=["depth"],
        dynamic_axes={
            "image": {2: "height", 3: "width"},
            "depth": {2: "half_height", 3: "half_width"},
        },
        do_constant_folding=True,
    )
    rng = np.random.default_rng(0)
    cases, blobs = [], []
    for height, width in PARITY_SIZES:
        image = torch.tensor(rng.random((1, 3, height, width), dtype=np.float32))
        with torch.no_grad():
            depth = network(image)
        cases.append([height, width, list(depth.shape)])
        blobs += [image.numpy().tobytes(), depth.numpy().tobytes()]
    with open(target + ".parity.bin", "wb") as file:
        file.write(b"".join(blobs))
    with open(target + ".parity.json", "w") as file:
        json.dump(cases, file)


if __name__ == "__main__":
    main()
