import {
  ANAGLYPHS,
  type Anaglyph,
  type DownloadFormat,
  type FileOptions,
  isSwappable,
  type MediaDetail,
} from '@framelift/contract';
import { Button, Checkbox, FileInput, Select, Stack, Switch, Text } from '@mantine/core';
import IconDownload from '@tabler/icons-react/icons/IconDownload';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { grouped, textsOf } from '../../shared/format-groups.ts';
import { Modal } from '../../ui/Modal.tsx';
import classes from './OtherFormats.module.css';
import type { DownloadRequest } from './use-download.ts';

/**
 * All formats, grouped by the devices that show them. A single format is downloaded as it is, several in one archive.
 */
export function OtherFormats({
  media,
  opened,
  onClose,
  onDownload,
}: {
  readonly media: MediaDetail;
  readonly opened: boolean;
  readonly onClose: () => void;
  readonly onDownload: (request: DownloadRequest) => void;
}) {
  const { t } = useTranslation('formats');
  const [chosen, setChosen] = useState<DownloadFormat[]>([]);
  const [swapEyes, setSwapEyes] = useState(false);
  const [anaglyph, setAnaglyph] = useState<Anaglyph>('dubois');
  const [calibration, setCalibration] = useState<File | null>(null);
  const native = chosen.includes('native');

  /**
   * Videos are converted to one format at a time, and the original is downloaded alone.
   * @param values checked formats, the most recent last
   */
  function choose(values: readonly DownloadFormat[]): void {
    const newest = values.at(-1);
    if (newest && (media.film || newest === 'original')) setChosen([newest]);
    else setChosen(values.filter((format) => format !== 'original'));
  }

  async function download(): Promise<void> {
    const options: FileOptions = {
      ...(swapEyes && chosen.some(isSwappable) && { swapEyes }),
      ...(chosen.includes('anaglyph') && anaglyph !== 'dubois' && { anaglyph }),
      ...(native && calibration && { calibration: await calibration.text() }),
    };
    onDownload({ formats: chosen, options });
    onClose();
  }

  return (
    <Modal opened={opened} onClose={onClose} title={t('title')} size="lg">
      <Stack gap="lg">
        {!media.film && <Text c="dimmed">{t('intro')}</Text>}
        {grouped(media.formats).map(({ group, formats }) => (
          <Checkbox.Group
            key={group}
            label={t(`groups.${group}`)}
            value={chosen}
            onChange={(values) => choose(values as DownloadFormat[])}
          >
            <Stack gap="xs" mt="xs">
              {formats.map((format) => (
                <Checkbox
                  key={format}
                  className={classes.format}
                  value={format}
                  label={t(`formats.${textsOf(format, media.film !== null)}.name`)}
                  description={t(`formats.${textsOf(format, media.film !== null)}.note`)}
                />
              ))}
            </Stack>
          </Checkbox.Group>
        ))}
        {chosen.some(isSwappable) && (
          <Switch
            label={t('swap.name')}
            description={t('swap.note')}
            checked={swapEyes}
            onChange={(event) => setSwapEyes(event.currentTarget.checked)}
          />
        )}
        {chosen.includes('anaglyph') && (
          <Select
            label={t('anaglyph.label')}
            data={ANAGLYPHS.map((value) => ({ value, label: t(`anaglyph.${value}`) }))}
            value={anaglyph}
            onChange={(value) => setAnaglyph(ANAGLYPHS.find((kind) => kind === value) ?? 'dubois')}
            allowDeselect={false}
          />
        )}
        {native && (
          <FileInput
            label={t('calibration.label')}
            description={t('calibration.note')}
            placeholder={t('calibration.choose')}
            accept=".json,application/json"
            value={calibration}
            onChange={setCalibration}
            required
          />
        )}
        <Button
          className={classes.download}
          size="md"
          leftSection={<IconDownload aria-hidden />}
          disabled={chosen.length === 0 || (native && !calibration)}
          onClick={() => void download()}
        >
          {chosen.length > 1 ? t('download.several', { count: chosen.length }) : t('download.one')}
        </Button>
      </Stack>
    </Modal>
  );
}
