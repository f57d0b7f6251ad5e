import { MEDIA_TYPE, type MediaDetail, type Share, sharedTitle } from '@framelift/contract';
import {
  Accordion,
  Anchor,
  Button,
  Group,
  Select,
  Skeleton,
  Stack,
  Switch,
  Text,
  Textarea,
  TextInput,
} from '@mantine/core';
import IconCopy from '@tabler/icons-react/icons/IconCopy';
import IconExternalLink from '@tabler/icons-react/icons/IconExternalLink';
import IconLink from '@tabler/icons-react/icons/IconLink';
import IconLinkOff from '@tabler/icons-react/icons/IconLinkOff';
import IconSend from '@tabler/icons-react/icons/IconSend';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type RefObject, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { changeShare, shareMedia, shareOfQuery } from '../../api/shares.ts';
import { formatDateTime } from '../../i18n/format.ts';
import { currentLanguage } from '../../i18n/index.ts';
import { Modal } from '../../ui/Modal.tsx';
import { QueryState } from '../../ui/QueryState.tsx';
import { showToast } from '../../ui/toasts.ts';
import { copyText } from './copy-text.ts';
import { embedCode } from './embed-code.ts';
import classes from './Share.module.css';
import { dayOf, endAfter, endOfDay, SHARE_ENDS, type ShareEnd } from './share-end.ts';
import { useStopSharing } from './use-stop-sharing.ts';

interface Props {
  readonly media: Pick<MediaDetail, 'id' | 'name' | 'media_type'>;
  readonly opened: boolean;
  readonly onClose: () => void;
}

/** The public link of a picture or video: made, copied, sent, limited, embedded and ended here. */
export function ShareDialog({ media, opened, onClose }: Props) {
  const { t } = useTranslation('share');
  const query = useQuery({ ...shareOfQuery(media.id), enabled: opened });
  return (
    <Modal opened={opened} onClose={onClose} title={t('dialog.title')} size="lg">
      <Stack gap="lg">
        <Text c="dimmed">{t(media.media_type === MEDIA_TYPE.video ? 'dialog.introVideo' : 'dialog.intro')}</Text>
        <QueryState
          query={query}
          loading={
            <Stack role="status" aria-label={t('dialog.preparing')}>
              <Skeleton className={classes.field} />
            </Stack>
          }
        >
          {(share) =>
            share ? <OwnShare key={share.id} share={share} onClose={onClose} /> : <NewShare mediaId={media.id} />
          }
        </QueryState>
      </Stack>
    </Modal>
  );
}

function NewShare({ mediaId }: { mediaId: string }) {
  const { t } = useTranslation('share');
  const make = useMutation(shareMedia);
  return (
    <Button
      size="md"
      leftSection={<IconLink size="1.25rem" aria-hidden />}
      loading={make.isPending}
      onClick={() => make.mutate(mediaId)}
    >
      {t('dialog.make')}
    </Button>
  );
}

/** Copies a field and says so. */
function useCopy<E extends HTMLInputElement | HTMLTextAreaElement>(field: RefObject<E | null>, copied: string) {
  const { t } = useTranslation('share');
  return async () => {
    if (!field.current) return;
    const done = await copyText(field.current);
    showToast(done ? { kind: 'success', text: copied } : { kind: 'warning', text: t('dialog.copyByHand') });
  };
}

