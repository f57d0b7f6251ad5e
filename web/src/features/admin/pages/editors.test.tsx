// @vitest-environment happy-dom
import type { LegalVersion, ManagedEntry } from '@framelift/contract';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { Route, Routes } from 'react-router';
import { describe, expect, it, vi } from 'vitest';
import { i18next } from '../../../i18n/index.ts';
import { answerCalls, refusal, type SentCall, showPage, success } from '../../../testing/page.tsx';
import { AlertHost } from '../../../ui/AlertHost.tsx';
import { AdminArea } from '../AdminArea.tsx';

const [ONE, TWO] = [1, 2].map((n) => `${n}1111111-1111-4111-8111-111111111111`) as [string, string];
const about = { is_active: true, changed_at: '2026-11-29T10:00:00.000Z', changed_by: null, revision: 1 };
const loud: ManagedEntry = {
  ...{ id: ONE, kind: 'faq', ...about },
  question: { en: 'Is it loud?', zh: '會吵嗎？', ja: '' },
  answer: { en: 'No, **never**.', zh: '不會。', ja: '' },
};
const warm: ManagedEntry = {
  ...{ id: TWO, kind: 'faq', ...about },
  question: { en: 'Is it warm?', zh: '會熱嗎？', ja: '熱くなりますか？' },
  answer: { en: 'A little.', zh: '一點。', ja: '少し。' },
};

async function open(path: string, answers: Record<string, (call: SentCall) => ReturnType<typeof success>> = {}) {
  const all: typeof answers = {
    managedEntries: () => success([loud, warm]),
    setEntry: () => success({ ...loud, revision: 2 }),
    deleteEntry: () => success({ id: ONE }),
    restoreEntry: () => success({ id: ONE }),
    ...answers,
  };
  const sent = answerCalls((call) => {
    const name = call.path.split(/[/?]/)[1] ?? '';
    return all[name]?.(call) ?? refusal(404, 'notFound', `Nobody answers ${name}.`);
  });
  await showPage(
    <>
      <Routes>
        <Route path="/admin/*" element={<AdminArea />} />
        <Route path="/" element={<p>Start</p>} />
      </Routes>
      <AlertHost />
    </>,
    path,
  );
  await i18next.loadNamespaces(['admin', 'adminPages']);
  return sent;
}
const press = async (name: string) => fireEvent.click(await screen.findByRole('button', { name }));
const inputsOf = (sent: readonly SentCall[], path: string) =>
  sent.filter((call) => call.path === path).map(({ input }) => input);
const type = (label: string, value: string) => fireEvent.change(screen.getByLabelText(label), { target: { value } });
const address = () => screen.getByTestId('address').textContent;

it('a question says which language it lacks, is hidden and deleted at once, and both can be undone', async () => {
  const sent = await open('/admin/faq');
  const row = (await screen.findByText('Is it loud?')).closest('li') as HTMLElement;
  expect(within(row).getByText('Missing: 日本語')).toBeTruthy();
  await press('Hide Is it loud?');
  const { changed_at: _at, changed_by: _by, ...input } = loud;
  await waitFor(() => expect(inputsOf(sent, '/setEntry')).toEqual([{ ...input, is_active: false }]));
  await screen.findByText('Is it loud? is hidden.');
  await press('Undo');
  // The undo continues from what was saved.
  await waitFor(() => expect(inputsOf(sent, '/setEntry').at(-1)).toEqual({ ...input, revision: 2 }));
  await press('Delete Is it warm?');
  await screen.findByText('Is it warm? is deleted.');
  const undos = screen.getAllByRole('button', { name: 'Undo' });
  fireEvent.click(undos.at(-1) as HTMLElement);
  await waitFor(() => expect(inputsOf(sent, '/restoreEntry')).toEqual([{ id: TWO }]));
});

