"""Scene families: what people upload, composed from objects.py and scene.py.

Each family is a function of `portrait` (bool) that answers a picture (BGR uint8) and its inverse depth (float32).
"""

import numpy as np

from cutouts import PHOTO_CUTOUTS, cutout
from objects import (
    Fixed,
    animal,
    backdrop,
    bed,
    cabinet,
    car,
    chair,
    floor_lamp,
    hang_on_walls,
    person,
    rock,
    shelf,
    small_thing,
    sofa,
    street_side,
    subject,
    table,
    tree,
)
from randomness import chance, integer, log_uniform, normal, pick, rng, uniform
from scene import DOWN, GROUND, SIGNS, Scene, any_rotation, yaw
from textures import TURN, texture


def degrees(mean, deviation):
    return np.deg2rad(normal(mean, deviation))


class Room:
    """Walls at `far`, `left` and `right` of the camera and a ceiling above it, turned by `rotation`."""

    def __init__(self, scene, far=None, turn=None):
        turn = normal(0, 0.45) if turn is None else turn
        self.scene = scene
        self.rotation = rotation = yaw(turn)
        self.far = far or log_uniform(1.6, 7)
        self.left, self.right = log_uniform(0.8, 4.5), log_uniform(0.8, 4.5)
        self.ceiling = uniform(0.7, 1.6)
        right, forward = rotation[:, 0], rotation[:, 2]
        kinds = "wall wall wall brick wood tile stripe photo flat noise".split()
        sides = texture(*kinds)
        end = sides if chance(0.7) else texture("wall", "flat", "art", "wood")
        scale = uniform(0.15, 0.6)
        floor = "wood wood tile fabric flat stone ground photo noise".split()
        scene.ground(texture(*floor), uniform(0.2, 0.9))
        above = texture("wall", "wall", "flat", "wood", "tile")
        scene.plane([0, -self.ceiling, 0], right, forward, above, scale, gain=uniform(0.7, 1.1))
        scene.plane(forward * self.far, right, DOWN, end, scale)
        scene.plane(right * -self.left, forward, DOWN, sides, scale)
        scene.plane(right * self.right, forward, DOWN, sides, scale)
        if chance(0.5):
            self._skirting_boards(right, forward)
        half = (self.left + self.right) / 2
        hang_on_walls(
            scene,
            -self.ceiling + 0.1,
            scene.eye_height - 0.3,
            [
                (forward * self.far + right * (self.right - self.left) / 2, right, half),
                (right * -self.left + forward * self.far * 0.55, forward, self.far * 0.45),
                (right * self.right + forward * self.far * 0.55, forward, self.far * 0.45),
            ],
        )
        if chance(0.4):
            for _ in range(integer(1, 4)):
                across = uniform(-self.left, self.right) * 0.7
                spot = rotation @ np.array([across, -self.ceiling + 0.01, uniform(0.5, 1) * self.far])
                size = uniform(0.1, 0.5), uniform(0.1, 0.5)
                scene.quad(spot, right, forward, *size, Fixed.white, light=uniform(1.2, 2))

    def _skirting_boards(self, right, forward):
        board = texture("wall", "wood", "flat")
        walls = (
            (forward * (self.far - 0.01), right),
            (right * -(self.left - 0.01), forward),
            (right * (self.right - 0.01), forward),
        )
        for centre, axis in walls:
            self.scene.quad(centre + DOWN * (self.scene.eye_height - 0.05), axis, DOWN, 20, 0.05, board)

    @property
    def turn(self):
        return np.arctan2(self.rotation[0, 2], self.rotation[2, 2])

    def spots(self, count, near=0.9):
        """Up to `count` places (x, z) on the floor, most of them within the view."""
        scene = self.scene
        for _ in range(count * 3):
            if count <= 0:
                return
            if chance(0.8):
                z = uniform(min(near, self.far * 0.6), self.far)
                x = uniform(-0.6, 0.6) * scene.width / scene.focal_px * z
                inside = self.rotation.T @ np.array([x, 0, z])
                if not (-self.left < inside[0] < self.right and 0.3 < inside[2] < self.far * 0.96):
                    continue
                count -= 1
                yield x, z
                continue
            across = uniform(-self.left, self.right) * 0.9
            ahead = uniform(min(near, self.far * 0.6), self.far * 0.95)
            spot = self.rotation @ np.array([across, 0, ahead])
            if spot[2] > 0.4:
                count -= 1
                yield spot[0], spot[2]

    def lamp(self):
        """A place for a lamp below the ceiling."""
        return self.rotation @ np.array(
            [uniform(-self.left, self.right), -self.ceiling * 0.7, self.far * uniform(0.2, 0.9)]
        )


def places_on_table(top, width, depth, count):
    """Offsets (right, down, forward) of things from the foot of a table with the rotation `top`."""
    for _ in range(count):
        yield top @ np.array([uniform(-0.42, 0.42) * width, 0, uniform(-0.42, 0.42) * depth])


