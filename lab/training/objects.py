"""Things that stand in scenes: furniture, small things, people, animals, cars, trees, and what hangs on walls.

Every function draws one thing whose foot is at (x, z) on the floor of the scene, or on base where that is given.
"""

import numpy as np

from cutouts import PHOTO_CUTOUTS, cutout
from randomness import chance, integer, log_uniform, normal, pick, rng, uniform
from scene import DOWN, SIGNS, any_rotation, yaw
from textures import TURN, colour, hsv, solid, texture


class Frame:
    """A local coordinate system: right, down, forward about a point, turned about the vertical and scaled."""

    def __init__(self, origin, rotation, scale=1.0):
        self.origin, self.rotation, self.scale = np.asarray(origin, float), rotation, scale

    def __call__(self, right, down, forward):
        return self.origin + self.rotation @ (np.array([right, down, forward]) * self.scale)


# ---- furniture


def table(scene, x, z, turn, width, depth, height):
    """Returns the rotation of its top, to put things on it."""
    rotation = yaw(turn)
    top = texture("wood", "wood", "flat", "stone", "wall")
    y = scene.eye_height
    scene.shadow(x, z, width * 0.6, depth * 0.6)
    thickness = uniform(0.015, 0.05)
    if chance(0.2):
        scene.cone([x, y, z], 0.04, height, 0, top)
    elif chance(0.25):
        half = [width * 0.42, height / 2, depth * 0.42]
        scene.box([x, y - height / 2, z], rotation, half, texture("wood", "flat", "fabric"))
    else:
        for i in SIGNS:
            for j in SIGNS:
                leg = np.array([x, y - height / 2, z]) + rotation @ np.array(
                    [i * width * 0.46, 0, j * depth * 0.46]
                )
                scene.box(leg, rotation, [0.025, height / 2, 0.025], top)
    scene.box([x, y - height, z], rotation, [width / 2, thickness, depth / 2], top, scale=uniform(0.5, 1.5))
    return rotation


def chair(scene, x, z, turn):
    at = Frame([x, scene.eye_height, z], yaw(turn))
    width, height = uniform(0.38, 0.5), uniform(0.4, 0.5)
    seat = texture("wood", "fabric", "flat")
    legs = texture("wood", "flat")
    scene.shadow(x, z, width * 0.7, width * 0.7)
    for i in SIGNS:
        for j in SIGNS:
            leg = at(i * width * 0.45, -height / 2, j * width * 0.45)
            scene.box(leg, at.rotation, [0.02, height / 2, 0.02], legs)
    scene.box(at(0, -height, 0), at.rotation, [width / 2, 0.03, width / 2], seat)
    back = uniform(0.3, 0.6)
    scene.box(at(0, -height - back / 2 - 0.05, width * 0.48), at.rotation, [width / 2, back / 2, 0.02], seat)


def sofa(scene, x, z, turn):
    at = Frame([x, scene.eye_height, z], yaw(turn))
    width = 0.7 * integer(1, 4) + 0.3
    cover = texture("fabric", "flat", "noise", "fabric")
    scene.shadow(x, z, width * 0.6, 0.6)
    scene.box(at(0, -0.2, 0), at.rotation, [width / 2, 0.2, 0.42], cover)
    scene.box(at(0, -0.45, 0.36), at.rotation, [width / 2, 0.42, 0.1], cover)
    for i in SIGNS:
        scene.box(at(i * (width / 2), -0.3, 0), at.rotation, [0.1, 0.3, 0.44], cover)
    for _ in range(integer(0, 4)):
        cushion = at(uniform(-0.4, 0.4) * width, -0.52, 0.15)
        turned = at.rotation @ any_rotation()
        scene.ellipsoid(cushion, turned, [0.2, 0.2, 0.09], texture("fabric", "art", "flat"))


def bed(scene, x, z, turn):
    at = Frame([x, scene.eye_height, z], yaw(turn))
    width, length, height = uniform(0.9, 1.8), uniform(1.9, 2.1), uniform(0.35, 0.6)
    sheet = texture("fabric", "flat", "wall")
    scene.shadow(x, z, width * 0.6, length * 0.55)
    scene.box(at(0, -height / 2, 0), at.rotation, [width / 2, height / 2, length / 2], sheet)
    head = [width / 2, uniform(0.5, 0.9), 0.04]
    scene.box(at(0, -height, length / 2), at.rotation, head, texture("wood", "fabric"))
    for i in [0] if width < 1.2 else [-0.25, 0.25]:
        pillow = at(i * width, -height - 0.05, length * 0.4)
        scene.ellipsoid(pillow, at.rotation, [0.3, 0.1, 0.2], texture("wall", "fabric"))
    if chance(0.7):
        blanket = [width / 2 + 0.02, 0.03, length * 0.35]
        cover = texture("fabric", "stripe", "art", "flat")
        scene.box(at(0, -height - 0.02, -length * 0.15), at.rotation, blanket, cover)


