import { useQuery } from '@tanstack/react-query';
import { type ReactNode, Suspense } from 'react';
import { type RouteObject, useNavigate, useRoutes, useSearchParams } from 'react-router';
import { configQuery } from './api/config.ts';
import { hasSession, useSession } from './api/session.ts';
import { AnnouncementHost } from './features/announcement/AnnouncementHost.tsx';
import { ErrorBoundary } from './features/shell/ErrorBoundary.tsx';
import { Guard, type PageTitle } from './features/shell/Guard.tsx';
import type { Access } from './features/shell/guards.ts';
import { MaintenanceGate } from './features/shell/MaintenanceGate.tsx';
import { NotFoundPage } from './features/shell/NotFoundPage.tsx';
import { PlayerSite } from './features/shell/PlayerSite.tsx';
import { Shell } from './features/shell/Shell.tsx';
import { TempPage } from './features/shell/TempPage.tsx';
import { Tutorial } from './shared/tutorial/Tutorial.tsx';
import { useUploadDialog } from './shared/upload-dialog.tsx';
import { lazyNamed } from './ui/lazy-named.ts';
import { useReturnFocus } from './ui/use-return-focus.ts';

const loadLanding = () => import('./features/landing/LandingPage.tsx');
const loadAuth = () => import('./features/auth/AuthPage.tsx');
const otherPages = () => import('./other-pages.ts');
/** The start page of members and its largest part. */
const loadStart = () => otherPages().then((pages) => Promise.all([pages.PlayerPage(), pages.ContentPage()]));

const LandingPage = lazyNamed(loadLanding, 'LandingPage');
const LiveInvite = lazyNamed(async () => (await otherPages()).LiveInvite(), 'LiveInvite');
const EntryPage = lazyNamed(async () => (await otherPages()).EntryPage(), 'EntryPage');
const RegisterSuccessPage = lazyNamed(async () => (await otherPages()).RegisterSuccessPage(), 'RegisterSuccessPage');
const ConfirmationPage = lazyNamed(async () => (await otherPages()).ConfirmationPage(), 'ConfirmationPage');
const ForgetPasswordPage = lazyNamed(async () => (await otherPages()).ForgetPasswordPage(), 'ForgetPasswordPage');
const GuestPage = lazyNamed(async () => (await otherPages()).GuestPage(), 'GuestPage');
const AuthPage = lazyNamed(loadAuth, 'AuthPage');
const MediaWall = lazyNamed(async () => (await otherPages()).MediaWall(), 'MediaWall');
const SharedPage = lazyNamed(async () => (await otherPages()).SharedPage(), 'SharedPage');
const EmbedPage = lazyNamed(async () => (await otherPages()).EmbedPage(), 'EmbedPage');
const StoreFeed = lazyNamed(async () => (await otherPages()).StoreFeed(), 'StoreFeed');
const PlanPage = lazyNamed(async () => (await otherPages()).PlanPage(), 'PlanPage');
const LinkUploadPage = lazyNamed(async () => (await otherPages()).LinkUploadPage(), 'LinkUploadPage');
const NotifyPage = lazyNamed(async () => (await otherPages()).NotifyPage(), 'NotifyPage');
const LocationsPage = lazyNamed(async () => (await otherPages()).LocationsPage(), 'LocationsPage');
const FaqPage = lazyNamed(async () => (await otherPages()).FaqPage(), 'FaqPage');
const AboutPage = lazyNamed(async () => (await otherPages()).AboutPage(), 'AboutPage');
const PolicyPage = lazyNamed(async () => (await otherPages()).PolicyPage(), 'PolicyPage');
const MaintenancePage = lazyNamed(async () => (await otherPages()).MaintenancePage(), 'MaintenancePage');
const DropAnywhere = lazyNamed(() => import('./features/upload/DropAnywhere.tsx'), 'DropAnywhere');
const ForgetKeptFiles = lazyNamed(() => import('./features/upload/ForgetKeptFiles.tsx'), 'ForgetKeptFiles');
const UploadDialog = lazyNamed(async () => (await otherPages()).UploadDialog(), 'UploadDialog');

