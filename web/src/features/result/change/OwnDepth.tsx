import { LIMITS, type MediaDetail } from '@framelift/contract';
import { Button, Text } from '@mantine/core';
import IconUpload from '@tabler/icons-react/icons/IconUpload';
import { useMutation } from '@tanstack/react-query';
import { useId, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { setMediaDepth } from '../../../api/media.ts';
import { formatBytes } from '../../../i18n/format.ts';
import { currentLanguage } from '../../../i18n/index.ts';
import classes from './ChangePanel.module.css';

/** Uploads a depth map made with another program. */
export function OwnDepth({ media }: { media: MediaDetail }) {
  const { t } = useTranslation('edit');
  const input = useRef<HTMLInputElement>(null);
  const help = useId();
  const send = useMutation(setMediaDepth(media.id));
  return (
    <>
      <input
        ref={input}
        type="file"
        hidden
        accept="image/png,image/jpeg"
        aria-label={t('map.open')}
        onChange={(event) => {
          const file = event.currentTarget.files?.[0];
          // Reset, so that choosing the same file again triggers a change event.
          event.currentTarget.value = '';
          if (file) send.mutate(file);
        }}
      />
      <Button
        variant="default"
        justify="flex-start"
        classNames={{ root: classes.edit ?? '', label: classes.editLabel ?? '' }}
        leftSection={<IconUpload aria-hidden />}
        aria-describedby={help}
        loading={send.isPending}
        onClick={() => input.current?.click()}
      >
        {t('map.open')}
      </Button>
      <Text size="sm" c="dimmed" id={help}>
        {t('map.help', { size: formatBytes(LIMITS.depthMap.bytes, currentLanguage()) })}
      </Text>
    </>
  );
}
