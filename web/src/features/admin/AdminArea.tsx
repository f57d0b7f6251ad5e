import IconAdjustments from '@tabler/icons-react/icons/IconAdjustments';
import IconBell from '@tabler/icons-react/icons/IconBell';
import IconBroadcast from '@tabler/icons-react/icons/IconBroadcast';
import IconBuildingStore from '@tabler/icons-react/icons/IconBuildingStore';
import IconCoins from '@tabler/icons-react/icons/IconCoins';
import IconCreditCard from '@tabler/icons-react/icons/IconCreditCard';
import IconDeviceImac from '@tabler/icons-react/icons/IconDeviceImac';
import IconDeviceImacCog from '@tabler/icons-react/icons/IconDeviceImacCog';
import IconGauge from '@tabler/icons-react/icons/IconGauge';
import IconHelp from '@tabler/icons-react/icons/IconHelp';
import IconHistory from '@tabler/icons-react/icons/IconHistory';
import IconMapPin from '@tabler/icons-react/icons/IconMapPin';
import IconReceipt from '@tabler/icons-react/icons/IconReceipt';
import IconRepeat from '@tabler/icons-react/icons/IconRepeat';
import IconScale from '@tabler/icons-react/icons/IconScale';
import IconServer from '@tabler/icons-react/icons/IconServer';
import IconTag from '@tabler/icons-react/icons/IconTag';
import IconTicket from '@tabler/icons-react/icons/IconTicket';
import IconUsers from '@tabler/icons-react/icons/IconUsers';
import { Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, NavLink, Route, Routes } from 'react-router';
import { lazyNamed } from '../../ui/lazy-named.ts';
import { Spinner } from '../../ui/Spinner.tsx';
import classes from './AdminArea.module.css';
import { AdminTitle } from './AdminTitle.tsx';

const OverviewPage = lazyNamed(() => import('./OverviewPage.tsx'), 'OverviewPage');
const UsersPage = lazyNamed(() => import('./UsersPage.tsx'), 'UsersPage');
const UserPage = lazyNamed(() => import('./UserPage.tsx'), 'UserPage');
const PinCodesPage = lazyNamed(() => import('./PinCodesPage.tsx'), 'PinCodesPage');
const OrdersPage = lazyNamed(() => import('./OrdersPage.tsx'), 'OrdersPage');
const DeviceTypesPage = lazyNamed(() => import('./DeviceTypesPage.tsx'), 'DeviceTypesPage');
const PointsPage = lazyNamed(() => import('./PointsPage.tsx'), 'PointsPage');
const FramesPage = lazyNamed(() => import('./FramesPage.tsx'), 'FramesPage');
const StoresPage = lazyNamed(() => import('./shop/StoresPage.tsx'), 'StoresPage');
const PricesPage = lazyNamed(() => import('./shop/PricesPage.tsx'), 'PricesPage');
const PaymentsPage = lazyNamed(() => import('./payments/PaymentsPage.tsx'), 'PaymentsPage');
const PaymentPage = lazyNamed(() => import('./payments/PaymentPage.tsx'), 'PaymentPage');
const SubscriptionsPage = lazyNamed(() => import('./payments/SubscriptionsPage.tsx'), 'SubscriptionsPage');
const NotificationsPage = lazyNamed(() => import('./NotificationsPage.tsx'), 'NotificationsPage');
const LivePage = lazyNamed(() => import('./live/LivePage.tsx'), 'LivePage');
const LegalPage = lazyNamed(() => import('./pages/LegalPage.tsx'), 'LegalPage');
const EntriesPage = lazyNamed(() => import('./pages/EntriesPage.tsx'), 'EntriesPage');
const EntryPage = lazyNamed(() => import('./pages/EntryPage.tsx'), 'EntryPage');
const StoragePage = lazyNamed(() => import('./StoragePage.tsx'), 'StoragePage');
const SettingsPage = lazyNamed(() => import('./SettingsPage.tsx'), 'SettingsPage');
const LogPage = lazyNamed(() => import('./LogPage.tsx'), 'LogPage');

const PAGES = [
  { path: '', name: 'overview', Icon: IconGauge },
  { path: '/users', name: 'users', Icon: IconUsers },
  { path: '/pin-codes', name: 'pinCodes', Icon: IconTicket },
  { path: '/orders', name: 'orders', Icon: IconReceipt },
  { path: '/device-types', name: 'deviceTypes', Icon: IconDeviceImacCog },
  { path: '/points', name: 'points', Icon: IconCoins },
  { path: '/frames', name: 'frames', Icon: IconDeviceImac },
  { path: '/stores', name: 'stores', Icon: IconBuildingStore },
  { path: '/prices', name: 'prices', Icon: IconTag },
  { path: '/payments', name: 'payments', Icon: IconCreditCard },
  { path: '/subscriptions', name: 'subscriptions', Icon: IconRepeat },
  { path: '/notifications', name: 'notifications', Icon: IconBell },
  { path: '/live', name: 'live', Icon: IconBroadcast },
  { path: '/legal', name: 'legal', Icon: IconScale },
  { path: '/faq', name: 'faq', Icon: IconHelp },
  { path: '/locations', name: 'locations', Icon: IconMapPin },
  { path: '/storage', name: 'storage', Icon: IconServer },
  { path: '/settings', name: 'settings', Icon: IconAdjustments },
  { path: '/log', name: 'log', Icon: IconHistory },
] as const;

/** All pages under /admin, with their own navigation. */
export function AdminArea() {
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
            <Route path="/orders" element={<OrdersPage />} />
            <Route path="/device-types" element={<DeviceTypesPage />} />
            <Route path="/points" element={<PointsPage />} />
            <Route path="/frames" element={<FramesPage />} />
            <Route path="/stores" element={<StoresPage />} />
            <Route path="/prices" element={<PricesPage />} />
            <Route path="/payments" element={<PaymentsPage />} />
            <Route path="/payments/:id" element={<PaymentPage />} />
            <Route path="/subscriptions" element={<SubscriptionsPage />} />
            <Route path="/notifications" element={<NotificationsPage />} />
            <Route path="/live" element={<LivePage />} />
            <Route path="/legal/:kind?" element={<LegalPage />} />
            <Route path="/faq" element={<EntriesPage key="faq" kind="faq" />} />
            <Route path="/faq/:id" element={<EntryPage key="faq" kind="faq" />} />
            <Route path="/locations" element={<EntriesPage key="location" kind="location" />} />
            <Route path="/locations/:id" element={<EntryPage key="location" kind="location" />} />
            <Route path="/storage" element={<StoragePage />} />
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
