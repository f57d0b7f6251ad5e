import type { OwnFrame } from '@framelift/contract';
import { Select } from '@mantine/core';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { configQuery } from '../../api/config.ts';
import { frameListQuery } from '../../api/frames.ts';
import { useSession } from '../../api/session.ts';

const NONE = '';
const NOTHING: readonly OwnFrame[] = [];

/** Returns the member's paired frames that were paired last; none until they are known. */
export function useTargetFrames(enabled: boolean): readonly OwnFrame[] {
  const { kind } = useSession();
  const { data: config } = useQuery(configQuery);
  const isOn = config?.features.frameSetting === 'on';
  const { data } = useInfiniteQuery({ ...frameListQuery, enabled: enabled && isOn && kind === 'member' });
  return data?.pages[0]?.data ?? NOTHING;
}

interface ShowOnFieldProps {
  readonly frames: readonly OwnFrame[];
  /** Id of the chosen frame. */
  readonly value: string | undefined;
  readonly onChange: (frame: OwnFrame | null) => void;
}

/** Chooses a paired frame that shows the result as soon as there is one. */
export function ShowOnField({ frames, value, onChange }: ShowOnFieldProps) {
  const { t } = useTranslation('upload');
  return (
    <Select
      label={t('showOn.label')}
      description={t('showOn.note')}
      inputWrapperOrder={['label', 'input', 'description']}
      size="md"
      allowDeselect={false}
      data={[{ value: NONE, label: t('showOn.none') }, ...frames.map(({ id, name }) => ({ value: id, label: name }))]}
      value={value ?? NONE}
      onChange={(id) => onChange(frames.find((frame) => frame.id === id) ?? null)}
      maxDropdownHeight="min(22rem, 60dvh)"
    />
  );
}
