import { type ConversionPrice, MEDIA_TYPE } from '@framelift/contract';
import { Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import {
  adSettingsQuery,
  conversionPricesQuery,
  managedDeviceTypesQuery,
  setConversionPrice,
} from '../../api/admin.ts';
import { formatNumber } from '../../i18n/format.ts';
import { currentLanguage } from '../../i18n/index.ts';
import { useDeviceName } from '../../shared/device-name.ts';
import { QueryState } from '../../ui/QueryState.tsx';
import classes from './Admin.module.css';
import { AdminTitle } from './AdminTitle.tsx';
import { AdSettingsPanel } from './AdSettingsPanel.tsx';
import { RowButton } from './buttons.tsx';
import { type Column, DataTable } from './DataTable.tsx';
import { EditDialog } from './EditDialog.tsx';
import { Loading } from './Loading.tsx';
import { onePage } from './one-page.ts';
import { Panel } from './Panel.tsx';
import { PriceForm, type Prices } from './PriceForm.tsx';
import { useEditing } from './use-editing.ts';

const KINDS = ['picture', 'video'] as const;
const ALL = 'all';

/** Prices of one device type, or of all that have none of their own. */
interface Row extends Prices {
  readonly id: number | typeof ALL;
  readonly name: string;
}

/** /admin/points: what conversions cost, and what ads give. Every change of a price can be undone. */
export function PointsPage() {
  const { t } = useTranslation('admin');
  const nameOf = useDeviceName();
  const prices = useQuery(conversionPricesQuery);
  const devices = useQuery(managedDeviceTypesQuery);
  const ads = useQuery(adSettingsQuery);
  const editing = useEditing<Row>();

  const rowOf = (all: readonly ConversionPrice[], id: Row['id'], name: string): Row => {
    const own = (kind: (typeof KINDS)[number]) =>
      all.find((one) => one.device_type_id === (id === ALL ? null : id) && one.media_type === MEDIA_TYPE[kind])
        ?.points ?? null;
    return { id, name, picture: own('picture'), video: own('video') };
  };
  const rows = prices.data &&
    devices.data && [
      rowOf(prices.data, ALL, t('points.all')),
      ...devices.data.map((device) => rowOf(prices.data, device.id, nameOf(device))),
    ];
  const list = prices.isError ? prices : devices;

  const write = async ({ id }: Row, before: Prices, after: Prices) => {
    for (const kind of KINDS)
      if (before[kind] !== after[kind])
        await setConversionPrice({
          device_type_id: id === ALL ? null : id,
          media_type: MEDIA_TYPE[kind],
          points: after[kind],
        });
  };
  const save = (row: Row, after: Prices) =>
    editing.save({
      run: () => write(row, row, after),
      done: t('points.saved', { name: row.name }),
      undo: () => write(row, after, row),
    });
  const shown = ({ id }: Row, points: number | null) =>
    points === null
      ? t(id === ALL ? 'points.free' : 'points.same')
      : points === 0
        ? t('points.free')
        : formatNumber(points, currentLanguage());

  const columns: Column<Row>[] = [
    { key: 'type', label: t('points.type'), cell: ({ name }) => name },
    ...KINDS.map((kind) => ({
      key: kind,
      label: t(`points.${kind}`),
      cell: (row: Row) => <span className="tabular">{shown(row, row[kind])}</span>,
    })),
    {
      key: 'act',
      label: t('points.act'),
      cell: (row) => (
        <RowButton aria-label={t('points.changeOf', { name: row.name })} onClick={() => editing.edit(row)}>
          {t('points.change')}
        </RowButton>
      ),
    },
  ];

  return (
    <>
      <AdminTitle title={t('points.title')} />
      <Panel title={t('points.ads.title')}>
        <QueryState query={ads} loading={<Loading height="20rem" />} align="flex-start">
          {(settings) => <AdSettingsPanel key={JSON.stringify(settings)} settings={settings} />}
        </QueryState>
      </Panel>
      {/* Rendered only when the height of the section above is known: otherwise it would be pushed down. */}
      {!ads.isPending && (
        <>
          <Title order={2} size="h4">
            {t('points.prices')}
          </Title>
          <p className={classes.lead}>{t('points.text')}</p>
          <DataTable
            label={t('points.prices')}
            columns={columns}
            query={onePage<Row>({ ...list, data: rows })}
            empty={t('points.none')}
          />
        </>
      )}
      <EditDialog editing={editing} titleOf={({ name }) => t('points.changeOf', { name })}>
        {(row) =>
          row && (
            <PriceForm prices={row} isForAll={row.id === ALL} {...editing.form} onSave={(after) => save(row, after)} />
          )
        }
      </EditDialog>
    </>
  );
}
