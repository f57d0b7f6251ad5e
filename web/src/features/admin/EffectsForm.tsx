import type { EffectParam } from '@framelift/contract';
import { Button, Checkbox, Group, NumberInput, Stack, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { managedEffectsQuery, setEffect } from '../../api/admin.ts';
import { percentOf } from '../../api/device-types.ts';
import { Form } from '../../ui/Form.tsx';
import { QueryState } from '../../ui/QueryState.tsx';
import classes from './Admin.module.css';
import { Loading } from './Loading.tsx';
import { useUndoableAction } from './use-undoable-action.ts';

const KINDS = [
  { type: 1, key: 'pictures' },
  { type: 0, key: 'videos' },
] as const;
type MediaType = (typeof KINDS)[number]['type'];

/** The strengths of a device type: which are offered, and which of them to VIPs only. */
export function EffectsForm({ deviceTypeId }: { deviceTypeId: number }) {
  const { t } = useTranslation('admin');
  const query = useQuery(managedEffectsQuery(deviceTypeId));
  return (
    <QueryState query={query} loading={<Loading height="24rem" />} align="flex-start">
      {(effects) => (
        <Stack gap="lg">
          <p className={classes.lead}>{t('effects.text')}</p>
          {KINDS.map(({ type, key }) => (
            <Strengths
              key={key}
              deviceTypeId={deviceTypeId}
              type={type}
              title={t(`effects.${key}`)}
              effects={effects.filter(({ media_type }) => media_type === type)}
            />
          ))}
        </Stack>
      )}
    </QueryState>
  );
}

function Strengths({
  deviceTypeId,
  type,
  title,
  effects,
}: {
  readonly deviceTypeId: number;
  readonly type: MediaType;
  readonly title: string;
  readonly effects: readonly EffectParam[];
}) {
  const { t } = useTranslation('admin');
  const action = useUndoableAction();
  const [percent, setPercent] = useState<number | string>('');
  const set = (value: number, is_activated: boolean, vip_required: boolean) => () =>
    setEffect({ device_type_id: deviceTypeId, media_type: type, percent: value, is_activated, vip_required });
  const change = (effect: EffectParam, next: Partial<EffectParam>) => {
    const value = percentOf(effect);
    const after = { ...effect, ...next };
    action.mutate({
      run: set(value, after.is_activated, after.vip_required),
      done: t('effects.saved', { effect: effect.effect }),
      undo: set(value, effect.is_activated, effect.vip_required),
    });
  };
  const value = Number(percent);
  const isNew =
    Number.isInteger(value) && value >= 1 && value <= 100 && !effects.some((one) => percentOf(one) === value);
  const add = () => {
    if (!isNew) return;
    action.mutate(
      {
        run: set(value, true, false),
        done: t('effects.saved', { effect: `${value}%` }),
        undo: set(value, false, false),
      },
      { onSuccess: () => setPercent('') },
    );
  };
  return (
    <section aria-label={title}>
      <Title order={3} size="h4">
        {title}
      </Title>
      <ul className={classes.strengths}>
        {effects.map((effect) => (
          <li key={effect.id}>
            <span className="tabular">{effect.effect}</span>
            <Checkbox
              label={t('effects.offered')}
              aria-label={t('effects.offeredOf', { effect: effect.effect })}
              checked={effect.is_activated}
              disabled={action.isPending}
              onChange={(event) => change(effect, { is_activated: event.currentTarget.checked })}
            />
            <Checkbox
              label={t('effects.vip')}
              aria-label={t('effects.vipOf', { effect: effect.effect })}
              checked={effect.vip_required}
              disabled={action.isPending || !effect.is_activated}
              onChange={(event) => change(effect, { vip_required: event.currentTarget.checked })}
            />
          </li>
        ))}
      </ul>
      <Form onSubmit={add}>
        <Group align="flex-end" gap="sm">
          <NumberInput
            size="md"
            label={t('effects.percent')}
            min={1}
            max={100}
            allowDecimal={false}
            hideControls
            inputMode="numeric"
            value={percent}
            onChange={setPercent}
          />
          <Button type="submit" variant="default" disabled={!isNew} loading={action.isPending}>
            {t('effects.add')}
          </Button>
        </Group>
      </Form>
    </section>
  );
}
