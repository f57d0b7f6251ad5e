import { Button, Group, Text } from '@mantine/core';
import IconQrcode from '@tabler/icons-react/icons/IconQrcode';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { PairSteps } from './PairSteps.tsx';

/** Shown instead of the frames where there is none: how to pair one, and that what was chosen is shown there then. */
export function PairFirst({ onPair }: { onPair: () => void }) {
  const { t } = useTranslation('frames');
  return (
    <>
      <Text>{t('show.none')}</Text>
      <PairSteps />
      <Text c="dimmed">{t('show.remembered')}</Text>
      <Group justify="flex-end">
        {/* Takes the place of the dialog's entry in the history. */}
        <Button
          component={Link}
          to="/menu/qrcode"
          replace
          onClick={onPair}
          leftSection={<IconQrcode size="1.25rem" aria-hidden />}
        >
          {t('pair')}
        </Button>
      </Group>
    </>
  );
}