def shelf(scene, x, z, turn):
    at = Frame([x, scene.eye_height, z], yaw(turn))
    width, depth, height = uniform(0.5, 1.6), uniform(0.25, 0.4), uniform(0.8, 2.1)
    board = texture("wood", "wall", "flat")
    scene.shadow(x, z, width * 0.5, depth)
    scene.box(at(0, -height / 2, depth * 0.48), at.rotation, [width / 2, height / 2, 0.01], board)
    for i in SIGNS:
        scene.box(at(i * width / 2, -height / 2, 0), at.rotation, [0.015, height / 2, depth / 2], board)
    levels = max(2, int(height / uniform(0.28, 0.45)))
    for level in range(levels + 1):
        y = -height * level / levels
        scene.box(at(0, y, 0), at.rotation, [width / 2, 0.012, depth / 2], board)
        if level == levels or not chance(0.8):
            continue
        if chance(0.6):
            tall = height / levels * uniform(0.5, 0.85)
            wide = width * uniform(0.2, 0.48)
            row = at(uniform(-1, 1) * (width / 2 - wide), y - tall / 2, uniform(-0.05, 0.05))
            half = [wide, tall / 2, depth * uniform(0.25, 0.42)]
            sides = [texture("flat"), texture("flat"), texture("books")]
            scene.box(row, at.rotation, half, sides, scale=uniform(1, 3))
        for _ in range(integer(0, 3)):
            spot = at(uniform(-0.4, 0.4) * width, y, uniform(-0.2, 0.1) * depth)
            small_thing(scene, spot[0], spot[2], scene.eye_height + y, uniform(0.05, 0.13))


def cabinet(scene, x, z, turn):
    half = np.array([uniform(0.25, 0.8), uniform(0.3, 1.05), uniform(0.2, 0.35)])
    body = texture("wood", "wall", "flat", "wood")
    scene.shadow(x, z, half[0], half[2] * 1.3)
    at = Frame([x, scene.eye_height - half[1], z], yaw(turn))
    right, down = at.rotation[:, 0], at.rotation[:, 1]
    scene.box(at.origin, at.rotation, half, body)
    for _ in range(integer(0, 4)):
        door = at(uniform(-0.5, 0.5) * half[0], uniform(-0.7, 0.7) * half[1], -half[2] - 0.012)
        size = half[0] * uniform(0.2, 0.45), half[1] * uniform(0.1, 0.3)
        scene.quad(door, right, down, *size, texture("wood", "wall", "flat", "art"), 1.0)
    for _ in range(integer(0, 4)):
        spot = at(uniform(-0.8, 0.8) * half[0], 0, uniform(-0.5, 0.5) * half[2])
        small_thing(scene, spot[0], spot[2], scene.eye_height - 2 * half[1], uniform(0.08, 0.25))
    if chance(0.25):
        screen = [half[0] * 0.8, 0.3, 0.03]
        scene.box(at(0, -half[1] - 0.35, 0), at.rotation, screen, texture("grad", "art", "flat", "photo"))


def floor_lamp(scene, x, z):
    height = uniform(1.2, 1.8)
    y = scene.eye_height
    scene.cone([x, y, z], 0.12, 0.02, 0, texture("flat"))
    scene.cone([x, y, z], 0.015, height, 0, texture("flat"))
    radius, tall, slope = uniform(0.15, 0.25), uniform(0.2, 0.35), -uniform(0.1, 0.5)
    scene.cone([x, y - height, z], radius, tall, slope, texture("wall", "fabric"), gain=uniform(1, 1.9))


# ---- small things


