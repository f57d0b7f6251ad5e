import type { Api, Client, OutputOf } from '@framelift/contract';
import { Button, Group, Stack, Text, TextInput, Title } from '@mantine/core';
import IconCircleCheck from '@tabler/icons-react/icons/IconCircleCheck';
import IconPhoto from '@tabler/icons-react/icons/IconPhoto';
import IconPlus from '@tabler/icons-react/icons/IconPlus';
import IconSend from '@tabler/icons-react/icons/IconSend';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useReducer, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { call } from '../../api/client.ts';
import { openLinkQuery } from '../../api/upload-links.ts';
import { useDeviceName } from '../../shared/device-name.ts';
import { parseRatio, type Rect } from '../../ui/crop/crop-rect.ts';
import { editedCrop } from '../../ui/crop/picture-edit.ts';
import { FileButton } from '../../ui/FileButton.tsx';
import { Form } from '../../ui/Form.tsx';
import { NAME_FIELD } from '../../ui/name-field.ts';
import { ProgressBar } from '../../ui/ProgressBar.tsx';
import { useFormFocus } from '../../ui/use-form-focus.ts';
import { acceptOf } from './file-rules.ts';
import { areaAround } from './focus.ts';
import { ItemCard } from './ItemCard.tsx';
import { ItemCropper } from './ItemCropper.tsx';
import classes from './LinkUpload.module.css';
import { canGoOn, type Item, isDone, isFailed, isInterrupted, manyFlow, noItems, progressOf } from './many-flow.ts';
import { RefusedFiles } from './RefusedFiles.tsx';
import { takeFiles } from './take-files.ts';
import { useAcceptedTypes } from './use-accepted-types.ts';
import { useSendingMany } from './use-sending-many.ts';
import { useThumbnails } from './use-thumbnails.ts';

interface LinkUploadProps {
  readonly token: string;
  readonly link: OutputOf<Api['openUploadLink']>;
}

