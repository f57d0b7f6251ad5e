import { LIMITS } from '@framelift/contract';
import { Button, Text, Title } from '@mantine/core';
import { type ReactNode, Suspense, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useLocation } from 'react-router';
import { useSession } from '../../api/session.ts';
import { SampleScene } from '../../shared/sample-scene/SampleScene.tsx';
import { useUploadDialog } from '../../shared/upload-dialog.tsx';
import { FrameGlyph } from './FrameGlyph.tsx';
import classes from './LandingPage.module.css';
import { useEarlyPress } from './use-early-press.ts';

const STEPS = ['crop', 'depth', 'look'] as const;
const FRAMES = ['quilt', 'sbs', 'anaglyph', 'flat'] as const;
const FOOT = [
  ['/terms', 'terms'],
  ['/privacy', 'privacyPolicy'],
  ['/qa', 'questions'],
  ['/about', 'about'],
] as const;
const EXPECT = ['formats', 'depth', 'privacy', 'guest'] as const;

/** `live` invites to the broadcasts, `feed` is what the store shows; they are loaded once they come near. */
export function LandingPage({ live, feed }: { live: ReactNode; feed: ReactNode }) {
  const { t } = useTranslation('landing');
  const { open } = useUploadDialog();
  const { kind } = useSession();
  useEarlyPress();
  const numbers = { ...LIMITS.guest, megabytes: LIMITS.uploadBytes / 1024 / 1024 };

  return (
    <div className={classes.page}>
      <section className={classes.hero}>
        <div className={classes.picture}>
          <SampleScene label={t('sample')} />
        </div>
        <div className={classes.words}>
          <Title order={1} className={classes.title}>
            {t('title')}
          </Title>
          <Text className={classes.lead}>{t('lead')}</Text>
          <Button size="lg" onClick={() => open()}>
            {t('start')}
          </Button>
        </div>
      </section>

      <div className={classes.live}>
        <WhenNear>{live}</WhenNear>
      </div>

      <section aria-labelledby="steps">
        <Title order={2} id="steps" className={classes.heading}>
          {t('stepsTitle')}
        </Title>
        <ol className={classes.steps}>
          {STEPS.map((step) => (
            <li key={step}>
              <Title order={3}>{t(`steps.${step}.title`)}</Title>
              <Text c="dimmed">{t(`steps.${step}.text`)}</Text>
            </li>
          ))}
        </ol>
      </section>

      <section aria-labelledby="frames">
        <Title order={2} id="frames" className={classes.heading}>
          {t('framesTitle')}
        </Title>
        <ul className={classes.frames}>
          {FRAMES.map((frame) => (
            <li key={frame}>
              <FrameGlyph kind={frame} />
              <Title order={3}>{t(`frames.${frame}.title`)}</Title>
              <Text c="dimmed">{t(`frames.${frame}.text`)}</Text>
            </li>
          ))}
        </ul>
      </section>

      <section aria-labelledby="expect" className={classes.expect}>
        <Title order={2} id="expect" className={classes.heading}>
          {t('expectTitle')}
        </Title>
        <ul>
          {EXPECT.map((part) => (
            <li key={part}>{t(`expect.${part}`, numbers)}</li>
          ))}
        </ul>
      </section>

      <WhenNear>{feed}</WhenNear>

      <section className={classes.closing}>
        <Title order={2}>{t('closing')}</Title>
        {kind === 'visitor' ? (
          <Button component={Link} to="/login" size="lg">
            {t('login')}
          </Button>
        ) : (
          <Button size="lg" onClick={() => open()}>
            {t('start')}
          </Button>
        )}
      </section>

      <nav className={classes.foot} aria-label={t('more')}>
        {FOOT.map(([to, key]) => (
          <Link key={to} to={to}>
            {t(key)}
          </Link>
        ))}
      </nav>
    </div>
  );
}

/** Renders its content once its place is at most a screen away, or an address asks for it: the first load needs neither. */
function WhenNear({ children }: { children: ReactNode }) {
  const place = useRef<HTMLDivElement>(null);
  const { search } = useLocation();
  const [isNear, setNear] = useState(() => new URLSearchParams(search).has('product'));
  useEffect(() => {
    if (!place.current) return;
    const seen = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) setNear(true);
      },
      { rootMargin: '100%' },
    );
    seen.observe(place.current);
    return () => seen.disconnect();
  }, []);
  return (
    <div ref={place} className={classes.near}>
      <Suspense fallback={null}>{isNear && children}</Suspense>
    </div>
  );
}
