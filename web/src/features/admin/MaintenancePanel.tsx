import type { Maintenance } from '@framelift/contract';
import { Button, Group, Text, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { setMaintenance } from '../../api/admin.ts';
import { useContractForm } from '../../shared/use-contract-form.ts';
import { confirm } from '../../ui/confirm.ts';
import classes from './Admin.module.css';
import { endsTooEarly, fromLocalInput, toLocalInput } from './local-time.ts';
import { Panel } from './Panel.tsx';
import { useUndoableAction } from './use-undoable-action.ts';

/**
 * Switches maintenance mode, which only administrators can bypass, and sets the times shown on the maintenance page.
 */
export function MaintenancePanel({ maintenance }: { maintenance: Maintenance }) {
  const { t } = useTranslation('admin');
  const action = useUndoableAction();
  const { on } = maintenance;
  // A window that is over, or was never set, is no proposal for the next one.
  const over = !on && new Date(maintenance.to).getTime() < Date.now();
  const initial = {
    from: over ? '' : toLocalInput(maintenance.from),
    to: over ? '' : toLocalInput(maintenance.to),
  };
  const { form, input } = useContractForm('setMaintenance', initial, ({ from, to }) => ({
    on,
    from: fromLocalInput(from) ?? '',
    to: fromLocalInput(to) ?? '',
  }));
  const tooEarly = endsTooEarly(form.values);

  const save = (next: boolean) => {
    if (!input) return;
    action.mutate({
      run: () => setMaintenance({ ...input, on: next }),
      done: t(next === on ? 'settings.saved' : next ? 'maintenance.onDone' : 'maintenance.offDone'),
      undo: () => setMaintenance(maintenance),
    });
  };
  const toggle = async () => {
    if (on) return save(false);
    const texts = { title: t('maintenance.askTitle'), content: t('maintenance.askText') };
    if (await confirm({ ...texts, label: t('maintenance.turnOn') })) save(true);
  };

  const ready = input !== null && !tooEarly;
  return (
    <Panel title={t('maintenance.title')}>
      <Text>{t(on ? 'maintenance.isOn' : 'maintenance.isOff')}</Text>
      <div className={classes.pair}>
        <TextInput type="datetime-local" label={t('settings.from')} {...form.getInputProps('from')} />
        <TextInput
          type="datetime-local"
          label={t('settings.to')}
          {...form.getInputProps('to')}
          error={tooEarly && t('settings.endsTooEarly')}
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
