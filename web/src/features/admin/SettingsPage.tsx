import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { siteSettingsQuery, siteStatusQuery } from '../../api/admin.ts';
import { QueryState } from '../../ui/QueryState.tsx';
import { AdminTitle } from './AdminTitle.tsx';
import { AnnouncementPanel } from './AnnouncementPanel.tsx';
import { FeaturesPanel } from './FeaturesPanel.tsx';
import { Loading } from './Loading.tsx';
import { MaintenancePanel } from './MaintenancePanel.tsx';
import { Panel } from './Panel.tsx';
import { Services } from './Services.tsx';

/** /admin/settings: settings of the whole site. */
export function SettingsPage() {
  const { t } = useTranslation('admin');
  const settings = useQuery(siteSettingsQuery);
  const status = useQuery(siteStatusQuery);
  return (
    <>
      <AdminTitle title={t('settings.title')} />
      <QueryState query={settings} loading={<Loading height="40rem" />} align="flex-start">
        {({ maintenance, announcement, features }) => (
          <>
            <MaintenancePanel key={JSON.stringify(maintenance)} maintenance={maintenance} />
            <AnnouncementPanel key={announcement?.id ?? 'none'} announcement={announcement} />
            <FeaturesPanel features={features} />
          </>
        )}
      </QueryState>
      {/* Rendered only when the height of the section above is known: otherwise it would be pushed down. */}
      {!settings.isPending && (
        <Panel title={t('services.title')}>
          <QueryState query={status} loading={<Loading height="10rem" />} align="flex-start">
            {({ services }) => <Services services={services} />}
          </QueryState>
        </Panel>
      )}
    </>
  );
}
