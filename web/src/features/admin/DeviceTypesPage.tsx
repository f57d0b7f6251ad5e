import { DEVICE_FORMATS, type DeviceTypeInput, type ManagedDeviceType } from '@framelift/contract';
import { Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { managedDeviceTypesQuery, setDeviceType } from '../../api/admin.ts';
import { formatNumber } from '../../i18n/format.ts';
import { currentLanguage } from '../../i18n/index.ts';
import { useDeviceName } from '../../shared/device-name.ts';
import { Modal } from '../../ui/Modal.tsx';
import classes from './Admin.module.css';
import { AdminTitle } from './AdminTitle.tsx';
import { NewButton, RowButton } from './buttons.tsx';
import { type Column, DataTable } from './DataTable.tsx';
import { DeviceTypeForm } from './DeviceTypeForm.tsx';
import { EditDialog } from './EditDialog.tsx';
import { EffectsForm } from './EffectsForm.tsx';
import { onePage } from './one-page.ts';
import { useEditing } from './use-editing.ts';
import { replacing, useUndoableAction } from './use-undoable-action.ts';

/** Returns a device type as the call that changes it takes it. */
function inputOf({ media: _media, format, ...device }: ManagedDeviceType): DeviceTypeInput {
  return { ...device, format: DEVICE_FORMATS.find((one) => one === format) ?? 'flat' };
}

/** /admin/device-types: what people can convert for. Every change is saved at once and can be undone. */
export function DeviceTypesPage() {
  const { t } = useTranslation(['admin', 'formats']);
  const nameOf = useDeviceName();
  const list = useQuery(managedDeviceTypesQuery);
  const action = useUndoableAction();
  const editing = useEditing<DeviceTypeInput>();
  const [strengths, setStrengths] = useState<ManagedDeviceType | null>(null);

  const toggle = (device: ManagedDeviceType) => {
    const before = inputOf(device);
    const done = t(device.is_actived ? 'devices.offDone' : 'devices.onDone', { name: nameOf(device) });
    action.mutate(replacing(setDeviceType, before, { ...before, is_actived: !device.is_actived }, done));
  };
  const save = (input: DeviceTypeInput) =>
    editing.save(replacing(setDeviceType, editing.row, input, t('devices.saved', { name: nameOf(input) })));
  const size = (text: string, separator: string) => text.split(',').join(separator);

  const columns: Column<ManagedDeviceType>[] = [
    {
      key: 'name',
      label: t('devices.name'),
      cell: (device) => (
        <div>
          {nameOf(device)}
          {device.note && (
            <Text size="sm" c="dimmed">
              {device.note}
            </Text>
          )}
        </div>
      ),
    },
    {
      key: 'shape',
      label: t('devices.shape'),
      cell: ({ ratio, extendResolution }) => (
        <div>
          {size(ratio, ':')}
          <Text size="sm" c="dimmed" className={`tabular ${classes.line}`}>
            {extendResolution.split(',').reverse().join(' × ')}
          </Text>
        </div>
      ),
    },
    {
      key: 'format',
      label: t('devices.format'),
      cell: ({ format, quilt }) => (
        <div>
          {t(`formats:formats.${format as 'flat'}.name`)}
          {quilt && (
            <Text size="sm" c="dimmed" className="tabular">
              {t('devices.grid', { columns: quilt.columns, rows: quilt.rows })}
            </Text>
          )}
        </div>
      ),
    },
    { key: 'media', label: t('devices.media'), cell: ({ media }) => formatNumber(media, currentLanguage()) },
    {
      key: 'state',
      label: t('devices.state'),
      cell: ({ is_actived }) => t(is_actived ? 'devices.active' : 'devices.inactive'),
    },
    {
      key: 'act',
      label: t('devices.act'),
      cell: (device) => {
        const name = nameOf(device);
        return (
          <Group gap="xs">
            <RowButton aria-label={t('devices.editOf', { name })} onClick={() => editing.edit(inputOf(device))}>
              {t('devices.edit')}
            </RowButton>
            <RowButton aria-label={t('devices.strengthsOf', { name })} onClick={() => setStrengths(device)}>
              {t('devices.strengths')}
            </RowButton>
            <RowButton
              loading={action.isPending}
              aria-label={t(device.is_actived ? 'devices.offOf' : 'devices.onOf', { name })}
              onClick={() => toggle(device)}
            >
              {t(device.is_actived ? 'devices.off' : 'devices.on')}
            </RowButton>
          </Group>
        );
      },
    },
  ];

  return (
    <>
      <AdminTitle title={t('devices.title')}>
        <NewButton onClick={() => editing.edit('new')}>{t('devices.new')}</NewButton>
      </AdminTitle>
      <p className={classes.lead}>{t('devices.text')}</p>
      <DataTable label={t('devices.title')} columns={columns} query={onePage(list)} empty={t('devices.none')} />
      <EditDialog editing={editing} newTitle={t('devices.new')} titleOf={nameOf}>
        {(device) => <DeviceTypeForm device={device} {...editing.form} onSave={save} />}
      </EditDialog>
      <Modal
        opened={strengths !== null}
        onClose={() => setStrengths(null)}
        title={strengths ? t('devices.strengthsOf', { name: nameOf(strengths) }) : ''}
      >
        {strengths && <EffectsForm deviceTypeId={strengths.id} />}
      </Modal>
    </>
  );
}
