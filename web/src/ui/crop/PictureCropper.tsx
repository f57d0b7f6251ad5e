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
/** A drag that pauses this long has come to rest. */
const REST_MS = 100;

interface PictureCropperProps {
  readonly url: string;
  readonly ratio: Ratio;
  readonly deviceName: string;
  /** The crop in source pixels, for the announcement. */
  readonly rect: Rect | null;
  readonly area: Rect | null;
  readonly locked: boolean;
  readonly onArea: (area: Rect) => void;
}

/** The cropper, locked to the frame's ratio. Pointer, touch and keyboard: arrows move, + and − zoom, 0 resets. */
export function PictureCropper({ url, ratio, deviceName, rect, area, locked, onArea }: PictureCropperProps) {
  const { t } = useTranslation('upload');
  const { ref, width, height } = useElementSize();
  const [crop, setCrop] = useState(START);
  const [zoom, setZoom] = useState(1);
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

  // While it is dragged or wheeled, only the cropper itself is drawn anew. What stands around it hears where it comes to
  // rest, also where the end of a touch is never told.
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
      {/* The keys are the cropper's own: they reach this element from the focused crop area inside. */}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: see above */}
      <div ref={ref} className={classes.stage} onKeyDown={onKeyDown} data-guide="crop">
        {/* Mounted once there is room for it: measured at zero, it would report an area of NaN. */}
        {width > 0 && height > 0 && (
          <Cropper
            key={url}
            image={url}
            crop={crop}
            zoom={zoom}
            rotation={0}
            aspect={ratio[0] / ratio[1]}
            minZoom={1}
            maxZoom={LIMITS.crop.maxZoom}
            cropShape="rect"
            zoomSpeed={0.6}
            keyboardStep={KEY_STEP_PX}
            restrictPosition
            style={{}}
            classes={{ cropAreaClassName: classes.area ?? '' }}
            mediaProps={{ alt: '' }}
            cropperProps={{ role: 'application', 'aria-label': t('crop.label', { device: deviceName }) }}
            onCropChange={setCrop}
            onZoomChange={zoomTo}
            // Not onCropComplete: that keeps silent when the crop is moved from outside, as the key 0 does.
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
          // Equal ways of the thumb are equal ratios of zoom.
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