def put_on_table(scene, x, z, height, places, smallest, largest):
    for offset in places:
        base = scene.eye_height - height - 0.03
        small_thing(scene, x + offset[0], z + offset[2], base, log_uniform(smallest, largest))


def room(portrait):
    scene = Scene(portrait, log_uniform(0.5, 1.2), degrees(11, 9), degrees(0, 3), uniform(0.9, 1.9))
    shell = Room(scene)
    if chance(0.5):  # rug
        spot = shell.rotation @ np.array(
            [uniform(-shell.left, shell.right) * 0.5, 0, shell.far * uniform(0.4, 0.8)]
        )
        centre = [spot[0], scene.eye_height - 0.01, spot[2]]
        size = uniform(0.4, 1.5), uniform(0.4, 1.2)
        pattern = texture("fabric", "art", "stripe", "noise")
        scene.quad(centre, shell.rotation[:, 0], shell.rotation[:, 2], *size, pattern, 0.5, surface=GROUND)
    for x, z in shell.spots(integer(3, 13)):
        kind = rng.random()
        turn = shell.turn + pick([0, 1.57, -1.57, 3.14]) + normal(0, 0.15)
        if kind < 0.2:
            height = uniform(0.4, 0.8)
            width, depth = uniform(0.6, 1.8), uniform(0.5, 1)
            top = table(scene, x, z, turn, width, depth, height)
            put_on_table(scene, x, z, height, places_on_table(top, width, depth, integer(0, 7)), 0.05, 0.2)
        elif kind < 0.35:
            chair(scene, x, z, uniform(0, TURN))
        elif kind < 0.48:
            sofa(scene, x, z, turn)
        elif kind < 0.55:
            bed(scene, x, z, turn)
        elif kind < 0.67:
            shelf(scene, x, z, turn)
        elif kind < 0.8:
            cabinet(scene, x, z, turn)
        elif kind < 0.84:
            floor_lamp(scene, x, z)
        elif kind < 0.9:
            scene.standing_cutout(cutout("plant"), x, z, uniform(0.6, 1.7), turn=normal(0, 0.3))
        else:
            small_thing(scene, x, z, size=log_uniform(0.15, 0.5))
    if chance(0.3):
        x, z = next(shell.spots(20, 1.3), (0, 2))
        subject(scene, x, z, outdoor=False)
    return scene.finish(False, lamp=shell.lamp() if chance(0.7) else None, blur_chance=0.12)


def corner(portrait):
    """Things at home seen from one or two metres: furniture, stacks, toys and boxes before a wall."""
    scene = Scene(portrait, log_uniform(0.75, 1.9), degrees(16, 8), degrees(0, 3), uniform(0.45, 1.4))
    shell = Room(scene, far=uniform(1.3, 3.6), turn=normal(0, 0.3))
    size = uniform(0.7, 1.4)
    for x, z in shell.spots(integer(4, 15), 0.8):
        kind = rng.random()
        if kind < 0.12:
            chair(scene, x, z, uniform(0, TURN))
        elif kind < 0.22:
            cabinet(scene, x, z, shell.turn + normal(0, 0.3))
        elif kind < 0.3:
            shelf(scene, x, z, shell.turn + normal(0, 0.2))
        elif kind < 0.38:
            height = uniform(0.35, 0.75)
            width, depth = uniform(0.4, 1.2), uniform(0.35, 0.8)
            turn = shell.turn + normal(0, 0.4)
            top = table(scene, x, z, turn, width, depth, height)
            places = list(places_on_table(top, width, depth, integer(1, 6)))
            put_on_table(scene, x, z, height, places, 0.04, 0.16)
        elif kind < 0.46:
            scene.standing_cutout(cutout("plant"), x, z, uniform(0.4, 1.3), turn=normal(0, 0.3))
        elif kind < 0.5:
            fence, height = cutout("fence"), uniform(0.4, 1.0)
            width = uniform(0.4, 1.2)
            scene.standing_cutout(fence, x, z, height, width=width, turn=normal(0, 0.6), bulge=0)
        elif kind < 0.55:
            _leaning_board(scene, x, z)
        else:
            small_thing(scene, x, z, size=log_uniform(0.07, 0.35) * size)
    return scene.finish(False, lamp=shell.lamp() if chance(0.6) else None, blur_chance=0.15)


def _leaning_board(scene, x, z):
    height = uniform(0.8, 1.9)
    lean = normal(0, 0.25)
    c, s = np.cos(lean), np.sin(lean)
    rotation = yaw(uniform(0, 3)) @ np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]])
    half = [uniform(0.015, 0.08), height / 2, uniform(0.015, 0.08)]
    scene.box([x, scene.eye_height - height / 2, z], rotation, half, texture("wood", "flat", "art"))


