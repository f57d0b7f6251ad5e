import { Button } from '@mantine/core';
import IconDownload from '@tabler/icons-react/icons/IconDownload';
import { useTranslation } from 'react-i18next';

/** Downloads a list as a CSV file. */
export function CsvButton({ href }: { href: string }) {
  const { t } = useTranslation('admin');
  return (
    <Button
      component="a"
      href={href}
      download
      variant="default"
      leftSection={<IconDownload size="1.1em" aria-hidden />}
    >
      {t('csv')}
    </Button>
  );
}
