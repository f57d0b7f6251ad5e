"""Twenty kinds of procedural textures, and patches of photographs: 128 x 128 BGR float32, 0..255."""

import cv2
import numpy as np

from randomness import chance, integer, log_uniform, pick, rng, uniform

SIZE = 128
ROWS, COLUMNS = np.mgrid[:SIZE, :SIZE].astype(np.float32) / SIZE
TURN = 6.28

PHOTOS = []
"""Photographs (BGR uint8) that tx_photo cuts its patches from; filled by cutouts.load_photographs."""


def hsv(hue, saturation, value):
    """Hue 0..1 (wraps), saturation and value 0..1 -> BGR 0..255."""
    h = (hue % 1) * 6
    sector = int(h)
    f = h - sector
    p, q, t = value * (1 - saturation), value * (1 - saturation * f), value * (1 - saturation * (1 - f))
    r, g, b = [(value, t, p), (q, value, p), (p, value, t), (p, q, value), (t, p, value), (value, p, q)][
        sector % 6
    ]
    return np.array([b, g, r], np.float32) * 255


def colour():
    """Colours as they are common: greys and pastels, browns, and anything."""
    r = rng.random()
    if r < 0.3:
        return hsv(rng.random(), uniform(0, 0.15), uniform(0.15, 0.95))
    if r < 0.6:
        return hsv(uniform(0.02, 0.14), uniform(0.1, 0.6), uniform(0.2, 0.9))
    return hsv(rng.random(), uniform(0.15, 0.9), uniform(0.15, 0.95))


def blend(a, b, share):
    """a where share is 0, b where it is 1."""
    return a * (1 - share[..., None]) + b * share[..., None]


def fractal_noise(height=SIZE, width=SIZE, octaves=(4, 8, 16, 32, 64), beta=1.0, aspect=1.0):
    """Sum of smooth noises of about unit deviation; beta: how fast fine octaves fade; aspect: rows per column."""
    total = np.zeros((height, width), np.float32)
    for cells in octaves:
        coarse = rng.standard_normal((max(2, int(cells * aspect)), max(2, cells))).astype(np.float32)
        total += cv2.resize(coarse, (width, height), interpolation=cv2.INTER_CUBIC) * (4 / cells) ** beta
    return total / (np.abs(total).mean() * 1.25 + 1e-6)


def tx_flat():
    return colour() + fractal_noise(octaves=(2, 4, 8))[..., None] * uniform(1, 12)


def tx_noise():
    share = np.clip(0.5 + 0.5 * fractal_noise(beta=uniform(0.3, 1.5)), 0, 1)
    return blend(colour(), colour(), share)


def tx_wood():
    base = hsv(uniform(0.03, 0.11), uniform(0.25, 0.7), uniform(0.25, 0.85))
    grain = fractal_noise(aspect=0.12, beta=0.5)
    planks = integer(1, 7)
    out = base + grain[..., None] * uniform(6, 22)
    if chance(0.6):
        within = (ROWS * planks) % 1
        plank = np.floor(ROWS * planks).astype(int)
        tint = (1 + 0.14 * rng.standard_normal(12)[plank])[..., None]
        out = out * tint * np.where(within < 0.03, uniform(0.5, 0.8), 1)[..., None]
    return out if chance(0.6) else np.ascontiguousarray(out.transpose(1, 0, 2))


def tx_brick():
    courses = integer(4, 12)
    bricks = courses * uniform(0.35, 0.7)
    course = np.floor(ROWS * courses)
    along = COLUMNS * bricks + 0.5 * (course % 2)
    joint = (along % 1 < 0.06 * bricks / courses + 0.02) | ((ROWS * courses) % 1 < 0.1)
    brick = (course * 17 + np.floor(along) * 7).astype(int) % 64
    base = colour() if chance(0.4) else hsv(uniform(0.0, 0.09), uniform(0.2, 0.7), uniform(0.3, 0.8))
    out = base * (1 + 0.15 * rng.standard_normal(64)[brick])[..., None]
    out = np.where(joint[..., None], colour() * 0.3 + uniform(60, 150), out)
    return out + fractal_noise()[..., None] * uniform(2, 12)


