import type { MediaDetail } from '@framelift/contract';
import { Stack, Title } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { cancelMedia } from '../../api/media.ts';
import { ConversionProgress } from '../../shared/depth-view/ConversionProgress.tsx';

/** A conversion under way, with the way to stop it. */
export function RunningResult({ media }: { media: MediaDetail }) {
  const { t } = useTranslation('result');
  const cancel = useMutation(cancelMedia);
  return (
    <Stack gap="xl" align="center">
      <Title order={1} size="h2" ta="center">
        {t(media.film ? 'progressTitleVideo' : 'progressTitle')}
      </Title>
      <ConversionProgress media={media} onCancel={() => cancel.mutate(media.id)} cancelling={cancel.isPending} />
    </Stack>
  );
}
