import { LIMITS, type MemberDetail, POINT_KINDS, type PointEntry } from '@framelift/contract';
import { Button, NativeSelect, NumberInput, Stack, Text, TextInput, Title } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { correctPoints, userPointEntriesQuery } from '../../api/admin.ts';
import { isCallError } from '../../api/client.ts';
import { formatDateTime, formatNumber, formatSigned } from '../../i18n/format.ts';
import { currentLanguage } from '../../i18n/index.ts';
import { useContractForm } from '../../shared/use-contract-form.ts';
import { Form } from '../../ui/Form.tsx';
import { FormProblem } from '../../ui/FormProblem.tsx';
import { Modal } from '../../ui/Modal.tsx';
import { NAME_FIELD } from '../../ui/name-field.ts';
import { randomUuid } from '../../ui/random-uuid.ts';
import classes from './Admin.module.css';
import { type Column, DataTable } from './DataTable.tsx';
import { useUndoableAction } from './use-undoable-action.ts';

/** The changes of a member's points, and their correction. */
export function UserPoints({ member }: { member: MemberDetail }) {
  const { t } = useTranslation('admin');
  const { id, name } = member;
  const language = currentLanguage();
  const list = useInfiniteQuery(userPointEntriesQuery(id, language));
  const [correcting, setCorrecting] = useState(false);
  const columns: Column<PointEntry>[] = [
    { key: 'when', label: t('points.member.when'), cell: ({ date }) => formatDateTime(date, language) },
    {
      key: 'what',
      label: t('points.member.what'),
      loose: true,
      cell: ({ title, note }) => (
        <div>
          {title}
          {note !== '' && (
            <Text size="sm" c="dimmed">
              {note}
            </Text>
          )}
        </div>
      ),
    },
    { key: 'kind', label: t('points.member.kind'), cell: ({ kind }) => t(`user.${kind}`) },
    {
      key: 'amount',
      label: t('points.member.amount'),
      cell: ({ amount }) => <span className="tabular">{formatSigned(amount, language)}</span>,
    },
    {
      key: 'balance',
      label: t('points.member.balance'),
      cell: ({ balance }) => <span className="tabular">{formatNumber(balance, language)}</span>,
    },
  ];
  return (
    <>
      <div className={classes.head}>
        <Title order={2} size="h4">
          {t('points.member.title')}
        </Title>
        <Button variant="default" onClick={() => setCorrecting(true)}>
          {t('points.member.correct')}
        </Button>
      </div>
      <DataTable label={t('points.member.title')} columns={columns} query={list} empty={t('points.member.none')} />
      <Modal
        opened={correcting}
        onClose={() => setCorrecting(false)}
        title={t('points.member.correctTitle', { name })}
        closeOnClickOutside={false}
      >
        <CorrectionForm member={member} onDone={() => setCorrecting(false)} />
      </Modal>
    </>
  );
}

function CorrectionForm({ member: { id: userId, name }, onDone }: { member: MemberDetail; onDone: () => void }) {
  const { t } = useTranslation('admin');
  const action = useUndoableAction();
  /** One per content: the same attempt again, whose answer was lost, counts once, and another one counts as well. */
  const ids = useRef(new Map<string, string>());
  const idOf = (content: string) => {
    const id = ids.current.get(content) ?? randomUuid();
    ids.current.set(content, id);
    return id;
  };
  const initial = { kind: 'points' as string, amount: '' as number | string, note: '' };
  const { form, input } = useContractForm('correctPoints', initial, ({ kind, amount, note }) => ({
    id: idOf(`${kind} ${amount} ${note}`),
    userId,
    kind: POINT_KINDS.find((one) => one === kind) ?? 'points',
    amount: Number(amount),
    note,
  }));
  const save = () => {
    if (!input) return;
    const back = { ...input, id: randomUuid(), amount: -input.amount, note: t('points.member.undone') };
    action.mutate(
      { run: () => correctPoints(input), done: t('points.member.done', { name }), undo: () => correctPoints(back) },
      { onSuccess: onDone },
    );
  };
  return (
    <Form onSubmit={save}>
      <Stack>
        <FormProblem text={isCallError(action.error) ? action.error.message : undefined} />
        <NativeSelect
          size="md"
          label={t('points.member.kind')}
          {...form.getInputProps('kind')}
          data={POINT_KINDS.map((value) => ({ value, label: t(`user.${value}`) }))}
        />
        <NumberInput
          size="md"
          label={t('points.member.amount')}
          description={t('points.member.amountHint')}
          min={-LIMITS.points}
          max={LIMITS.points}
          allowDecimal={false}
          hideControls
          data-autofocus
          {...form.getInputProps('amount')}
        />
        <TextInput
          label={t('points.member.note')}
          description={t('points.member.noteHint', { name })}
          {...NAME_FIELD}
          {...form.getInputProps('note')}
        />
        <Button type="submit" disabled={!input} loading={action.isPending}>
          {t('points.member.correct')}
        </Button>
      </Stack>
    </Form>
  );
}
