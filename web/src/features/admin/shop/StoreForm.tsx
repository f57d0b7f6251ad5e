import { byLanguage, LIMITS, type ManagedStore } from '@framelift/contract';
import { Button, Checkbox, Group, Stack, Text } from '@mantine/core';
import { Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { setStore } from '../../../api/admin.ts';
import { isCallError } from '../../../api/client.ts';
import { useContractForm } from '../../../shared/use-contract-form.ts';
import { Form } from '../../../ui/Form.tsx';
import { FormProblem } from '../../../ui/FormProblem.tsx';
import { ChoosePicture } from '../ChoosePicture.tsx';
import { LocalizedFields } from './LocalizedFields.tsx';
import { PositionField } from './PositionField.tsx';

interface Props {
  /** Null adds one. */
  readonly store: ManagedStore | null;
  readonly saving: boolean;
  readonly refused: Error | null;
  readonly onSave: (input: Parameters<typeof setStore>[0]) => void;
}

/** Edits a store: its name, its icon and its place. */
export function StoreForm({ store, saving, refused, onSave }: Props) {
  const { t } = useTranslation('admin');
  const [choosing, setChoosing] = useState(false);
  const initial = {
    name: { ...(store?.name ?? byLanguage(() => '')) },
    position: (store?.position ?? 0) as number | string,
    active: store?.is_active ?? true,
    icon: undefined as string | null | undefined,
  };
  const { form, input } = useContractForm('setStore', initial, ({ name, position, active, icon }) => ({
    ...{ id: store?.id ?? null, name, position: Number(position), is_active: active },
    ...(icon !== undefined && { icon_media: icon }),
  }));
  const { icon } = form.values;
  return (
    <Form onSubmit={() => input && onSave(input)}>
      <Stack>
        <FormProblem text={isCallError(refused) ? refused.message : undefined} />
        <LocalizedFields
          label={t('shop.name')}
          maxLength={LIMITS.shop.titleLength}
          required
          props={(language) => form.getInputProps(`name.${language}`)}
        />
        <Stack gap="xs">
          <Text size="sm" role="status">
            {t(icon ? 'shop.iconChosen' : icon === null || !store?.icon ? 'shop.iconNone' : 'shop.iconKept')}
          </Text>
          <Group gap="xs">
            <Button variant="default" onClick={() => setChoosing(true)}>
              {t('shop.iconChoose')}
            </Button>
            {store?.icon && icon !== null && (
              <Button variant="default" onClick={() => form.setFieldValue('icon', null)}>
                {t('shop.iconRemove')}
              </Button>
            )}
          </Group>
        </Stack>
        <PositionField {...form.getInputProps('position')} />
        <Checkbox label={t('shop.storeActive')} {...form.getInputProps('active', { type: 'checkbox' })} />
        <Button type="submit" disabled={!input} loading={saving}>
          {t('shop.save')}
        </Button>
      </Stack>
      <Suspense fallback={null}>
        {choosing && (
          <ChoosePicture
            title={t('shop.iconChoose')}
            action={t('shop.iconTake')}
            onChoose={(id) => form.setFieldValue('icon', id)}
            onClosed={() => setChoosing(false)}
          />
        )}
      </Suspense>
    </Form>
  );
}
