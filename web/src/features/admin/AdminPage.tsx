import type { EngineStatusAnswer } from '@framelift/contract';
import { Button, Skeleton, Stack, Text, Title } from '@mantine/core';
import IconAlertTriangle from '@tabler/icons-react/icons/IconAlertTriangle';
import IconCircleCheck from '@tabler/icons-react/icons/IconCircleCheck';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { engineStatusQuery } from '../../api/operator.ts';
import { formatNumber } from '../../i18n/format.ts';
import { currentLanguage } from '../../i18n/index.ts';
import classes from './AdminPage.module.css';

/** /admin: what converts here and whether it is well. */
export default function AdminPage() {
  const { t } = useTranslation('admin');
  const { data, isError, error, refetch } = useQuery(engineStatusQuery);
  return (
    <Stack className={classes.page} gap="xl">
      <Title order={1}>{t('title')}</Title>
      {data ? (
        <Engine status={data} />
      ) : isError ? (
        <Stack align="flex-start" role="alert">
          <Text>{error.message}</Text>
          <Button variant="default" onClick={() => void refetch()}>
            {t('retry')}
          </Button>
        </Stack>
      ) : (
        <Skeleton height="18rem" role="status" aria-label={t('loading')} />
      )}
    </Stack>
  );
}

/** Names of programs as their makers write them. */
const PROGRAMS: Readonly<Record<string, string>> = { node: 'Node.js', onnxRuntime: 'ONNX Runtime' };

function Engine({ status }: { status: EngineStatusAnswer }) {
  const { t } = useTranslation('admin');
  const number = (value: number) => formatNumber(value, currentLanguage());
  const { depth, queue, warnings, versions, version } = status;
  const well = depth.selfTest === 'ok';
  const Sign = well ? IconCircleCheck : IconAlertTriangle;
  return (
    <>
      <section className={classes.card} aria-labelledby="engine-title">
        <Title order={2} size="h4" id="engine-title">
          {t('engine.title')}
        </Title>
        <div className={classes.engine}>
          <Sign className={classes.sign} data-well={well || undefined} size="2rem" aria-hidden />
          <div>
            <Text fw={650} size="lg" className={classes.name}>
              {depth.source === 'basic' ? t('engine.basic') : depth.name}
            </Text>
            <Text c="dimmed">
              {well ? t('engine.ok', { ms: number(Math.round(depth.selfTestMs)) }) : t('engine.failed')}
            </Text>
          </div>
        </div>
        <dl className={classes.facts}>
          <dt>{t('engine.source')}</dt>
          <dd>
            <code>{depth.source}</code>
          </dd>
          <dt>{t('engine.licence')}</dt>
          <dd>{depth.licence}</dd>
        </dl>
      </section>

      {warnings.length > 0 && (
        <section className={classes.card} aria-labelledby="warnings-title">
          <Title order={2} size="h4" id="warnings-title">
            {t('warnings')}
          </Title>
          <ul className={classes.warnings}>
            {warnings.map((warning) => (
              // The sentences of the engine are for its log too, and in English only.
              <li key={warning} lang="en">
                {warning}
              </li>
            ))}
          </ul>
        </section>
      )}

      <section className={classes.card} aria-labelledby="queue-title">
        <Title order={2} size="h4" id="queue-title">
          {t('queue.title')}
        </Title>
        <dl className={classes.counts}>
          <div>
            <dt>{t('queue.running')}</dt>
            <dd className="tabular">{number(queue.running)}</dd>
          </div>
          <div>
            <dt>{t('queue.waiting')}</dt>
            <dd className="tabular">{number(queue.waiting)}</dd>
          </div>
        </dl>
      </section>

      <section className={classes.card} aria-labelledby="versions-title">
        <Title order={2} size="h4" id="versions-title">
          {t('versions')}
        </Title>
        <dl className={classes.facts}>
          <dt>Framelift</dt>
          <dd>{version}</dd>
          {Object.entries(versions).map(([name, value]) => [
            <dt key={name}>{PROGRAMS[name] ?? name}</dt>,
            <dd key={`${name} is`}>{value}</dd>,
          ])}
        </dl>
      </section>
    </>
  );
}