const WatchPage = lazyNamed(async () => (await otherPages()).WatchPage(), 'WatchPage');
const MenuPage = lazyNamed(async () => (await otherPages()).MenuPage(), 'MenuPage');
const ProfilePage = lazyNamed(async () => (await otherPages()).ProfilePage(), 'ProfilePage');
const EditProfilePage = lazyNamed(async () => (await otherPages()).EditProfilePage(), 'EditProfilePage');
const KeepAccount = lazyNamed(async () => (await otherPages()).KeepAccount(), 'KeepAccount');
const ContentPage = lazyNamed(async () => (await otherPages()).ContentPage(), 'ContentPage');
const PlayerPage = lazyNamed(async () => (await otherPages()).PlayerPage(), 'PlayerPage');
const ResultView = lazyNamed(async () => (await otherPages()).ResultView(), 'ResultView');
const AlbumsPage = lazyNamed(async () => (await otherPages()).AlbumsPage(), 'AlbumsPage');
const AlbumPage = lazyNamed(async () => (await otherPages()).AlbumPage(), 'AlbumPage');
const OrdersPage = lazyNamed(async () => (await otherPages()).OrdersPage(), 'OrdersPage');
const PaymentsPage = lazyNamed(async () => (await otherPages()).PaymentsPage(), 'PaymentsPage');
const SubscriptionsPage = lazyNamed(async () => (await otherPages()).SubscriptionsPage(), 'SubscriptionsPage');
const PointsPage = lazyNamed(async () => (await otherPages()).PointsPage(), 'PointsPage');
const AddValuePage = lazyNamed(async () => (await otherPages()).AddValuePage(), 'AddValuePage');
const TradeResultPage = lazyNamed(async () => (await otherPages()).TradeResultPage(), 'TradeResultPage');
const ResultPage = lazyNamed(async () => (await otherPages()).ResultPage(), 'ResultPage');
const QrCodePage = lazyNamed(async () => (await otherPages()).QrCodePage(), 'QrCodePage');
const FramePage = lazyNamed(async () => (await otherPages()).FramePage(), 'FramePage');
const FramesStrip = lazyNamed(async () => (await otherPages()).FramesStrip(), 'FramesStrip');
const FramesPage = lazyNamed(async () => (await otherPages()).FramesPage(), 'FramesPage');
const SharesPage = lazyNamed(async () => (await otherPages()).SharesPage(), 'SharesPage');
const AdminArea = lazyNamed(async () => (await otherPages()).AdminArea(), 'AdminArea');
const DevGate = lazyNamed(async () => (await otherPages()).DevGate(), 'DevGate');
const ConfirmUploadPage = lazyNamed(async () => (await otherPages()).ConfirmUploadPage(), 'ConfirmUploadPage');
const StorePage = lazyNamed(async () => (await otherPages()).StorePage(), 'StorePage');
const UploadLinksPage = lazyNamed(async () => (await otherPages()).UploadLinksPage(), 'UploadLinksPage');
const FriendsPage = lazyNamed(async () => (await otherPages()).FriendsPage(), 'FriendsPage');
const UploadPage = lazyNamed(async () => (await otherPages()).UploadPage(), 'UploadPage');

function Dialogs() {
  const { opened, start, close } = useUploadDialog();
  useReturnFocus(opened);
  return (
    <>
      <AnnouncementHost />
      <Tutorial />
      {/* Each on its own: the dialogs neither wait for it nor end with it. */}
      <ErrorBoundary fallback={null}>
        <Suspense fallback={null}>
          <DropAnywhere />
        </Suspense>
      </ErrorBoundary>
      <ErrorBoundary fallback={null}>
        <Suspense fallback={null}>
          <ForgetKeptFiles />
        </Suspense>
      </ErrorBoundary>
      <Suspense fallback={null}>{opened && <UploadDialog opened start={start} onClose={close} />}</Suspense>
    </>
  );
}

