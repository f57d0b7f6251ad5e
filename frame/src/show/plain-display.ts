import {
  aspectOf,
  type Display,
  type Footage,
  type Packing,
  partOf,
  placeIn,
  type Shot,
  sizeOf,
} from '@framelift/engine/webgl';

/**
 * Draws pictures and videos flat, on a canvas of the kind that every browser has. Of packed views it shows the middle
 * one.
 */
export function createPlainDisplay(canvas: HTMLCanvasElement): Display {
  const context = canvas.getContext('2d', { alpha: false });
  if (!context) throw new Error('This browser cannot draw');
  let place = { x: 0, y: 0, width: 0, height: 0 };

  const drawShot = (shot: Shot, offset: number) => {
    const screen = { x: 0, y: 0, width: canvas.width, height: canvas.height };
    place = placeIn(screen, shot.footage.aspect, shot.fit);
    place = { ...place, x: place.x + Math.round(offset * canvas.width) };
    shot.footage.drawView(0, shot.parallax);
  };
  const clear = () => {
    context.globalAlpha = 1;
    context.fillStyle = '#000000';
    context.fillRect(0, 0, canvas.width, canvas.height);
  };

  return {
    largestSide: 4096,
    open(pixels, packing: Packing): Footage {
      const size = sizeOf(pixels);
      const draw = (position: number) => {
        const [left, top, width, height] = partOf(packing, size, position);
        const [x, y] = [left * size.width, top * size.height];
        const { width: across, height: down } = place;
        context.drawImage(pixels, x, y, width * size.width, height * size.height, place.x, place.y, across, down);
      };
      return {
        aspect: aspectOf(packing, size),
        quilt: null,
        drawView: draw,
        drawPacked: () => draw(0),
        packedSize: () => size,
        refresh() {},
        dispose() {
          if ('close' in pixels) pixels.close();
        },
      };
    },
    openDepth() {
      throw new Error('This browser cannot draw depth');
    },
    addQuilt: (footage) => footage,
    draw(shot, _look, transition) {
      clear();
      if (!transition) return drawShot(shot, 0);
      const { to, slides, progress } = transition;
      drawShot(shot, slides ? -progress : 0);
      if (!slides) {
        context.globalAlpha = progress;
        context.fillRect(0, 0, canvas.width, canvas.height);
      }
      drawShot(to, slides ? 1 - progress : 0);
    },
    dispose() {},
  };
}
