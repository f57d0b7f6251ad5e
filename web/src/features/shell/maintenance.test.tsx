// @vitest-environment happy-dom
import type { PublicConfig, User } from '@framelift/contract';
import { useQueryClient } from '@tanstack/react-query';
import { act, screen, waitFor } from '@testing-library/react';
import { type ReactNode, useState } from 'react';
import { Route, Routes } from 'react-router';
import { afterEach, expect, it, vi } from 'vitest';
import { call } from '../../api/client.ts';
import { configQuery } from '../../api/config.ts';
import { beginSession } from '../../api/session.ts';
import { aConfig } from '../../testing/config.ts';
import { aMember, answerCalls, refusal, showPage, success } from '../../testing/page.tsx';
import { MaintenanceGate } from './MaintenanceGate.tsx';
import { MaintenancePage, maintenanceWindow } from './MaintenancePage.tsx';

const address = () => screen.getByTestId('address').textContent;
const on: PublicConfig = { ...aConfig, isMaintenance: true };
let config = aConfig;

function SignedIn({ user, children }: { user: User; children: ReactNode }) {
  const queries = useQueryClient();
  useState(() => beginSession(queries, user));
  return children;
}

/** Sends a query that is refused during maintenance. */
function Asking() {
  const queries = useQueryClient();
  return (
    <>
      <h1>The page</h1>
      <button
        type="button"
        onClick={() =>
          void queries.fetchQuery({ queryKey: ['x'], queryFn: () => call('getDeviceType') }).catch(() => {})
        }
      >
        ask
      </button>
      <button type="button" onClick={() => void queries.invalidateQueries(configQuery)}>
        look again
      </button>
    </>
  );
}

function open(path: string, user: User | null = null) {
  answerCalls(({ path: asked }) => {
    if (asked === '/config') return success(config);
    if (asked === '/user') return user ? success(user) : refusal(401, 'tokenExpired', 'token expired');
    return config.isMaintenance ? refusal(503, 'maintenance', 'We are working on it.') : success([]);
  });
  const app = (
    <Routes>
      <Route element={<MaintenanceGate />}>
        <Route path="/maintenance" element={<MaintenancePage />} />
        <Route path="/login" element={<h1>The login</h1>} />
        <Route path="*" element={<Asking />} />
      </Route>
    </Routes>
  );
  return showPage(user ? <SignedIn user={user}>{app}</SignedIn> : app, path);
}
const told = () => screen.findByText('Framelift is under maintenance');

afterEach(() => {
  config = aConfig;
  vi.useRealTimers();
});

it('takes everybody to /maintenance, which says until when [R-2.route-maintenance.1] [R-9.maintenance.1] [R-1.feature-other.6]', async () => {
  config = on;
  const { unmount } = await open('/wall?type=1');
  await told();
  await waitFor(() => expect(address()).toBe('/maintenance'));
  expect(screen.getByText(/^Planned: .*2024.* to .*2024/)).toBeTruthy();
  expect(screen.getByText('It is taking longer than planned. Thank you for your patience.')).toBeTruthy();
  expect(document.title).toBe('Framelift is under maintenance – Framelift');
  unmount();
  await open('/wall', aMember);
  await told();
});

it('leads back by itself to where people were', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  config = on;
  await open('/wall?type=1');
  await told();
  config = aConfig;
  await act(() => vi.advanceTimersByTimeAsync(16_000));
  await screen.findByText('The page');
  await waitFor(() => expect(address()).toBe('/wall?type=1'));
});

it('is over: /maintenance leads to the start', async () => {
  await open('/maintenance');
  await waitFor(() => expect(address()).toBe('/'));
});

it('keeps the login open, and everything open to administrators', async () => {
  config = on;
  const login = await open('/login');
  await screen.findByText('The login');
  login.unmount();
  await open('/wall', { ...aMember, isAdmin: true });
  await screen.findByText('The page');
  act(() => screen.getByText('look again').click());
  await waitFor(() => expect(address()).toBe('/wall'));
});

it('is learned of from the first refusal', async () => {
  await open('/wall');
  await screen.findByText('The page');
  config = on;
  act(() => screen.getByText('ask').click());
  await told();
});

it('tells the window in the language and the zone of the reader [R-9.maintenance.1]', () => {
  const zone = process.env['TZ'];
  try {
    process.env['TZ'] = 'Asia/Taipei';
    const shown = maintenanceWindow(aConfig.maintenance, 'en');
    expect(shown).toEqual({ from: 'Oct 15, 2024, 12:00 AM', to: 'Oct 16, 2024, 10:00 AM', zone: 'GMT+8' });
    process.env['TZ'] = 'UTC';
    expect(maintenanceWindow(aConfig.maintenance, 'en').to).toBe('Oct 16, 2024, 2:00 AM');
    expect(maintenanceWindow(aConfig.maintenance, 'zh').to).toMatch(/2024年10月16日/);
  } finally {
    if (zone === undefined) delete process.env['TZ'];
    else process.env['TZ'] = zone;
  }
});
