"""A camera and primitives to draw with: a picture and its exact inverse depth at once (numpy + OpenCV, one core).

World: the camera is the origin, y points down (gravity), the floor is the plane y = eye_height. The ray of a pixel is
camera_to_world @ (x, y, 1); a point is t times its ray and t its depth, so inverse depth is 1 / t.
Primitives: quad (optionally with the outline of a cut-out, optionally bulging), box, ellipsoid, upright cone frustum.
Rotations are 3 x 3 with the columns right, down, forward.
"""

import cv2
import numpy as np

from randomness import chance, log_uniform, normal, pick, rng, uniform
from textures import SIZE, TURN, blend, fractal_noise, hsv

cv2.setNumThreads(1)
f32 = np.float32

NEAR = 0.08
"""Nothing is drawn closer to the camera than this."""
SKY, OBJECT, GROUND = 0, 1, 2
"""Values of Scene.surface."""
SIGNS = (-1, 1)
CORNERS = np.array([[i, j, k] for i in SIGNS for j in SIGNS for k in SIGNS], float)
DOWN = np.array([0, 1.0, 0])


def yaw(angle):
    """Rotation about the vertical axis."""
    c, s = np.cos(angle), np.sin(angle)
    return np.array([[c, 0, -s], [0, 1, 0], [s, 0, c]]).T


def any_rotation():
    q, _ = np.linalg.qr(rng.standard_normal((3, 3)))
    return q if np.linalg.det(q) > 0 else -q


def _cross(a, b):
    return np.array([a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]])


