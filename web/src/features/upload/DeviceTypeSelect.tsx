import type { DeviceType } from '@framelift/contract';
import { ActionIcon, Group, Select, Skeleton, Text } from '@mantine/core';
import IconReload from '@tabler/icons-react/icons/IconReload';
import { useTranslation } from 'react-i18next';
import { useSession } from '../../api/session.ts';
import { useDeviceName } from '../../shared/device-name.ts';
import { parseRatio } from '../../ui/crop/crop-rect.ts';
import { TryAgain } from '../../ui/QueryState.tsx';
import classes from './DeviceTypeSelect.module.css';
import { type DeviceTypeChoice, groupDevices } from './device-type-choice.ts';

/** Selects the device type, by kind or by typing a part of its name. Each is drawn in its own aspect ratio. */
export function DeviceTypeSelect({ frame, onChange }: { frame: DeviceTypeChoice; onChange: () => void }) {
  const { t } = useTranslation('upload');
  const { t: names } = useTranslation('devices');
  const nameOf = useDeviceName();
  const session = useSession();
  const isAdmin = session.kind === 'member' && session.user.isAdmin;
  const { data = [], isPending, isError, isFetching, refetch } = frame.devices;
  const { device } = frame;

  if (isPending) return <Skeleton height="4.75rem" />;
  if (isError) return <TryAgain query={frame.devices} text={t('device.failed')} align="stretch" gap="xs" />;
  return (
    <Group gap="xs" align="flex-end" wrap="nowrap" data-guide="frame">
      <Select
        className={classes.select}
        label={t('device.label')}
        size="md"
        data={groupDevices(data, frame.recent).map(({ group, devices }) => ({
          group: names(`groups.${group}`),
          items: devices.map((one) => ({ value: String(one.id), label: nameOf(one) })),
        }))}
        searchable
        nothingFoundMessage={names('none')}
        value={device ? String(device.id) : null}
        onChange={(value) => {
          if (value === null) return;
          frame.chooseDevice(Number(value));
          onChange();
        }}
        allowDeselect={false}
        leftSection={device && <Outline device={device} />}
        maxDropdownHeight="min(22rem, 60dvh)"
        renderOption={({ option }) => {
          const shown = data.find(({ id }) => String(id) === option.value);
          return (
            shown && (
              <Group wrap="nowrap" gap="sm" className={classes.option}>
                <Outline device={shown} />
                <div>
                  <Text>{nameOf(shown)}</Text>
                  {shown.note && (
                    <Text size="xs" c="dimmed">
                      {shown.note}
                    </Text>
                  )}
                </div>
              </Group>
            )
          );
        }}
      />
      {isAdmin && (
        <ActionIcon aria-label={t('device.reload')} loading={isFetching} onClick={() => void refetch()}>
          <IconReload aria-hidden />
        </ActionIcon>
      )}
    </Group>
  );
}

function Outline({ device }: { device: DeviceType }) {
  const [width, height] = parseRatio(device.ratio);
  return (
    <span className={classes.outline} aria-hidden>
      <span style={{ aspectRatio: `${width} / ${height}` }} data-tall={height > width || undefined} />
    </span>
  );
}
