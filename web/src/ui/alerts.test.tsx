// @vitest-environment happy-dom
import { LANGUAGES } from '@framelift/contract';
import { errorText } from '@framelift/texts/node';
import { act, configure, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { i18next } from '../i18n/index.ts';
import { showFeatureAlert } from '../shared/feature-alert.ts';
import { showPage, withoutMotion } from '../testing/page.tsx';
import { AlertHost } from './AlertHost.tsx';
import { type AlertAnswer, type AlertOptions, alerts, showAlert } from './alerts.ts';

configure({ asyncUtilTimeout: 8000 });

beforeAll(() => Promise.all([import('./AlertModal.tsx'), import('./AlbumField.tsx')]));
afterEach(() => {
  vi.useRealTimers();
  act(() => {
    for (let alert = alerts.current(); alert; alert = alerts.current()) alert.answer({ button: null, input: '' });
  });
});

const albums = [
  { id: 'a1', name: 'Holiday' },
  { id: 'a2', name: 'Holidays by the sea' },
  { id: 'a3', name: 'Cats' },
];

async function show<V extends string>(options: AlertOptions<V>) {
  await showPage(<AlertHost />);
  const answers: AlertAnswer<V>[] = [];
  act(() => {
    void showAlert(options).then((answer) => answers.push(answer));
  });
  const dialog = await screen.findByRole('dialog', { name: options.title });
  return { dialog, answers };
}

describe('the alert modal', () => {
  it('shows a title, content, a picture, an input, an album combobox and buttons, and answers with them [R-2.alert-modal.1]', async () => {
    const { answers } = await show({
      title: 'Save the picture',
      content: 'It goes into an album.',
      image: { src: '/favicon.svg', alt: 'The picture' },
      input: { label: 'Name', value: 'Sunset' },
      album: { label: 'Album', albums },
      buttons: [
        { value: 'no', label: 'Cancel' },
        { value: 'yes', label: 'Save', look: 'primary' },
      ],
    });
    expect(screen.getByText('It goes into an album.')).toBeTruthy();
    expect(screen.getByRole('img', { name: 'The picture' }).getAttribute('src')).toBe('/favicon.svg');

    fireEvent.change(screen.getByRole('textbox', { name: 'Name' }), { target: { value: 'Dawn' } });
    const field = await screen.findByRole('combobox', { name: 'Album' });
    act(() => field.focus());
    fireEvent.change(field, { target: { value: 'holiday' } });
    await waitFor(() =>
      expect(screen.getAllByRole('option', { hidden: true }).map(({ textContent }) => textContent)).toEqual([
        'Holiday',
        'Holidays by the sea',
      ]),
    );
    fireEvent.click(screen.getByRole('option', { name: 'Holidays by the sea', hidden: true }));
    fireEvent.click(screen.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(answers).toEqual([{ button: 'yes', input: 'Dawn', album: 'a2' }]));
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  it('answers with its primary button on Enter in the field, and has that button at hand where there is no field', async () => {
    const buttons = [
      { value: 'no', label: 'Cancel' },
      { value: 'yes', label: 'Save', look: 'primary' as const },
    ];
    const named = await show({ title: 'Name it', input: { label: 'Name', value: 'Sea' }, buttons });
    const field = screen.getByRole<HTMLInputElement>('textbox', { name: 'Name' });
    await waitFor(() => expect(document.activeElement).toBe(field));
    fireEvent.submit(field.form as HTMLFormElement);
    await waitFor(() => expect(named.answers).toEqual([{ button: 'yes', input: 'Sea' }]));
    act(() => void showAlert({ title: 'Sure?', buttons }));
    await screen.findByRole('dialog', { name: 'Sure?' });
    await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Save' })));
  });

  it('shows only what it is given, and takes 30 characters of text, as people count them [R-5.text.2][S10]', async () => {
    const { dialog } = await show({ title: 'Rename', input: { label: 'Name' } });
    const input = screen.getByRole<HTMLInputElement>('textbox', { name: 'Name' });
    const emoji = '👨‍👩‍👧‍👦'.repeat(5) + '🇹🇼'.repeat(16) + '🦜'.repeat(9);
    fireEvent.change(input, { target: { value: emoji } });
    expect(input.value).toBe(emoji);
    // What is inserted too much is cut, not the end of the text.
    fireEvent.change(input, { target: { value: `字🏴󠁧󠁢󠁥󠁮󠁧󠁿${emoji}`, selectionEnd: '字🏴󠁧󠁢󠁥󠁮󠁧󠁿'.length } });
    expect(input.value).toBe(emoji);
    fireEvent.change(input, { target: { value: 'x'.repeat(31) } });
    expect(input.value).toBe('x'.repeat(30));
    expect(screen.queryByRole('combobox')).toBeNull();
    expect(screen.queryByRole('img')).toBeNull();
    expect(dialog.querySelectorAll('button')).toHaveLength(1);
  });

  it.each([2000, 1500, 3500, 5000])(
    'closes by itself after %i ms, without a button, and tells readers at once [R-9.timing.2] [R-9.timing.3]',
    async (ms) => {
      withoutMotion();
      await showPage(<AlertHost />);
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
      await act(async () => void showAlert({ title: 'Timed', content: 'Gone soon.', ms }));
      const timed = screen.getByRole('dialog', { name: 'Timed' });
      expect(within(timed).getByRole('alert').textContent).toContain('Gone soon.');
      expect(timed.querySelector('button')).toBeNull();
      await act(() => vi.advanceTimersByTimeAsync(ms - 1));
      expect(screen.queryByRole('dialog')).not.toBeNull();
      await act(() => vi.advanceTimersByTimeAsync(1));
      expect(screen.queryByRole('dialog')).toBeNull();
    },
  );

  it('closes by Escape and by "back" without an answer, one after the other when several were asked for', async () => {
    const { answers, dialog } = await show({ title: 'First', buttons: [{ value: 'ok', label: 'OK' }] });
    act(() => {
      void showAlert({ title: 'Second' }).then((answer) => answers.push(answer));
    });
    expect(screen.queryByRole('dialog', { name: 'Second' })).toBeNull();
    fireEvent.keyDown(dialog, { key: 'Escape' });
    await screen.findByRole('dialog', { name: 'Second' });
    await waitFor(() => expect(window.history.state?.usr?.dialogs).toHaveLength(1));
    act(() => window.history.back());
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(answers).toEqual([
      { button: null, input: '' },
      { button: null, input: '' },
    ]);
  });
});

describe('what is not ready yet', () => {
  it('says so in an info alert of 2 s [R-8.alerts.6] [R-8.alerts.1]', async () => {
    withoutMotion();
    await showPage(<AlertHost />);
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    await act(async () => showFeatureAlert());
    const alert = screen.getByRole('dialog', { name: 'Under development' });
    expect(alert.textContent).toContain('This feature is not available yet.');
    expect(alert.querySelector('[data-kind="info"]')).not.toBeNull();
    expect(alert.querySelector('button')).toBeNull();
    await act(() => vi.advanceTimersByTimeAsync(2000));
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  it.each(['featureNotAvailableYet', 'networkError', 'tokenExpired'] as const)(
    'says %s in the words of the server',
    async (code) => {
      await showPage(null);
      for (const { code: language } of LANGUAGES) {
        await i18next.loadLanguages(language);
        expect(i18next.t(code, { lng: language })).toBe(errorText(code, language));
      }
    },
  );
});