class Scene:
    """image: BGR 0..255 float32; inverse_depth; surface: what each pixel shows. All grow as primitives are drawn."""

    def __init__(self, portrait, focal, pitch, roll, eye_height):
        """focal: focal length in units of the long side; pitch (down) and roll in radians; eye_height in metres."""
        self.height, self.width = (256, 192) if portrait else (192, 256)
        self.focal_px = focal * 256
        self.eye_height = eye_height
        x = (np.arange(self.width, dtype=f32) + 0.5 - self.width / 2) / self.focal_px
        y = (np.arange(self.height, dtype=f32) + 0.5 - self.height / 2) / self.focal_px
        cp, sp, cr, sr = np.cos(pitch), np.sin(pitch), np.cos(roll), np.sin(roll)
        pitched = np.array([[1, 0, 0], [0, cp, sp], [0, -sp, cp]])
        rolled = np.array([[cr, -sr, 0], [sr, cr, 0], [0, 0, 1]])
        self.camera_to_world = (pitched @ rolled).astype(f32)
        xs, ys = np.meshgrid(x, y)
        self.rays = np.stack([xs, ys, np.ones_like(xs)], -1) @ self.camera_to_world.T
        self.image = np.zeros((self.height, self.width, 3), f32)
        self.inverse_depth = np.full((self.height, self.width), 1e-3, f32)
        self.surface = np.zeros((self.height, self.width), np.uint8)
        self.horizon_colour = np.array([225, 220, 215], f32)
        light = rng.standard_normal(3)
        light[1] = -abs(light[1]) - 0.4
        light[2] -= 0.3
        self.light = light / np.linalg.norm(light)
        """Direction to the light."""
        self.ambient = uniform(0.35, 0.8)

    # ---- helpers

    def screen_box(self, points):
        """Rows and columns (y0, y1, x0, x1) that may show the hull of the points; None when it is out of view."""
        camera = np.asarray(points, f32) @ self.camera_to_world
        z = camera[:, 2]
        if (z < NEAR).all():
            return None
        if (z < NEAR).any():
            return 0, self.height, 0, self.width
        px = camera[:, 0] / z * self.focal_px + self.width / 2
        py = camera[:, 1] / z * self.focal_px + self.height / 2
        x0, x1 = max(0, int(px.min()) - 1), min(self.width, int(px.max()) + 2)
        y0, y1 = max(0, int(py.min()) - 1), min(self.height, int(py.max()) + 2)
        return (y0, y1, x0, x1) if x1 > x0 and y1 > y0 else None

    def shade(self, normal_vector):
        """Light on a flat surface."""
        return self.ambient + (1 - self.ambient) * 1.15 * max(0.0, float(np.dot(normal_vector, self.light)))

    @staticmethod
    def sample(texture, u, v, detail):
        """Colour at texture coordinates (period 2, mirrored); detail: log2 of texels per pixel, or None for sharp."""
        u, v = _mirrored(u), _mirrored(v)
        scale = f32(2 * (SIZE - 1))
        colour = cv2.remap(texture.full, u * scale, v * scale, cv2.INTER_LINEAR)
        coarsest = float(detail.max())
        if coarsest > 0.4:
            small_scale = f32(2 * (texture.small.shape[0] - 1))
            small = cv2.remap(texture.small, u * small_scale, v * small_scale, cv2.INTER_LINEAR)
            share = np.clip(detail * f32(0.5), 0, 1)
            colour = cv2.blendLinear(colour, small, 1 - share, share)
            if coarsest > 2:
                share = np.clip((detail - f32(2)) * f32(1 / 3), 0, 0.92)[..., None]
                colour *= 1 - share
                colour += texture.mean * share
        return colour

    def _put(self, box, visible, colour, inverse, surface):
        y0, y1, x0, x1 = box
        np.copyto(self.image[y0:y1, x0:x1], colour, where=visible[..., None])
        np.copyto(self.inverse_depth[y0:y1, x0:x1], inverse, where=visible)
        np.copyto(self.surface[y0:y1, x0:x1], surface, where=visible)

    def _detail(self, distance, texels_per_metre):
        return np.log2(np.maximum(distance * f32(texels_per_metre), f32(1e-3)))

    # ---- primitives

    def quad(
        self,
        centre,
        a,
        b,
        half_a,
        half_b,
        texture,
        scale=1.0,
        offset=None,
        surface=OBJECT,
        cutout=None,
        bulge=0.0,
        recess=0.0,
        light=None,
        gain=1.0,
        bounded=True,
    ):
        """A rectangle with unit axes a and b, or the whole plane when not bounded.

        scale: texture periods / 2 per metre; cutout: takes outline and colour from it; bulge: metres that its middle
        comes forward; recess: metres that the depth lies behind the surface (a view through a window).
        """
        centre, a, b = np.asarray(centre, float), np.asarray(a, float), np.asarray(b, float)
        n = _cross(a, b)
        offset_along_n = float(centre @ n)
        if abs(offset_along_n) < 1e-4:
            return
        box = (0, self.height, 0, self.width)
        if bounded:
            box = self.screen_box([centre + a * half_a * i + b * half_b * j for i in SIGNS for j in SIGNS])
        if box is None:
            return
        y0, y1, x0, x1 = box
        projected = cv2.transform(self.rays[y0:y1, x0:x1], np.array([n / offset_along_n, a, b], f32))
        inverse = projected[..., 0]
        t = 1 / np.maximum(inverse, 1e-4)
        u = t * projected[..., 1] - f32(centre @ a)
        v = t * projected[..., 2] - f32(centre @ b)
        visible = (inverse > self.inverse_depth[y0:y1, x0:x1]) & (inverse < 1 / NEAR)
        if bounded:
            visible &= (np.abs(u) < half_a) & (np.abs(v) < half_b)
        if not visible.any():
            return
        if light is None:
            light = self.shade(-n * np.sign(offset_along_n))
        if cutout is not None:
            self._draw_cutout(
                box, cutout, u / half_a, v / half_b, t, inverse, visible, half_b, bulge, light * gain, surface
            )
            return
        box, (inverse, t, u, v, visible) = _tighten(box, visible, (inverse, t, u, v, visible))
        offset_u, offset_v = rng.random(2) * 2 if offset is None else offset
        slant = max(0.25, abs(offset_along_n) / (np.linalg.norm(centre) + 1e-6)) ** 0.5
        detail = self._detail(t, (scale * SIZE / self.focal_px) / slant)
        colour = self.sample(texture, u * f32(scale) + f32(offset_u), v * f32(scale) + f32(offset_v), detail)
        colour = colour * f32(light * gain)
        self._put(box, visible, colour, inverse if not recess else 1 / (t + recess), surface)

    def _draw_cutout(self, box, cutout, u, v, t, inverse, inside, half_height, bulge, light, surface):
        y0, y1, x0, x1 = box
        rows, columns = cutout.rgba.shape[:2]
        at_u, at_v = (u * 0.5 + 0.5) * (columns - 1), (v * 0.5 + 0.5) * (rows - 1)
        pixels_per_texel = self.focal_px / (max(t[inside].min(), NEAR)) * 2 * half_height / rows
        source = cutout.rgba
        if pixels_per_texel < 0.5:
            source = cv2.GaussianBlur(source, (0, 0), 0.45 / pixels_per_texel)
        rgba = cv2.remap(source, at_u, at_v, cv2.INTER_LINEAR)
        opacity = rgba[..., 3] / 255 * inside
        colour = rgba[..., :3] * light
        if bulge:
            forward = bulge * cv2.remap(cutout.bulge, at_u, at_v, cv2.INTER_LINEAR)
            inverse = np.where(inside, 1 / np.maximum(t - forward, NEAR), inverse)
        opacity *= inverse > self.inverse_depth[y0:y1, x0:x1]
        image = self.image[y0:y1, x0:x1]
        image += (colour - image) * opacity[..., None]
        opaque = opacity > 0.5
        np.copyto(self.inverse_depth[y0:y1, x0:x1], inverse, where=opaque)
        np.copyto(self.surface[y0:y1, x0:x1], surface, where=opaque)

    def ground(self, texture, scale, **options):
        self.plane([0, self.eye_height, 0], [1, 0, 0], [0, 0, 1], texture, scale, surface=GROUND, **options)

    def plane(self, centre, a, b, texture, scale, **options):
        """An endless plane."""
        self.quad(centre, a, b, 1, 1, texture, scale, bounded=False, **options)

    def box(self, centre, rotation, half, texture, scale=None, surface=OBJECT, gain=1.0):
        """half: half sizes; texture: one, or one for each pair of sides."""
        centre = np.asarray(centre, float)
        textures = texture if isinstance(texture, (list, tuple)) else [texture] * 3
        scale = scale or uniform(0.5, 1.5) / max(half)
        for side, (a, b) in enumerate(((2, 1), (0, 2), (0, 1))):
            axis = rotation[:, side]
            for sign in SIGNS:
                if float(centre @ axis) * sign + half[side] >= 0:
                    continue
                self.quad(
                    centre + sign * half[side] * axis,
                    rotation[:, a],
                    rotation[:, b],
                    half[a],
                    half[b],
                    textures[side],
                    scale,
                    surface=surface,
                    light=self.shade(axis * sign),
                    gain=gain,
                )

    def ellipsoid(self, centre, rotation, radii, texture, scale=0.7, surface=OBJECT, gain=1.0, gloss=0.0):
        centre, radii = np.asarray(centre, float), np.asarray(radii, float)
        if np.linalg.norm(rotation.T @ centre / radii) < 1.05:
            return
        box = self.screen_box(centre + (CORNERS * radii) @ rotation.T)
        if box is None:
            return
        y0, y1, x0, x1 = box
        # In the space where the ellipsoid is the unit sphere.
        to_sphere = (rotation / radii).astype(f32)
        rays = cv2.transform(self.rays[y0:y1, x0:x1], np.ascontiguousarray(to_sphere.T))
        sphere_centre = (centre @ to_sphere).astype(f32)
        a = (rays * rays).sum(-1)
        b = rays @ sphere_centre
        discriminant = b * b - a * f32(sphere_centre @ sphere_centre - 1)
        visible = discriminant > 0
        if not visible.any():
            return
        t = (b - np.sqrt(np.maximum(discriminant, 0))) / a
        inverse = 1 / np.maximum(t, 1e-3)
        visible &= (t > NEAR) & (inverse > self.inverse_depth[y0:y1, x0:x1])
        if not visible.any():
            return
        n = rays * t[..., None] - sphere_centre
        light = ((rotation.T @ self.light) / radii).astype(f32)
        length = np.sqrt(((n / radii.astype(f32)) ** 2).sum(-1)) + 1e-6
        lambert = np.maximum(0, (n @ light) / length)
        brightness = self.ambient * 0.9 + (1 - self.ambient) * 1.25 * lambert
        detail = self._detail(t, scale * SIZE / self.focal_px / max(radii))
        u = n[..., 0] * f32(scale) + f32(rng.random())
        v = n[..., 1] * f32(scale) + f32(rng.random())
        colour = self.sample(texture, u, v, detail) * (brightness * f32(gain))[..., None]
        if gloss:
            colour += (lambert**12 * gloss)[..., None]
        self._put(box, visible, colour, inverse, surface)

    def cone(self, base, radius, height, slope, texture, scale=None, surface=OBJECT, gain=1.0, top=True):
        """Upright frustum on the point base; its radius is radius + slope * y at the height y."""
        base = np.asarray(base, float)
        widest = max(radius, radius + slope * height)
        box = self.screen_box(
            [
                base + np.array([i * widest, -j * height, k * widest])
                for i in SIGNS
                for j in (0, 1)
                for k in SIGNS
            ]
        )
        if box is None or np.hypot(base[0], base[2]) < widest * 1.05:
            return
        y0, y1, x0, x1 = box
        rays = self.rays[y0:y1, x0:x1]
        dx, dy, dz = rays[..., 0], rays[..., 1], rays[..., 2]
        bx, by, bz = f32(base[0]), f32(base[1]), f32(base[2])
        # |(dx t - bx, dz t - bz)| = radius_at_eye - slope * dy * t
        radius_at_eye = radius + slope * base[1]
        narrowing = slope * dy
        a = dx * dx + dz * dz - narrowing * narrowing
        b = dx * bx + dz * bz - f32(radius_at_eye) * narrowing
        c = f32(base[0] ** 2 + base[2] ** 2 - radius_at_eye * radius_at_eye)
        discriminant = b * b - a * c
        t = (b - np.sqrt(np.maximum(discriminant, 0))) / np.where(np.abs(a) < 1e-9, 1e-9, a)
        y = by - t * dy
        hit = (
            (discriminant > 0)
            & (y > 0)
            & (y < height)
            & (t > NEAR)
            & (f32(radius_at_eye) - narrowing * t > 0)
        )
        px, pz = t * dx - bx, t * dz - bz
        length = np.sqrt(px * px + pz * pz) + 1e-6
        lambert = np.maximum(0, (px * f32(self.light[0]) + pz * f32(self.light[2])) / length)
        scale = scale or uniform(0.5, 1.5) / max(height, widest)
        brightness = (self.ambient * 0.9 + (1 - self.ambient) * 1.2 * lambert) * gain
        around = np.arctan2(px, -pz) * f32(max(widest, 1e-3) * scale) + f32(rng.random())
        along = -y * f32(scale)
        detail = self._detail(np.abs(t), scale * SIZE / self.focal_px).astype(f32)
        colour = self.sample(texture, around, along, detail) * brightness[..., None].astype(f32)
        below_eye = base[1] - height
        if top:
            t_top = f32(below_eye) / np.where(np.abs(dy) < 1e-6, 1e-6, dy)
            radius_top = radius + slope * height
            on_top = (t_top * dx - bx) ** 2 + (t_top * dz - bz) ** 2 < radius_top * radius_top
            on_top &= (t_top > NEAR) & (dy * below_eye > 0) & ((t_top < t) | ~hit)
            if below_eye > 0 and on_top.any():
                t = np.where(on_top, t_top, t)
                lid = texture.mean * f32(self.shade(np.array([0, -1, 0])) * gain * uniform(0.7, 1.2))
                colour = np.where(on_top[..., None], lid, colour)
                hit |= on_top
        inverse = 1 / np.maximum(t, 1e-3)
        visible = hit & (inverse > self.inverse_depth[y0:y1, x0:x1])
        self._put(box, visible, colour.astype(f32), inverse.astype(f32), surface)

    def standing_cutout(
        self,
        cutout,
        x,
        z,
        height,
        base=None,
        width=None,
        turn=0.0,
        bulge=None,
        gain=1.0,
        shadow=True,
        tilt=0.0,
    ):
        """An upright cut-out whose foot is at (x, base, z); turn: yaw; tilt: leaning back, radians."""
        base = self.eye_height if base is None else base
        rotation = yaw(turn)
        width = width or height * cutout.aspect
        down = DOWN if not tilt else np.array([0, np.cos(tilt), -np.sin(tilt)])
        if shadow:
            self.shadow(x, z, width * 0.5, width * 0.3, base)
        self.quad(
            np.array([x, base, z]) - down * height / 2,
            rotation[:, 0],
            down,
            width / 2,
            height / 2,
            None,
            cutout=cutout,
            bulge=(0.08 * min(height, width) if bulge is None else bulge),
            light=min(1.1, self.ambient + 0.4),
            gain=gain,
        )

    def shadow(self, x, z, radius_x, radius_z, y=None, strength=None):
        """Darkens what already lies on the plane y around (x, z), away from the light."""
        y = self.eye_height if y is None else y
        strength = uniform(0.2, 0.7) if strength is None else strength
        lean_x, lean_z = (-self.light[axis] / max(0.3, -self.light[1]) for axis in (0, 2))
        x += lean_x * radius_x * 0.4
        z += lean_z * radius_z * 0.4
        radius_x, radius_z = radius_x * (1 + 0.5 * abs(lean_x)), radius_z * (1 + 0.5 * abs(lean_z))
        box = self.screen_box(
            [[x + i * 2.2 * radius_x, y, z + j * 2.2 * radius_z] for i in SIGNS for j in SIGNS]
        )
        if box is None:
            return
        y0, y1, x0, x1 = box
        rays = self.rays[y0:y1, x0:x1]
        inverse = rays[..., 1] / f32(y)
        drawn = self.inverse_depth[y0:y1, x0:x1]
        on_plane = np.abs(inverse - drawn) < 0.02 * drawn + 1e-4
        if not on_plane.any():
            return
        t = 1 / np.maximum(inverse, 1e-3)
        distance = ((t * rays[..., 0] - f32(x)) / radius_x) ** 2 + (
            (t * rays[..., 2] - f32(z)) / radius_z
        ) ** 2
        self.image[y0:y1, x0:x1] *= (1 - strength * np.exp(-distance) * on_plane)[..., None]

    # ---- atmosphere and lens

    def sky(self):
        """Draws a sky behind everything; before anything else."""
        elevation = -self.rays[..., 1] / np.sqrt((self.rays**2).sum(-1))
        kind = pick("blue blue blue cloud cloud grey grey sunset white night".split())
        zenith, horizon = {
            "blue": (
                hsv(uniform(0.55, 0.63), uniform(0.4, 0.85), uniform(0.5, 0.95)),
                hsv(uniform(0.52, 0.6), uniform(0.05, 0.35), uniform(0.8, 1)),
            ),
            "cloud": (
                hsv(uniform(0.55, 0.62), uniform(0.3, 0.7), uniform(0.5, 0.9)),
                hsv(0.57, uniform(0.05, 0.2), uniform(0.8, 1)),
            ),
            "grey": (
                hsv(0.6, uniform(0, 0.12), uniform(0.5, 0.9)),
                hsv(0.6, uniform(0, 0.1), uniform(0.65, 0.98)),
            ),
            "sunset": (
                hsv(uniform(0.55, 0.75), uniform(0.3, 0.7), uniform(0.2, 0.7)),
                hsv(uniform(0.0, 0.12), uniform(0.4, 0.9), uniform(0.7, 1)),
            ),
            "white": (hsv(0.1, uniform(0, 0.06), uniform(0.85, 1)),) * 2,
            "night": (
                hsv(0.63, uniform(0.3, 0.8), uniform(0.02, 0.15)),
                hsv(uniform(0.0, 0.7), uniform(0.2, 0.6), uniform(0.05, 0.3)),
            ),
        }[kind]
        self.horizon_colour = horizon
        share = np.clip(np.maximum(elevation, 0) / uniform(0.25, 0.8), 0, 1) ** uniform(0.5, 1)
        self.image[:] = blend(horizon, zenith, share)
        if kind in ("cloud", "grey", "sunset") or chance(0.3):
            self._clouds(elevation, horizon)

    def _clouds(self, elevation, horizon):
        """A plane of clouds far above, seen in perspective."""
        clouds = fractal_noise(96, 96, (3, 6, 12, 24, 48), uniform(0.7, 1.2))
        height = np.maximum(elevation, 0.0) + 0.12
        scale = uniform(0.1, 0.4)
        u = np.abs((self.rays[..., 0] / height * scale + rng.random()) % 2 - 1) * 95
        v = np.abs((self.rays[..., 2] / height * scale + rng.random()) % 2 - 1) * 95
        density = cv2.remap(clouds, u.astype(f32), v.astype(f32), cv2.INTER_LINEAR)
        density = np.clip(density * uniform(0.4, 1) + uniform(-0.5, 0.6), 0, 1) * np.clip(
            elevation * 12, 0, 1
        )
        colour = np.clip(horizon * uniform(0.85, 1.15) + uniform(-40, 40), 0, 255)
        self.image += (colour - self.image) * (density * uniform(0.4, 1))[..., None]

    def finish(self, outdoor, haze=None, blur_chance=0.25, lamp=None):
        """Adds what air, lamps and cameras do. Returns the picture (BGR uint8) and its inverse depth.

        haze: per metre, or None for some outdoors; blur_chance: of a shallow depth of field; lamp: position.
        """
        t = 1 / np.maximum(self.inverse_depth, 1e-3)
        if outdoor and haze is None:
            haze = log_uniform(0.0008, 0.03) if chance(0.7) else 0
        if haze:
            share = 1 - np.exp(-t * haze)
            share[self.surface == SKY] *= 0.3
            self.image += (self.horizon_colour - self.image) * share[..., None]
        if lamp is not None:
            squared = ((self.rays * t[..., None] - np.asarray(lamp, f32)) ** 2).sum(-1)
            falloff = uniform(0.45, 0.8) + uniform(0.5, 1.1) / (1 + squared / uniform(1.5, 8))
            self.image *= falloff[..., None] * (1 + normal(0, 0.06) * np.array([-1, 0, 1]))
        self._darken_crevices()
        self._focus(blur_chance)
        self._vignette()
        return self._expose(), self.inverse_depth

    def _darken_crevices(self):
        for sigma, strength in ((5, uniform(0, 0.4)), (2, uniform(0, 0.25))):
            around = cv2.GaussianBlur(self.inverse_depth, (0, 0), sigma)
            behind = np.maximum(0, around - self.inverse_depth) / (self.inverse_depth + 0.03)
            self.image *= np.clip(1 - behind * strength, 0.5, 1)[..., None]

    def _focus(self, blur_chance):
        if chance(blur_chance):
            focus = np.quantile(self.inverse_depth, uniform(0.55, 0.97))
            circle = np.abs(self.inverse_depth - focus) / (focus + 1e-3) * uniform(0.4, 2)
            circle = np.clip(circle, 0, 1)
            sigma = log_uniform(1.2, 6)
            strong = cv2.GaussianBlur(self.image, (0, 0), sigma)
            weak = cv2.GaussianBlur(self.image, (0, 0), sigma / 2.5)
            circle = np.minimum(1, cv2.GaussianBlur(circle, (0, 0), 1))
            low = np.clip(circle * 2, 0, 1)[..., None]
            high = np.clip(circle * 2 - 1, 0, 1)[..., None]
            self.image = (self.image * (1 - low) + weak * low) * (1 - high) + strong * high
        elif chance(0.4):
            self.image = cv2.GaussianBlur(self.image, (0, 0), uniform(0.35, 0.9))

    def _vignette(self):
        y, x = np.mgrid[-1 : 1 : self.height * 1j, -1 : 1 : self.width * 1j]
        if chance(0.3):
            self.image *= (1 - uniform(0.1, 0.45) * (x * x + y * y) / 2)[..., None]
        if chance(0.15):
            angle = rng.random() * TURN
            self.image *= (1 + uniform(0.1, 0.35) * (x * np.cos(angle) + y * np.sin(angle)))[..., None]

    def _expose(self):
        exposure = uniform(75, 150) / (self.image.mean() + 1)
        exposure = float(np.clip(exposure, 0.6, 2.6) if chance(0.85) else uniform(0.6, 1.1))
        noise = rng.standard_normal(self.image.shape, dtype=f32) * uniform(0.5, 5)
        self.image = self.image * exposure + noise
        return np.clip(self.image, 0, 255).astype(np.uint8)


def _mirrored(coordinate):
    """Folds a coordinate of period 2 to 0 .. 0.5."""
    coordinate = coordinate * f32(0.5)
    coordinate -= np.floor(coordinate)
    coordinate -= f32(0.5)
    return np.abs(coordinate, out=coordinate)


def _tighten(box, visible, maps):
    """Cuts box and maps down to the visible part where that saves much."""
    rows, columns = np.flatnonzero(visible.any(1)), np.flatnonzero(visible.any(0))
    i0, i1, j0, j1 = rows[0], rows[-1] + 1, columns[0], columns[-1] + 1
    if (i1 - i0) * (j1 - j0) >= 0.7 * visible.size:
        return box, maps
    y0, _, x0, _ = box
    return (y0 + i0, y0 + i1, x0 + j0, x0 + j1), tuple(part[i0:i1, j0:j1] for part in maps)