def small_thing(scene, x, z, base=None, size=None):
    """One of: box, can, bottle, ball, pot plant, stack of books, plate of food, cut-out of a photograph, plant."""
    base = scene.eye_height if base is None else base
    size = size or log_uniform(0.05, 0.25)
    kind = rng.random()
    scene.shadow(x, z, size * 0.8, size * 0.8, base)
    if kind < 0.28:
        half = size * rng.uniform(0.3, 1.2, 3)
        sides = [texture() for _ in range(3)] if chance(0.4) else texture()
        scene.box([x, base - half[1], z], yaw(uniform(0, 3.1)), half, sides)
    elif kind < 0.52:
        radius, height, slope = (
            size * uniform(0.25, 0.7),
            size * uniform(0.5, 2.6),
            pick([0, 0, uniform(-0.2, 0.3)]),
        )
        scene.cone([x, base, z], radius, height, slope, texture())
    elif kind < 0.58:
        _bottle(scene, x, z, base, size)
    elif kind < 0.74:
        radii = size * rng.uniform(0.4, 1, 3)
        radii[2] = radii[0] if chance(0.6) else radii[2]
        turned = yaw(uniform(0, 3))
        scene.ellipsoid(
            [x, base - radii[1], z], turned, radii, texture(), gloss=pick([0, 0, uniform(20, 120)])
        )
    elif kind < 0.80:
        slope = uniform(0.1, 0.4)
        scene.cone([x, base, z], size * 0.45, size * 0.6, slope, texture("flat", "brick", "wall"))
        plant, height = cutout("plant"), size * uniform(1.2, 3)
        scene.standing_cutout(plant, x, z, height, base - size * 0.5, turn=normal(0, 0.3), shadow=False)
    elif kind < 0.86:
        _stack(scene, x, z, base, size)
    elif kind < 0.9:
        _plate(scene, x, z, base, size)
    elif PHOTO_CUTOUTS and chance(0.8):
        subject_cutout = pick(PHOTO_CUTOUTS)[1]
        scene.standing_cutout(subject_cutout, x, z, size * uniform(1, 3), base, turn=normal(0, 0.25))
    else:
        scene.standing_cutout(cutout("plant"), x, z, size * uniform(1, 3), base, turn=normal(0, 0.25))


def _bottle(scene, x, z, base, size):
    height = size * uniform(1, 2)
    scene.cone([x, base, z], size * 0.35, height, 0, texture(), gain=uniform(0.6, 1))
    scene.cone([x, base - height, z], size * 0.35, size * 0.4, -0.6, texture())
    scene.cone([x, base - height - size * 0.4, z], size * 0.12, size * 0.5, 0, texture())


def _stack(scene, x, z, base, size):
    y = base
    for _ in range(integer(2, 7)):
        height = size * uniform(0.06, 0.2)
        centre = [x + normal(0, 0.05) * size, y - height, z + normal(0, 0.05) * size]
        turned = yaw(normal(0, 0.3))
        half = [size * uniform(0.5, 0.8), height, size * uniform(0.4, 0.6)]
        scene.box(centre, turned, half, texture("flat", "art", "text", "photo"))
        y -= 2 * height


def _plate(scene, x, z, base, size):
    scene.cone([x, base, z], size * 0.2, size * 0.1, 0.6, texture("wall", "flat"))
    scene.cone([x, base - size * 0.1, z], size * 0.7, size * 0.06, 1.2, texture("wall", "flat", "art"))
    for _ in range(integer(2, 8)):
        centre = [x + normal(0, 0.25) * size, base - size * 0.2, z + normal(0, 0.25) * size]
        turned = any_rotation()
        radii = size * rng.uniform(0.1, 0.3, 3)
        scene.ellipsoid(centre, turned, radii, texture("flat", "noise", "foliage", "photo"))


# ---- people and animals

SKIN = [
    (0.06, 0.35, 0.9),
    (0.06, 0.45, 0.75),
    (0.06, 0.5, 0.6),
    (0.06, 0.55, 0.42),
    (0.05, 0.5, 0.28),
    (0.05, 0.3, 0.95),
]
"""Hue, saturation and value of the six skin tones, equally likely."""


class Fixed:
    """Textures that never change; made by prepare() after the pools, so that a seed always gives the same stream."""

    white = dark = red = None

    @classmethod
    def prepare(cls):
        cls.white = solid(np.array([235, 238, 240.0]))
        cls.dark = solid(np.array([25, 22, 20.0]))
        cls.red = solid(np.array([90, 80, 180.0]))


