import confetti from 'canvas-confetti';

const EVERY_MS = 350;
const ROCKETS = 9;

/** The canvas library needs colour values, so the theme's are read from the computed style. */
function coloursOf(element: Element): string[] {
  const style = getComputedStyle(element);
  return ['coral-3', 'coral-5', 'cyan-3', 'cyan-5', 'yellow-4']
    .map((name) => style.getPropertyValue(`--mantine-color-${name}`).trim())
    .filter((colour) => colour !== '');
}

/**
 * Draws several rockets one after the other at random positions in the upper half.
 * @returns a function that stops them
 */
export function lightFireworks(canvas: HTMLCanvasElement): () => void {
  // No worker: the library would create it from a string, which not every content security policy allows.
  const fire = confetti.create(canvas, { resize: true, useWorker: false });
  const colors = coloursOf(canvas);
  let left = ROCKETS;
  const burst = () => {
    left -= 1;
    if (left === 0) clearInterval(timer);
    void fire({
      ...(colors.length > 0 && { colors }),
      shapes: ['circle'],
      particleCount: 70,
      spread: 360,
      startVelocity: 26,
      decay: 0.92,
      ticks: 90,
      gravity: 0.6,
      scalar: 0.65,
      origin: { x: 0.15 + Math.random() * 0.7, y: 0.1 + Math.random() * 0.4 },
    });
  };
  const timer = setInterval(burst, EVERY_MS);
  burst();
  return () => {
    clearInterval(timer);
    fire.reset();
  };
}
