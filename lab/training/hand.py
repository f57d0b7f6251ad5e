"""Reference implementation of the hand estimator and of the finishing steps (numpy + OpenCV).

engine/src/depth is the product's own implementation; make_fixtures.py compares the two through reference maps.
Conventions: images are numpy arrays of rows; depth maps hold relative inverse depth, larger = nearer, no unit.
"""

import cv2
import numpy as np

GRID_WIDTH, GRID_HEIGHT = 128, 96
GRID_CELLS = GRID_WIDTH * GRID_HEIGHT
KNEE, FAR = 0.38, 0.10
"""Share of the height above which everything is far, and the inverse depth there."""
SMALLEST_OBJECT = 0.004
"""Objects below this share of the picture are background."""
STOUT, SLENDER = 1.5, 2
"""From so many times as tall as wide on a subject begins to stand upright, and does."""
NETWORK_WEIGHT = 0.55


def ramp(t):
    """Inverse depth of the ground at t of the height (0 top, 1 bottom)."""
    return np.where(t > KNEE, FAR + (1 - FAR) * (t - KNEE) / (1 - KNEE), FAR * t / KNEE)


def normalise(a):
    """Removes the unknown scale and shift: median 0, mean absolute deviation 1."""
    middle = np.median(a)
    return (a - middle) / (np.abs(a - middle).mean() + 1e-6)


def box(a, radius):
    """Mean over (2 radius + 1)^2, borders replicated."""
    side = 2 * radius + 1
    return cv2.blur(a, (side, side), borderType=cv2.BORDER_REPLICATE)


def sky_map(rgb256):
    """192 x 256 x 3 RGB uint8 -> 96 x 128 bool: smooth bright cells connected to the top row by gentle colour steps."""
    pixels = rgb256.astype(np.float32)
    luminance = pixels @ np.array([0.299, 0.587, 0.114], np.float32)
    contrast = box(np.abs(luminance - box(luminance, 1)), 7)[::2, ::2]
    cells = pixels.reshape(GRID_HEIGHT, 2, GRID_WIDTH, 2, 3).mean((1, 3))
    brightest = cells.max(2)
    bluish = (cells[..., 2] >= cells[..., 0] - 12) | (brightest > 205)
    candidate = (brightest > 110) & bluish & (contrast < 3.2)

    sky = np.zeros((GRID_HEIGHT, GRID_WIDTH), bool)
    stack = [(0, x) for x in range(GRID_WIDTH) if candidate[0, x]]
    for cell in stack:
        sky[cell] = True
    while stack:
        y, x = stack.pop()
        neighbours = (
            (y, x - 1, x > 0),
            (y, x + 1, x < GRID_WIDTH - 1),
            (y + 1, x, y < 0.75 * GRID_HEIGHT),
            (y - 1, x, y > 0),
        )
        for ny, nx, allowed in neighbours:
            if not allowed or sky[ny, nx] or not candidate[ny, nx]:
                continue
            if np.linalg.norm(cells[ny, nx] - cells[y, x]) < 14:
                sky[ny, nx] = True
                stack.append((ny, nx))
    return sky if sky.mean() >= 0.03 else np.zeros_like(sky)