def corridor(portrait):
    """A corridor, or a narrow lane between houses."""
    outdoor = chance(0.3)
    scene = Scene(portrait, log_uniform(0.55, 1.2), degrees(3, 6), degrees(0, 2.5), uniform(1.0, 1.8))
    turn = normal(0, 0.15)
    end = log_uniform(6, 40)
    width = uniform(0.7, 1.6) * (1.8 if outdoor else 1)
    if outdoor:
        scene.sky()
    rotation = yaw(turn)
    right, forward = rotation[:, 0], rotation[:, 2]
    left_at, right_at = width * uniform(0.6, 1.4), width * uniform(0.6, 1.4)
    wall = (
        texture("window", "brick", "stone") if outdoor else texture("wall", "wall", "tile", "brick", "wood")
    )
    scale = uniform(0.12, 0.5)
    floor = "tile tile wood asphalt stone flat fabric".split()
    scene.ground(texture(*floor), uniform(0.2, 0.8))
    ceiling = uniform(0.8, 1.5)
    if not outdoor:
        scene.plane([0, -ceiling, 0], right, forward, texture("wall", "tile", "flat"), scale)
    closing = texture("wall", "photo", "window", "grad")
    scene.quad(forward * end, right, DOWN, 30, 30, closing, 0.2, gain=uniform(0.7, 1.4))
    for side, distance in ((-1, left_at), (1, right_at)):
        if outdoor:
            height = uniform(3, 15)
            centre = right * side * distance + DOWN * (scene.eye_height - height) + forward * 15
            scene.quad(centre, forward, DOWN, 30, height, wall, scale)
        else:
            scene.plane(right * side * distance, forward, DOWN, wall, scale)
        _doors(scene, rotation, side, distance, end, wall)
    if not outdoor and chance(0.7):
        spacing = uniform(1.5, 4)
        for k in range(int(min(end, 30) / spacing)):
            spot = forward * (1 + k * spacing) + DOWN * (-ceiling + 0.01)
            scene.quad(spot, right, forward, uniform(0.2, 0.4), 0.3, Fixed.white, light=1.6)
    for _ in range(integer(0, 4)):
        spot = rotation @ np.array([uniform(-0.7, 0.7) * width, 0, log_uniform(1.5, end * 0.8)])
        if chance(0.6):
            person(scene, spot[0], spot[2])
        else:
            small_thing(scene, spot[0], spot[2], size=uniform(0.2, 0.6))
    return scene.finish(outdoor, blur_chance=0.1)


def _doors(scene, rotation, side, distance, end, wall):
    """Doors, pictures or pillars at equal distances along one side."""
    right, forward = rotation[:, 0], rotation[:, 2]
    spacing = uniform(1.5, 4)
    first = uniform(0, spacing)
    door = texture("wood", "flat", "wall", "photo")
    kind = rng.random()
    for k in range(int(min(end, 28) / spacing)):
        spot = right * side * (distance - 0.02) + forward * (first + k * spacing)
        if kind < 0.6:
            centre = spot + DOWN * (scene.eye_height - 1.0)
            scene.quad(centre, forward, DOWN, 0.45, 1.0, door, 0.5, gain=uniform(0.8, 1))
        elif kind < 0.8:
            size = uniform(0.2, 0.5), uniform(0.2, 0.5)
            scene.quad(spot, forward, DOWN, *size, texture("art", "photo", "text"), 0.8)
        else:
            pillar = right * side * (distance - 0.15) + forward * (first + k * spacing)
            scene.box(pillar + DOWN * (scene.eye_height - 1.5), rotation, [0.15, 1.6, 0.15], wall)


def street(portrait):
    focal, pitch, roll = log_uniform(0.55, 1.6), degrees(2, 5), degrees(0, 2)
    scene = Scene(portrait, focal, pitch, roll, uniform(1.2, 2.2) if chance(0.8) else uniform(3, 12))
    scene.sky()
    rotation = yaw(normal(0, 0.3))
    right, forward = rotation[:, 0], rotation[:, 2]
    distance = uniform(3, 9)
    scene.ground(texture("asphalt", "asphalt", "ground", "stone", "grass"), uniform(0.08, 0.4))
    road = distance * uniform(0.4, 0.8)
    offset = uniform(-0.5, 0.5) * road

    def at(across, ahead):
        return rotation @ np.array([offset + across, 0, ahead])

    surface = texture("asphalt", "asphalt", "stone", "ground")
    height = DOWN * (scene.eye_height - 0.004)
    scene.quad(at(0, 60.0) + height, right, forward, road, 80, surface, uniform(0.08, 0.4), surface=GROUND)
    if chance(0.7):
        _lane_marks(scene, at, right, forward)
    if chance(0.5):
        for side in SIGNS:  # kerbs
            centre = at(side * (road + 0.6), 60.0) + DOWN * (scene.eye_height - 0.06)
            scene.box(centre, rotation, [0.6, 0.07, 80], texture("stone", "asphalt"), scale=0.5)
    houses = chance(0.85), chance(0.75)
    for side, built in zip(SIGNS, houses, strict=True):
        if built:
            street_side(scene, side, rotation, distance, uniform(0.4, 1.3))
            continue
        for _ in range(integer(3, 10)):
            spot = rotation @ np.array([side * (distance + uniform(0, 15)), 0, uniform(4, 70)])
            tree(scene, spot[0], spot[2])
    if chance(0.5):
        far, z, height = cutout("line", "skyline", "hill"), uniform(90, 250), uniform(8, 40)
        scene.standing_cutout(far, 0, z, height, width=400, shadow=False, bulge=0)
    heading = np.arctan2(rotation[0, 2], rotation[2, 2])
    for _ in range(integer(0, 7)):
        spot = at(pick([-1, 1]) * road * uniform(0.3, 0.95), log_uniform(5, 60))
        car(scene, spot[0], spot[2], heading + pick([0, 3.14]) + normal(0, 0.05))
    spacing = uniform(8, 25)
    side = pick([-1, 1])
    first = uniform(2, 10)
    pole = texture("flat", "stone")
    if chance(0.6):
        for k in range(5):
            spot = at(side * (road + 0.4), first + k * spacing)
            scene.cone([spot[0], scene.eye_height, spot[2]], 0.09, uniform(4, 7), 0, pole)
    for _ in range(integer(0, 5)):
        spot = at(pick([-1, 1]) * (road + uniform(0.2, 1.5)), log_uniform(2.5, 30))
        (subject if chance(0.35) else person)(scene, spot[0], spot[2])
    for _ in range(integer(0, 5)):
        spot = rotation @ np.array([pick([-1, 1]) * distance * uniform(0.8, 1), 0, log_uniform(4, 50)])
        tree(scene, spot[0], spot[2], uniform(3, 9))
    return scene.finish(True, blur_chance=0.06)