def tx_tile():
    tiles = integer(2, 9)
    first = colour()
    second = first if chance(0.5) else colour()
    checker = (np.floor(COLUMNS * tiles) + np.floor(ROWS * tiles)) % 2
    out = blend(first, second, checker)
    joint = ((COLUMNS * tiles) % 1 < 0.05) | ((ROWS * tiles) % 1 < 0.05)
    out = np.where(joint[..., None], first * uniform(0.4, 1.2), out)
    return out + fractal_noise()[..., None] * uniform(1, 10)


def tx_stripe():
    stripes = integer(3, 20)
    width = uniform(0.2, 0.8)
    slant = pick([0, 0, 1, 1, uniform(0, 1)])
    position = ((COLUMNS * (1 - slant) + ROWS * slant) * stripes) % 1
    out = blend(colour(), colour(), (position < width).astype(np.float32))
    return out + fractal_noise()[..., None] * uniform(1, 8)


def tx_fabric():
    base = colour()
    out = base + fractal_noise(octaves=(2, 4))[..., None] * uniform(3, 20)
    out = out + rng.standard_normal((SIZE, SIZE, 1)) * uniform(3, 14)
    repeats = integer(2, 8)
    if chance(0.4):
        pattern = np.sin(COLUMNS * TURN * repeats) * np.sin(ROWS * TURN * repeats) > uniform(0, 0.6)
        out = out + pattern[..., None] * (colour() - base) * 0.6
    return out


def tx_grass():
    base = hsv(uniform(0.17, 0.36), uniform(0.3, 0.8), uniform(0.25, 0.75))
    blades = fractal_noise(octaves=(4, 16, 64, 100), beta=0.25)
    return base + blades[..., None] * np.array([12, 26, 20]) * uniform(0.5, 1.6)


def tx_ground():
    base = hsv(uniform(0.05, 0.13), uniform(0.05, 0.5), uniform(0.25, 0.9))
    return base + fractal_noise(octaves=(4, 16, 48, 96), beta=uniform(0.1, 0.7))[..., None] * uniform(5, 30)


def tx_asphalt():
    grey = uniform(50, 150)
    out = grey + rng.standard_normal((SIZE, SIZE, 1)) * uniform(4, 16)
    return out + fractal_noise(octaves=(2, 4, 8))[..., None] * uniform(2, 14) + np.zeros(3)


def tx_foliage():
    share = np.clip(0.5 + 0.7 * fractal_noise(octaves=(6, 12, 24, 48), beta=0.4), 0, 1)
    dark = hsv(uniform(0.18, 0.4), uniform(0.4, 0.9), uniform(0.05, 0.3))
    light = hsv(uniform(0.14, 0.36), uniform(0.3, 0.8), uniform(0.4, 0.95))
    return blend(dark, light, share)


def tx_flowers():
    out = tx_foliage()
    blossoms = [hsv(rng.random(), uniform(0.3, 1), uniform(0.7, 1)) for _ in range(integer(1, 4))]
    for blossom in blossoms:
        for _ in range(integer(8, 40)):
            cv2.circle(out, _point(), integer(1, 6), _cv_colour(blossom), -1)
    return out


def tx_stone():
    grain = fractal_noise(octaves=(3, 6, 12, 24, 48), beta=0.7)
    return hsv(uniform(0.05, 0.15), uniform(0, 0.3), uniform(0.3, 0.8)) + grain[..., None] * uniform(12, 40)


def tx_water():
    waves = fractal_noise(aspect=4, octaves=(3, 6, 12, 24))
    return hsv(uniform(0.45, 0.65), uniform(0.15, 0.7), uniform(0.25, 0.8)) + waves[..., None] * uniform(
        5, 26
    )


