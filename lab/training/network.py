"""The scene network: a MobileNetV2 encoder with folded batch norm and a light depthwise decoder.

The decoder also sees the coordinates y and |x|. Output: one channel at half the input size, larger = nearer, defined
up to scale and shift (compressed inverse depth, about its square root).
"""

import json
import os

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

HERE = os.path.dirname(os.path.abspath(__file__))

STAGES = [
    (1, 16, 1, 1),
    (6, 24, 2, 2),
    (6, 32, 3, 2),
    (6, 64, 4, 2),
    (6, 96, 3, 1),
    (6, 160, 3, 2),
    (6, 320, 1, 1),
]
"""MobileNetV2: (expansion, channels, blocks, stride of the first block)."""
SKIP_AFTER = (0, 2, 5, 12, 16)
"""Blocks whose output the decoder uses: strides 2, 4, 8, 16, 32 with 16, 24, 32, 96, 320 channels."""


class FoldedConv(nn.Module):
    """A convolution with bias, padded as TensorFlow's 'same', and optionally ReLU6."""

    def __init__(self, channels_in, channels_out, kernel, stride=1, groups=1, activate=True):
        super().__init__()
        padding = 0 if stride == 2 else kernel // 2
        self.conv = nn.Conv2d(channels_in, channels_out, kernel, stride, padding, groups=groups)
        self.stride, self.activate = stride, activate

    def forward(self, x):
        if self.stride == 2:
            x = F.pad(x, (0, 1, 0, 1))
        x = self.conv(x)
        return x.clamp(0, 6) if self.activate else x


class InvertedResidual(nn.Module):
    def __init__(self, channels_in, channels_out, stride, expansion):
        super().__init__()
        hidden = channels_in * expansion
        self.expand = FoldedConv(channels_in, hidden, 1) if expansion > 1 else None
        self.depthwise = FoldedConv(hidden, hidden, 3, stride, hidden)
        self.project = FoldedConv(hidden, channels_out, 1, activate=False)
        self.residual = stride == 1 and channels_in == channels_out

    def forward(self, x):
        y = self.project(self.depthwise(self.expand(x) if self.expand else x))
        return x + y if self.residual else y


class Encoder(nn.Module):
    """frozen: number of blocks, from the stem on, that get no gradient."""

    def __init__(self):
        super().__init__()
        self.stem = FoldedConv(3, 32, 3, 2)
        blocks = []
        channels = 32
        for expansion, out, count, stride in STAGES:
            for k in range(count):
                blocks.append(InvertedResidual(channels, out, stride if k == 0 else 1, expansion))
                channels = out
        self.blocks = nn.ModuleList(blocks)
        self.frozen = 0

    def forward(self, x):
        features = []
        trained = torch.is_grad_enabled()
        with torch.set_grad_enabled(trained and self.frozen == 0):
            x = self.stem(x)
        for index, block in enumerate(self.blocks):
            with torch.set_grad_enabled(trained and index >= self.frozen):
                x = block(x)
            if index in SKIP_AFTER:
                features.append(x)
        return features


class UpStep(nn.Module):
    """Doubles the resolution, adds the encoder's features, refines with two depthwise-separable residuals."""

    def __init__(self, channels_in, channels_skip, channels):
        super().__init__()
        self.reduce = nn.Conv2d(channels_in, channels, 1)
        self.lateral = nn.Conv2d(channels_skip, channels, 1)
        self.depthwise1 = nn.Conv2d(channels, channels, 3, 1, 1, groups=channels, bias=False)
        self.pointwise1 = nn.Conv2d(channels, channels, 1, bias=False)
        self.norm1 = nn.BatchNorm2d(channels)
        self.depthwise2 = nn.Conv2d(channels, channels, 3, 1, 1, groups=channels, bias=False)
        self.pointwise2 = nn.Conv2d(channels, channels, 1, bias=False)
        self.norm2 = nn.BatchNorm2d(channels)

    def forward(self, x, skip):
        x = F.interpolate(self.reduce(x), size=skip.shape[-2:], mode="bilinear", align_corners=False)
        x = x + self.lateral(skip)
        x = x + F.relu(self.norm1(self.pointwise1(self.depthwise1(F.relu(x)))))
        return x + F.relu(self.norm2(self.pointwise2(self.depthwise2(x))))


