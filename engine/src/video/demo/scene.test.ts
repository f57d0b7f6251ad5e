import { describe, expect, it } from 'vitest';
import { CAMERA_COUNT, createSceneView } from './scene.ts';

describe('the scene of the demonstration', () => {
  it('moves, differs from camera to camera, and is after a minute what it was', () => {
    const pictures = Array.from({ length: CAMERA_COUNT }, (_, camera) => {
      const view = createSceneView(camera, 64, 36);
      const at = (seconds: number) => Buffer.from(view.draw(seconds)).toString('base64');
      const first = at(0);
      expect(at(1)).not.toBe(first);
      expect(at(60)).toBe(first);
      return first;
    });
    expect(new Set(pictures).size).toBe(CAMERA_COUNT);
  });
});