/** Chooses photos, shows their crops for the owner's frame, and sends them one after the other. */
export function LinkUpload({ token, link }: LinkUploadProps) {
  const { t } = useTranslation('links');
  const { t: upload } = useTranslation('upload');
  const nameOf = useDeviceName();
  const accepted = useAcceptedTypes();
  const [flow, dispatch] = useReducer(manyFlow, noItems);
  const [name, setName] = useState('');
  const [problem, setProblem] = useState<string>();
  const queries = useQueryClient();
  const { items, refused, running } = flow;
  const form = useFormFocus(running, problem);
  const { owner, device, left } = link;
  const ratio = parseRatio(device.ratio);

  const areaOf = (item: Item): Rect | null =>
    item.shown.state === 'ready' ? (item.area ?? areaAround(item.shown.focus, item.shown.source, ratio)) : null;
  const orderOf = (item: Item) => {
    const area = areaOf(item);
    const ready = item.shown.state === 'ready' ? item.shown : null;
    return {
      deviceTypeId: device.id,
      crop: ready && editedCrop(area, ready.source, ratio, item.edit),
      ground: ready ? ready.ground : null,
    };
  };
  const sender = useRef('');
  sender.current = name.trim();
  const client = useMemo(() => callsOf(token, () => sender.current), [token]);
  useThumbnails(items, dispatch);
  useSendingMany(flow, dispatch, orderOf, undefined, client);

  const done = items.filter(isDone).length;
  const failed = items.filter(isFailed);
  const hasStarted = running || failed.length > 0 || done > 0;
  const isAllDone = items.length > 0 && done === items.length;
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (isAllDone) heading.current?.focus();
  }, [isAllDone]);

  const take = async (files: readonly File[]) => {
    dispatch({ type: 'add', files: await takeFiles(files, { accepted, allowsVideos: false, kind: 'picture' }) });
  };
  const send = () => {
    if (running) return;
    if (name.trim() === '') return setProblem(t('send.nameMissing'));
    dispatch({ type: hasStarted ? 'goOn' : 'start' });
  };

  const sendMore = () => {
    dispatch({ type: 'clear' });
    // The link takes fewer pictures now.
    void queries.invalidateQueries({ queryKey: openLinkQuery(token).queryKey });
  };

  const edited = items.find(({ key }) => key === flow.editing);
  if (edited && edited.shown.state === 'ready') {
    return (
      <ItemCropper
        key={edited.key}
        item={edited}
        ratio={ratio}
        deviceName={nameOf(device)}
        initialArea={areaOf(edited)}
        onUseSame={undefined}
        onDone={(area, edit) => dispatch({ type: 'crop', key: edited.key, area, edit })}
      />
    );
  }
  if (isAllDone) {
    return (
      <div className={classes.note} role="status">
        <IconCircleCheck className={classes.doneIcon} aria-hidden />
        <Title order={1} size="h2" ref={heading} tabIndex={-1}>
          {t('send.thanks')}
        </Title>
        <p>{t('send.thanksText', { count: done, owner })}</p>
        {left > done && (
          <Button onClick={sendMore} leftSection={<IconPlus size="1.1em" aria-hidden />}>
            {t('send.more')}
          </Button>
        )}
        <Link to="/" className={classes.link ?? ''}>
          {t('send.home')}
        </Link>
      </div>
    );
  }

  const tooMany = items.length - left;
  const progress = t('send.progress', { done, total: items.length });
  const isPrepared = items.every(({ shown }) => shown.state !== 'loading');
  return (
    <Form
      ref={form}
      className={classes.form}
      onSubmit={send}
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault();
        if (!hasStarted) void take([...event.dataTransfer.files]);
      }}
    >
      <div>
        <Title order={1} size="h2">
          {t('send.title', { owner })}
        </Title>
        <Text size="lg">{link.name}</Text>
        <Text c="dimmed">{t('send.text', { owner })}</Text>
      </div>
      <TextInput
        label={t('send.name')}
        description={t('send.nameHint', { owner })}
        name="name"
        autoComplete="name"
        size="md"
        {...NAME_FIELD}
        value={name}
        disabled={running}
        error={problem}
        onChange={(event) => {
          setName(event.currentTarget.value);
          setProblem(undefined);
        }}
      />
      <RefusedFiles refused={refused} dispatch={dispatch} />
      {items.length > 0 && (
        <ul className={classes.list} aria-label={upload('many.list')}>
          {items.map((item) => (
            <ItemCard
              key={item.key}
              item={item}
              ratio={ratio}
              area={areaOf(item)}
              deviceName={null}
              running={running}
              onEdit={() => dispatch({ type: 'edit', key: item.key })}
              onRemove={() => dispatch({ type: 'remove', key: item.key })}
            />
          ))}
        </ul>
      )}
      {!hasStarted && (
        <FileButton accept={acceptOf('picture', accepted)} multiple onFiles={(files) => void take(files)}>
          {(open) => (
            <Button
              size="lg"
              variant={items.length > 0 ? 'default' : 'filled'}
              leftSection={items.length > 0 ? <IconPlus aria-hidden /> : <IconPhoto aria-hidden />}
              onClick={open}
            >
              {items.length > 0 ? upload('many.add') : t('send.choose')}
            </Button>
          )}
        </FileButton>
      )}
      {tooMany > 0 && !hasStarted && <Text role="alert">{t('send.tooMany', { count: left })}</Text>}
      {items.length > 0 && (
        <Stack gap="sm" className={classes.actions}>
          {hasStarted && (
            <>
              <Text role="status">
                {isInterrupted(flow) ? upload('sending.waiting') : progress}
                {failed.length > 0 && !running && ` ${t('send.failed', { count: failed.length })}`}
              </Text>
              {failed.length > 0 && !running && failed[0]?.sending.phase === 'failed' && (
                <Text c="var(--mantine-color-error)">{failed[0].sending.failure.message}</Text>
              )}
              <ProgressBar value={progressOf(flow) * 100} label={progress} />
            </>
          )}
          <Group grow>
            {running ? (
              <Button variant="default" onClick={() => dispatch({ type: 'stop' })}>
                {upload('many.cancelAll')}
              </Button>
            ) : hasStarted ? (
              canGoOn(flow) && <Button type="submit">{upload('many.goOn')}</Button>
            ) : (
              <Button
                type="submit"
                size="lg"
                leftSection={<IconSend size="1.1em" aria-hidden />}
                disabled={!isPrepared || tooMany > 0}
              >
                {t('send.send', { count: items.length })}
              </Button>
            )}
          </Group>
        </Stack>
      )}
    </Form>
  );
}

/** Returns a client whose uploads go through a link: the same calls with its token and the sender's name. */
function callsOf(token: string, senderOf: () => string): Client['call'] {
  const through = (name: string, options: { input: Record<string, unknown>; signal?: AbortSignal }) => {
    const { input, signal } = options;
    const rest = signal ? { signal } : {};
    if (name === 'setMediaS3UploadFinish') {
      return call('finishLinkUpload', { input: { token, media_id: String(input['id']) }, ...rest });
    }
    const { originalDetails: file, crop, ground, id: media_id, resume } = input as Sent;
    const sent = {
      file,
      ...(crop && { crop }),
      ...(ground && { ground }),
      ...(media_id && { media_id, resume: !!resume }),
    };
    return call('announceLinkUpload', { input: { token, sender: senderOf(), ...sent }, ...rest });
  };
  // Only for `sendMedia`, which makes these two calls.
  return through as unknown as Client['call'];
}

type Announced = Parameters<typeof call<'announceLinkUpload'>>[1]['input'];
type Sent = Pick<Announced, 'crop' | 'ground'> & {
  readonly originalDetails: Announced['file'];
  readonly id?: string;
  readonly resume?: boolean;
};
