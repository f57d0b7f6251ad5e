import { Button, FileButton, Group, Loader, Text } from '@mantine/core';
import IconCameraOff from '@tabler/icons-react/icons/IconCameraOff';
import IconPhotoScan from '@tabler/icons-react/icons/IconPhotoScan';
import IconQrcode from '@tabler/icons-react/icons/IconQrcode';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './QrScanner.module.css';
import { readPhoto } from './read-photo.ts';
import { type ScanState, useScan } from './use-scan.ts';

/** States in which the camera works. */
const SEEING = new Set<ScanState>(['found', 'nothing', 'foreign']);

interface Props {
  /** Interprets the text of a code; null if it is not relevant, and the scan continues. */
  readonly accept: (text: string) => string | null;
  readonly onFound: (found: string) => void;
  /** The found code is being looked up. If that fails, the scan can be restarted. */
  readonly busy: boolean;
  /** Moves to the field where the code can be typed. */
  readonly onType: () => void;
}

/** Finds a QR code with the camera or in a photo. Every failure shows a message and an alternative. */
export function QrScanner({ accept, onFound, busy, onType }: Props) {
  const { t } = useTranslation('scanner');
  const { video, state, mirrored, again } = useScan(accept, onFound);
  const [photo, setPhoto] = useState<'none' | 'reading' | 'nothing' | 'foreign' | 'unreadable'>('none');
  const view = useRef<HTMLElement>(null);
  const forget = useRef<() => void>(null);
  const looking = state === 'starting' || state === 'scanning' || (state === 'found' && busy);

  const lookAt = async (file: File | null) => {
    if (!file) return;
    // Reset, so that the same photo can be chosen again.
    forget.current?.();
    setPhoto('reading');
    try {
      const text = await readPhoto(file);
      const found = text === null ? null : accept(text);
      if (found === null) return setPhoto(text === null ? 'nothing' : 'foreign');
      setPhoto('none');
      onFound(found);
    } catch {
      setPhoto('unreadable');
    }
  };
  const scanAgain = () => {
    again();
    // The pressed button is about to be removed, so the focus is moved.
    view.current?.focus();
  };

  return (
    <div className={classes.scanner}>
      <section ref={view} className={classes.view} aria-label={t('camera')} tabIndex={-1}>
        <video
          ref={video}
          className={classes.video}
          data-mirrored={mirrored || undefined}
          data-shown={state === 'scanning' || undefined}
          playsInline
          muted
          aria-hidden
        />
        {state === 'scanning' && <div className={classes.corners} aria-hidden />}
        <div className={classes.words} data-over={state === 'scanning' || undefined}>
          {state === 'starting' && <Loader type="dots" aria-hidden />}
          {!looking && (SEEING.has(state) ? <IconQrcode aria-hidden /> : <IconCameraOff aria-hidden />)}
          <Text role="status">{t(`state.${state}`)}</Text>
          {!looking && (
            <Group justify="center" gap="xs">
              <Button onClick={scanAgain}>{t('again')}</Button>
              <Button variant="default" onClick={onType}>
                {t('type')}
              </Button>
            </Group>
          )}
        </div>
      </section>
      <FileButton accept="image/*" resetRef={forget} onChange={(file) => void lookAt(file)}>
        {(props) => (
          <Button
            {...props}
            variant="default"
            leftSection={<IconPhotoScan size="1.25rem" aria-hidden />}
            loading={photo === 'reading'}
          >
            {t('photo')}
          </Button>
        )}
      </FileButton>
      <Text role="status" size="sm" className={classes.photo ?? ''}>
        {photo !== 'none' && photo !== 'reading' && t(`photoState.${photo}`)}
      </Text>
    </div>
  );
}