def _lane_marks(scene, at, right, forward):
    spacing = uniform(2, 6)
    for k in range(14):
        spot = at(0, 2 + k * spacing) + DOWN * (scene.eye_height - 0.012)
        length = spacing * uniform(0.2, 0.35)
        scene.quad(spot, right, forward, 0.07, length, Fixed.white, surface=GROUND, gain=uniform(0.7, 1))


def open_ground(portrait):
    scene = Scene(portrait, log_uniform(0.6, 1.7), degrees(6, 7), degrees(0, 2), log_uniform(0.5, 2.5))
    scene.sky()
    kinds = "grass grass ground ground stone asphalt flowers foliage".split()
    scene.ground(texture(*kinds), log_uniform(0.1, 0.8))
    backdrop(scene)
    if chance(0.4):  # path
        rotation = yaw(normal(0, 0.5))
        centre = rotation @ np.array([normal(0, 1), 0, 40.0]) + np.array([0, scene.eye_height - 0.005, 0])
        width, surface = uniform(0.5, 2.5), texture("ground", "asphalt", "stone")
        scene.quad(centre, rotation[:, 0], rotation[:, 2], width, 60, surface, 0.3, surface=GROUND)
    trees = [(log_uniform(3, 60), normal(0, 0.45)) for _ in range(integer(0, 12))]
    bushes = [(log_uniform(1.2, 12), normal(0, 0.4)) for _ in range(integer(0, 7))]
    for z, across in trees:
        tree(scene, across * z, z)
    for z, across in bushes:
        _bush(scene, across * z, z)
    for _ in range(integer(0, 6)):
        z = log_uniform(1, 20)
        rock(scene, z, uniform(0.1, 0.8), ("stone", "ground", "photo"))
    if chance(0.35):
        fence, x, z, height = cutout("fence"), normal(0, 2), log_uniform(3, 20), uniform(0.7, 1.6)
        scene.standing_cutout(fence, x, z, height, width=uniform(6, 40), turn=normal(0, 0.5), bulge=0)
    if chance(0.2):  # house
        x, z = normal(0, 6), uniform(12, 50)
        height = uniform(3, 6)
        turned = yaw(uniform(0, 3))
        half = [uniform(3, 6), height / 2, uniform(3, 5)]
        sides = [texture("window"), texture("brick", "wood"), texture("window")]
        scene.box([x, scene.eye_height - height / 2, z], turned, half, sides, scale=0.2)
    for _ in range(pick([0, 0, 1, 1, 1, 2, 3])):
        z = log_uniform(1.6, 14)
        subject(scene, normal(0, 0.3) * z, z)
    return scene.finish(True, blur_chance=0.2)


def _bush(scene, x, z):
    plant = cutout("bush") if chance(0.6) else cutout("plant")
    height = log_uniform(0.2, 1.6)
    turn = normal(0, 0.3)
    width = None if chance(0.5) else uniform(0.4, 3)
    scene.standing_cutout(plant, x, z, height, turn=turn, width=width)