it('an answer is seen as visitors see it, in their language or the one there is, and is saved as a whole', async () => {
  const sent = await open(`/admin/faq/${ONE}`);
  const preview = await screen.findByRole('region', { name: 'Preview' });
  await waitFor(() => expect(preview.querySelector('strong')?.textContent).toBe('never'));
  type('Answer', 'Yes, [see](javascript:alert(1)) <b>why</b>.');
  expect(preview.textContent).toContain('Yes, see <b>why</b>.');
  expect(preview.querySelector('a')).toBeNull();
  // The English text stands in for the one that is missing.
  fireEvent.click(screen.getByRole('tab', { name: /日本語/ }));
  const japanese = await screen.findByRole('region', { name: 'Preview' });
  expect(japanese.textContent).toContain('Is it loud?');
  // Half of it is not enough.
  type('Question', 'うるさいですか？');
  expect(screen.getByText(/question or the answer is missing/)).toBeTruthy();
  expect((screen.getByRole('button', { name: 'Save' }) as HTMLButtonElement).disabled).toBe(true);
  type('Answer', 'いいえ。');
  await press('Save');
  await waitFor(() => expect(address()).toBe('/admin/faq'));
  expect(inputsOf(sent, '/setEntry')).toMatchObject([
    { id: ONE, revision: 1, question: { ja: 'うるさいですか？', zh: '會吵嗎？' }, answer: { ja: 'いいえ。' } },
  ]);
});

it('when another operator was faster, nothing is lost: theirs is shown, and mine replaces it when I say so', async () => {
  let newest: ManagedEntry = loud;
  const sent = await open(`/admin/faq/${ONE}`, {
    managedEntries: () => success([newest]),
    setEntry: ({ input }) => {
      if ((input as { revision: number }).revision === 5) return success({ ...newest, revision: 6 });
      newest = { ...loud, revision: 5, changed_by: 'Ken', answer: { en: 'Only at night.', zh: '', ja: '' } };
      return refusal(409, 'changedMeanwhile', 'Someone else saved a change first.');
    },
  });
  await screen.findByLabelText('Answer');
  type('Answer', 'Mine.');
  await press('Save');
  await screen.findByText('Only at night.');
  expect((screen.getByLabelText('Answer') as HTMLTextAreaElement).value).toBe('Mine.');
  expect((screen.getByRole('button', { name: 'Save' }) as HTMLButtonElement).disabled).toBe(true);
  await press('Replace it with mine');
  await press('Save');
  await waitFor(() => expect(address()).toBe('/admin/faq'));
  expect(inputsOf(sent, '/setEntry').at(-1)).toMatchObject({ revision: 5, answer: { en: 'Mine.' } });
});

it('asks before a page is left with text that is not saved', async () => {
  await open('/admin/locations/new', { managedEntries: () => success([]) });
  await screen.findByLabelText('Name');
  type('Name', 'Pier 2');
  fireEvent.click(screen.getAllByRole('link', { name: 'Locations' })[0] as HTMLElement);
  const question = await screen.findByRole('dialog', { name: 'Leave without saving?' });
  fireEvent.click(within(question).getByRole('button', { name: 'Stay' }));
  expect((screen.getByLabelText('Name') as HTMLInputElement).value).toBe('Pier 2');
  fireEvent.click(screen.getAllByRole('link', { name: 'Locations' })[0] as HTMLElement);
  fireEvent.click(
    within(await screen.findByRole('dialog', { name: 'Leave without saving?' })).getByRole('button', { name: 'Leave' }),
  );
  await waitFor(() => expect(address()).toBe('/admin/locations'));
});