/** Shown on every page to a member whose account is scheduled for deletion. */
function Banner() {
  const session = useSession();
  if (session.kind !== 'member' || session.user.deletionAt === null) return null;
  return (
    <Suspense fallback={null}>
      <KeepAccount deletionAt={session.user.deletionAt} />
    </Suspense>
  );
}

/** The feed of the store as a section of another page, which does not wait for its code. */
function Feed() {
  const { data: config } = useQuery(configQuery);
  if (config?.features.store !== 'on') return null;
  return (
    <Suspense fallback={null}>
      <StoreFeed asSection />
    </Suspense>
  );
}

/** The page of visitors. */
const landing = <LandingPage live={<LiveInvite />} feed={<Feed />} />;

/** What is on, and a member's own media, frames and feed; the landing page for visitors. */
function Player() {
  const { kind } = useSession();
  return (
    <PlayerSite>
      {kind === 'visitor' ? (
        landing
      ) : (
        <PlayerPage content={<ContentPage asSection after={<Feed />} />} frames={<FramesStrip />} />
      )}
    </PlayerSite>
  );
}

/** Administration; for everyone else the page does not exist. Its pages set their own titles. */
function Admin() {
  const session = useSession();
  const isAdmin = session.kind === 'member' && session.user.isAdmin;
  return (
    <Guard access="member" {...(isAdmin ? {} : { title: 'notFound' })}>
      {isAdmin ? <AdminArea /> : <NotFoundPage />}
    </Guard>
  );
}

function Guest() {
  const navigate = useNavigate();
  return (
    <GuestPage
      pictures={<MediaWall />}
      picture={(id) => <ResultView key={id} id={id} onGone={() => navigate('/guestPage', { replace: true })} />}
    />
  );
}

/** Accessible to everyone with the code of a mailed link; without it, only to an unconfirmed member. */
function Confirmation() {
  const [query] = useSearchParams();
  return (
    <Guard access={query.has('code') ? 'link' : 'unconfirmed'} title="confirmation">
      <ConfirmationPage />
    </Guard>
  );
}

const page = (path: string, access: Access, title: PageTitle, element: ReactNode): RouteObject => ({
  path,
  element: (
    <Guard access={access} title={title}>
      {element}
    </Guard>
  ),
});

const forward = (path: string, access: Access, to: string): RouteObject => ({
  path,
  element: <Guard access={access} to={to} />,
});

/** Returns the route of a page that sets its own title. */
const own = (path: string, access: Access, element: ReactNode): RouteObject => ({
  path,
  element: <Guard access={access}>{element}</Guard>,
});

