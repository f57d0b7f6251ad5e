import type { DepthModel, EngineStatusAnswer, SiteStatus } from '@framelift/contract';
import { Text } from '@mantine/core';
import IconAlertTriangle from '@tabler/icons-react/icons/IconAlertTriangle';
import IconCircleCheck from '@tabler/icons-react/icons/IconCircleCheck';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { depthModelQuery, engineStatusQuery, siteStatusQuery } from '../../api/admin.ts';
import { formatBytes, formatDateTime, formatNumber } from '../../i18n/format.ts';
import { currentLanguage } from '../../i18n/index.ts';
import { QueryState } from '../../ui/QueryState.tsx';
import classes from './Admin.module.css';
import { AdminTitle } from './AdminTitle.tsx';
import { DepthModelPanel } from './DepthModelPanel.tsx';
import { Loading } from './Loading.tsx';
import { Panel } from './Panel.tsx';
import { PaymentsPanel } from './payments/PaymentsPanel.tsx';
import { RemakePanel } from './RemakePanel.tsx';
import { Services } from './Services.tsx';

/** Jobs that wait longer are stuck: a free worker takes a job immediately. */
const STUCK_MS = 10 * 60_000;

const number = (value: number) => formatNumber(value, currentLanguage());

/** /admin: health of the site, stuck jobs, the engine in use, and its depth model. */
export function OverviewPage() {
  const { t } = useTranslation('admin');
  const status = useQuery(siteStatusQuery);
  const engine = useQuery(engineStatusQuery);
  const model = useQuery(depthModelQuery);
  return (
    <>
      <AdminTitle title={t('title')} />
      <QueryState query={status} loading={<Loading height="20rem" />} align="flex-start">
        {(site) => (
          <>
            <Health site={site} engine={engine.data} />
            <Numbers site={site} />
            <PaymentsPanel payments={site.payments} />
            <Panel title={t('services.title')}>
              <Services services={site.services} />
            </Panel>
          </>
        )}
      </QueryState>
      {/* Rendered only when the height of what is above and within is known: otherwise it would be pushed down. */}
      {!status.isPending && !model.isPending && (
        <QueryState query={engine} loading={<Loading height="18rem" />} align="flex-start">
          {(answer) => (
            <>
              <Engine status={answer} model={model.data} />
              <RemakePanel />
            </>
          )}
        </QueryState>
      )}
    </>
  );
}

/** Summary: everything works, or a list of problems. */
function Health({ site, engine }: { site: SiteStatus; engine: EngineStatusAnswer | undefined }) {
  const { t } = useTranslation('admin');
  const { t: ofPayments } = useTranslation('adminPayments');
  const { conversions, mails, room, payments } = site;
  const isShort = room.freeBytes !== null && room.freeBytes < room.reserveBytes;
  const stuck = (since: string | null) => since !== null && Date.now() - Date.parse(since) > STUCK_MS;
  const since = (time: string | null) => ({ time: formatDateTime(time ?? '', currentLanguage()) });
  const troubles = [
    site.isMaintenance && t('health.maintenance'),
    engine?.depth.selfTest === 'failed' && t('engine.failed'),
    stuck(conversions.waitingSince) && t('health.conversionsWait', since(conversions.waitingSince)),
    isShort && t('health.roomShort', { free: formatBytes(room.freeBytes ?? 0, currentLanguage()) }),
    room.failedAt !== null && t('health.roomFailed', { time: formatDateTime(room.failedAt, currentLanguage()) }),
    conversions.failed > 0 && t('health.conversionsFailed', { count: conversions.failed }),
    stuck(mails.waitingSince) && t('health.mailsWait', since(mails.waitingSince)),
    mails.failed > 0 && t('health.mailsFailed', { count: mails.failed }),
    payments.problems > 0 && ofPayments('overview.problems', { count: payments.problems }),
    payments.unanswered > 0 && ofPayments('overview.unanswered', { count: payments.unanswered }),
    payments.ungranted > 0 && ofPayments('overview.ungranted', { count: payments.ungranted }),
    mails.lastError !== null && t('health.mailsRefused', { answer: mails.lastError }),
  ].filter((line) => line !== false && line !== undefined);
  const well = troubles.length === 0;
  const Sign = well ? IconCircleCheck : IconAlertTriangle;
  return (
    <section className={classes.card} aria-label={t('health.title')}>
      <div className={classes.engine}>
        <Sign className={classes.sign} data-well={well || undefined} size="2rem" aria-hidden />
        <div>
          <Text fw={650} size="lg">
            {well ? t('health.well') : t('health.look')}
          </Text>
          <Text c="dimmed" size="sm">
            {t('health.since', { version: site.version, time: formatDateTime(site.startedAt, currentLanguage()) })}
          </Text>
        </div>
      </div>
      {!well && (
        <ul className={classes.warnings}>
          {troubles.map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
      )}
    </section>
  );
}

function Numbers({ site }: { site: SiteStatus }) {
  const { t } = useTranslation('admin');
  const { people, conversions, room } = site;
  const counts = [
    ['members', number(people.members)],
    ['fresh', number(people.fresh)],
    ['vips', number(people.vips)],
    ['guests', number(people.guests)],
    ['pictures', number(site.pictures)],
    ['videos', number(site.films)],
    ['converted', number(conversions.done)],
    ['stored', formatBytes(site.storedBytes, currentLanguage())],
    ['free', room.freeBytes === null ? '–' : formatBytes(room.freeBytes, currentLanguage())],
  ] as const;
  return (
    <Panel title={t('numbers.title')}>
      <dl className={classes.counts}>
        {counts.map(([name, value]) => (
          <div key={name}>
            <dt>{t(`numbers.${name}`)}</dt>
            <dd className="tabular">{value}</dd>
          </div>
        ))}
      </dl>
    </Panel>
  );
}

/** Official spelling of program names. */
const PROGRAMS: Readonly<Record<string, string>> = { node: 'Node.js', onnxRuntime: 'ONNX Runtime' };

const DEVICES: Readonly<Record<string, string>> = {
  cuda: 'CUDA',
  coreml: 'Core ML',
  directml: 'DirectML',
  webgpu: 'WebGPU',
};

function Engine({ status, model }: { status: EngineStatusAnswer; model: DepthModel | undefined }) {
  const { t } = useTranslation('admin');
  const { depth, queue, warnings, versions, version } = status;
  const well = depth.selfTest === 'ok';
  const Sign = well ? IconCircleCheck : IconAlertTriangle;
  return (
    <>
      <div className={classes.columns}>
        <Panel title={t('engine.title')}>
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
            <dt>{t('engine.device')}</dt>
            <dd>{depth.device === 'cpu' ? t('engine.cpu') : (DEVICES[depth.device] ?? depth.device)}</dd>
          </dl>
        </Panel>
        <Panel title={t('queue.title')}>
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
        </Panel>
      </div>

      {model && <DepthModelPanel {...model} />}

      {warnings.length > 0 && (
        <Panel title={t('warnings')}>
          <ul className={classes.warnings}>
            {warnings.map((warning) => (
              // The engine's warnings also go to its log and exist in English only.
              <li key={warning} lang="en">
                {warning}
              </li>
            ))}
          </ul>
        </Panel>
      )}

      <Panel title={t('versions')}>
        <dl className={classes.facts}>
          <dt>Framelift</dt>
          <dd>{version}</dd>
          {Object.entries(versions).map(([name, value]) => [
            <dt key={name}>{PROGRAMS[name] ?? name}</dt>,
            <dd key={`${name} is`}>{value}</dd>,
          ])}
        </dl>
      </Panel>
    </>
  );
}
