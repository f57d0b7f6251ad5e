import { useMediaQuery } from '@mantine/hooks';
import { useEffect, useState } from 'react';
import { positionOfTilt } from './view-motion.ts';

/** Safari on iOS tells the tilt only after people have allowed it, and may only be asked from a tap. */
type AskingOrientationEvent = typeof DeviceOrientationEvent & { requestPermission?: () => Promise<PermissionState> };

const orientationEvent = (): AskingOrientationEvent | undefined =>
  'DeviceOrientationEvent' in globalThis ? DeviceOrientationEvent : undefined;

/**
 * Tells the viewer's position as the device is tilted.
 * @returns a function that asks for permission, where one is needed and not yet given
 */
export function useTilt(enabled: boolean, onPosition: (position: number) => void): (() => void) | null {
  // Only what is held in the hand is tilted; computers have the event as well, some even the question.
  const held = useMediaQuery('(pointer: coarse)') ?? false;
  const active = enabled && held;
  const mustAsk = orientationEvent()?.requestPermission !== undefined;
  const [allowed, setAllowed] = useState(!mustAsk);

  useEffect(() => {
    if (!active || !allowed) return;
    const onTilt = ({ gamma, beta }: DeviceOrientationEvent) => {
      // Without a sensor one event comes, without values.
      if (gamma !== null && beta !== null) onPosition(positionOfTilt(gamma, beta, screen.orientation?.angle ?? 0));
    };
    window.addEventListener('deviceorientation', onTilt);
    return () => window.removeEventListener('deviceorientation', onTilt);
  }, [active, allowed, onPosition]);

  if (!active || allowed) return null;
  return () => {
    void orientationEvent()
      ?.requestPermission?.()
      .then((answer) => setAllowed(answer === 'granted'));
  };
}
