import { byLanguage, LIMITS, type ManagedStore } from '@framelift/contract';
import { Button, Checkbox, Stack } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { setStore } from '../../../api/admin.ts';
import { isCallError } from '../../../api/client.ts';
import { useContractForm } from '../../../shared/use-contract-form.ts';
import { Form } from '../../../ui/Form.tsx';
import { FormProblem } from '../../../ui/FormProblem.tsx';
import { PictureField } from '../PictureField.tsx';
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
        <PictureField
          present={!!store?.icon}
          value={form.values.icon}
          onChange={(id) => form.setFieldValue('icon', id)}
          texts={{
            chosen: t('shop.iconChosen'),
            none: t('shop.iconNone'),
            kept: t('shop.iconKept'),
            choose: t('shop.iconChoose'),
            remove: t('shop.iconRemove'),
            take: t('shop.iconTake'),
          }}
        />
        <PositionField {...form.getInputProps('position')} />
        <Checkbox label={t('shop.storeActive')} {...form.getInputProps('active', { type: 'checkbox' })} />
        <Button type="submit" disabled={!input} loading={saving}>
          {t('shop.save')}
        </Button>
      </Stack>
    </Form>
  );
}
