import { byLanguage, inLanguage, type Language, LIMITS, type ManagedLiveEvent } from '@framelift/contract';
import { Button, Checkbox, Group, NativeSelect, Stack, TextInput } from '@mantine/core';
import IconPlus from '@tabler/icons-react/icons/IconPlus';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { allManagedProductsQuery, type setLiveEvent } from '../../../api/admin.ts';
import { isCallError } from '../../../api/client.ts';
import { currentLanguage } from '../../../i18n/index.ts';
import { useContractForm } from '../../../shared/use-contract-form.ts';
import { Form } from '../../../ui/Form.tsx';
import { FormProblem } from '../../../ui/FormProblem.tsx';
import { randomUuid } from '../../../ui/random-uuid.ts';
import classes from '../Admin.module.css';
import { endsTooEarly, fromLocalInput, toLocalInput } from '../local-time.ts';
import { PictureField } from '../PictureField.tsx';
import { LocalizedFields } from '../shop/LocalizedFields.tsx';
import { AngleFields } from './AngleFields.tsx';

/** An angle as its fields hold it. */
export interface TypedAngle {
  /** Of the row in the form. */
  readonly key: string;
  /** Null for one that is added. */
  readonly id: string | null;
  readonly name: Record<Language, string>;
  readonly source: string;
}

interface Props {
  /** Null adds one. */
  readonly event: ManagedLiveEvent | null;
  readonly saving: boolean;
  readonly refused: Error | null;
  readonly onSave: (input: Parameters<typeof setLiveEvent>[0]) => void;
}

/** Returns an event as the call that changes it takes it, without its picture, which then stays. */
export function eventInput(event: ManagedLiveEvent): Parameters<typeof setLiveEvent>[0] {
  const { id, title, starts_at, ends_at, is_active, is_free_view, product } = event;
  const angles = event.angles.map((angle) => ({ ...angle }));
  return { id, title, starts_at, ends_at, is_active, is_free_view, product_id: product?.id ?? null, angles };
}

const newAngle = (): TypedAngle => ({ key: randomUuid(), id: null, name: byLanguage(() => ''), source: '' });

/** Edits an event: its title, its times, who may watch, and its angles in their order. */
export function LiveEventForm({ event, saving, refused, onSave }: Props) {
  const { t } = useTranslation('adminLive');
  const { t: admin } = useTranslation('admin');
  const { data: products = [] } = useQuery(allManagedProductsQuery);
  const initial = {
    title: { ...(event?.title ?? byLanguage(() => '')) },
    from: event ? toLocalInput(event.starts_at) : '',
    to: event ? toLocalInput(event.ends_at) : '',
    active: event?.is_active ?? true,
    everyone: event?.is_free_view ?? false,
    product: event?.product ? String(event.product.id) : '',
    cover: undefined as string | null | undefined,
    angles: event
      ? event.angles.map(({ id, name, source }): TypedAngle => ({ key: id, id, name: { ...name }, source }))
      : [newAngle()],
  };
  const { form, input } = useContractForm('setLiveEvent', initial, (values) => ({
    id: event?.id ?? null,
    title: values.title,
    starts_at: fromLocalInput(values.from) ?? '',
    ends_at: fromLocalInput(values.to) ?? '',
    is_active: values.active,
    is_free_view: values.everyone,
    product_id: values.product === '' ? null : Number(values.product),
    ...(values.cover !== undefined && { cover_media: values.cover }),
    angles: values.angles.map(({ id, name, source }) => ({ id, name, source: source.trim() })),
  }));
  const { cover, angles } = form.values;
  const move = (from: number, to: number) => form.reorderListItem('angles', { from, to });
  return (
    <Form onSubmit={() => input && onSave(input)}>
      <Stack>
        <FormProblem text={isCallError(refused) ? refused.message : undefined} />
        <LocalizedFields
          label={t('eventTitle')}
          maxLength={LIMITS.shop.titleLength}
          required
          props={(language) => form.getInputProps(`title.${language}`)}
        />
        <div className={classes.pair}>
          <TextInput size="md" type="datetime-local" label={t('from')} {...form.getInputProps('from')} />
          <TextInput
            size="md"
            type="datetime-local"
            label={t('to')}
            {...form.getInputProps('to')}
            error={endsTooEarly(form.values) && admin('settings.endsTooEarly')}
          />
        </div>
        <Checkbox
          label={t('isEveryMember')}
          description={t('isEveryMemberHint')}
          {...form.getInputProps('everyone', { type: 'checkbox' })}
        />
        <NativeSelect
          size="md"
          label={t('product')}
          description={t('productHint')}
          disabled={form.values.everyone}
          data={[
            { value: '', label: t('noProduct') },
            ...products.map(({ id, name }) => ({ value: String(id), label: inLanguage(name, currentLanguage()) })),
          ]}
          {...form.getInputProps('product')}
        />
        <PictureField
          present={!!event?.cover}
          value={cover}
          onChange={(id) => form.setFieldValue('cover', id)}
          texts={{
            chosen: t('coverChosen'),
            none: t('coverNone'),
            kept: t('coverKept'),
            choose: t('coverChoose'),
            remove: t('coverRemove'),
            take: t('coverTake'),
          }}
        />
        {angles.map(({ key, source }, at) => (
          <AngleFields
            key={key}
            number={at + 1}
            source={source}
            name={(language) => form.getInputProps(`angles.${at}.name.${language}`)}
            address={form.getInputProps(`angles.${at}.source`)}
            onMove={at > 0 ? () => move(at, at - 1) : undefined}
            onRemove={angles.length > 1 ? () => form.removeListItem('angles', at) : undefined}
          />
        ))}
        <Group>
          <Button
            variant="default"
            leftSection={<IconPlus size="1.1em" aria-hidden />}
            disabled={angles.length >= LIMITS.live.angles}
            onClick={() => form.insertListItem('angles', newAngle())}
          >
            {t('newAngle')}
          </Button>
        </Group>
        <Checkbox label={t('isShown')} {...form.getInputProps('active', { type: 'checkbox' })} />
        <Button type="submit" disabled={!input} loading={saving}>
          {t('save')}
        </Button>
      </Stack>
    </Form>
  );
}
