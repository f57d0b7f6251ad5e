import type { FeatureSwitches } from '@framelift/contract';
import { Button, Group, NativeSelect, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { setFeatures } from '../../api/admin.ts';
import classes from './Admin.module.css';
import { Panel } from './Panel.tsx';
import { useUndoableAction } from './use-undoable-action.ts';

const STATES = ['on', 'in_development', 'off'] as const;
const PRESETS = ['full', 'literal'] as const;

/** Feature switches; every change is saved immediately and can be undone. */
export function FeaturesPanel({ features }: { features: FeatureSwitches }) {
  const { t } = useTranslation('admin');
  const action = useUndoableAction();
  const name = (feature: string) => t(`features.names.${feature as 'store'}`, { defaultValue: feature });
  const hint = (feature: string) => t(`features.hints.${feature as 'guests'}`, { defaultValue: '' });
  const undo = () => setFeatures({ features });

  return (
    <Panel title={t('features.title')}>
      <Text>{t('features.text')}</Text>
      <Group>
        {PRESETS.map((preset) => (
          <Button
            key={preset}
            variant="default"
            loading={action.isPending}
            onClick={() =>
              action.mutate({ run: () => setFeatures({ preset }), done: t(`features.presets.${preset}Done`), undo })
            }
          >
            {t(`features.presets.${preset}`)}
          </Button>
        ))}
      </Group>
      <ul className={classes.features}>
        {(Object.keys(features) as (keyof FeatureSwitches)[]).map((feature) => (
          <li key={feature}>
            <div>
              <span id={`feature-${feature}`}>{name(feature)}</span>
              {hint(feature) !== '' && (
                <Text size="sm" c="dimmed" id={`hint-${feature}`}>
                  {hint(feature)}
                </Text>
              )}
            </div>
            <NativeSelect
              size="md"
              aria-labelledby={`feature-${feature}`}
              aria-describedby={hint(feature) === '' ? undefined : `hint-${feature}`}
              value={features[feature]}
              disabled={action.isPending}
              onChange={(event) => {
                const state = STATES.find((one) => one === event.currentTarget.value);
                if (!state) return;
                action.mutate({
                  run: () => setFeatures({ features: { [feature]: state } }),
                  done: t('features.done', { name: name(feature), state: t(`features.states.${state}`) }),
                  undo,
                });
              }}
              data={STATES.map((state) => ({ value: state, label: t(`features.states.${state}`) }))}
            />
          </li>
        ))}
      </ul>
    </Panel>
  );
}
