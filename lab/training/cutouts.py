"""Flat cut-outs with an opacity: trees, plants, fences, skylines, and subjects cut from photographs."""

import glob
import os

import cv2
import numpy as np

from randomness import chance, integer, normal, pick, rng, uniform
from textures import PHOTOS, colour, fractal_noise, hsv, tx_flowers, tx_foliage, tx_window

HEIGHT, WIDTH = 160, 128


class Cutout:
    """rgba: BGR and opacity, 0..255 float32; bulge: 0 at the outline .. 1 inside; aspect: width / height."""

    def __init__(self, rgba):
        self.rgba = np.ascontiguousarray(rgba, np.float32)
        opaque = (self.rgba[..., 3] > 128).astype(np.uint8)
        padded = cv2.copyMakeBorder(opaque, 1, 1, 1, 1, cv2.BORDER_CONSTANT)
        distance = cv2.distanceTransform(padded, cv2.DIST_L2, 3)[1:-1, 1:-1]
        self.bulge = np.sqrt(np.minimum(1, distance / (0.16 * min(opaque.shape) + 1))).astype(np.float32)
        self.aspect = opaque.shape[1] / opaque.shape[0]


PHOTO_CUTOUTS = []
"""(name of the photograph, Cutout)"""


def load_photographs(folder, matte_folder):
    """Fills photographs and cut-outs. Mattes: 512 x 512 float32 files NAME.mat; unclear ones are left out."""
    for path in sorted(glob.glob(folder + "/*.jpg")):
        name = os.path.basename(path)[:-4]
        photo = cv2.imread(path)
        large = max(photo.shape) > 700
        PHOTOS.append(
            cv2.resize(photo, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA) if large else photo
        )
        matte_path = f"{matte_folder}/{name}.mat"
        if not os.path.exists(matte_path):
            continue
        matte = np.fromfile(matte_path, np.float32).reshape(512, 512)
        covered = (matte > 0.6).mean()
        if covered < 0.03 or covered > 0.75 or ((matte > 0.2) & (matte < 0.8)).mean() / covered > 0.25:
            continue
        matte = cv2.resize(matte, (photo.shape[1], photo.shape[0]))
        ys, xs = np.where(matte > 0.5)
        box = np.s_[ys.min() : ys.max() + 1, xs.min() : xs.max() + 1]
        rgba = np.dstack([photo, matte * 255])[box].astype(np.float32)
        scale = 240 / max(rgba.shape[:2])
        rgba = cv2.resize(rgba, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
        PHOTO_CUTOUTS.append((name, Cutout(rgba)))


# Each maker gets Y (0 top .. 1 bottom) and X (-1 .. 1) and answers opacity (bool) and colour.


def _tree(y, x):
    centre, radius_y, radius_x = uniform(0.3, 0.45), uniform(0.28, 0.42), uniform(0.6, 0.95)
    distance = ((x / radius_x) ** 2 + ((y - centre) / radius_y) ** 2) ** 0.5
    crown = (1 - distance) * uniform(2, 5) + _noise((5, 10, 20, 40), 0.6) * uniform(0.4, 0.9) > 0
    bgr = _enlarge(tx_foliage())
    bgr *= np.clip(1.1 - 0.5 * y + 0.2 * _noise((4, 8)), 0.3, 1.5)[..., None]
    trunk = (np.abs(x + 0.1 * np.sin(y * 5)) < uniform(0.03, 0.09) * (0.6 + y)) & (y > centre)
    bark = hsv(uniform(0.03, 0.1), uniform(0.1, 0.5), uniform(0.1, 0.5))
    bgr = np.where((trunk & ~crown)[..., None], bark + rng.standard_normal((HEIGHT, WIDTH, 1)) * 8, bgr)
    return crown | trunk, bgr


def _bush(y, x):
    distance = np.abs(x) ** uniform(1.5, 3) + (1 - y) ** uniform(1.5, 3)
    opaque = (1 - distance) * uniform(2, 4) + _noise((5, 10, 20, 40), 0.5) * uniform(0.2, 0.6) > 0
    bgr = _enlarge(tx_flowers() if chance(0.3) else tx_foliage())
    return opaque, bgr * (1.2 - 0.6 * y)[..., None]


def _conifer(y, x):
    spread = (y * uniform(0.6, 0.95) + 0.02) * (0.75 + 0.25 * np.sin(y * integer(20, 60)))
    spread = spread + 0.12 * _noise((12, 30, 60), 0.3) * y
    opaque = (np.abs(x) < spread) & (y < 0.93) | (np.abs(x) < 0.05)
    return opaque, _enlarge(tx_foliage()) * uniform(0.4, 0.9) * (1.1 - 0.3 * np.abs(x))[..., None]


def _bare(_y, _x):
    drawn = np.zeros((HEIGHT, WIDTH), np.uint8)

    def branch(x, y, angle, length, thickness):
        if length < 4 or thickness < 0.5:
            return
        x2, y2 = x + length * np.sin(angle), y - length * np.cos(angle)
        cv2.line(drawn, (int(x), int(y)), (int(x2), int(y2)), 255, max(1, int(thickness)))
        for _ in range(2 if thickness > 1 else 3):
            branch(x2, y2, angle + normal(0, 0.5), length * uniform(0.6, 0.85), thickness * 0.65)

    branch(WIDTH / 2, HEIGHT, normal(0, 0.1), HEIGHT * uniform(0.2, 0.35), uniform(3, 8))
    bark = hsv(uniform(0.03, 0.1), uniform(0.1, 0.4), uniform(0.1, 0.5))
    return drawn > 0, _plain() + bark + _noise()[..., None] * 8


def _plant(_y, _x):
    drawn = np.zeros((HEIGHT, WIDTH), np.uint8)
    bgr = _plain() + 40
    green = uniform(0.2, 0.38)
    for _ in range(integer(8, 40)):
        angle, length = normal(0, 0.7), uniform(0.3, 0.95) * HEIGHT
        tip = (int(WIDTH / 2 + np.sin(angle) * length * 0.6), int(HEIGHT - np.cos(angle) * length))
        leaf = _cv_colour(hsv(green + normal(0, 0.02), uniform(0.3, 0.8), uniform(0.2, 0.8)))
        stem = integer(1, 4)
        cv2.line(drawn, (WIDTH // 2 + integer(-8, 9), HEIGHT), tip, 255, stem)
        cv2.line(bgr, (WIDTH // 2, HEIGHT), tip, leaf, stem)
        axes = (integer(3, 14), integer(2, 8))
        turn = np.degrees(angle) + 90
        cv2.ellipse(drawn, tip, axes, turn, 0, 360, 255, -1)
        blossom = leaf if chance(0.7) else _cv_colour(hsv(rng.random(), uniform(0.3, 0.9), uniform(0.6, 1)))
        cv2.ellipse(bgr, tip, axes, turn, 0, 360, blossom, -1)
    bgr += _noise()[..., None] * 8
    return drawn > 0, bgr


def _fence(y, x):
    posts, width = integer(5, 16), uniform(0.12, 0.5)
    opaque = ((x * 0.5 + 0.5) * posts % 1 < width) | (np.abs(y - 0.2) < 0.04) | (np.abs(y - 0.8) < 0.04)
    opaque &= y > 0.05
    return opaque, _plain() + colour() + _noise()[..., None] * 8


def _line(y, _x):
    """A tree line or hedge."""
    top = 0.35 + 0.14 * fractal_noise(2, WIDTH, (4, 8, 16, 32), uniform(0.3, 1))[0]
    return y > top[None], _enlarge(tx_foliage()) * uniform(0.5, 1)


def _hill(y, _x):
    top = 0.5 + uniform(0.05, 0.2) * fractal_noise(2, WIDTH, (2, 4, 8, 16, 32), uniform(0.9, 1.6))[0]
    relief = _noise((4, 8, 16, 32), 0.8)
    base = pick(
        [
            hsv(uniform(0.2, 0.38), uniform(0.2, 0.6), uniform(0.2, 0.6)),
            hsv(uniform(0.05, 0.12), uniform(0.1, 0.5), uniform(0.3, 0.7)),
            hsv(uniform(0.55, 0.65), uniform(0.1, 0.4), uniform(0.3, 0.6)),
        ]
    )
    bgr = base + relief[..., None] * uniform(4, 24)
    if chance(0.3):
        snow = y < top[None] + uniform(0.05, 0.25) + 0.06 * relief
        bgr = np.where(snow[..., None], uniform(200, 250), bgr)
    return y > top[None], bgr


def _skyline(_y, _x):
    opaque = np.zeros((HEIGHT, WIDTH), bool)
    bgr = _plain()
    x = 0
    while x < WIDTH:
        width = integer(5, 24)
        top = int(HEIGHT * uniform(0.1, 0.75))
        opaque[top:, x : x + width] = 1
        bgr[top:, x : x + width] = cv2.resize(tx_window(), (width, HEIGHT - top))[:, : WIDTH - x]
        x += width
    return opaque, bgr


def _noise(*args):
    return fractal_noise(HEIGHT, WIDTH, *args)


def _enlarge(pixels):
    return cv2.resize(pixels, (WIDTH, HEIGHT))


def _plain():
    return np.zeros((HEIGHT, WIDTH, 3), np.float32)


def _cv_colour(bgr):
    return tuple(float(v) for v in bgr)


KINDS = {
    "tree": (_tree, 14),
    "bush": (_bush, 14),
    "conifer": (_conifer, 10),
    "bare": (_bare, 6),
    "plant": (_plant, 14),
    "fence": (_fence, 6),
    "line": (_line, 10),
    "hill": (_hill, 14),
    "skyline": (_skyline, 8),
}
"""Name -> (maker, number of cut-outs kept in the pool)."""

POOL = {}


def make_cutout(kind):
    y, x = np.mgrid[:HEIGHT, :WIDTH].astype(np.float32)
    opaque, bgr = KINDS[kind][0](y / HEIGHT, x / WIDTH * 2 - 1)
    opacity = cv2.GaussianBlur(opaque.astype(np.float32), (0, 0), 0.7) * 255
    return Cutout(np.dstack([np.clip(bgr, 0, 255), opacity]))


def fill_pool():
    for kind, (_, count) in KINDS.items():
        POOL[kind] = [make_cutout(kind) for _ in range(count)]


def renew_pool():
    kind = pick(list(KINDS))
    POOL[kind][integer(0, len(POOL[kind]))] = make_cutout(kind)


def cutout(*kinds):
    """One of the pool; a kind named twice is twice as likely."""
    return pick(POOL[kinds[0] if len(kinds) == 1 else pick(kinds)])