class SceneNetwork(nn.Module):
    def __init__(self, pretrained=True):
        super().__init__()
        self.encoder = Encoder()
        if pretrained:
            load_backbone(self.encoder)
        self.up16 = UpStep(322, 98, 160)
        self.up8 = UpStep(160, 32, 96)
        self.up4 = UpStep(96, 24, 64)
        self.up2 = UpStep(64, 16, 32)
        self.out = nn.Conv2d(32, 1, 3, 1, 1)

    def forward(self, image):
        """image: N x 3 x H x W, RGB 0..1, H and W multiples of 32 -> N x 1 x H/2 x W/2."""
        stride2, stride4, stride8, stride16, stride32 = self.encoder(image)
        x = self.up16(with_coordinates(stride32), with_coordinates(stride16))
        x = self.up8(x, stride8)
        x = self.up4(x, stride4)
        return self.out(self.up2(x, stride2))


def with_coordinates(features):
    """Appends y (-1 top .. 1 bottom) and |x| (0 middle .. 1 sides); from cumsum, so that it exports for any size."""
    ones = torch.ones_like(features[:, :1])
    y, x = ones.cumsum(2), ones.cumsum(3)
    y = (y - 1) / (y[:, :, -1:] - 1) * 2 - 1
    x = (x - 1) / (x[:, :, :, -1:] - 1) * 2 - 1
    return torch.cat([features, y, x.abs()], 1)


def load_backbone(encoder, path=HERE + "/mobilenet_v2"):
    """Loads path.json and path.bin (see backbone.mjs) into the encoder, batch norm folded into the convolutions."""
    tensors = _read_tensors(path)

    def load(module, kernel_name, norm_name):
        kernel = tensors[kernel_name]
        depthwise = "depthwise" in kernel_name
        kernel = kernel.transpose(2, 3, 0, 1) if depthwise else kernel.transpose(3, 2, 0, 1)
        gain = tensors[norm_name + "/gamma"] / np.sqrt(tensors[norm_name + "/moving_variance"] + 1e-3)
        bias = tensors[norm_name + "/beta"] - tensors[norm_name + "/moving_mean"] * gain
        module.conv.weight.data.copy_(torch.tensor((kernel * gain[:, None, None, None]).copy()))
        module.conv.bias.data.copy_(torch.tensor(bias))

    load(encoder.stem, "Conv1/kernel", "bn_Conv1")
    for index, block in enumerate(encoder.blocks):
        prefix = "expanded_conv_" if index == 0 else f"block_{index}_"
        if block.expand:
            load(block.expand, prefix + "expand/kernel", prefix + "expand_BN")
        load(block.depthwise, prefix + "depthwise/depthwise_kernel", prefix + "depthwise_BN")
        load(block.project, prefix + "project/kernel", prefix + "project_BN")


def _read_tensors(path):
    """Weights as TensorFlow.js stores them, some quantised to 8 or 16 bits."""
    with open(path + ".bin", "rb") as file:
        data = file.read()
    with open(path + ".json") as file:
        manifest = json.load(file)
    tensors, offset = {}, 0
    for entry in manifest:
        quantised = entry.get("quantization")
        dtype = np.dtype(quantised["dtype"] if quantised else entry["dtype"])
        count = int(np.prod(entry["shape"]))
        values = np.frombuffer(data, dtype, count, offset)
        offset += count * dtype.itemsize
        if quantised and dtype.kind == "u":
            values = values.astype(np.float32) * quantised["scale"] + quantised["min"]
        tensors[entry["name"]] = values.reshape(entry["shape"])
    return tensors
