import { lazy, type ReactNode, Suspense } from 'react';
import { Navigate, type RouteObject } from 'react-router';
import { useSession } from './api/session.ts';
import { ErrorPage } from './features/shell/ErrorPage.tsx';
import { Guard } from './features/shell/Guard.tsx';
import type { Access } from './features/shell/guards.ts';
import { NotFoundPage } from './features/shell/NotFoundPage.tsx';
import { Shell } from './features/shell/Shell.tsx';
import { useUploadDialog } from './ui/uploadDialog.tsx';

const LandingPage = lazy(() => import('./features/landing/LandingPage.tsx'));
const AuthPage = lazy(() => import('./features/auth/AuthPage.tsx'));
const ContentPage = lazy(() => import('./features/content/ContentPage.tsx'));
const ResultPage = lazy(() => import('./features/result/ResultPage.tsx'));
const ConfirmUploadPage = lazy(() => import('./features/upload/ConfirmUploadPage.tsx'));
const UploadDialog = lazy(() => import('./features/upload/UploadDialog.tsx'));

function Dialogs() {
  const { opened, deviceTypeId, close } = useUploadDialog();
  return (
    <Suspense fallback={null}>
      {opened && <UploadDialog opened onClose={close} {...(deviceTypeId === undefined ? {} : { deviceTypeId })} />}
    </Suspense>
  );
}

/** A member's own pictures; a visitor is invited in. */
function Player() {
  const { kind } = useSession();
  return kind === 'visitor' ? <LandingPage /> : <ContentPage />;
}

const page = (path: string, access: Access, element: ReactNode): RouteObject => ({
  path,
  element: <Guard access={access}>{element}</Guard>,
});

/** Every page of the app. Paths match without regard to case. */
export const routes: RouteObject[] = [
  {
    element: <Shell dialogs={<Dialogs />} />,
    errorElement: <ErrorPage />,
    children: [
      page('/', 'root', null),
      page('/index', 'anyone', <LandingPage />),
      page('/player', 'anyone', <Player />),
      page('/login', 'visitor', <AuthPage tab="login" />),
      page('/register', 'visitor', <AuthPage tab="register" />),

      page('/home', 'member', <Navigate to="/player" replace />),
      page('/menu/video', 'member', <ContentPage />),
      page('/member/video', 'member', <ContentPage />),
      page('/menu/confirmUpload', 'member', <ConfirmUploadPage />),
      page('/result/:id', 'member', <ResultPage />),

      page('*', 'anyone', <NotFoundPage />),
    ],
  },
];
