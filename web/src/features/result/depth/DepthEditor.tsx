import { LIMITS, type MediaDetail } from '@framelift/contract';
import type { Stroke } from '@framelift/engine/edit';
import { autoConvergence, overscan } from '@framelift/engine/geometry';
import type { DepthImage, DepthParts, LoadedParts } from '@framelift/engine/webgl';
import { parallaxOf } from '@framelift/engine/webgl';
import { ActionIcon, Button, Group, Stack, Switch, Text, Title } from '@mantine/core';
import IconArrowBackUp from '@tabler/icons-react/icons/IconArrowBackUp';
import IconArrowForwardUp from '@tabler/icons-react/icons/IconArrowForwardUp';
import { useMutation } from '@tanstack/react-query';
import { type CSSProperties, type KeyboardEvent, useCallback, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { paintMediaDepth } from '../../../api/media.ts';
import { DepthView } from '../../../shared/depth-view/DepthView.tsx';
import { confirm } from '../../../ui/confirm.ts';
import layout from '../ResultView.module.css';
import { BrushFields } from './BrushFields.tsx';
import classes from './DepthEditor.module.css';
import { DepthSketch, MOST_POINTS } from './depth-sketch.ts';
import { type Brush, PaintSurface } from './PaintSurface.tsx';

interface DepthEditorProps {
  readonly media: MediaDetail;
  readonly parts: DepthParts;
  readonly onClose: () => void;
}

/** Paints near and far areas onto the depth map; the live preview follows, and all strokes are saved as one change. */
export function DepthEditor({ media, parts, onClose }: DepthEditorProps) {
  const { t } = useTranslation('edit');
  const size = media.crop ?? { width: 3, height: 4 };
  const [brush, setBrush] = useState<Brush>({ kind: 'near', radius: 0.08, amount: 0.25 });
  const [painted, setPainted] = useState<DepthImage>();
  const [sketch, setSketch] = useState<DepthSketch | null>(null);
  const [showsDepth, setShowsDepth] = useState(false);
  const [held, setHeld] = useState(false);
  const [inset, setInset] = useState(0);
  const save = useMutation(paintMediaDepth(media.id));

  const onParts = useCallback(
    (loaded: LoadedParts) => {
      const convergence = media.convergence ?? autoConvergence({ ...loaded.depth, scale: 255 });
      setInset(
        overscan(parallaxOf('parallax', media.effect, loaded.depth, convergence, media.deviceType.disparityBudget)),
      );
      setSketch(new DepthSketch(loaded.depth, guideOf(loaded.colour)));
      setPainted(loaded.depth);
    },
    [media],
  );
  const step = (change: 'undo' | 'redo') => {
    sketch?.[change]();
    if (sketch) setPainted(sketch.image());
  };
  const drawn = useRef<Stroke | null>(null);
  const frame = useRef(0);
  /** Draws at most once per animation frame, however fast the pointer moves. */
  const draw = (stroke: Stroke) => {
    drawn.current = stroke;
    if (frame.current !== 0) return;
    frame.current = requestAnimationFrame(() => {
      frame.current = 0;
      if (sketch && drawn.current) setPainted(sketch.preview(drawn.current));
    });
  };
  const finish = (stroke: Stroke) => {
    drawn.current = null;
    sketch?.add(stroke);
    if (sketch) setPainted(sketch.image());
  };

  const count = sketch?.strokes.length ?? 0;
  const full =
    media.strokes + count >= LIMITS.strokes.count || (sketch?.points ?? 0) >= LIMITS.strokes.points - MOST_POINTS;
  const leave = async () => {
    if (count === 0) return onClose();
    const texts = { title: t('depth.leaveTitle'), content: t('depth.leaveText'), cancel: t('depth.stay') };
    if (await confirm({ ...texts, label: t('depth.leave') })) onClose();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (!(event.ctrlKey || event.metaKey)) return;
    const key = event.key.toLowerCase();
    if (key === 'z') step(event.shiftKey ? 'redo' : 'undo');
    else if (key === 'y') step('redo');
    else return;
    event.preventDefault();
  };

  return (
    // The undo and redo shortcuts work wherever the focus is in the editor; each has a button too.
    // biome-ignore lint/a11y/noStaticElementInteractions: see above
    <div className={layout.layout} onKeyDown={onKeyDown}>
      <div className={layout.preview}>
        <div className={classes.stage} style={{ '--aspect': size.width / size.height } as CSSProperties}>
          <DepthView
            parts={parts}
            size={size}
            strength={media.effect}
            budget={media.deviceType.disparityBudget}
            convergence={media.convergence ?? undefined}
            painted={painted}
            held={held}
            onParts={onParts}
            label={t('depth.preview')}
          />
          {sketch && painted && (
            <PaintSurface
              brush={brush}
              disabled={full || save.isPending}
              inset={inset}
              aspect={size.width / size.height}
              depth={showsDepth ? painted : null}
              onHold={setHeld}
              onDraw={draw}
              onStroke={finish}
            />
          )}
        </div>
        <p className={layout.hint}>{t('depth.hint')}</p>
      </div>

      <Stack gap="lg">
        <Stack gap="xs">
          <Title order={1}>{t('depth.title')}</Title>
          <Text>{t('depth.help')}</Text>
        </Stack>
        <BrushFields brush={brush} onChange={setBrush} />
        <Switch
          size="md"
          className={classes.switch}
          label={t('depth.show')}
          checked={showsDepth}
          onChange={(event) => setShowsDepth(event.currentTarget.checked)}
        />
        <Group gap="xs">
          <ActionIcon
            variant="default"
            aria-label={t('depth.undo')}
            title={t('depth.undo')}
            disabled={count === 0}
            onClick={() => step('undo')}
          >
            <IconArrowBackUp aria-hidden />
          </ActionIcon>
          <ActionIcon
            variant="default"
            aria-label={t('depth.redo')}
            title={t('depth.redo')}
            disabled={!sketch?.canRedo}
            onClick={() => step('redo')}
          >
            <IconArrowForwardUp aria-hidden />
          </ActionIcon>
          <Text c="dimmed" size="sm" role="status">
            {full ? t('depth.full') : t('depth.count', { count })}
          </Text>
        </Group>
        <Stack gap="xs">
          <Button
            size="lg"
            disabled={count === 0}
            loading={save.isPending}
            onClick={() => sketch && save.mutate(asSent(sketch.strokes))}
          >
            {t('depth.save')}
          </Button>
          <Button variant="subtle" color="gray" onClick={() => void leave()} disabled={save.isPending}>
            {t('cancel')}
          </Button>
        </Stack>
      </Stack>
    </div>
  );
}

const asSent = (strokes: readonly Stroke[]) =>
  strokes.map((stroke) => ({ ...stroke, points: stroke.points.map(([x, y]): [number, number] => [x, y]) }));

/** Pixels of the preview; strokes follow the edges in them. */
function guideOf(colour: ImageBitmap) {
  const { width, height } = colour;
  const canvas = document.createElement('canvas');
  canvas.width = width;
  canvas.height = height;
  const context = canvas.getContext('2d', { willReadFrequently: true });
  if (!context) throw new Error('This browser cannot read pixels');
  context.drawImage(colour, 0, 0);
  return { width, height, channels: 4 as const, data: context.getImageData(0, 0, width, height).data };
}
