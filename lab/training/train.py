#!/usr/bin/env python3
"""Trains the scene network on the shards that generate.py streams into ./shards: train.py NAME END

END: wall-clock end in seconds since 1970. Every scene is read once before any is used again (at most three times).
Writes NAME_1.pt, NAME_2.pt and NAME_3.pt (exponential means of the weights) at 1/3, 2/3 and the end.
"""

import collections
import copy
import glob
import os
import sys
import time

import cv2
import numpy as np
import torch

from network import SceneNetwork

BATCH = 8
ENCODER_RATE, DECODER_RATE = 2e-4, 2e-3
FROZEN_BLOCKS = 3
"""The stem and the first blocks keep the weights they came with."""
LOW_RESOLUTION_SHARE = 0.45
"""Share of the time at 160 x 192; the rest at 192 x 256."""
MEAN_DECAY = 0.998

rng = np.random.default_rng(0)


class SceneStore:
    """Scenes of the shards read so far, handed out so that fresh ones come first. Shards are deleted once read."""

    ORIENTATIONS = ("landscape", "portrait")

    def __init__(self, folder="shards"):
        self.folder = folder
        self.read = set()
        self.shards = {o: [] for o in self.ORIENTATIONS}
        self.waiting = {o: collections.deque() for o in self.ORIENTATIONS}
        self.used = {o: [] for o in self.ORIENTATIONS}
        self.distinct = 0

    def poll(self):
        for path in sorted(glob.glob(self.folder + "/shard_*.npz")):
            if path in self.read:
                continue
            shard = np.load(path)
            self.read.add(path)
            for o in self.ORIENTATIONS:
                images, depths = shard[o + "_images"], shard[o + "_depths"]
                self.shards[o].append((images, depths))
                number = len(self.shards[o]) - 1
                fresh = [(number, j, 0) for j in range(len(images))]
                self.distinct += len(fresh)
                self.waiting[o] = _shuffled(list(self.waiting[o]) + fresh)
            os.remove(path)

    def draw(self, orientation):
        """A picture (BGR uint8) and its depth (float16); waits for the generator when all were used three times."""
        while not self.waiting[orientation]:
            again = [(number, j, uses + 1) for number, j, uses in self.used[orientation] if uses < 2]
            self.used[orientation].clear()
            self.waiting[orientation] = _shuffled(again)
            if not again:
                time.sleep(2)
                self.poll()
        item = self.waiting[orientation].popleft()
        self.used[orientation].append(item)
        images, depths = self.shards[orientation][item[0]]
        return images[item[1]], depths[item[1]]


def _shuffled(items):
    rng.shuffle(items)
    return collections.deque(tuple(map(int, item)) for item in items)


def augment(image, depth, height, width):
    """Crop, mirror, degrade and recolour. Returns RGB 0..1 of height x width and depth of half that size."""
    image, depth = _crop(image, depth, height, width)
    image = _degrade(image, height, width)
    image = _recolour(image[..., ::-1].astype(np.float32) / 255)
    return np.clip(image, 0, 1), np.ascontiguousarray(depth)


