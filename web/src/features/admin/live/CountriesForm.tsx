import type { LiveSettings } from '@framelift/contract';
import { Button, Checkbox, Group, Stack, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { setLiveSettings } from '../../../api/admin.ts';
import { useContractForm } from '../../../shared/use-contract-form.ts';
import { Form } from '../../../ui/Form.tsx';
import { useUndoableAction } from '../use-undoable-action.ts';

/** Codes as people type them: with commas or spaces, in small letters too. */
const codesOf = (text: string) =>
  text
    .toUpperCase()
    .split(/[\s,，、]+/)
    .filter(Boolean);

/** From which countries events may be watched. */
export function CountriesForm({ settings }: { readonly settings: LiveSettings }) {
  const { t } = useTranslation('adminLive');
  const action = useUndoableAction();
  const initial = { everywhere: settings.countries === null, codes: (settings.countries ?? ['TW']).join(', ') };
  const { form, input } = useContractForm('setLiveSettings', initial, ({ everywhere, codes }) => ({
    countries: everywhere ? null : codesOf(codes),
  }));
  const save = () => {
    if (!input) return;
    action.mutate({
      run: () => setLiveSettings(input),
      done: t('countries.saved'),
      undo: () => setLiveSettings(settings),
    });
  };
  return (
    <Form onSubmit={save}>
      <Stack>
        <Checkbox label={t('countries.everywhere')} {...form.getInputProps('everywhere', { type: 'checkbox' })} />
        <TextInput
          size="md"
          label={t('countries.codes')}
          description={t('countries.hint')}
          autoComplete="off"
          spellCheck={false}
          disabled={form.values.everywhere}
          {...form.getInputProps('codes')}
          error={!form.values.everywhere && !input && t('countries.wrong')}
        />
        <Group>
          <Button type="submit" variant="default" disabled={!input} loading={action.isPending}>
            {t('save')}
          </Button>
        </Group>
      </Stack>
    </Form>
  );
}
