import { NumberInput, type NumberInputProps } from '@mantine/core';
import { useTranslation } from 'react-i18next';

/** The place of something among its like. */
export function PositionField(props: NumberInputProps) {
  const { t } = useTranslation('admin');
  return (
    <NumberInput
      label={t('shop.position')}
      description={t('shop.positionHint')}
      size="md"
      min={0}
      allowDecimal={false}
      inputMode="numeric"
      {...props}
    />
  );
}