def matte_grid(matte512):
    """Mean of 5 x 4 matte samples for each grid cell."""
    rows = np.minimum(511, (np.arange(GRID_HEIGHT) * 512 // GRID_HEIGHT)[:, None] + np.arange(5))
    return matte512[rows].reshape(GRID_HEIGHT, 5, GRID_WIDTH, 4).mean((1, 3))


def contact_map(mask):
    """Row (0..1) where each large enough object touches the ground, for all its cells; 0 elsewhere."""
    count, labels = cv2.connectedComponents(mask, connectivity=4)
    contact = np.zeros((GRID_HEIGHT, GRID_WIDTH), np.float32)
    for label in range(1, count):
        rows = np.sort(np.where(labels == label)[0])
        if len(rows) >= SMALLEST_OBJECT * GRID_CELLS:
            contact[labels == label] = rows[int(0.97 * len(rows))] / GRID_HEIGHT
    return contact


def inside_distance(mask):
    """City-block distance to the outside (at most 14); the picture border does not count as outside."""
    cross = cv2.getStructuringElement(cv2.MORPH_CROSS, (3, 3))
    distance = np.zeros((GRID_HEIGHT, GRID_WIDTH), np.float32)
    eroded = mask.copy()
    for _ in range(14):
        distance += eroded
        eroded = cv2.erode(eroded, cross, borderType=cv2.BORDER_CONSTANT, borderValue=1)
    return distance


def hand(rgb256, matte512):
    """192 x 256 x 3 RGB uint8 and 512 x 512 float matte -> 96 x 128 relative inverse depth."""
    y, x = np.mgrid[:GRID_HEIGHT, :GRID_WIDTH].astype(np.float32)
    y /= GRID_HEIGHT - 1
    side = 2 * np.abs(x / (GRID_WIDTH - 1) - 0.5)
    matte = matte_grid(matte512)
    mask = (matte > 0.5).astype(np.uint8)
    contact = contact_map(mask)
    rounding = np.sqrt(np.minimum(1, inside_distance(mask) / 14))
    ground = ramp(y)
    standing = np.where(contact > 0, FAR + (1 - FAR) * np.clip((contact - KNEE) / (1 - KNEE), 0, 1), 0)
    subject = np.maximum(ground, standing) + 0.12 + 0.06 * rounding
    value = ground * (1 - matte) + np.where(contact > 0, subject, ground) * matte
    value = np.where(sky_map(rgb256), 0, value)
    return value + 0.06 * side


def snap(depth, matte, least_step=0.3):
    """Makes each subject coherent and never farther than its surround; depth and matte of the same size."""
    height, width = depth.shape
    step = least_step * depth.std()
    mask = (matte > 0.5).astype(np.uint8)
    count, labels, stats, _ = cv2.connectedComponentsWithStats(mask)
    out = depth.copy()
    side = max(3, width // 30)
    square = np.ones((side, side), np.uint8)
    for label in range(1, count):
        if stats[label, cv2.CC_STAT_AREA] < SMALLEST_OBJECT * height * width:
            continue
        member = labels == label
        inner = cv2.erode(member.astype(np.uint8), square) > 0
        ring = (cv2.dilate(member.astype(np.uint8), square) > 0) & (mask == 0)
        own = np.median(depth[inner]) if inner.sum() > 50 else np.median(depth[member])
        surround = np.median(depth[ring]) if ring.sum() > 50 else own
        # Relief is measured from the middle of the subject; in slender ones from that of each row, so that they stand.
        shape = stats[label, cv2.CC_STAT_HEIGHT] / stats[label, cv2.CC_STAT_WIDTH]
        slender = np.clip((shape - STOUT) / (SLENDER - STOUT), 0, 1)
        rows = (depth * member).sum(1) / np.maximum(1, member.sum(1))
        level = np.broadcast_to((own + slender * (rows - own))[:, None], depth.shape)
        out[member] = own + 0.6 * (depth - level)[member] + max(0, surround + step - own)
    return out


def fuse(network, by_hand, network_weight=NETWORK_WEIGHT):
    """Network output of any size and hand map -> 96 x 128 mixture, each normalised."""
    network = cv2.resize(network.astype(np.float32), (GRID_WIDTH, GRID_HEIGHT))
    return network_weight * normalise(network) + (1 - network_weight) * normalise(by_hand)


def finish(grid, width, height, matte512):
    """Grid map -> full size with edges at the outline of the matte."""
    depth = cv2.resize(grid.astype(np.float32), (width, height), interpolation=cv2.INTER_CUBIC)
    return snap(depth, cv2.resize(matte512, (width, height)))