def tx_text():
    """Lines of bars that look like print from a distance."""
    paper = uniform(190, 255) if chance(0.7) else uniform(10, 90)
    out = np.full((SIZE, SIZE, 3), paper, np.float32) * (1 if chance(0.7) else colour() / 255 + 0.2)
    ink = 255 - paper if chance(0.8) else uniform(0, 255)
    y = integer(4, 20)
    height = integer(2, 12)
    while y < SIZE - height:
        x = integer(4, 20)
        while x < SIZE - integer(4, 30):
            width = integer(2, 5 + 3 * height)
            out[y : y + height, x : x + width] = ink if chance(0.95) else colour()
            x += width + max(1, height // 2)
        y += int(height * uniform(1.4, 2.2))
        height = max(2, height + integer(-2, 3)) if chance(0.2) else height
    return out


def tx_window():
    """Front of a building: a grid of windows."""
    across, down = integer(2, 7), integer(2, 8)
    wall = colour() * 0.6 + uniform(20, 90)
    u, v = (COLUMNS * across) % 1, (ROWS * down) % 1
    side, top = uniform(0.1, 0.3), uniform(0.1, 0.3)
    window = (u > side) & (u < 1 - side) & (v > top) & (v < 1 - top)
    frame = window & ((u < side + 0.06) | (u > 0.94 - side) | (abs(u - 0.5) < 0.03))
    number = (np.floor(COLUMNS * across) * 13 + np.floor(ROWS * down) * 7).astype(int) % 40
    lit = rng.uniform(0.3, 1.3, 40) if chance(0.7) else np.where(rng.random(40) < 0.4, 2.2, 0.4)
    glass = hsv(uniform(0.5, 0.65), uniform(0, 0.4), uniform(0.2, 0.7))
    out = wall + fractal_noise()[..., None] * uniform(2, 10)
    out = np.where(window[..., None], glass * lit[number][..., None], out)
    out = np.where(frame[..., None], uniform(40, 240), out)
    if chance(0.4):
        out = np.where((v < 0.04)[..., None], out * uniform(0.6, 1.3), out)
    return out


def tx_wall():
    pale = chance(0.75)
    base = hsv(uniform(0.05, 0.65), uniform(0, 0.18), uniform(0.5, 0.97)) if pale else colour()
    out = base + fractal_noise(octaves=(2, 3, 5))[..., None] * uniform(1, 7)
    return out + rng.standard_normal((SIZE, SIZE, 1)) * uniform(0, 4)


def tx_grad():
    angle = uniform(0, TURN)
    share = np.clip(0.5 + (np.cos(angle) * (COLUMNS - 0.5) + np.sin(angle) * (ROWS - 0.5)), 0, 1)
    return blend(colour(), colour(), share)


def tx_art():
    out = tx_grad() if chance(0.5) else tx_noise()
    out = np.ascontiguousarray(out, np.float32)
    for _ in range(integer(1, 12)):
        ink = _cv_colour(colour())
        shape = rng.random()
        if shape < 0.4:
            cv2.circle(out, _point(), integer(4, 45), ink, -1 if chance(0.7) else integer(1, 6))
        elif shape < 0.7:
            cv2.rectangle(out, _point(), _point(), ink, -1 if chance(0.6) else integer(1, 6))
        else:
            cv2.line(out, _point(), _point(), ink, integer(1, 8))
    return out


def tx_books():
    out = np.full((SIZE, SIZE, 3), uniform(15, 70), np.float32)
    shelves = integer(1, 4)
    for shelf in range(shelves):
        x = integer(0, 4)
        board = (shelf + 1) * SIZE // shelves - 2
        while x < SIZE:
            width = integer(3, 11)
            height = int(SIZE / shelves * uniform(0.6, 0.95))
            out[board - height : board, x : x + width - 1] = colour()
            if chance(0.5):
                out[board - int(height * 0.7) : board - int(height * 0.5), x : x + width - 1] = colour()
            x += width if chance(0.93) else width + integer(3, 14)
        out[board : board + 2] = uniform(60, 200)
    return out


def tx_photo():
    """A square patch of a photograph, sometimes recoloured, mirrored or turned."""
    if not PHOTOS:
        return tx_noise()
    photo = pick(PHOTOS)
    height, width = photo.shape[:2]
    side = int(log_uniform(0.18, 1.0) * min(height, width))
    y, x = integer(0, height - side + 1), integer(0, width - side + 1)
    patch = photo[y : y + side, x : x + side]
    out = cv2.resize(patch, (SIZE, SIZE), interpolation=cv2.INTER_AREA).astype(np.float32)
    if chance(0.35):
        out = out.mean(2, keepdims=True) * rng.uniform(0.5, 1.3, 3)
    elif chance(0.3):
        out = out[..., rng.permutation(3)]
    if chance(0.5):
        out = out[:, ::-1]
    if chance(0.2):
        out = out.transpose(1, 0, 2)
    return np.ascontiguousarray(out)


def _point():
    return integer(0, SIZE), integer(0, SIZE)


def _cv_colour(bgr):
    return tuple(float(v) for v in bgr)


KINDS = {
    "flat": (tx_flat, 22),
    "noise": (tx_noise, 14),
    "wood": (tx_wood, 26),
    "brick": (tx_brick, 16),
    "tile": (tx_tile, 18),
    "stripe": (tx_stripe, 14),
    "fabric": (tx_fabric, 20),
    "grass": (tx_grass, 14),
    "ground": (tx_ground, 18),
    "asphalt": (tx_asphalt, 10),
    "foliage": (tx_foliage, 12),
    "flowers": (tx_flowers, 8),
    "stone": (tx_stone, 12),
    "water": (tx_water, 10),
    "text": (tx_text, 12),
    "window": (tx_window, 26),
    "wall": (tx_wall, 26),
    "grad": (tx_grad, 10),
    "art": (tx_art, 24),
    "books": (tx_books, 12),
    "photo": (tx_photo, 60),
}
"""Name -> (maker, number of textures kept in the pool)."""

ANY_KIND = "flat flat noise wood tile stripe fabric text wall grad art photo photo photo stone ground".split()


class Texture:
    """A texture in three levels of detail: full, a fifth of the size, and its mean colour."""

    __slots__ = ("full", "small", "mean")

    def __init__(self, pixels):
        self.full = np.ascontiguousarray(np.clip(pixels, 0, 255), np.float32)
        self.small = cv2.resize(self.full, (SIZE // 5, SIZE // 5), interpolation=cv2.INTER_AREA)
        self.mean = self.full.mean((0, 1))


def solid(bgr, grain=6):
    """A texture of one colour with a soft grain."""
    noise = cv2.resize(rng.standard_normal((8, 8, 1)).astype(np.float32), (SIZE, SIZE))[..., None] * grain
    return Texture(np.clip(bgr, 0, 255) + noise + np.zeros((SIZE, SIZE, 3), np.float32))


POOL = {}
"""Kind -> textures that scenes pick from: making a new one for each surface would take longer than drawing."""


def fill_pool():
    for kind, (make, count) in KINDS.items():
        POOL[kind] = [Texture(make()) for _ in range(count)]


def renew_pool(count):
    """Replaces some textures, photographs more often than others, so that the pool never stays the same."""
    kinds = list(KINDS)
    for _ in range(count):
        kind = pick(kinds) if chance(0.7) else "photo"
        POOL[kind][integer(0, len(POOL[kind]))] = Texture(KINDS[kind][0]())


def texture(*kinds):
    """One of the pool; a kind named twice is twice as likely."""
    return pick(POOL[pick(kinds or ANY_KIND)])