def mountain(portrait):
    scene = Scene(portrait, log_uniform(0.6, 1.8), degrees(2, 6), degrees(0, 1.5), log_uniform(1.5, 30))
    scene.sky()
    scene.ground(texture("grass", "ground", "stone", "foliage", "water"), log_uniform(0.02, 0.3))
    eye = scene.eye_height
    for k in range(integer(2, 7)):
        z = 2500 * 0.5**k * uniform(0.7, 1.2)
        hill, x = cutout("hill"), normal(0, 0.2) * z
        height = z * log_uniform(0.12, 0.6) / (1 + 0.3 * k)
        scene.standing_cutout(
            hill,
            x,
            z,
            height,
            eye + z * 0.03,
            width=z * uniform(2.5, 5),
            shadow=False,
            bulge=0,
            tilt=uniform(0, 0.8),
            turn=normal(0, 0.3),
            gain=uniform(0.7, 1.1),
        )
    for _ in range(integer(0, 10)):
        z = log_uniform(6, 90) * eye / 2
        tree(scene, normal(0, 0.4) * z, z, uniform(4, 14))
    for _ in range(integer(0, 5)):
        z = log_uniform(2, 15) * eye / 2
        rock(scene, z, uniform(0.2, 1) * eye / 2, ("stone", "ground"), largest=1.3)
    if chance(0.3):
        z = uniform(2.5, 8)
        if eye < 3:
            subject(scene, normal(0, 0.2) * z, z)
    return scene.finish(True, haze=log_uniform(0.0002, 0.004), blur_chance=0.05)


def sea(portrait):
    """Sea or lake, often with a shore in front."""
    scene = Scene(portrait, log_uniform(0.6, 1.8), degrees(4, 6), degrees(0, 1.5), log_uniform(1.2, 15))
    scene.sky()
    scene.ground(texture("water", "water", "water", "noise"), log_uniform(0.03, 0.4))
    distance = 1 / np.maximum(scene.inverse_depth, 1e-4)
    reflection = np.clip(distance / (scene.eye_height * 40), 0, 0.7) * (scene.surface == GROUND)
    scene.image += (scene.horizon_colour - scene.image) * reflection[..., None]
    if chance(0.5):  # far coast
        z = uniform(200, 900)
        coast, x, height = cutout("hill", "hill", "skyline", "line"), normal(0, 100), z * uniform(0.03, 0.2)
        scene.standing_cutout(coast, x, z, height, width=z * uniform(0.5, 4), shadow=False, bulge=0)
    if chance(0.6):
        _shore(scene)
    for _ in range(integer(0, 4)):
        _boat(scene)
    for _ in range(integer(0, 5)):
        z = log_uniform(3, 40)
        rock(scene, z, uniform(0.2, 1.5), ("stone", "stone", "ground"), spread=0.5, lift=0.2, largest=1.4)
    for _ in range(pick([0, 0, 1, 1, 2])):
        z = log_uniform(2, 10)
        subject(scene, normal(0, 0.3) * z, z)
    if chance(0.25):  # palm
        z = uniform(3, 9)
        foot = [normal(0, 0.3) * z, scene.eye_height, z]
        scene.cone(foot, 0.12, uniform(2.5, 5), -0.01, texture("wood"))
        crown, x, height = cutout("plant"), normal(0, 0.3) * z, uniform(1, 3)
        scene.standing_cutout(crown, x, z, height, scene.eye_height - 3, shadow=False)
    return scene.finish(True, blur_chance=0.06)


def _shore(scene):
    rotation = yaw(normal(0, 0.5))
    edge = uniform(1.5, 12)
    centre = rotation @ np.array([0, 0, edge - 30.0]) + np.array([0, scene.eye_height - 0.03, 0])
    sand = texture("ground", "ground", "stone", "grass")
    scene.quad(centre, rotation[:, 0], rotation[:, 2], 200, 30, sand, 0.3, surface=GROUND)
    for _ in range(integer(0, 4)):
        x, z = normal(0, 0.4) * edge * 0.7, edge * uniform(0.4, 0.9)
        small_thing(scene, x, z, size=uniform(0.08, 0.5))


def _boat(scene):
    z = log_uniform(12, 120)
    size = uniform(0.5, 3)
    turned = yaw(uniform(0, 3))
    hull = [size * 0.4, size * 0.3, size * 1.3]
    scene.box([normal(0, 0.4) * z, scene.eye_height - size * 0.3, z], turned, hull, texture("flat", "wood"))
    scene.cone([normal(0, 0.3) * z, scene.eye_height, z], 0.05, size * 3, 0, texture("flat"))


