import type { OwnFrame } from '@framelift/contract';
import { Button, Checkbox, Group, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { FrameLight } from './FrameLight.tsx';
import classes from './ShowOnFrame.module.css';

/** A frame to choose: one of the member's own, or one of a friend. */
export interface Choice {
  readonly id: string;
  readonly name: string;
  readonly own?: OwnFrame;
  /** Name of the friend. */
  readonly owner?: string;
}

interface Props {
  readonly choices: readonly Choice[];
  /** Why the last attempt failed. */
  readonly problem: string | undefined;
  readonly onChoose: (frames: readonly string[]) => void;
  readonly more?: { readonly busy: boolean; readonly load: () => void };
}

/** Asks on which frames to show something; several can be chosen. */
export function ChooseFrames({ choices, problem, onChoose, more }: Props) {
  const { t } = useTranslation('frames');
  const { t: common } = useTranslation();
  const [chosen, setChosen] = useState<string[]>([]);
  const row = ({ id, name, own, owner }: Choice) => (
    <Checkbox.Card key={id} value={id} className={classes.choice} aria-label={name}>
      <Checkbox.Indicator size="md" />
      <span className={classes.about}>
        <Text component="span" fw={600} className={classes.name}>
          {name}
        </Text>
        {own && <FrameLight frame={own} />}
        {owner !== undefined && (
          <Text component="span" size="sm" c="dimmed">
            {t('show.owner', { name: owner })}
          </Text>
        )}
      </span>
    </Checkbox.Card>
  );
  return (
    <>
      <Checkbox.Group
        label={t('show.choose')}
        value={chosen}
        onChange={setChosen}
        classNames={{ label: classes.label ?? '' }}
      >
        <div className={classes.choices}>{choices.map(row)}</div>
      </Checkbox.Group>
      {more && (
        <Button variant="subtle" color="gray" loading={more.busy} onClick={more.load}>
          {common('more')}
        </Button>
      )}
      {problem !== undefined && (
        <Text role="alert" c="var(--mantine-color-error)">
          {problem}
        </Text>
      )}
      <Group justify="flex-end">
        <Button disabled={chosen.length === 0} onClick={() => onChoose(chosen)}>
          {chosen.length === 0 ? t('show.button') : t('show.go', { count: chosen.length })}
        </Button>
      </Group>
    </>
  );
}
