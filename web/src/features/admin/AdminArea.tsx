import IconAdjustments from '@tabler/icons-react/icons/IconAdjustments';
import IconGauge from '@tabler/icons-react/icons/IconGauge';
import IconHistory from '@tabler/icons-react/icons/IconHistory';
import IconTicket from '@tabler/icons-react/icons/IconTicket';
import IconUsers from '@tabler/icons-react/icons/IconUsers';
import { lazy, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, NavLink, Route, Routes } from 'react-router';
import { Spinner } from '../../ui/Spinner.tsx';
import classes from './AdminArea.module.css';
import { AdminTitle } from './AdminTitle.tsx';

const OverviewPage = lazy(() => import('./OverviewPage.tsx'));
const UsersPage = lazy(() => import('./UsersPage.tsx'));
const UserPage = lazy(() => import('./UserPage.tsx'));
const PinCodesPage = lazy(() => import('./PinCodesPage.tsx'));
const SettingsPage = lazy(() => import('./SettingsPage.tsx'));
const LogPage = lazy(() => import('./LogPage.tsx'));

const PAGES = [
  { path: '', name: 'overview', Icon: IconGauge },
  { path: '/users', name: 'users', Icon: IconUsers },
  { path: '/pin-codes', name: 'pinCodes', Icon: IconTicket },
  { path: '/settings', name: 'settings', Icon: IconAdjustments },
  { path: '/log', name: 'log', Icon: IconHistory },
] as const;

/** Everything under /admin, with its own navigation. */
export default function AdminArea() {
  const { t } = useTranslation('admin');
  return (
    <div className={classes.area}>
      <nav aria-label={t('nav.label')} className={classes.nav}>
        {PAGES.map(({ path, name, Icon }) => (
          <NavLink key={name} to={`/admin${path}`} end={path === ''} className={classes.link ?? ''}>
            <Icon aria-hidden />
            <span>{t(`nav.${name}`)}</span>
          </NavLink>
        ))}
      </nav>
      <div className={classes.content}>
        <Suspense fallback={<Spinner />}>
          <Routes>
            <Route path="/" element={<OverviewPage />} />
            <Route path="/users" element={<UsersPage />} />
            <Route path="/users/:id" element={<UserPage />} />
            <Route path="/pin-codes" element={<PinCodesPage />} />
            <Route path="/settings" element={<SettingsPage />} />
            <Route path="/log" element={<LogPage />} />
            <Route path="*" element={<Nothing />} />
          </Routes>
        </Suspense>
      </div>
    </div>
  );
}

function Nothing() {
  const { t } = useTranslation('admin');
  return (
    <>
      <AdminTitle title={t('nothing')} />
      <p>
        <Link to="/admin">{t('nav.overview')}</Link>
      </p>
    </>
  );
}
