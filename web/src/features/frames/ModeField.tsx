import { FRAME_MODES, type FrameMode, type OwnFrame } from '@framelift/contract';
import { Select, Skeleton, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { deviceTypesQuery } from '../../api/device-types.ts';
import { setFrameDevice } from '../../api/frames.ts';
import { useDeviceName } from '../../shared/device-name.ts';
import { TryAgain } from '../../ui/QueryState.tsx';
import classes from './FramePage.module.css';

/** Value of the option for a screen that is none of the device types. */
const ANY = 'any';

/** Selects what the frame is. The server then crops its pictures to the shape of that display and sets its mode. */
export function DisplayField({ frame: { id, device_type_id } }: { frame: OwnFrame }) {
  const { t } = useTranslation('frames');
  const nameOf = useDeviceName();
  const devices = useQuery(deviceTypesQuery);
  const set = useMutation(setFrameDevice(id));
  if (devices.isPending) return <Skeleton className={classes.fieldSkeleton} />;
  if (devices.isError) return <TryAgain query={devices} align="stretch" gap="xs" />;
  const chosen = set.isPending ? set.variables : device_type_id;
  return (
    <Select
      label={t('options.device')}
      description={t('options.deviceHint')}
      inputWrapperOrder={['label', 'input', 'description']}
      size="md"
      searchable
      allowDeselect={false}
      data={[
        { value: ANY, label: t('options.anyDevice') },
        ...devices.data.map((one) => ({ value: String(one.id), label: nameOf(one) })),
      ]}
      value={chosen === null ? ANY : String(chosen)}
      onChange={(value) => set.mutate(value === null || value === ANY ? null : Number(value))}
      maxDropdownHeight="min(22rem, 60dvh)"
    />
  );
}

/** Selects how the frame draws pictures; each way says what it is for. */
export function ModeField({ mode, onChange }: { mode: FrameMode; onChange: (mode: FrameMode) => void }) {
  const { t } = useTranslation('frames');
  return (
    <Select
      label={t('options.mode')}
      description={t(`modes.${mode}.for`)}
      inputWrapperOrder={['label', 'input', 'description']}
      size="md"
      allowDeselect={false}
      data={FRAME_MODES.map((value) => ({ value, label: t(`modes.${value}.name`) }))}
      value={mode}
      onChange={(value) => value && onChange(value)}
      maxDropdownHeight="min(26rem, 70dvh)"
      renderOption={({ option }) => (
        <div className={classes.modeOption}>
          <Text>{option.label}</Text>
          <Text size="xs" c="dimmed">
            {t(`modes.${option.value as FrameMode}.for`)}
          </Text>
        </div>
      )}
    />
  );
}