describe('the terms', () => {
  const version = (number: number, state: LegalVersion['state'], content: string): LegalVersion => ({
    ...{ id: `${number}2222222-2222-4222-8222-222222222222`, kind: 'terms', language: 'en', number, state, content },
    in_force_from: `${state === 'coming' ? 2999 : 2020}-01-01T00:00:00.000Z`,
    ...{ published_at: '2020-01-01T00:00:00.000Z', published_by: 'Ken' },
  });
  const field = async () => (await screen.findByLabelText('Text')) as HTMLTextAreaElement;
  const edit = (value: string) => type('Text', value);
  const texts = (sent: readonly SentCall[]) => inputsOf(sent, '/publishLegalText');

  it('of Framelift that could not be loaded are asked for again, and never stand in the field as their keys', async () => {
    let isThere = false;
    // The page starts the texts.
    i18next.on('initialized', () => {
      const { hasResourceBundle } = i18next;
      vi.spyOn(i18next, 'hasResourceBundle').mockImplementation(
        (language, area) => (isThere || area !== 'policy') && hasResourceBundle(language, area),
      );
    });
    await open('/admin/legal/privacy', { legalVersions: () => success([]) });
    await screen.findByText(/Please check your network quality/);
    expect(screen.queryByLabelText('Text')).toBeNull();
    isThere = true;
    await press('Try again');
    expect((await field()).value).toMatch(/^## Your account/);
  });

  it('that are published and taken back are again those in force, and a scheduled version stays for its day', async () => {
    let versions = [version(2, 'coming', 'Next year.'), version(1, 'inForce', 'This year.')];
    const sent = await open('/admin/legal/terms', {
      legalVersions: () => success(versions),
      publishLegalText: ({ input }) => {
        const { after, content } = input as { after: number; content: string };
        versions = [version(after + 1, 'inForce', content), ...versions];
        return success({ id: ONE });
      },
    });
    expect((await field()).value).toBe('Next year.');
    edit('Now.');
    await press('Publish');
    await screen.findByText('The text is published.');
    await press('Undo');
    await waitFor(() =>
      expect(texts(sent)).toMatchObject([
        { content: 'Now.', after: 2 },
        { content: 'This year.', after: 3 },
      ]),
    );
  });

  it('keep what is typed while an earlier text is being published, and tell nobody that it was someone else', async () => {
    let versions: LegalVersion[] = [];
    const told: string[] = [];
    const sent = await open('/admin/legal/terms', {
      legalVersions: () => {
        told.push(document.body.textContent);
        return success(versions);
      },
      publishLegalText: () => {
        versions = [version(1, 'inForce', 'One.')];
        edit('One. Two.');
        return success({ id: ONE });
      },
    });
    await field();
    edit('One.');
    await press('Publish');
    await screen.findByText('The text is published.');
    expect(told.join(' ')).not.toContain('Someone else has published');
    expect((await field()).value).toBe('One. Two.');
    expect(texts(sent)).toMatchObject([{ content: 'One.' }]);
  });

  it('are not published at once while a part of their date is missing', async () => {
    const sent = await open('/admin/legal/terms', {
      legalVersions: () => success([]),
      publishLegalText: () => success({ id: ONE }),
    });
    await field();
    edit('Mine.');
    // As the browser reads a date without a time: it has no value, and is not valid.
    const from = screen.getByLabelText('In force from') as HTMLInputElement;
    from.setCustomValidity('incomplete');
    await press('Publish');
    expect((await field()).value).toBe('Mine.');
    from.setCustomValidity('');
    type('In force from', '2999-01-01T00:00');
    await press('Publish');
    await screen.findByText('The text is published.');
    expect(texts(sent)).toMatchObject([{ in_force_from: new Date(2999, 0, 1).toISOString() }]);
  });

  it('that are typed and replaced by another version can be brought back', async () => {
    await open('/admin/legal/terms', { legalVersions: () => success([version(1, 'inForce', 'This year.')]) });
    await field();
    edit('Mine.');
    await press('Read version 1');
    await press('Edit from this version');
    await waitFor(async () => expect((await field()).value).toBe('This year.'));
    await screen.findByText('The text in the field was replaced.');
    await press('Undo');
    expect((await field()).value).toBe('Mine.');
    // The other languages have their own.
    fireEvent.click(screen.getByRole('tab', { name: /日本語/ }));
    await waitFor(async () => expect((await field()).value).toContain('## '));
    fireEvent.click(screen.getByRole('tab', { name: /English/ }));
    await waitFor(async () => expect((await field()).value).toBe('Mine.'));
  });
});
