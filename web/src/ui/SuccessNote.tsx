import { CloseButton, Text } from '@mantine/core';
import IconCircleCheck from '@tabler/icons-react/icons/IconCircleCheck';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { lightFireworks } from './fireworks.ts';
import { UI_LIMITS } from './limits.ts';
import classes from './SuccessNote.module.css';
import { type SuccessNoteOptions, successNote } from './success-note.ts';

const { shownMs, fadeStepMs } = UI_LIMITS.successNote;
const STEPS = shownMs / fadeStepMs;
/** Steps of the fade-out during the last second. */
const FADE_STEPS = 20;

/** A note with fireworks. The page below stays usable; the note closes by itself, by a click, or by Escape. */
export function SuccessNote({ title, text }: SuccessNoteOptions) {
  const { t } = useTranslation();
  const [opacity, setOpacity] = useState(1);
  const [moves] = useState(() => !window.matchMedia('(prefers-reduced-motion: reduce)').matches);
  const canvas = useRef<HTMLCanvasElement>(null);

  useEffect(() => {
    let step = 0;
    const timer = setInterval(() => {
      step += 1;
      if (step < STEPS) setOpacity(Math.min(1, (STEPS - step) / FADE_STEPS));
      else successNote.hide();
    }, fadeStepMs);
    return () => clearInterval(timer);
  }, []);

  useEffect(() => (canvas.current ? lightFireworks(canvas.current) : undefined), []);

  useEffect(() => {
    const close = (event: KeyboardEvent) => {
      if (event.key === 'Escape') successNote.hide();
    };
    document.addEventListener('keydown', close);
    return () => document.removeEventListener('keydown', close);
  }, []);

  return (
    <div className={classes.place} style={{ opacity }}>
      {moves && <canvas ref={canvas} className={classes.sky} aria-hidden />}
      {/* A click anywhere on the note closes it; the button is there for keyboards and screen readers. */}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: see above */}
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: Escape and the button do the same */}
      <div className={classes.note} onClick={successNote.hide}>
        <IconCircleCheck className={classes.icon} aria-hidden />
        <div role="alert" className={classes.text}>
          <Text className={classes.title}>{title}</Text>
          {text && <Text>{text}</Text>}
        </div>
        <CloseButton size="xl" aria-label={t('close')} onClick={successNote.hide} />
      </div>
    </div>
  );
}
