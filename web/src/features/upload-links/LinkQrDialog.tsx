import { LIMITS } from '@framelift/contract';
import { Stack, Text } from '@mantine/core';
import { encodeQR } from 'qr';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { Modal } from '../../ui/Modal.tsx';
import classes from './UploadLinks.module.css';

/** Width of the quiet zone in modules, as required by ISO/IEC 18004. */
const QUIET = 4;

/** The QR code of a link, for people in the same room. */
export function LinkQrDialog({ name, url, onClose }: { name: string; url: string; onClose: () => void }) {
  const { t } = useTranslation('links');
  const rows = useMemo(() => encodeQR(url, 'raw', { ecc: 'medium', border: QUIET }), [url]);
  const path = rows.map((row, y) => row.map((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : '')).join('')).join('');
  return (
    <Modal opened onClose={onClose} title={name}>
      <Stack align="center">
        <svg
          className={classes.code}
          viewBox={`0 0 ${rows.length} ${rows.length}`}
          width={LIMITS.qr.sizePx}
          height={LIMITS.qr.sizePx}
          role="img"
          aria-label={t('codeOf', { name })}
          shapeRendering="crispEdges"
        >
          <path d={path} />
        </svg>
        <Text ta="center">{t('codeText')}</Text>
      </Stack>
    </Modal>
  );
}
