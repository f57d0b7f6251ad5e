import type { UploadLink } from '@framelift/contract';
import { Badge, Button, Text } from '@mantine/core';
import IconCopy from '@tabler/icons-react/icons/IconCopy';
import IconQrcode from '@tabler/icons-react/icons/IconQrcode';
import IconShare from '@tabler/icons-react/icons/IconShare';
import { useMutation } from '@tanstack/react-query';
import { Suspense, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { restoreUploadLink, revokeUploadLink } from '../../api/upload-links.ts';
import { formatDate } from '../../i18n/format.ts';
import { currentLanguage } from '../../i18n/index.ts';
import { copyText } from '../../shared/share/copy-text.ts';
import { lazyNamed } from '../../ui/lazy-named.ts';
import { showToast } from '../../ui/toasts.ts';
import classes from './UploadLinks.module.css';

const LinkQrDialog = lazyNamed(() => import('./LinkQrDialog.tsx'), 'LinkQrDialog');

/** One link: how much has arrived by it, and the ways to pass it on. */
export function LinkRow({ link, onGone }: { link: UploadLink; onGone: () => void }) {
  const { t } = useTranslation('links');
  const { t: common } = useTranslation();
  const revoking = useMutation(revokeUploadLink);
  const restoring = useMutation(restoreUploadLink);
  const [codeShown, showCode] = useState(false);
  const { id, name, url, received, max_uploads: max, expires_at: end } = link;
  const hasEnded = link.state === 'ended';
  const canShare = 'share' in navigator;

  const address = useRef<HTMLParagraphElement>(null);
  const copy = async () => {
    if (!address.current) return;
    const copied = await copyText(address.current);
    showToast(copied ? { kind: 'success', text: t('copied') } : { kind: 'warning', text: t('notCopied') });
  };
  // Closing the system's dialog rejects as well.
  const share = () => void navigator.share({ title: name, text: t('shareText'), url }).catch(() => {});
  const revoke = () => {
    const restored = () => showToast({ kind: 'success', text: t('restored', { name }) });
    const undo = () => void restoring.mutateAsync(id).then(restored, () => {});
    const revoked = () => {
      onGone();
      showToast({ kind: 'info', text: t('revoked', { name }), action: { label: common('undo'), run: undo } });
    };
    revoking.mutateAsync(id).then(revoked, () => {});
  };

  return (
    <li className={classes.row}>
      <div className={classes.about}>
        <div className={classes.name}>
          <Text fw={600} component="h2">
            {name}
          </Text>
          {hasEnded && <Badge variant="default">{t('ended')}</Badge>}
        </div>
        <Text size="sm" c="dimmed">
          {t('received', { received, max })}
          {' · '}
          <time dateTime={end}>{t('until', { date: formatDate(end, currentLanguage()) })}</time>
        </Text>
        {!hasEnded && (
          <Text ref={address} size="sm" className={classes.url ?? ''}>
            {url}
          </Text>
        )}
      </div>
      <div className={classes.actions}>
        {!hasEnded && (
          <>
            <Button
              leftSection={<IconCopy size="1.1rem" aria-hidden />}
              aria-label={t('copyOf', { name })}
              onClick={() => void copy()}
            >
              {t('copy')}
            </Button>
            {canShare && (
              <Button
                variant="default"
                leftSection={<IconShare size="1.1rem" aria-hidden />}
                aria-label={t('shareOf', { name })}
                onClick={share}
              >
                {t('share')}
              </Button>
            )}
            <Button
              variant="default"
              leftSection={<IconQrcode size="1.1rem" aria-hidden />}
              aria-label={t('codeOf', { name })}
              onClick={() => showCode(true)}
            >
              {t('code')}
            </Button>
          </>
        )}
        <Button
          variant="default"
          loading={revoking.isPending}
          aria-label={t(hasEnded ? 'removeOf' : 'revokeOf', { name })}
          onClick={revoke}
        >
          {t(hasEnded ? 'remove' : 'revoke')}
        </Button>
      </div>
      <Suspense fallback={null}>
        {codeShown && <LinkQrDialog name={name} url={url} onClose={() => showCode(false)} />}
      </Suspense>
    </li>
  );
}
