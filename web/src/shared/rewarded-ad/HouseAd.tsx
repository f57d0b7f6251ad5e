import { Text, Title } from '@mantine/core';
import classes from './RewardedAd.module.css';
import type { AdPlayerProps } from './watch-ad.ts';

/** One of our own ads: a drawing that moves, or a still one for people who want less motion. */
export function HouseAd({ ad: { ad }, events }: AdPlayerProps) {
  if (!ad) return null;
  return (
    <figure className={classes.house}>
      <picture>
        <source media="(prefers-reduced-motion: reduce)" srcSet={ad.poster} />
        <img
          src={ad.animation}
          alt=""
          width={640}
          height={360}
          className={classes.picture}
          // Nothing else has to happen: what counts is the time for which it is seen.
          onLoad={() => {
            events.ready();
            events.granted();
          }}
          onError={() => events.closed()}
        />
      </picture>
      <figcaption>
        <Title order={3} size="h4">
          {ad.title}
        </Title>
        <Text>{ad.text}</Text>
      </figcaption>
    </figure>
  );
}
