import type { DepthModel } from '@framelift/contract';
import { Button, Group, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { fetchDepthModel, removeDepthModel } from '../../api/admin.ts';
import { formatBytes, formatDateTime } from '../../i18n/format.ts';
import { currentLanguage } from '../../i18n/index.ts';
import { ProgressBar } from '../../ui/ProgressBar.tsx';
import { showToast } from '../../ui/toasts.ts';
import { Panel } from './Panel.tsx';

/** The neural depth model: one sentence about it, and what can be done. */
export function DepthModelPanel({ model }: DepthModel) {
  const { t } = useTranslation('admin');
  return (
    <Panel title={t('depthModel.title')}>
      {model ? <Model model={model} /> : <Text>{t('depthModel.off', { setting: 'DEPTH_MODEL' })}</Text>}
    </Panel>
  );
}

function Model({ model }: { model: NonNullable<DepthModel['model']> }) {
  const { t } = useTranslation('admin');
  const { t: common } = useTranslation();
  const get = useMutation(fetchDepthModel);
  const drop = useMutation(removeDepthModel);
  const { name, licence, state, problem, detail, nextTryAt } = model;
  const language = currentLanguage();
  const size = formatBytes(model.bytes, language);
  const facts = { name, licence, size, done: formatBytes(model.fetched, language) };
  const isComing = state === 'waiting' || state === 'fetching' || state === 'checking';

  const remove = async () => {
    const text = isComing ? t('depthModel.cancelled') : t('depthModel.gone', { name });
    await drop.mutateAsync();
    showToast({ kind: 'info', text, action: { label: common('undo'), run: () => get.mutate() } });
  };
  return (
    <>
      <div role="status">
        <Text>
          {state === 'failed'
            ? t(`depthModel.problems.${problem ?? 'interrupted'}`, facts)
            : t(`depthModel.${state}`, facts)}
        </Text>
        {(isComing || problem) && <Text c="dimmed">{t('depthModel.meanwhile')}</Text>}
        {problem && nextTryAt && (
          <Text c="dimmed">{t('depthModel.nextTry', { time: formatDateTime(nextTryAt, language) })}</Text>
        )}
      </div>
      {state === 'fetching' && <ProgressBar value={Math.floor((100 * model.fetched) / model.bytes)} label={name} />}
      {detail && (
        // The words of the system, which also go to the log.
        <Text size="sm" c="dimmed" lang="en" style={{ overflowWrap: 'anywhere' }}>
          {detail}
        </Text>
      )}
      <Group gap="sm">
        {state === 'failed' && (
          <Button variant="default" loading={get.isPending} onClick={() => get.mutate()}>
            {t('depthModel.retry')}
          </Button>
        )}
        {state === 'removed' ? (
          <Button variant="default" loading={get.isPending} onClick={() => get.mutate()}>
            {t('depthModel.fetch', facts)}
          </Button>
        ) : (
          <Button variant="default" loading={drop.isPending} onClick={() => void remove().catch(() => {})}>
            {isComing ? t('depthModel.cancel') : t('depthModel.remove')}
          </Button>
        )}
      </Group>
    </>
  );
}
