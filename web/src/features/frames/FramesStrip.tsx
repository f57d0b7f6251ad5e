import { Button, Skeleton, Text, Title } from '@mantine/core';
import IconDeviceTv from '@tabler/icons-react/icons/IconDeviceTv';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { frameListQuery } from '../../api/frames.ts';
import { FrameLight } from '../../shared/show-on-frame/FrameLight.tsx';
import { QueryState } from '../../ui/QueryState.tsx';
import classes from './FramesStrip.module.css';

/** More frames than these are on their own page. */
const MOST = 3;

/** The member's frames as a part of another page: what each shows and how it is. */
export function FramesStrip() {
  const { t } = useTranslation('frames');
  const query = useInfiniteQuery(frameListQuery);
  return (
    <section aria-labelledby="my-frames" className={classes.strip}>
      <Title order={2} id="my-frames">
        <Link to="/menu/frameSetting" className={classes.title}>
          {t('title')}
        </Link>
      </Title>
      <QueryState query={query} failed={t('failed')} loading={<Skeleton className={classes.room} />}>
        {({ pages }) => {
          const frames = pages.flatMap(({ data }) => data);
          if (frames.length === 0) {
            return (
              <div className={classes.empty}>
                <Text c="dimmed">{t('empty.title')}</Text>
                <Button component={Link} to="/menu/qrcode" variant="default">
                  {t('pair')}
                </Button>
              </div>
            );
          }
          return (
            <ul className={classes.frames}>
              {frames.slice(0, MOST).map((frame) => (
                <li key={frame.id}>
                  <Link to={`/menu/frameSetting/${frame.id}`} className={classes.frame}>
                    <span className={classes.screen} aria-hidden>
                      {frame.showing?.cover ? (
                        <img src={frame.showing.cover} alt="" loading="lazy" decoding="async" />
                      ) : (
                        <IconDeviceTv stroke={1.3} />
                      )}
                    </span>
                    <span className={classes.about}>
                      <Text component="span" fw={600}>
                        {frame.name}
                      </Text>
                      <FrameLight frame={frame} />
                    </span>
                  </Link>
                </li>
              ))}
            </ul>
          );
        }}
      </QueryState>
    </section>
  );
}