def limb(scene, start, end, radius, surface_texture, gain=1.0):
    """An ellipsoid that reaches a little over both ends."""
    start, end = np.asarray(start, float), np.asarray(end, float)
    length = np.linalg.norm(end - start) + 1e-6
    along = (end - start) / length
    across = np.cross(along, [0.3, 0.1, 1])
    across /= np.linalg.norm(across)
    rotation = np.stack([across, along, np.cross(across, along)], 1)
    radii = [radius, length / 2 + radius * 0.6, radius]
    scene.ellipsoid((start + end) / 2, rotation, radii, surface_texture, gain=gain)


def person(scene, x, z, height=None, turn=None, base=None, sitting=False):
    """A body of ellipsoids; turn 0 looks at the camera."""
    height = height or uniform(1.5, 1.9)
    base = scene.eye_height if base is None else base
    at = Frame([x, base, z], yaw(normal(0, 0.6) if turn is None else turn), height)
    lean = normal(0, 0.04)
    skin = solid(hsv(*pick(SKIN)) * uniform(0.85, 1.1), 4)
    top = texture("fabric", "flat", "stripe", "photo", "fabric", "noise", "art")
    trousers = texture("fabric", "flat", "flat")
    hair = solid(hsv(uniform(0.03, 0.12), uniform(0.1, 0.7), uniform(0.04, 0.7)), 10)
    shoe = texture("flat", "fabric")
    girth = uniform(0.85, 1.2)
    hip = 0.27 if sitting else 0.5
    if base == scene.eye_height:
        scene.shadow(x, z, 0.2 * height, 0.16 * height)

    def part(right, down, forward, radii, surface_texture):
        scene.ellipsoid(at(right, down, forward), at.rotation, np.array(radii) * height, surface_texture)

    for i in SIGNS:
        swing = normal(0, 0.05)
        if sitting:
            knee, foot = at(i * 0.07, -hip, -0.22), -0.25
            limb(scene, at(i * 0.055, -hip, 0), knee, 0.05 * height * girth, trousers)
            limb(scene, knee, at(i * 0.07, -0.03, -0.22), 0.036 * height * girth, trousers)
        else:
            knee, foot = at(i * 0.055, -0.27, -abs(swing) * 0.6), swing
            limb(scene, at(i * 0.05, -hip, 0), knee, 0.047 * height * girth, trousers)
            calf = trousers if chance(0.85) else skin
            limb(scene, knee, at(i * 0.055, -0.04, swing), 0.033 * height * girth, calf)
        part(i * 0.06, -0.02, foot - 0.03, [0.026, 0.02, 0.07], shoe)
    if chance(0.2):
        scene.cone(at(0, -hip * 0.55, 0), 0.17 * height * girth, hip * 0.6 * height, -0.12, top)
    part(0, -hip - 0.02, 0, [0.085 * girth, 0.07, 0.06 * girth], trousers)
    part(lean / 2, -hip - 0.17, 0, [0.088 * girth, 0.17, 0.056 * girth], top)
    part(lean / 2, -hip - 0.28, 0, [0.115 * girth, 0.055, 0.05 * girth], top)
    sleeve = top if chance(0.7) else skin
    for i in SIGNS:
        shoulder = lean / 2 + i * 0.118 * girth
        elbow, hand = _arm(i, shoulder, hip)
        limb(scene, at(shoulder, -hip - 0.29, 0), at(*elbow), 0.03 * height * girth, top)
        limb(scene, at(*elbow), at(*hand), 0.024 * height * girth, sleeve)
        scene.ellipsoid(at(*hand), any_rotation(), np.array([0.022, 0.03, 0.022]) * height, skin)
    limb(scene, at(lean * 0.8, -hip - 0.31, 0), at(lean, -hip - 0.37, -0.005), 0.03 * height, skin)
    _head(scene, at(lean, -hip - 0.43, -0.01), at.rotation, height * 0.07, skin, hair)


def _arm(side, shoulder, hip):
    """Elbow and hand, hanging, before the body or raised, in units of the body's height."""
    pose = rng.random()
    elbow = [shoulder + side * uniform(0.01, 0.06), -hip - uniform(0.1, 0.17), normal(0, 0.04)]
    if pose < 0.6:
        hand = [elbow[0] + side * normal(0, 0.03), -hip + uniform(-0.05, 0.03), elbow[2] - uniform(0, 0.08)]
    elif pose < 0.85:
        hand = [elbow[0] - side * uniform(0.02, 0.14), elbow[1] - uniform(-0.02, 0.1), -uniform(0.08, 0.16)]
    else:
        elbow = [shoulder + side * 0.1, -hip - uniform(0.25, 0.36), normal(0, 0.05)]
        hand = [elbow[0] + side * uniform(-0.03, 0.08), elbow[1] - uniform(0.08, 0.16), -uniform(0, 0.1)]
    return elbow, hand