/** Every page of the app. Paths match case-insensitively. */
const pages: RouteObject[] = [
  { path: '/', element: <Guard access="root" /> },
  page('/index', 'anyone', 'start', <PlayerSite>{landing}</PlayerSite>),
  page('/player', 'anyone', 'start', <Player />),
  own('/live/:id', 'member', <WatchPage />),
  page('/login', 'visitor', 'login', <AuthPage tab="login" />),
  page('/register', 'visitor', 'register', <AuthPage tab="register" />),
  page('/mainindex', 'visitor', 'start', <EntryPage />),
  page('/registerSuccess', 'visitor', 'mail', <RegisterSuccessPage />),
  { path: '/confirmation', element: <Confirmation /> },
  page('/forgetPassword', 'link', 'password', <ForgetPasswordPage />),
  page('/guestPage', 'guest', 'guest', <Guest />),
  forward('/guest', 'guest', '/guestPage'),

  forward('/home', 'member', '/player'),
  page('/menu', 'member', 'menu', <MenuPage />),
  page('/menu/profile', 'member', 'profile', <ProfilePage />),
  page('/member/profile', 'member', 'editProfile', <EditProfilePage />),
  page('/menu/video', 'member', 'content', <ContentPage />),
  page('/member/video', 'member', 'content', <ContentPage />),
  page('/menu/confirmUpload', 'member', 'upload', <ConfirmUploadPage />),
  page('/result/:id', 'member', 'result', <ResultPage />),

  own('/uploadpressure', 'member', <UploadPage />),
  own('/upload', 'member', <UploadPage />),
  own('/addfriend', 'member', <FriendsPage />),
  own('/member/addfriend', 'member', <FriendsPage />),
  own('/member/uploadlinks', 'member', <UploadLinksPage />),
  own('/u/:token', 'link', <LinkUploadPage />),
  own('/store', 'member', <StorePage />),
  own('/member/store', 'member', <StorePage />),
  own('/addValue', 'member', <AddValuePage />),
  own('/member/addValue', 'member', <AddValuePage />),
  own('/subscribe', 'member', <PlanPage />),
  own('/subscribedetail', 'member', <SubscriptionsPage />),
  own('/member/subscribedetail', 'member', <SubscriptionsPage />),
  own('/album', 'member', <AlbumsPage />),
  own(
    '/album/:id',
    'member',
    <AlbumPage pictures={(id, empty, fixed) => <MediaWall filter={{ album: id }} empty={empty} fixed={fixed} />} />,
  ),
  own('/tradeResult', 'member', <TradeResultPage />),
  own('/menu/order', 'member', <OrdersPage />),
  own('/member/order', 'member', <OrdersPage />),
  forward('/order', 'member', '/menu/order'),
  own('/menu/payments', 'member', <PaymentsPage />),
  own('/member/payments', 'member', <PaymentsPage />),
  own('/menu/points', 'member', <PointsPage />),
  own('/member/points', 'member', <PointsPage />),
  own('/menu/qrcode', 'member', <QrCodePage />),
  own('/member/qrcode', 'member', <QrCodePage />),
  own('/menu/frameSetting', 'member', <FramesPage />),
  own('/member/frameSetting', 'member', <FramesPage />),
  own('/menu/frameSetting/:id', 'member', <FramePage />),
  own('/member/frameSetting/:id', 'member', <FramePage />),

  own('/menu/shares', 'member', <SharesPage />),
  own('/s/:token', 'link', <SharedPage />),

  own('/plan', 'anyone', <PlanPage />),
  own('/notify', 'anyone', <NotifyPage />),
  own('/locations', 'anyone', <LocationsPage />),
  own('/about', 'anyone', <AboutPage />),
  own('/qa', 'anyone', <FaqPage />),
  own('/terms', 'anyone', <PolicyPage key="terms" name="terms" />),
  own('/privacy', 'anyone', <PolicyPage key="privacy" name="privacy" />),

  { path: '/admin/*', element: <Admin /> },
  { path: '/maintenance', element: <MaintenancePage /> },
  { path: '/temp', element: <TempPage /> },

  page('/dev/ui', 'anyone', 'notFound', <DevGate otherwise={<NotFoundPage />} />),
  page('*', 'anyone', 'notFound', <NotFoundPage />),
];

const routes: RouteObject[] = [
  {
    // In a frame of another website: without the shell, whose links would lead on inside that frame.
    path: '/embed/:token',
    element: (
      <Suspense fallback={null}>
        <EmbedPage />
      </Suspense>
    ),
  },
  {
    element: <Shell dialogs={<Dialogs />} banner={<Banner />} />,
    children: [{ element: <MaintenanceGate />, children: pages }],
  },
];

/** Preloads the code of the first page while the texts are loading. Resolves when that has ended, also if it failed. */
export async function preloadPage(path: string): Promise<void> {
  const page = /^\/(?:login|register)\/?$/i.test(path)
    ? loadAuth
    : /^\/(?:index|home|player)?\/?$/i.test(path)
      ? hasSession()
        ? loadStart
        : loadLanding
      : otherPages;
  // Errors are ignored here: they recur where the page is needed, and are shown there.
  await page().catch(() => {});
}

export function Pages() {
  return useRoutes(routes);
}