def tabletop(portrait):
    """Things on a table, seen from close by."""
    focal, pitch, roll = log_uniform(0.8, 1.9), np.deg2rad(uniform(4, 48)), degrees(0, 4)
    scene = Scene(portrait, focal, pitch, roll, uniform(0.18, 0.6))
    height = scene.eye_height
    outdoor = chance(0.15)
    far = uniform(0.9, 5)
    rotation = yaw(normal(0, 0.4))
    if outdoor:
        scene.sky()
        line, z, tall = cutout("line"), uniform(4, 20), uniform(2, 6)
        scene.standing_cutout(line, 0, z, tall, height + 1, width=60, shadow=False, bulge=0)
    else:
        _room_behind(scene, rotation, far)
    depth = uniform(0.35, 1.6)
    width = uniform(0.5, 2.0)
    top = texture(*"wood wood wall fabric stone flat tile photo grad".split())
    turned = yaw(normal(0, 0.35))
    centre = turned @ np.array([normal(0, 0.15), 0, depth * 0.45 + 0.05])
    right, forward = rotation[:, 0], rotation[:, 2]
    if chance(0.35):
        if chance(0.6):
            scene.plane([0, height, 0], [1, 0, 0], [0, 0, 1], top, uniform(0.4, 2), surface=GROUND)
        else:
            middle = [0, height, far / 2]
            scene.quad(middle, right, forward, 9, far / 2 + 1, top, uniform(0.5, 2), surface=GROUND)
    else:
        half = [width, 0.02, depth * 0.75]
        middle = [centre[0], height + 0.02, centre[2]]
        scene.box(middle, turned, half, top, scale=uniform(0.5, 2), surface=GROUND)
    distances = [height * uniform(0.8, 1) + log_uniform(0.12, depth) for _ in range(integer(2, 13))]
    size = log_uniform(0.03, 0.12)
    for _ in range(integer(0, 3)):  # sheets of paper
        z = uniform(0.3, depth)
        if chance(0.5):
            sheet = [normal(0, 0.35) * z, height - 0.004, z]
            half = uniform(0.08, 0.2), uniform(0.08, 0.2)
            print_on_it = texture("text", "art", "photo", "fabric")
            scene.quad(sheet, [1, 0, 0], [0, 0, 1], *half, print_on_it, 2.0, surface=GROUND)
    for z in distances:
        x = normal(0, 0.35) * z
        small_thing(scene, x, z, size=size * log_uniform(0.5, 2))
    if chance(0.15):
        x, z = normal(0, 0.3), depth + uniform(0.2, 0.8)
        person(scene, x, z, base=height + 0.75, sitting=True)
    lamp = [uniform(-1, 1), -0.6, uniform(0.2, 1.5)] if chance(0.5) else None
    return scene.finish(outdoor, blur_chance=0.5, lamp=lamp)


def _room_behind(scene, rotation, far):
    """Floor, walls and furniture around a table whose top is at the scene's own ground."""
    table_height = scene.eye_height
    right, forward = rotation[:, 0], rotation[:, 2]
    scene.eye_height = table_height + 0.75
    scene.ground(texture("wood", "tile", "fabric", "flat"), 0.5)
    scene.eye_height = table_height
    wall = texture("wall", "wall", "brick", "photo", "wood", "books", "grad")
    scene.plane(forward * far, right, DOWN, wall, uniform(0.2, 0.8))
    if chance(0.5):
        side = uniform(0.5, 2) * pick([-1, 1])
        scene.plane(right * side, forward, DOWN, texture("wall", "wood", "photo"), 0.5)
    hang_on_walls(scene, -0.8, table_height + 0.3, [(forward * far, right, 1.5)])
    for _ in range(integer(0, 4)):
        z = uniform(0.8, far)
        scene.eye_height = table_height + 0.75
        draw = [chair, sofa, cabinet, _person_facing_anywhere][integer(0, 4)]
        x = normal(0, 0.4) * z
        draw(scene, x, max(1.0, z), uniform(0, 6))
        scene.eye_height = table_height


def _person_facing_anywhere(scene, x, z, _turn):
    person(scene, x, z)


def background(scene):
    """Whatever stands behind a subject. Returns whether it is outdoors."""
    if chance(0.5):
        shell = Room(scene, far=log_uniform(1.5, 6))
        for x, z in shell.spots(integer(0, 5), 1.5):
            pick([chair, sofa, shelf, cabinet])(scene, x, z, uniform(0, 6))
        return False
    scene.sky()
    scene.ground(texture("grass", "ground", "asphalt", "stone", "water"), log_uniform(0.1, 0.6))
    backdrop(scene)
    if chance(0.4):
        street_side(scene, pick([-1, 1]), yaw(normal(0, 0.3)), uniform(3, 9), 1)
    for z in [log_uniform(3, 40) for _ in range(integer(0, 8))]:
        tree(scene, normal(0, 0.5) * z, z)
    return True


def portrait_or_selfie(portrait):
    """Head and shoulders or half body, cropped at the bottom."""
    distance = log_uniform(0.45, 2.2)
    focal = log_uniform(0.6, 1.9)
    pitch = np.deg2rad(normal(2, 3.5) + (5 if portrait else 1))
    scene = Scene(portrait, focal, pitch, degrees(0, 5), uniform(1.2, 1.7))
    outdoor = background(scene)
    count = pick([1, 1, 1, 1, 2, 2, 3])
    for k in range(count):
        height = scene.eye_height / (uniform(0.86, 1.0) if distance > 0.9 else 0.93)
        z = distance * (1 + (uniform(0, 0.5) if k else 0))
        x = (k - (count - 1) / 2) * uniform(0.4, 0.6) + normal(0, 0.06) * z
        person(scene, x, z, height + normal(0, 0.06), turn=normal(0, 0.3))
    if PHOTO_CUTOUTS and chance(0.15):
        faces = [face for name, face in PHOTO_CUTOUTS if name in ("astronaut", "chelsea")]
        if faces:
            face, x = pick(faces), normal(0, 0.15) * distance
            base = distance * uniform(0.35, 0.5)
            scene.standing_cutout(face, x, distance * 1.1, distance * 0.9, base, shadow=False)
    return scene.finish(outdoor, blur_chance=0.65)


