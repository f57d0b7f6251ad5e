import type { Maintenance } from '@framelift/contract';
import { Button, Group, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { setMaintenance } from '../../api/admin.ts';
import { confirm } from '../../ui/confirm.ts';
import classes from './Admin.module.css';
import { fromLocalInput, toLocalInput } from './local-time.ts';
import { Panel } from './Panel.tsx';
import { useUndoableAction } from './use-undoable-action.ts';

/** The switch that sends everybody but administrators away, and the times that they are told. */
export function MaintenancePanel({ maintenance }: { maintenance: Maintenance }) {
  const { t } = useTranslation('admin');
  const action = useUndoableAction();
  const [from, setFrom] = useState(toLocalInput(maintenance.from));
  const [to, setTo] = useState(toLocalInput(maintenance.to));
  const [start, end] = [fromLocalInput(from), fromLocalInput(to)];
  const wrong = start !== null && end !== null && end <= start;
  const { on } = maintenance;

  const save = (next: boolean) => {
    if (start === null || end === null) return;
    action.mutate({
      run: () => setMaintenance({ on: next, from: start, to: end }),
      done: t(next === on ? 'settings.saved' : next ? 'maintenance.onDone' : 'maintenance.offDone'),
      undo: () => setMaintenance(maintenance),
    });
  };
  const toggle = async () => {
    if (on) return save(false);
    const texts = { title: t('maintenance.askTitle'), content: t('maintenance.askText') };
    if (await confirm({ ...texts, label: t('maintenance.turnOn') })) save(true);
  };

  const ready = start !== null && end !== null && !wrong;
  return (
    <Panel title={t('maintenance.title')}>
      <Text>{t(on ? 'maintenance.isOn' : 'maintenance.isOff')}</Text>
      <div className={classes.pair}>
        <TextInput
          type="datetime-local"
          label={t('settings.from')}
          value={from}
          onChange={(event) => setFrom(event.currentTarget.value)}
        />
        <TextInput
          type="datetime-local"
          label={t('settings.to')}
          value={to}
          error={wrong && t('settings.endsTooEarly')}
          onChange={(event) => setTo(event.currentTarget.value)}
        />
      </div>
      <Text size="sm" c="dimmed">
        {t('maintenance.hint')}
      </Text>
      <Group>
        <Button variant="default" disabled={!ready} loading={action.isPending} onClick={() => save(on)}>
          {t('maintenance.saveTimes')}
        </Button>
        <Button variant="default" disabled={!ready} loading={action.isPending} onClick={() => void toggle()}>
          {t(on ? 'maintenance.turnOff' : 'maintenance.turnOn')}
        </Button>
      </Group>
    </Panel>
  );
}
