// @vitest-environment happy-dom
import 'fake-indexeddb/auto';
import { LIMITS } from '@framelift/contract/limits';
import { QueryClient, useQueryClient } from '@tanstack/react-query';
import { fireEvent, screen, waitFor } from '@testing-library/react';
import * as idb from 'idb-keyval';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { beginSession, endExpiredSession, leaveGuestMode, logout } from '../../api/session.ts';
import { useUploadDialog } from '../../shared/upload-dialog.tsx';
import { claimUploads, readUploadNote } from '../../shared/upload-note.ts';
import { aMember, answerCalls, showPage, success } from '../../testing/page.tsx';
import { NO_EDIT } from '../../ui/crop/picture-edit.ts';
import { ForgetKeptFiles } from './ForgetKeptFiles.tsx';
import { keepSelection } from './kept-selection.ts';
import { getKept, type KeptSelection, putKept, removeKept } from './kept-store.ts';
import { forgetUpload, keepUpload, noteLeft, unfinishedUpload } from './kept-upload.ts';

const ME = aMember.id;
const A_DAY_MS = LIMITS.emailLinkHours * 3_600_000;

const selection = (...names: string[]): KeptSelection => ({
  files: names.map((name) => ({
    file: new File(['bytes'], name),
    kind: 'picture',
    area: null,
    edit: NO_EDIT,
    deviceTypeId: null,
  })),
  deviceTypeId: 1,
  percent: 100,
});

const listed = async (owner = ME) => (await unfinishedUpload(owner))?.files.map(({ file }) => file.name) ?? null;

/** Changes to a tab with a session storage of its own; returns what changes back. */
function openTab(): () => void {
  const before = sessionStorage.getItem('upload');
  sessionStorage.removeItem('upload');
  return () => (before === null ? sessionStorage.removeItem('upload') : sessionStorage.setItem('upload', before));
}

/** What this browser does with what is to be stored. */
const browser = vi.hoisted(() => ({ denied: false, full: false, answer: async () => {}, store: async () => {} }));
vi.mock('idb-keyval', async (original) => {
  const real = await original<typeof idb>();
  const allowed =
    <A extends unknown[], R>(act: (...args: A) => Promise<R>) =>
    async (...args: A) => {
      await browser.answer();
      if (browser.denied) throw new DOMException('Denied', 'SecurityError');
      return act(...args);
    };
  return {
    ...real,
    get: allowed(real.get),
    keys: allowed(real.keys),
    set: allowed(async (...args: Parameters<typeof real.set>) => {
      if (browser.full) throw new DOMException('No room', 'QuotaExceededError');
      await browser.store();
      return real.set(...args);
    }),
  };
});

const store = idb.createStore('framelift.upload', 'selection');
const keys = () => idb.keys<string>(store);
beforeEach(async () => {
  Object.assign(browser, { denied: false, full: false, answer: async () => {}, store: async () => {} });
  await idb.clear(store);
});

/** Stores nothing until it is called. */
function holdStoring(): () => void {
  let goOn = () => {};
  const held = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  browser.store = () => held;
  return goOn;
}