def people(portrait):
    scene = Scene(portrait, log_uniform(0.6, 1.7), degrees(4, 5), degrees(0, 2.5), uniform(0.9, 1.9))
    outdoor = background(scene)
    distance = log_uniform(1.6, 6)
    if chance(0.3):
        count = integer(5, 16)
        for z in sorted([log_uniform(1.5, 14) for _ in range(count)]):
            person(scene, normal(0, 0.35) * z, z)
    else:
        for _ in range(integer(1, 4)):
            x = normal(0, 0.22) * distance
            subject(scene, x, distance * uniform(0.8, 1.4))
    if chance(0.3):
        z = distance * uniform(0.5, 0.9)
        x = normal(0, 0.2) * z
        animal(scene, x, z, uniform(0.3, 1))
    return scene.finish(outdoor, blur_chance=0.3)


def one_animal(portrait):
    focal, pitch, roll = log_uniform(0.8, 2.0), np.deg2rad(uniform(-3, 25)), degrees(0, 4)
    scene = Scene(portrait, focal, pitch, roll, log_uniform(0.3, 1.5))
    outdoor = background(scene)
    z = scene.eye_height * log_uniform(0.9, 3)
    if PHOTO_CUTOUTS and chance(0.3):
        chosen = pick(PHOTO_CUTOUTS)[1]
        x, height = normal(0, 0.1) * z, z * uniform(0.35, 0.9)
        scene.standing_cutout(chosen, x, z, height, turn=normal(0, 0.15))
    else:
        x = normal(0, 0.12) * z
        animal(scene, x, z, z * uniform(0.3, 0.7))
    for distance in [z * uniform(0.7, 2) for _ in range(integer(0, 4))]:
        x = normal(0, 0.4) * distance
        small_thing(scene, x, distance, size=distance * uniform(0.05, 0.15))
    return scene.finish(outdoor, blur_chance=0.55)


def flat_wall(portrait):
    """A wall with pictures, seen almost straight on."""
    scene = Scene(portrait, log_uniform(0.7, 1.6), degrees(0, 6), degrees(0, 2), uniform(0.8, 1.7))
    rotation = yaw(normal(0, 0.5))
    right, forward = rotation[:, 0], rotation[:, 2]
    distance = uniform(0.6, 3.5)
    scene.ground(texture("wood", "asphalt", "tile", "stone"), 0.4)
    wall = texture("wall", "brick", "window", "stone", "tile", "photo", "wood")
    scene.plane(forward * distance, right, DOWN, wall, uniform(0.2, 1))
    for _ in range(integer(1, 4)):
        hang_on_walls(scene, -1.4, scene.eye_height - 0.1, [(forward * distance, right, distance * 0.8)])
    for _ in range(integer(0, 3)):
        spot = rotation @ np.array([uniform(-0.6, 0.6) * distance, 0, distance * uniform(0.6, 0.93)])
        if chance(0.6):
            small_thing(scene, spot[0], spot[2], size=uniform(0.08, 0.5))
        else:
            subject(scene, spot[0], spot[2], outdoor=False)
    lamp = [uniform(-1, 1), -1.0, distance * 0.6] if chance(0.5) else None
    return scene.finish(False, blur_chance=0.1, lamp=lamp)


def flat_lay(portrait):
    """Looking straight down on a table, a floor or a plate."""
    focal = log_uniform(0.8, 1.8)
    pitch = np.deg2rad(90 + normal(0, 8)) * (1 if chance(0.6) else uniform(0.6, 0.9))
    roll = np.deg2rad(uniform(-180, 180) if chance(0.3) else normal(0, 8))
    scene = Scene(portrait, focal, pitch, roll, uniform(0.3, 1.6))
    height = scene.eye_height
    kinds = "wood wall fabric stone tile flat text photo ground grass".split()
    scene.ground(texture(*kinds), uniform(0.4, 2) / height)
    size = height * log_uniform(0.06, 0.2)
    for _ in range(integer(3, 18)):
        x, z = normal(0, 0.3) * height, normal(0.05, 0.3) * height
        small_thing(scene, x, z, size=size * log_uniform(0.4, 1.6))
    if chance(0.2) and height > 1:
        x, z = normal(0, 0.2) * height, normal(0.4, 0.2) * height
        person(scene, x, z, uniform(0.6, 1.4))
    return scene.finish(False, blur_chance=0.2)