def _head(scene, centre, body, size, skin, hair):
    """size: half the width of the head, roughly."""
    at = Frame(centre, body @ yaw(normal(0, 0.25)), size)

    def part(right, down, forward, radii, surface_texture, gain=1.0):
        scene.ellipsoid(
            at(right, down, forward), at.rotation, np.array(radii) * size, surface_texture, gain=gain
        )

    part(0, 0, 0, [0.8, 1.08, 0.92], skin, gain=uniform(0.95, 1.1))
    hair_length = rng.random()
    if hair_length < 0.85:
        part(0, -0.22, 0.16, [0.9, 0.98, 0.95], hair)
        part(0, -0.72, -0.2, [0.72, 0.45, 0.72], hair)
    if hair_length < 0.35:
        part(0, 0.5, 0.35, [0.98, 1.3, 0.6], hair)
    if chance(0.12):  # hat
        scene.cone(at(0, -0.62, 0), size * 1.3, size * 0.08, 0, hair)
        scene.cone(at(0, -0.65, 0), size * 0.85, size * 0.6, -0.05, hair)
    for i in SIGNS:
        part(i * 0.3, -0.08, -0.84, [0.13, 0.07, 0.07], Fixed.white)
        part(i * 0.3, -0.08, -0.89, [0.06, 0.06, 0.04], Fixed.dark)
        part(i * 0.3, -0.26, -0.84, [0.17, 0.035, 0.06], hair)
        part(i * 0.8, 0, 0.0, [0.1, 0.2, 0.12], skin)
    part(0, 0.12, -0.92, [0.11, 0.2, 0.16], skin)
    part(0, 0.5, -0.8, [0.26, 0.07, 0.08], Fixed.red)
    if chance(0.12):  # beard
        part(0, 0.7, -0.35, [0.66, 0.5, 0.55], hair)


def animal(scene, x, z, length=None):
    length = length or log_uniform(0.25, 2.0)
    rotation = yaw(uniform(0, TURN))
    base = scene.eye_height
    legs = uniform(0.25, 0.75)
    at = Frame([x, base, z], rotation, length)
    if chance(0.7):
        fur = texture("noise", "flat", "fabric", "photo", "ground")
    else:
        fur = solid(hsv(uniform(0.04, 0.11), uniform(0.1, 0.7), uniform(0.1, 0.9)), 14)
    thickness = uniform(0.17, 0.3)
    scene.shadow(x, z, length * 0.5, length * 0.4, base)

    def part(right, down, forward, radii, surface_texture, gain=1.0):
        scene.ellipsoid(
            at(right, down, forward), rotation, np.array(radii) * length, surface_texture, gain=gain
        )

    for i in SIGNS:
        for j in SIGNS:
            hip = at(i * thickness * 0.5, -legs, j * 0.36)
            foot = at(i * thickness * 0.5, 0.03, j * 0.36 + normal(0, 0.06))
            limb(scene, hip, foot, length * uniform(0.04, 0.07), fur, 0.85)
    part(0, -legs - thickness * 0.5, 0, [thickness * 0.85, thickness, 0.52], fur)
    neck = uniform(0.05, 0.5)
    hx, hy, hz = normal(0, 0.05), -legs - thickness * 0.7 - neck, -0.55 - uniform(0, 0.2)
    limb(scene, at(0, -legs - thickness * 0.7, -0.4), at(hx, hy, hz), length * uniform(0.08, 0.14), fur)
    k = uniform(0.12, 0.2)
    part(hx, hy, hz, [k * 0.8, k * 0.85, k], fur)
    part(hx, hy + k * 0.3, hz - k, [k * 0.45, k * 0.4, k * uniform(0.3, 0.9)], fur, gain=0.9)
    for i in SIGNS:
        part(
            hx + i * k * 0.6,
            hy - k * 0.8,
            hz + 0.02,
            [k * 0.25, k * uniform(0.3, 0.8), k * 0.12],
            fur,
            gain=0.8,
        )
    for i in SIGNS:
        part(hx + i * k * 0.4, hy - k * 0.15, hz - k * 0.9, [0.02, 0.02, 0.02], Fixed.dark)
    tail = at(normal(0, 0.1), -legs - uniform(-0.1, 0.5), 0.5 + uniform(0.1, 0.4))
    limb(scene, at(0, -legs - thickness, 0.5), tail, length * 0.04, fur)


