import type { FileKind } from '@framelift/contract';
import { Button, Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { formatPercent } from '../../i18n/format.ts';
import { currentLanguage } from '../../i18n/index.ts';
import { keptShare, parseRatio, type Size } from '../../ui/crop/crop-rect.ts';
import type { DeviceTypeChoice } from './device-type-choice.ts';

/** A crop that keeps less of the picture is mentioned. */
const LITTLE = 0.6;
/** A frame is suggested instead if it keeps this much more of the picture. */
const GAIN = 0.2;

/** Says how little of the picture a frame of another shape shows, and suggests one that shows more. */
export function KeptShare({ kind, frame, source }: { kind: FileKind; frame: DeviceTypeChoice; source: Size }) {
  const { t } = useTranslation('upload');
  const { device, devices } = frame;
  if (!device) return null;
  const share = (ratio: string) => keptShare(source, parseRatio(ratio));
  const kept = share(device.ratio);
  if (kept >= LITTLE) return null;
  const best = devices.data?.toSorted((a, b) => share(b.ratio) - share(a.ratio))[0];
  return (
    <Stack gap="xs" align="flex-start">
      <Text size="sm">
        {t(kind === 'video' ? 'crop.keptVideo' : 'crop.kept', {
          device: device.name,
          share: formatPercent(Math.round(kept * 100) / 100, currentLanguage()),
        })}
      </Text>
      {best && share(best.ratio) >= kept + GAIN && (
        <Button variant="default" onClick={() => frame.chooseDevice(best.id)}>
          {t('crop.useInstead', { device: best.name })}
        </Button>
      )}
    </Stack>
  );
}