function OwnShare({ share, onClose }: { share: Share; onClose: () => void }) {
  const { t } = useTranslation('share');
  const link = useRef<HTMLInputElement>(null);
  const copy = useCopy(link, t('dialog.copied'));
  const change = useMutation(changeShare);
  const stop = useStopSharing(onClose);
  const { id, name, url, download, views } = share;
  const canSend = typeof navigator.share === 'function';
  // Closing the sheet of the system is no failure.
  const send = () => navigator.share({ title: sharedTitle(name), url }).catch(() => {});
  return (
    <>
      <Stack gap="sm">
        <TextInput
          ref={link}
          label={t('dialog.link')}
          value={url}
          readOnly
          onFocus={(event) => event.target.select()}
        />
        <Group gap="xs" className={classes.actions ?? ''}>
          <Button leftSection={<IconCopy size="1.1em" aria-hidden />} onClick={() => void copy()} data-autofocus>
            {t('dialog.copy')}
          </Button>
          {canSend && (
            <Button variant="default" leftSection={<IconSend size="1.1em" aria-hidden />} onClick={() => void send()}>
              {t('dialog.send')}
            </Button>
          )}
          <Button
            variant="default"
            component="a"
            href={url}
            target="_blank"
            rel="noopener"
            leftSection={<IconExternalLink size="1.1em" aria-hidden />}
          >
            {t('dialog.open')}
          </Button>
        </Group>
        <Text size="sm" c="dimmed">
          {views === 0 ? t('dialog.notOpened') : t('dialog.views', { count: views })}
        </Text>
      </Stack>
      <EndField share={share} />
      <Switch
        label={t('dialog.download')}
        description={t('dialog.downloadNote')}
        checked={change.isPending ? (change.variables.download ?? download) : download}
        onChange={(event) => change.mutate({ id, download: event.currentTarget.checked })}
      />
      <Accordion variant="separated">
        <Accordion.Item value="embed">
          <Accordion.Control>{t('dialog.embed')}</Accordion.Control>
          <Accordion.Panel>
            <EmbedCode share={share} />
          </Accordion.Panel>
        </Accordion.Item>
      </Accordion>
      <Group justify="space-between" gap="sm">
        <Anchor component={Link} to="/menu/shares" replace className={classes.link ?? ''}>
          {t('dialog.all')}
        </Anchor>
        <Button
          variant="subtle"
          color="red"
          leftSection={<IconLinkOff size="1.1em" aria-hidden />}
          loading={stop.isPending}
          onClick={() => stop.run(share)}
        >
          {t('dialog.stop')}
        </Button>
      </Group>
    </>
  );
}

/** How long the link works: until it is stopped, for a while, or until the end of a day. */
function EndField({ share: { id, expires_at, expired } }: { share: Share }) {
  const { t } = useTranslation('share');
  const change = useMutation(changeShare);
  const [choice, setChoice] = useState<ShareEnd>(expires_at === null ? 'never' : 'date');
  const choose = (value: string | null) => {
    const end = SHARE_ENDS.find((one) => one === value) ?? 'never';
    setChoice(end);
    if (end !== 'date') change.mutate({ id, expires_at: endAfter(end, Date.now()) });
  };
  const time = expires_at && formatDateTime(expires_at, currentLanguage());
  return (
    <Stack gap="xs">
      <Select
        label={t('dialog.ends')}
        allowDeselect={false}
        size="md"
        data={SHARE_ENDS.map((value) => ({ value, label: t(`dialog.end.${value}`) }))}
        value={choice}
        onChange={choose}
      />
      {choice === 'date' && (
        <TextInput
          type="date"
          label={t('dialog.lastDay')}
          min={dayOf(Date.now())}
          defaultValue={expires_at ? dayOf(expires_at) : ''}
          onChange={(event) => {
            const end = endOfDay(event.currentTarget.value);
            // Half a year typed is a day of the first century.
            if (end && Date.parse(end) > Date.now()) change.mutate({ id, expires_at: end });
          }}
        />
      )}
      <Text
        size="sm"
        className={classes.until ?? ''}
        c={expired ? 'var(--mantine-color-error)' : 'dimmed'}
        role="status"
      >
        {time && t(expired ? 'dialog.expired' : 'dialog.until', { time })}
      </Text>
    </Stack>
  );
}

function EmbedCode({ share }: { share: Share }) {
  const { t } = useTranslation('share');
  const code = useRef<HTMLTextAreaElement>(null);
  const copy = useCopy(code, t('dialog.codeCopied'));
  return (
    <Stack gap="sm">
      <Text size="sm">{t('dialog.embedNote')}</Text>
      <Textarea
        ref={code}
        aria-label={t('dialog.code')}
        className={classes.code ?? ''}
        value={embedCode(share)}
        rows={4}
        readOnly
        onFocus={(event) => event.target.select()}
      />
      <Button variant="default" leftSection={<IconCopy size="1.1em" aria-hidden />} onClick={() => void copy()}>
        {t('dialog.copyCode')}
      </Button>
    </Stack>
  );
}
