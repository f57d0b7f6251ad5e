import { positionOfTilt } from '@framelift/engine/webgl';
import { useMediaQuery } from '@mantine/hooks';
import { useEffect, useState } from 'react';

/** Safari on iOS reports the tilt only after the user's permission, which may be requested only from a tap. */
type AskingOrientationEvent = typeof DeviceOrientationEvent & { requestPermission?: () => Promise<PermissionState> };

const orientationEvent = (): AskingOrientationEvent | undefined =>
  'DeviceOrientationEvent' in globalThis ? DeviceOrientationEvent : undefined;

/**
 * Reports the viewer position as the device is tilted.
 * @returns a function that requests permission, if it is required and not yet granted
 */
export function useTilt(enabled: boolean, onPosition: (position: number) => void): (() => void) | null {
  // Only handheld devices are tilted; computers have the event as well, some even the permission request.
  const held = useMediaQuery('(pointer: coarse)') ?? false;
  const active = enabled && held;
  const mustAsk = orientationEvent()?.requestPermission !== undefined;
  const [allowed, setAllowed] = useState(!mustAsk);

  useEffect(() => {
    if (!active || !allowed) return;
    const onTilt = ({ gamma, beta }: DeviceOrientationEvent) => {
      // Without a sensor a single event arrives, with null values.
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
