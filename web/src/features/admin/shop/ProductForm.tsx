import { byLanguage, inLanguage, LIMITS, type ManagedProduct, type ManagedStore } from '@framelift/contract';
import { Button, Checkbox, NativeSelect, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { setProduct } from '../../../api/admin.ts';
import { allAlbumsQuery } from '../../../api/albums.ts';
import { isCallError } from '../../../api/client.ts';
import { currentLanguage } from '../../../i18n/index.ts';
import { useContractForm } from '../../../shared/use-contract-form.ts';
import { Form } from '../../../ui/Form.tsx';
import { FormProblem } from '../../../ui/FormProblem.tsx';
import { LocalizedFields } from './LocalizedFields.tsx';
import { PositionField } from './PositionField.tsx';

interface Props {
  /** Null adds one. */
  readonly product: ManagedProduct | null;
  readonly stores: readonly ManagedStore[];
  readonly saving: boolean;
  readonly refused: Error | null;
  readonly onSave: (input: Parameters<typeof setProduct>[0]) => void;
}

/** Returns a product as the call that changes it takes it. */
export function productInput({ id, store, album, ...product }: ManagedProduct): Parameters<typeof setProduct>[0] {
  const { name, content, has_free, is_activated, position } = product;
  return { id, store_id: store.id, name, content, album_id: album?.id ?? null, has_free, is_activated, position };
}

/** Edits a product: its texts, its album, whether it is free, and whether it is on show. */
export function ProductForm({ product, stores, saving, refused, onSave }: Props) {
  const { t } = useTranslation('admin');
  const { data: own } = useQuery(allAlbumsQuery);
  // The album that it has may be another operator's.
  const albums = [
    ...(product?.album ? [{ id: product.album.id, name: product.album.name }] : []),
    ...(own ?? []).filter((album) => !album.product && album.id !== product?.album?.id),
  ];
  const initial = {
    store: String(product?.store.id ?? stores[0]?.id ?? ''),
    name: { ...(product?.name ?? byLanguage(() => '')) },
    content: { ...(product?.content ?? byLanguage(() => '')) },
    album: product?.album?.id ?? '',
    free: product?.has_free ?? false,
    active: product?.is_activated ?? false,
    position: (product?.position ?? 0) as number | string,
  };
  const { form, input } = useContractForm('setProduct', initial, (values) => ({
    id: product?.id ?? null,
    store_id: Number(values.store),
    name: values.name,
    content: values.content,
    album_id: values.album || null,
    has_free: values.free,
    is_activated: values.active,
    position: Number(values.position),
  }));
  return (
    <Form onSubmit={() => input && onSave(input)}>
      <Stack>
        <FormProblem text={isCallError(refused) ? refused.message : undefined} />
        <NativeSelect
          size="md"
          label={t('shop.store')}
          data={stores.map(({ id, name }) => ({ value: String(id), label: inLanguage(name, currentLanguage()) }))}
          {...form.getInputProps('store')}
        />
        <LocalizedFields
          label={t('shop.name')}
          maxLength={LIMITS.shop.titleLength}
          required
          props={(language) => form.getInputProps(`name.${language}`)}
        />
        <LocalizedFields
          label={t('shop.content')}
          maxLength={LIMITS.shop.contentLength}
          rows={3}
          props={(language) => form.getInputProps(`content.${language}`)}
        />
        <NativeSelect
          size="md"
          label={t('shop.album')}
          description={t('shop.albumHint')}
          data={[
            { value: '', label: t('shop.noAlbum') },
            ...albums.map(({ id, name }) => ({ value: id, label: name })),
          ]}
          {...form.getInputProps('album')}
        />
        <PositionField {...form.getInputProps('position')} />
        <Checkbox
          label={t('shop.isFree')}
          description={t('shop.isFreeHint')}
          {...form.getInputProps('free', { type: 'checkbox' })}
        />
        <Checkbox
          label={t('shop.onShow')}
          description={t('shop.onShowHint')}
          {...form.getInputProps('active', { type: 'checkbox' })}
        />
        <Button type="submit" disabled={!input} loading={saving}>
          {t('shop.save')}
        </Button>
      </Stack>
    </Form>
  );
}
