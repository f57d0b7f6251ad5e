import { LIMITS } from '@framelift/contract';
import { ActionIcon, Group, Slider, VisuallyHidden } from '@mantine/core';
import { useDebouncedCallback, useElementSize } from '@mantine/hooks';
import IconMinus from '@tabler/icons-react/icons/IconMinus';
import IconPlus from '@tabler/icons-react/icons/IconPlus';
import { type KeyboardEvent, useRef, useState } from 'react';
import Cropper from 'react-easy-crop';
import { useTranslation } from 'react-i18next';
import { formatPercent } from '../../i18n/format.ts';
import { currentLanguage } from '../../i18n/index.ts';
import type { Ratio, Rect } from './crop-rect.ts';
import classes from './PictureCropper.module.css';

const ZOOM_STEP = 1.15;
const KEY_STEP_PX = 12;
const START = { x: 0, y: 0 };
/** Milliseconds without movement after which a drag counts as paused. */
const REST_MS = 100;

interface PictureCropperProps {
  readonly url: string;
  readonly ratio: Ratio;
  readonly deviceName: string;
  /** Crop in source pixels, for the announcement. */
  readonly rect: Rect | null;
  readonly area: Rect | null;
  /** Crop to begin with, in percent of the picture; by default the largest in its middle. */
  readonly initialArea?: Rect | null;
  /** Degrees clockwise by which the picture is shown turned. */
  readonly rotation?: number;
  /** CSS colour behind transparent parts. */
  readonly ground?: string | null;
  readonly locked: boolean;
  readonly onArea: (area: Rect) => void;
}

/** Cropper locked to the frame's aspect ratio. Pointer, touch and keyboard: arrows move, + and − zoom, 0 resets. */
export function PictureCropper({
  url,
  ratio,
  deviceName,
  rect,
  area,
  initialArea,
  rotation = 0,
  ground,
  locked,
  onArea,
}: PictureCropperProps) {
  const { t } = useTranslation('upload');
  const { ref, width, height } = useElementSize();
  const [crop, setCrop] = useState(START);
  const [zoom, setZoom] = useState(1);
  // Later areas are reports of this cropper itself.
  const [firstArea] = useState(initialArea);
  const zoomTo = (wanted: number) => setZoom(Math.min(LIMITS.crop.maxZoom, Math.max(1, wanted)));

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === '+' || event.key === '=') zoomTo(zoom * ZOOM_STEP);
    else if (event.key === '-' || event.key === '_') zoomTo(zoom / ZOOM_STEP);
    else if (event.key === '0') {
      setZoom(1);
      setCrop(START);
    } else return;
    event.preventDefault();
  };
  const percent = (value: number) => formatPercent(value / 100, currentLanguage());

  // While the crop is dragged or zoomed, only the cropper itself re-renders. The parent is notified when the crop comes
  // to rest, even if the end event of a touch is missing.
  const held = useRef(false);
  const tell = useDebouncedCallback(onArea, REST_MS);
  const onAreaChange = (area: Rect) => {
    if (!(Object.values(area).every(Number.isFinite) && area.width > 0)) return;
    tell(area);
    if (!held.current) tell.flush();
  };
  const hold = (holds: boolean) => {
    held.current = holds;
    if (!holds) tell.flush();
  };

  return (
    <div className={classes.place} data-locked={locked || undefined} inert={locked}>
      {/* Key events bubble up to this element from the focused crop area inside. */}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: see above */}
      <div ref={ref} className={classes.stage} onKeyDown={onKeyDown} data-guide="crop">
        {/* Mounted once it has a size: measured at zero, it would report an area of NaN. */}
        {width > 0 && height > 0 && (
          <Cropper
            key={url}
            image={url}
            crop={crop}
            zoom={zoom}
            rotation={rotation}
            aspect={ratio[0] / ratio[1]}
            minZoom={1}
            maxZoom={LIMITS.crop.maxZoom}
            cropShape="rect"
            zoomSpeed={0.6}
            keyboardStep={KEY_STEP_PX}
            restrictPosition
            {...(firstArea && { initialCroppedAreaPercentages: firstArea })}
            style={ground ? { mediaStyle: { background: ground } } : {}}
            classes={{ cropAreaClassName: classes.area ?? '' }}
            mediaProps={{ alt: '' }}
            cropperProps={{ role: 'application', 'aria-label': t('crop.label', { device: deviceName }) }}
            onCropChange={setCrop}
            onZoomChange={zoomTo}
            // Not onCropComplete, which is not called when the crop is changed from outside, as by the key 0.
            onCropAreaChange={onAreaChange}
            onInteractionStart={() => hold(true)}
            onInteractionEnd={() => hold(false)}
          />
        )}
      </div>
      <Group className={classes.zoom} gap="xs" wrap="nowrap">
        <ActionIcon aria-label={t('crop.zoomOut')} onClick={() => zoomTo(zoom / ZOOM_STEP)} disabled={zoom <= 1}>
          <IconMinus aria-hidden />
        </ActionIcon>
        <Slider
          className={classes.slider}
          size="sm"
          color="gray"
          label={null}
          thumbLabel={t('crop.zoom')}
          thumbValueText={percent(zoom * 100)}
          // Logarithmic: equal distances of the thumb are equal ratios of zoom.
          min={0}
          max={Math.log(LIMITS.crop.maxZoom)}
          step={0.01}
          value={Math.log(zoom)}
          onChange={(value) => zoomTo(Math.exp(value))}
        />
        <ActionIcon
          aria-label={t('crop.zoomIn')}
          onClick={() => zoomTo(zoom * ZOOM_STEP)}
          disabled={zoom >= LIMITS.crop.maxZoom}
        >
          <IconPlus aria-hidden />
        </ActionIcon>
      </Group>
      <VisuallyHidden role="status" aria-live="polite">
        {rect &&
          area &&
          t('crop.announce', {
            width: rect.width,
            height: rect.height,
            left: percent(area.x),
            top: percent(area.y),
          })}
      </VisuallyHidden>
    </div>
  );
}