def _crop(image, depth, height, width):
    rows, columns = image.shape[:2]
    size = rng.uniform(0.55, 1.0) if rng.random() < 0.7 else 1.0
    aspect = rng.uniform(0.87, 1.15)
    crop_h, crop_w = int(min(rows, rows * size * aspect)), int(min(columns, columns * size / aspect))
    y, x = rng.integers(0, rows - crop_h + 1), rng.integers(0, columns - crop_w + 1)
    part = np.s_[y : y + crop_h, x : x + crop_w]
    shrinks = crop_h >= height
    image = cv2.resize(
        image[part], (width, height), interpolation=cv2.INTER_AREA if shrinks else cv2.INTER_LINEAR
    )
    half = (width // 2, height // 2)
    depth = cv2.resize(depth[part].astype(np.float32), half, interpolation=cv2.INTER_NEAREST)
    return (image[:, ::-1], depth[:, ::-1]) if rng.random() < 0.5 else (image, depth)


def _degrade(image, height, width):
    """Low resolution or blur, and JPEG."""
    kind = rng.random()
    if kind < 0.15:
        scale = rng.uniform(0.35, 0.8)
        small = cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
        image = cv2.resize(small, (width, height), interpolation=cv2.INTER_LINEAR)
    elif kind < 0.3:
        image = cv2.GaussianBlur(image, (0, 0), rng.uniform(0.4, 1.6))
    if rng.random() < 0.35:
        quality = int(rng.uniform(22, 90))
        encoded = cv2.imencode(".jpg", np.ascontiguousarray(image), [cv2.IMWRITE_JPEG_QUALITY, quality])[1]
        image = cv2.imdecode(encoded, cv2.IMREAD_COLOR)
    return image


def _recolour(image):
    """Gamma, white balance, brightness, saturation, grey and noise."""
    image = image ** np.float32(rng.uniform(0.65, 1.5))
    gain = (rng.uniform(0.8, 1.25) * rng.uniform(0.85, 1.15, 3)).astype(np.float32)
    image = image * gain + np.float32(rng.uniform(-0.08, 0.08))
    if rng.random() < 0.4:
        grey = image.mean(2, keepdims=True)
        image = grey + (image - grey) * np.float32(rng.uniform(0, 1.6))
    if rng.random() < 0.12:
        image = np.repeat(image.mean(2, keepdims=True), 3, 2)
    if rng.random() < 0.3:
        noise = rng.standard_normal(image.shape, dtype=np.float32)
        image = image + noise * np.float32(rng.uniform(0.005, 0.05))
    return image


def make_batch(store, orientation, height, width):
    images, depths = zip(
        *(augment(*store.draw(orientation), height, width) for _ in range(BATCH)), strict=True
    )
    images = torch.from_numpy(np.stack(images)).permute(0, 3, 1, 2)
    return images.contiguous(memory_format=torch.channels_last), torch.from_numpy(np.stack(depths))[:, None]


def normalise(depth):
    """Median 0 and mean absolute deviation 1 for each picture."""
    flat = depth.flatten(1)
    median = flat.median(1)[0][:, None]
    deviation = (flat - median).abs().mean(1)[:, None] + 1e-3
    return ((flat - median) / deviation).view_as(depth)


def depth_loss(prediction, depth):
    """Scale- and shift-invariant L1 in the square root of inverse depth, and the same of gradients at four scales.

    Returns the loss and its L1 part.
    """
    target = normalise(torch.sqrt(depth.clamp(0, 50))).clamp(-4, 4)
    error = normalise(prediction) - target
    l1 = error.abs().mean()
    gradient = 0
    for scale in range(4):
        coarse = error[..., :: 2**scale, :: 2**scale]
        gradient = gradient + (coarse[..., 1:] - coarse[..., :-1]).abs().mean()
        gradient = gradient + (coarse[..., 1:, :] - coarse[..., :-1, :]).abs().mean()
    return l1 + 0.5 * gradient, l1


def load_validation():
    shard = np.load(glob.glob("validation/shard_*.npz")[0])
    return [
        pair
        for orientation in SceneStore.ORIENTATIONS
        for pair in zip(shard[orientation + "_images"], shard[orientation + "_depths"], strict=True)
    ]


def to_input(image):
    """BGR uint8 -> 1 x 3 x H x W RGB 0..1."""
    return torch.from_numpy(np.ascontiguousarray(image[..., ::-1])).float().permute(2, 0, 1)[None] / 255


@torch.no_grad()
def validate(network, scenes):
    """Mean L1 loss and share of correctly ordered pairs of points whose depths differ by more than 3 %."""
    losses, ordered = [], []
    random = np.random.default_rng(5)
    for image, depth in scenes:
        prediction = network(to_input(image)).float()
        size = (prediction.shape[3], prediction.shape[2])
        depth = cv2.resize(depth.astype(np.float32), size, interpolation=cv2.INTER_NEAREST)
        target = torch.from_numpy(depth)[None, None]
        losses.append(depth_loss(prediction, target)[1].item())
        p, t = prediction.flatten().numpy(), target.flatten().numpy()
        a, b = random.integers(0, len(p), (2, 4000))
        differ = np.abs(t[a] - t[b]) > 0.03 * np.maximum(t[a], t[b])
        if differ.any():
            ordered.append((np.sign(p[a] - p[b]) == np.sign(t[a] - t[b]))[differ].mean())
    return float(np.mean(losses)), float(np.mean(ordered))


def make_optimizer(network):
    encoder = [
        parameter
        for index, block in enumerate(network.encoder.blocks)
        if index >= FROZEN_BLOCKS
        for parameter in block.parameters()
    ]
    decoder = [parameter for name, parameter in network.named_parameters() if not name.startswith("encoder.")]
    return torch.optim.AdamW(
        [
            {"params": encoder, "lr": ENCODER_RATE, "weight_decay": 1e-4},
            {"params": decoder, "lr": DECODER_RATE, "weight_decay": 1e-3},
        ]
    )


def set_rates(optimizer, done, step):
    """Cosine from the full rate to 2 % of it, after a warm-up of 100 steps."""
    share = (0.5 * (1 + np.cos(np.pi * done)) * 0.98 + 0.02) * min(1, step / 100 + 0.02)
    for group, rate in zip(optimizer.param_groups, (ENCODER_RATE, DECODER_RATE), strict=True):
        group["lr"] = rate * share


@torch.no_grad()
def update_mean(mean, network, step):
    decay = min(MEAN_DECAY, (step + 1) / (step + 20))
    for a, b in zip(mean.parameters(), network.parameters(), strict=True):
        if b.requires_grad:
            a.lerp_(b, 1 - decay)
    for a, b in zip(mean.buffers(), network.buffers(), strict=True):
        if a.dtype.is_floating_point:
            a.lerp_(b, 1 - decay)
        else:
            a.copy_(b)


def main():
    name, end = sys.argv[1], float(sys.argv[2])
    torch.set_num_threads(int(os.environ.get("THREADS", "1")))
    torch.manual_seed(0)
    cv2.setNumThreads(1)
    network = SceneNetwork().to(memory_format=torch.channels_last)
    network.encoder.frozen = FROZEN_BLOCKS
    mean = copy.deepcopy(network).eval()
    optimizer = make_optimizer(network)
    scenes = load_validation()
    store = SceneStore()
    started, step, smoothed = time.time(), 0, None
    checkpoints = [1 / 3, 2 / 3]
    while (done := (time.time() - started) / (end - started)) < 1:
        if step % 20 == 0:
            store.poll()
        set_rates(optimizer, done, step)
        orientation = SceneStore.ORIENTATIONS[step % 2]
        short, long = (160, 192) if done < LOW_RESOLUTION_SHARE else (192, 256)
        size = (short, long) if orientation == "landscape" else (long, short)
        network.train()
        images, depths = make_batch(store, orientation, *size)
        with torch.autocast("cpu", dtype=torch.bfloat16):
            prediction = network(images)
        loss, _ = depth_loss(prediction.float(), depths)
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(network.parameters(), 1.0)
        optimizer.step()
        step += 1
        update_mean(mean, network, step)
        smoothed = loss.item() if smoothed is None else 0.98 * smoothed + 0.02 * loss.item()
        if step % 100 == 0:
            print(f"step {step} loss {smoothed:.4f} distinct scenes {store.distinct}", flush=True)
        if step % 600 == 0:
            print("validation", validate(mean, scenes[:100]), flush=True)
        if checkpoints and done >= checkpoints[0]:
            checkpoints.pop(0)
            torch.save(mean.state_dict(), f"{name}_{2 - len(checkpoints)}.pt")
            print("checkpoint at step", step, validate(mean, scenes), flush=True)
    torch.save(mean.state_dict(), name + "_3.pt")
    print("end at step", step, "of", store.distinct, "scenes", validate(mean, scenes))


if __name__ == "__main__":
    main()
