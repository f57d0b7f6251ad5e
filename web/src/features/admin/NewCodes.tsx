import { Button, Stack, Text } from '@mantine/core';
import IconDownload from '@tabler/icons-react/icons/IconDownload';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './Admin.module.css';
import type { Made } from './NewBatch.tsx';

/** Shows the codes of a batch, which are available only once. */
export function NewCodes({ made: { batch, codes, csv } }: { made: Made }) {
  const { t } = useTranslation('admin');
  const [address, setAddress] = useState<string>();
  useEffect(() => {
    const made = URL.createObjectURL(new Blob([csv], { type: 'text/csv;charset=utf-8' }));
    setAddress(made);
    return () => URL.revokeObjectURL(made);
  }, [csv]);
  return (
    <Stack>
      <Text>{t('codes.readyText', { count: codes.length, name: batch.name })}</Text>
      <Button
        component="a"
        href={address}
        download={`framelift-codes-${batch.createdAt.slice(0, 10)}.csv`}
        leftSection={<IconDownload size="1.1em" aria-hidden />}
        data-autofocus
      >
        {t('csv')}
      </Button>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard. */}
      <pre className={classes.codes} tabIndex={0}>
        {codes.join('\n')}
      </pre>
    </Stack>
  );
}
