import { type EffectParam, MEDIA_TYPE, type MediaDetail } from '@framelift/contract';
import { autoConvergence, comfortOf, wishedSweepPercent } from '@framelift/engine/geometry';
import type { LoadedParts } from '@framelift/engine/webgl';
import { viewSetOf } from '@framelift/engine/webgl';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { effectsQuery, percentOf } from '../../../api/device-types.ts';
import type { MediaChange } from '../../../api/media.ts';

/** Strength and convergence as previewed before they are saved. */
export interface Draft {
  /** Effect strengths to choose from; null until they are loaded. */
  readonly offered: readonly EffectParam[] | null;
  /** Previewed effect percent. */
  readonly strength: number;
  /** Depth in the plane of the frame; null for the one chosen from the subject. */
  readonly convergence: number | null;
  /** Depth chosen from the subject, once the preview is loaded. */
  readonly subject: number | null;
  /** Viewing comfort of the draft, once the preview is loaded. */
  readonly comfort: ReturnType<typeof comfortOf> | null;
  /** Change to send; null if nothing was changed. */
  readonly change: MediaChange | null;
  choose(effect: EffectParam): void;
  setConvergence(depth: number | null): void;
  reset(): void;
}

/** @param parts of the preview; null until they are loaded */
export function useDraft(media: MediaDetail, parts: LoadedParts | null): Draft {
  const { deviceType } = media;
  const mediaType = media.media_type === MEDIA_TYPE.video ? MEDIA_TYPE.video : MEDIA_TYPE.picture;
  const effects = useQuery(effectsQuery(media.device_type_id, mediaType));
  const [chosen, setChosen] = useState<EffectParam | null>(null);
  const [convergence, setConvergence] = useState(media.convergence);

  const depth = useMemo(() => parts && { ...parts.depth, scale: 255 }, [parts]);
  const subject = useMemo(() => depth && autoConvergence(depth), [depth]);
  const strength = chosen ? percentOf(chosen) : media.effect;
  const plane = convergence ?? subject;
  const comfort = useMemo(() => {
    if (!depth || plane === null) return null;
    const wished = wishedSweepPercent(viewSetOf(deviceType.format), strength, depth);
    return comfortOf(depth, plane, wished, deviceType.disparityBudget);
  }, [depth, plane, strength, deviceType]);

  const change = {
    ...(chosen && strength !== media.effect && { effect_param_id: chosen.id }),
    ...(convergence !== media.convergence && { convergence }),
  };
  return {
    offered: effects.isPending ? null : (effects.data?.toSorted((a, b) => percentOf(a) - percentOf(b)) ?? []),
    strength,
    convergence,
    subject,
    comfort,
    change: Object.keys(change).length > 0 ? change : null,
    choose: setChosen,
    setConvergence,
    reset() {
      setChosen(null);
      setConvergence(media.convergence);
    },
  };
}