def looking_up(portrait):
    """Buildings and trees from below."""
    scene = Scene(portrait, log_uniform(0.5, 1.2), -np.deg2rad(uniform(15, 60)), degrees(0, 5), 1.6)
    scene.sky()
    scene.ground(texture("asphalt", "grass"), 0.3)
    rotation = yaw(normal(0, 0.4))
    distance = uniform(3, 12)
    for side in SIGNS:
        if chance(0.8):
            street_side(scene, side, rotation, distance, uniform(1, 4))
    for _ in range(integer(0, 4)):
        z = uniform(8, 60)
        height = uniform(15, 90)
        width = uniform(3, 10)
        centre = [normal(0, 0.4) * z, scene.eye_height - height / 2, z + width]
        turned = rotation if chance(0.7) else yaw(uniform(0, 3))
        sides = [texture("window"), texture("stone"), texture("window")]
        scene.box(centre, turned, [width, height / 2, width], sides, scale=uniform(0.05, 0.2))
    for _ in range(integer(0, 5)):
        z = uniform(2, 15)
        x = normal(0, 0.5) * z
        tree(scene, x, z, uniform(4, 15))
    return scene.finish(True, blur_chance=0.03)


def close_up(portrait):
    """Flowers, leaves and things near the lens, blurred behind."""
    scene = Scene(portrait, log_uniform(0.8, 2.2), degrees(10, 15), degrees(0, 6), uniform(0.25, 1.2))
    outdoor = background(scene)
    eye = scene.eye_height
    count = integer(1, 9)
    kind = pick(["plants", "balls", "photographs"])
    for _ in range(count):
        z = eye * log_uniform(0.35, 1.6) + 0.1
        x = normal(0, 0.3) * z
        top = eye - uniform(0.3, 1.0) * eye - normal(0, 0.1)
        if kind == "balls" or (kind == "photographs" and not PHOTO_CUTOUTS):
            _flower_of_balls(scene, x, z, top)
        elif kind == "photographs" and chance(0.5):
            chosen, height = pick(PHOTO_CUTOUTS)[1], z * uniform(0.4, 1)
            scene.standing_cutout(chosen, x, z, height, turn=normal(0, 0.2))
        else:
            plant, height = cutout("plant", "plant", "bush", "bare"), uniform(0.5, 1.2) * eye
            scene.standing_cutout(plant, x, z, height, turn=normal(0, 0.4))
    return scene.finish(outdoor, blur_chance=0.75)


def _flower_of_balls(scene, x, z, top):
    eye = scene.eye_height
    stem = texture("foliage", "grass", "wood")
    scene.cone([x, eye, z], z * 0.012, max(0.05, eye - top), 0, stem)
    size = z * uniform(0.06, 0.22)
    for _ in range(integer(1, 9)):
        centre = [x + normal(0, 0.4) * size, top + normal(0, 0.3) * size, z + normal(0, 0.3) * size]
        turned = any_rotation()
        radii = size * rng.uniform(0.25, 0.9, 3)
        scene.ellipsoid(centre, turned, radii, texture("flat", "flowers", "photo", "noise"))


def clutter(portrait):
    """Random solids, standing and floating: breaks every habit of layout."""
    scene = Scene(portrait, log_uniform(0.6, 1.8), degrees(10, 18), degrees(0, 10), uniform(0.4, 2.0))
    outdoor = chance(0.3)
    if outdoor:
        scene.sky()
        scene.ground(texture(), uniform(0.2, 1))
    else:
        Room(scene)
    eye = scene.eye_height
    size = log_uniform(0.5, 1.6)
    for _ in range(integer(3, 16)):
        z = log_uniform(0.7, 6) * eye
        x = normal(0, 0.4) * z
        half = 0.22 * size * eye * rng.uniform(0.3, 1.6, 3)
        y = eye - half[1] if chance(0.6) else normal(0, 0.35) * z
        turned = yaw(uniform(0, 3)) if chance(0.6) else any_rotation()
        kind = rng.random()
        if kind < 0.5:
            scene.shadow(x, z, half[0], half[2])
            sides = [texture() for _ in range(3)] if chance(0.5) else texture()
            scene.box([x, y, z], turned, half, sides)
        elif kind < 0.75:
            scene.ellipsoid([x, y, z], turned, half, texture(), gloss=pick([0, 0, 80]))
        elif kind < 0.9:
            slope = pick([0, -0.3, 0.2])
            scene.cone([x, y + half[1], z], half[0], 2 * half[1], slope, texture())
        else:
            right, down = turned[:, 0], turned[:, 1]
            scene.quad([x, y, z], right, down, half[0] * 1.5, half[1] * 1.5, texture())
    return scene.finish(outdoor, blur_chance=0.3)


FAMILIES = [
    (corner, 9),
    (room, 20),
    (corridor, 5),
    (street, 11),
    (open_ground, 10),
    (mountain, 4),
    (sea, 4),
    (tabletop, 12),
    (portrait_or_selfie, 8),
    (people, 6),
    (one_animal, 4),
    (flat_wall, 3),
    (flat_lay, 5),
    (looking_up, 2),
    (close_up, 5),
    (clutter, 7),
]
"""(family, how often it is drawn)"""
