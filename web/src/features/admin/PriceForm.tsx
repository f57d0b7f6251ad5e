import { LIMITS } from '@framelift/contract';
import { Button, NumberInput, Stack } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { isCallError } from '../../api/client.ts';
import { Form } from '../../ui/Form.tsx';
import { FormProblem } from '../../ui/FormProblem.tsx';
import { WHOLE } from './whole-number.ts';

/** Points for the conversion of each kind; null has no price of its own. */
export interface Prices {
  readonly picture: number | null;
  readonly video: number | null;
}

interface PriceFormProps {
  readonly prices: Prices;
  readonly isForAll: boolean;
  readonly saving: boolean;
  readonly refused: Error | null;
  readonly onSave: (prices: Prices) => void;
}

/** Edits the prices of a device type, or of all that have none of their own. */
export function PriceForm({ prices, isForAll, saving, refused, onSave }: PriceFormProps) {
  const { t } = useTranslation('admin');
  const [picture, setPicture] = useState<number | string>(prices.picture ?? '');
  const [video, setVideo] = useState<number | string>(prices.video ?? '');
  const priceIn = (field: number | string) => (field === '' ? null : Number(field));
  const points = {
    ...WHOLE,
    min: 0,
    max: LIMITS.points,
    clampBehavior: 'strict',
    allowNegative: false,
    description: t(isForAll ? 'points.allHint' : 'points.emptyHint'),
  } as const;
  return (
    <Form onSubmit={() => onSave({ picture: priceIn(picture), video: priceIn(video) })}>
      <Stack>
        <FormProblem text={isCallError(refused) ? refused.message : undefined} />
        <NumberInput
          label={t('points.pictureField')}
          {...points}
          value={picture}
          onChange={setPicture}
          data-autofocus
        />
        <NumberInput label={t('points.videoField')} {...points} value={video} onChange={setVideo} />
        <Button type="submit" loading={saving}>
          {t('points.save')}
        </Button>
      </Stack>
    </Form>
  );
}