def subject(scene, x, z, outdoor=True):
    """A person, an animal, or whatever was cut out of a photograph."""
    kind = rng.random()
    if kind < 0.45:
        person(scene, x, z)
    elif kind < 0.7:
        animal(scene, x, z, log_uniform(0.3, 2.2 if outdoor else 1.2))
    elif PHOTO_CUTOUTS:
        scene.standing_cutout(pick(PHOTO_CUTOUTS)[1], x, z, uniform(0.5, 1.8), turn=normal(0, 0.2))
    else:
        animal(scene, x, z)


# ---- outdoors


def car(scene, x, z, turn=0.0):
    at = Frame([x, scene.eye_height, z], yaw(turn))
    paint = solid(colour(), 3)
    glass = solid(np.array([60, 50, 40.0]) * uniform(0.5, 2), 12)
    lorry = chance(0.15)
    height = uniform(2, 3) if lorry else uniform(0.5, 0.6)
    scene.shadow(x, z, 1.2, 2.6, strength=0.7)
    body = [0.9, height / 2 + 0.05, 2.15]
    sides = paint if chance(0.8) else [texture("art", "text"), paint, paint]
    scene.box(at(0, -0.25 - height / 2, 0), at.rotation, body, sides, scale=0.4)
    if not lorry:
        scene.box(at(0, -1.1, 0.15), at.rotation, [0.74, 0.3, 1.15], [glass, paint, glass], scale=0.4)
    for i in SIGNS:
        for j in SIGNS:
            scene.ellipsoid(at(i * 0.85, -0.32, j * 1.35), at.rotation, [0.12, 0.33, 0.33], Fixed.dark)
        right, down = at.rotation[:, 0], at.rotation[:, 1]
        scene.quad(
            at(i * 0.65, -0.65, -2.17), right, down, 0.18, 0.09, pick([Fixed.red, Fixed.white]), light=1.2
        )


def tree(scene, x, z, height=None):
    """A cut-out, a stack of cones, or a trunk with balls of leaves."""
    height = height or uniform(2.5, 12)
    kind = rng.random()
    y = scene.eye_height
    scene.shadow(x, z, height * 0.3, height * 0.25)
    if kind < 0.5:
        flat = cutout("tree", "tree", "tree", "conifer", "bare")
        turn = normal(0, 0.2)
        width = height * uniform(0.5, 1)
        scene.standing_cutout(flat, x, z, height, turn=turn, shadow=False, width=width, bulge=height * 0.12)
    elif kind < 0.62:
        leaves = texture("foliage")
        for k in range(4):
            base, radius = [x, y - height * (0.12 + 0.22 * k), z], height * (0.26 - 0.055 * k)
            scene.cone(base, radius, height * 0.32, -0.72, leaves, top=False)
        scene.cone([x, y, z], height * 0.03, height * 0.2, 0, texture("wood"))
    else:
        bark = texture("wood", "stone")
        bare = uniform(0.2, 0.5)
        scene.cone([x, y, z], height * uniform(0.02, 0.05), height * (bare + 0.2), -0.02, bark)
        leaves = [texture("foliage"), texture("foliage")]
        for _ in range(integer(4, 12)):
            size = height * uniform(0.1, 0.22)
            right = x + normal(0, 0.13) * height
            up = y - height * uniform(bare + 0.08, 0.9)
            centre = [right, up, z + normal(0, 0.1) * height]
            turned = any_rotation()
            radii = size * rng.uniform(0.7, 1.2, 3)
            chosen = pick(leaves)
            scene.ellipsoid(centre, turned, radii, chosen, scale=uniform(0.8, 2), gain=uniform(0.7, 1.15))


def rock(scene, z, size, kinds, spread=0.4, lift=0.3, largest=1.2):
    """Somewhere across the view at the distance z; lift: height of its centre over the ground, in its sizes."""
    centre = [normal(0, spread) * z, scene.eye_height - size * lift, z]
    turned = yaw(uniform(0, 3))
    scene.ellipsoid(centre, turned, size * rng.uniform(0.5, largest, 3), texture(*kinds))