describe('an upload that was interrupted', () => {
  it('lists what has not arrived, until it is forgotten', async () => {
    await keepUpload('a', selection('1.jpg', '2.jpg', '3.jpg'), ME);
    noteLeft('a', [1, 2]);
    expect(await listed()).toEqual(['2.jpg', '3.jpg']);
    expect(await listed()).toEqual(['2.jpg', '3.jpg']);
    await forgetUpload();
    expect([await listed(), await keys()]).toEqual([null, []]);
  });

  it('leaves those of other tabs alone, whether they begin, end, or belong to somebody else', async () => {
    await keepUpload('a', selection('a.jpg'), ME);
    const backToA = openTab();
    await keepUpload('b', selection('b.jpg'), ME);
    const backToB = openTab();
    await keepUpload('c', selection('c.jpg'), 'another');
    expect(await keys()).toEqual(['upload:a', 'upload:b', 'upload:c']);
    expect(await listed()).toBeNull();
    expect(await keys()).toEqual(['upload:a', 'upload:b']);
    backToB();
    expect(await listed()).toEqual(['b.jpg']);
    noteLeft('b', []);
    await waitFor(async () => expect(await keys()).toEqual(['upload:a']));
    backToA();
    expect(await listed()).toEqual(['a.jpg']);
  });

  it('is there again if the page is reloaded before the files of the next attempt are stored', async () => {
    await keepUpload('a', selection('1.jpg', '2.jpg', '3.jpg'), ME);
    noteLeft('a', [1, 2]);
    const goOn = holdStoring();
    const kept = keepUpload('b', selection('2.jpg', '3.jpg', '4.jpg'), ME);
    noteLeft('b', [1, 2]);
    expect(await listed()).toEqual(['2.jpg', '3.jpg']);
    goOn();
    await kept;
    expect(await listed()).toEqual(['3.jpg', '4.jpg']);
    expect(await keys()).toEqual(['upload:b']);
  });

  it('leaves nothing if it was over before its files were stored', async () => {
    const goOn = holdStoring();
    const kept = keepUpload('a', selection('1.jpg'), ME);
    noteLeft('a', []);
    goOn();
    await kept;
    expect([await keys(), readUploadNote()]).toEqual([[], null]);
  });

  it('goes to nobody else', async () => {
    await keepUpload('a', selection('1.jpg'), ME);
    expect(await listed('another')).toBeNull();
    expect([await keys(), await listed()]).toEqual([[], null]);
    await keepUpload('b', selection('2.jpg'), ME);
    await keepUpload('c', selection('3.jpg'), 'another');
    expect(await listed('another')).toEqual(['3.jpg']);
    expect(await keys()).toEqual(['upload:c']);
  });

  it('is lost where storage is denied, and where there is no room, without what was stored before', async () => {
    browser.denied = true;
    await keepUpload('a', selection('1.jpg'), ME);
    expect([await listed(), readUploadNote()]).toEqual([null, null]);
    browser.denied = false;
    await keepUpload('b', selection('2.jpg'), ME);
    browser.full = true;
    await keepUpload('c', selection('2.jpg', '3.jpg'), ME);
    noteLeft('c', [1]);
    expect(await listed()).toEqual(['2.jpg']);
    noteLeft('c', []);
    await waitFor(async () => expect(await keys()).toEqual([]));
  });

  it('is waited for once where the store does not answer, and found again when it does', async () => {
    await keepUpload('a', selection('1.jpg'), ME);
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    let answer = () => {};
    const held = new Promise<void>((resolve) => {
      answer = resolve;
    });
    browser.answer = () => held;
    const asked = getKept('upload:a');
    await vi.advanceTimersByTimeAsync(10_000);
    expect(await asked).toBeNull();
    // Without any time passing.
    expect(await getKept('upload:a')).toBeNull();
    await expect(putKept('upload:b', selection('2.jpg'))).rejects.toThrow();
    await removeKept(() => true);
    vi.useRealTimers();
    answer();
    await waitFor(async () => expect((await getKept('upload:a'))?.files).toHaveLength(1));
    expect(await listed()).toEqual(['1.jpg']);
  });

  it('of more than 500 MB is not copied', async () => {
    const sized = (size: number) => {
      const large = selection('1.jpg', '2.jpg');
      for (const { file } of large.files) Object.defineProperty(file, 'size', { value: size });
      return large;
    };
    await keepUpload('a', sized(250 * 1024 * 1024 + 1), ME);
    expect([await keys(), await listed(), readUploadNote()]).toEqual([[], null, null]);
    await keepUpload('b', sized(250 * 1024 * 1024), ME);
    expect(await listed()).toHaveLength(2);
  });

  it('is forgotten after a day', async () => {
    await keepUpload('a', selection('1.jpg'), ME);
    const now = Date.now();
    vi.spyOn(Date, 'now').mockReturnValue(now + A_DAY_MS + 1);
    expect(await listed()).toBeNull();
    expect([await keys(), readUploadNote()]).toEqual([[], null]);
    vi.restoreAllMocks();
  });
});

/** The part of the app that removes files, and what changes the session. */
function App() {
  const queries = useQueryClient();
  const { opened } = useUploadDialog();
  const ways = {
    'log in': () => beginSession(queries, aMember),
    'log in as another': () => beginSession(queries, { ...aMember, id: 'another' }),
    'log in as guest': () => beginSession(queries, { ...aMember, isGuest: true }),
    'log out': () => void logout(queries),
    'leave guest mode': () => leaveGuestMode(queries),
    expire: () => void endExpiredSession(queries),
  };
  return (
    <>
      <ForgetKeptFiles />
      <output>{opened ? 'open' : 'closed'}</output>
      {Object.entries(ways).map(([name, act]) => (
        <button key={name} type="button" onClick={act}>
          {name}
        </button>
      ))}
    </>
  );
}
const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }));

describe('the files in the browser', () => {
  it('go at the start of the app when they are a day old, whoever has left them', async () => {
    await keepUpload('old', selection('1.jpg'), ME);
    await keepSelection(selection('2.jpg'));
    openTab();
    const now = Date.now();
    vi.spyOn(Date, 'now').mockReturnValue(now + A_DAY_MS);
    await keepUpload('new', selection('3.jpg'), ME);
    await showPage(<App />);
    await waitFor(async () => expect(await keys()).toEqual(['upload:new']));
    vi.restoreAllMocks();
  });

  it('go at a logout, with the notes, but stay when the session expires', async () => {
    answerCalls(() => success(null));
    await showPage(<App />);
    press('log in');
    await keepUpload('other', selection('1.jpg'), ME);
    const back = openTab();
    await keepUpload('own', selection('2.jpg'), ME);
    await keepSelection(selection('3.jpg'));
    press('expire');
    press('log in');
    expect(await listed()).toEqual(['2.jpg']);
    press('log out');
    await waitFor(async () => expect([await keys(), readUploadNote()]).toEqual([[], null]));
    back();
    expect(await listed()).toBeNull();
  });

  it('go when a guest leaves, except what waits for their account', async () => {
    answerCalls(() => success(null));
    await showPage(<App />);
    press('log in as guest');
    await keepUpload('own', selection('1.jpg'), ME);
    await keepSelection(selection('2.jpg'));
    press('leave guest mode');
    await waitFor(async () => expect(await keys()).toEqual(['chosen']));
  });
});

describe('the upload dialog after a reload', () => {
  it.each([
    ['log in', 'open'],
    ['log in as another', 'closed'],
  ])('that is followed by %s is %s', async (way, state) => {
    answerCalls(() => success(null));
    // Nobody has logged out.
    beginSession(new QueryClient(), aMember);
    endExpiredSession(new QueryClient());
    await keepUpload('a', selection('1.jpg'), ME);
    await showPage(<App />);
    press(way);
    // Where it does not open, nothing is waited for.
    await claimUploads();
    await waitFor(() => expect(screen.getByText(/^(open|closed)$/).textContent).toBe(state));
  });
});
