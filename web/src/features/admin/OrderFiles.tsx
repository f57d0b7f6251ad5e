import { type ManagedOrder, MEDIA_TYPE } from '@framelift/contract';
import { Button, FileInput, NativeSelect, Progress, Stack, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { refreshAdmin, sendOnSiteFile } from '../../api/admin.ts';
import { isCallError } from '../../api/client.ts';
import { deviceTypesQuery, effectsQuery } from '../../api/device-types.ts';
import { useDeviceName } from '../../shared/device-name.ts';
import { Form } from '../../ui/Form.tsx';
import { showToast } from '../../ui/toasts.ts';
import classes from './Admin.module.css';

interface Failure {
  readonly file: File;
  readonly message: string;
}

/** Adds files to an order, one after the other. Those that fail stay chosen, so that they can be sent again. */
export function OrderFiles({
  order,
  onSending,
  onDone,
}: {
  readonly order: ManagedOrder;
  readonly onSending: (sending: boolean) => void;
  readonly onDone: () => void;
}) {
  const { t } = useTranslation('admin');
  const queries = useQueryClient();
  const nameOf = useDeviceName();
  const { data: devices = [] } = useQuery(deviceTypesQuery);
  const [chosen, setChosen] = useState<number | null>(null);
  const deviceId = chosen ?? devices[0]?.id;
  const { data: effects = [] } = useQuery({
    ...effectsQuery(deviceId ?? 0, MEDIA_TYPE.picture),
    enabled: deviceId !== undefined,
  });
  const [effect, setEffect] = useState<string | null>(null);
  const [files, setFiles] = useState<File[]>([]);
  const [sent, setSent] = useState<number | null>(null);
  const [failures, setFailures] = useState<readonly Failure[]>([]);
  const stop = useRef(new AbortController());
  useEffect(() => {
    stop.current = new AbortController();
    return () => stop.current.abort();
  }, []);
  /** Label of a strength, which videos have under another id; the strongest one at first. */
  const strength = effects.find((one) => one.effect === effect)?.effect ?? effects.at(-1)?.effect;

  const send = async () => {
    if (deviceId === undefined || strength === undefined || files.length === 0) return;
    const { signal } = stop.current;
    onSending(true);
    const failed: Failure[] = [];
    for (const [index, file] of files.entries()) {
      setSent(index);
      try {
        await sendOnSiteFile(queries, { orderId: order.id, file, deviceId, strength, signal });
      } catch (error) {
        if (signal.aborted) break;
        failed.push({ file, message: isCallError(error) ? error.message : t('orders.notSent') });
      }
    }
    onSending(false);
    await refreshAdmin(queries);
    if (signal.aborted) return;
    setSent(null);
    setFailures(failed);
    setFiles(failed.map(({ file }) => file));
    if (failed.length > 0) return;
    showToast({ kind: 'success', text: t('orders.done', { count: files.length, name: order.member.name }) });
    onDone();
  };
  const sending = sent !== null;

  return (
    <Form onSubmit={() => void send()}>
      <Stack>
        <Text>{t('orders.for', { name: order.member.name, email: order.member.email })}</Text>
        <NativeSelect
          size="md"
          label={t('orders.device')}
          value={String(deviceId ?? '')}
          disabled={sending}
          onChange={(event) => setChosen(Number(event.currentTarget.value))}
          data={devices.map((device) => ({ value: String(device.id), label: nameOf(device) }))}
        />
        <NativeSelect
          size="md"
          label={t('orders.strength')}
          value={strength ?? ''}
          disabled={sending}
          onChange={(event) => setEffect(event.currentTarget.value)}
          data={effects.map(({ effect: label }) => label)}
        />
        <FileInput
          size="md"
          label={t('orders.files')}
          description={t('orders.filesHint')}
          placeholder={t('orders.choose')}
          multiple
          accept="image/*,video/*"
          value={files}
          disabled={sending}
          onChange={setFiles}
        />
        {failures.length > 0 && !sending && (
          <ul className={classes.warnings} role="alert">
            {failures.map(({ file, message }) => (
              <li key={file.name}>{t('orders.failed', { name: file.name, message })}</li>
            ))}
          </ul>
        )}
        {sending && (
          <>
            <Text role="status">{t('orders.sending', { number: sent + 1, count: files.length })}</Text>
            <Progress value={(100 * sent) / files.length} aria-label={t('orders.progress')} />
          </>
        )}
        <Button type="submit" disabled={files.length === 0 || strength === undefined} loading={sending}>
          {failures.length > 0 ? t('orders.again') : t('orders.send')}
        </Button>
      </Stack>
    </Form>
  );
}