def backdrop(scene):
    """Hills far away, and perhaps a tree line or a skyline before them."""
    for k in range(integer(0, 4)):
        z = 300 * 0.55**k * uniform(0.7, 1.2)
        hill, x, height = cutout("hill"), normal(0, 40), z * uniform(0.1, 0.5)
        scene.standing_cutout(
            hill,
            x,
            z,
            height,
            scene.eye_height + z * 0.02,
            width=z * uniform(3, 6),
            shadow=False,
            bulge=0,
            tilt=uniform(0, 0.5),
            turn=normal(0, 0.2),
        )
    if chance(0.6):
        line, z, height = cutout("line", "line", "skyline"), uniform(40, 90), uniform(4, 12)
        scene.standing_cutout(line, 0, z, height, width=250, shadow=False, bulge=0)


def street_side(scene, side, rotation, distance, tallness):
    """A row of houses along one side (-1 left, 1 right) of a street."""
    z = uniform(-2, 3)
    while z < 90:
        length = uniform(5, 18)
        height = uniform(4, 22) * tallness
        setback = uniform(0, 2)
        centre = rotation @ np.array([side * (distance + setback + 4), 0, z + length / 2])
        front = texture("window", "window", "window", "brick", "wall", "photo")
        if centre[2] > -3:
            half = [4, height / 2, length / 2]
            sides = [front, texture("stone"), front]
            middle = [centre[0], scene.eye_height - height / 2, centre[2]]
            scene.box(middle, rotation, half, sides, scale=uniform(0.1, 0.3))
        z += length + (uniform(0, 1) if chance(0.7) else uniform(2, 12))


# ---- on walls


def hang_on_walls(scene, top, bottom, walls):
    """Pictures, windows and doors just in front of walls; a wall is (centre, right axis, half length)."""
    for centre, right, half_length in walls:
        forward = np.cross(DOWN, right)
        forward = -forward * np.sign(forward @ centre)
        for _ in range(integer(0, 4)):
            width, height = log_uniform(0.12, 0.7), log_uniform(0.12, 0.6)
            spot = centre + right * uniform(-1, 1) * max(0.1, half_length - width) + forward * 0.015
            lowest = max(top + height + 0.01, bottom - height)
            spot = np.array([spot[0], uniform(top + height, lowest), spot[2]])
            kind = rng.random()
            if kind < 0.55:
                _picture(scene, spot, right, forward, width, height)
            elif kind < 0.8:
                _window(scene, spot, right, forward)
            else:
                spot[1] = scene.eye_height - 1.02
                door = texture("wood", "wall", "flat")
                scene.quad(
                    spot, right, DOWN, 0.45, 1.02, door, scale=uniform(0.3, 1.0), gain=uniform(0.6, 1.1)
                )


def _picture(scene, spot, right, forward, width, height):
    if chance(0.6):
        frame = texture("flat", "wood", "wall")
        scene.quad(spot + forward * -0.005, right, DOWN, width + 0.03, height + 0.03, frame)
    motif = texture("art", "photo", "photo", "text", "grad")
    scene.quad(spot, right, DOWN, width, height, motif, scale=0.5 / max(width, height), offset=(0.5, 0.5))


def _window(scene, spot, right, forward):
    width, height = uniform(0.4, 1), uniform(0.5, 0.9)
    spot[1] = normal(-0.2, 0.2)
    frame = texture("wall", "wood")
    scene.quad(spot - forward * 0.005, right, DOWN, width + 0.06, height + 0.06, frame, gain=1.1)
    view = texture("grad", "wall", "photo", "foliage", "window")
    scene.quad(
        spot,
        right,
        DOWN,
        width,
        height,
        view,
        scale=0.5 / max(width, height),
        offset=(0.5, 0.5),
        light=uniform(1.1, 1.8),
        recess=pick([0, 0, uniform(3, 30)]),
    )
    if chance(0.5):
        for k in (-1, 0, 1):
            bar = spot + forward * 0.01 + right * width * k
            scene.quad(bar, right, DOWN, 0.02, height, texture("wall", "flat"))
    if chance(0.4):
        curtain = texture("fabric", "stripe", "wall")
        for k in SIGNS:
            hung = spot + forward * 0.05 + right * (width + 0.1) * k
            scene.quad(hung, right, DOWN, width * 0.25, height + 0.2, curtain, scale=1.0)
