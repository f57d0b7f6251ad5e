import { byLanguage } from '@framelift/contract';
import { Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { configQuery } from '../../api/config.ts';
import { showFeatureAlert } from '../../shared/feature-alert.ts';
import { showAlert } from '../../ui/alerts.ts';
import { UI_LIMITS } from '../../ui/limits.ts';
import { showSuccess } from '../../ui/success-note.ts';
import { showToast, type ToastKind, type ToastOptions } from '../../ui/toasts.ts';
import cube from './cube.svg';
import { Exhibit, Row } from './Exhibit.tsx';

const KINDS: readonly ToastKind[] = ['success', 'info', 'warning', 'error'];
const HOUR_MS = 3_600_000;

/** Gallery section: toasts, alerts and other messages over the page. */
export function Messages() {
  const { t } = useTranslation('dev');
  const queries = useQueryClient();
  const config = queries.getQueryData(configQuery.queryKey);

  const everything = async () => {
    const { button, input, album } = await showAlert({
      title: t('alert.title'),
      content: t('alert.content'),
      image: { src: cube, alt: t('image.alt') },
      input: { label: t('alert.input') },
      album: {
        label: t('alert.album'),
        albums: ['one', 'two', 'three'].map((id) => ({ id, name: t('alert.albumName', { id }) })),
      },
      buttons: [
        { value: 'no', label: t('alert.no') },
        { value: 'delete', label: t('alert.delete'), look: 'danger' },
        { value: 'yes', label: t('alert.yes'), look: 'primary' },
      ],
    });
    showToast({ kind: 'info', text: JSON.stringify({ button, input, album }) });
  };
  const announce = () => {
    if (!config) return;
    const now = Date.now();
    const time = (offset: number) => new Date(now + offset).toISOString();
    const text = byLanguage(() => t('announcementSample'));
    const announcement = { id: crypto.randomUUID(), text, from: time(-HOUR_MS), to: time(HOUR_MS) };
    queries.setQueryData(configQuery.queryKey, { ...config, Announcement: true, announcement });
  };
  const toast = (kind: ToastKind, more: Partial<ToastOptions> = {}) =>
    showToast({ kind, text: t(`toast.${kind}`), ...more });

  return (
    <>
      <Exhibit id="alerts" title={t('alerts')} note={t('alertsNote')}>
        <Row>
          <Button variant="default" onClick={() => void everything()}>
            {t('alert.everything')}
          </Button>
          {[UI_LIMITS.alertMs, ...UI_LIMITS.alertVariantsMs].map((ms) => (
            <Button
              key={ms}
              variant="default"
              onClick={() => void showAlert({ title: t('alert.timed'), content: t('alert.gone', { ms }), ms })}
            >
              {t('ms', { ms })}
            </Button>
          ))}
          {KINDS.map((kind) => (
            <Button
              key={kind}
              variant="default"
              onClick={() =>
                void showAlert({ kind, title: t(`kind.${kind}`), content: t(`toast.${kind}`), ms: UI_LIMITS.alertMs })
              }
            >
              {t(`kind.${kind}`)}
            </Button>
          ))}
          <Button variant="default" onClick={showFeatureAlert}>
            {t('alert.feature')}
          </Button>
        </Row>
      </Exhibit>

      <Exhibit id="toasts" title={t('toasts')} note={t('toastsNote')}>
        <Row>
          {KINDS.map((kind) => (
            <Button key={kind} variant="default" onClick={() => toast(kind)}>
              {t(`kind.${kind}`)}
            </Button>
          ))}
          <Button
            variant="default"
            onClick={() => toast('error', { lines: [t('toast.line'), t('toast.longLine')], ms: 60_000 })}
          >
            {t('toast.lines')}
          </Button>
          <Button
            variant="default"
            onClick={() =>
              toast('info', { ms: 60_000, action: { label: t('toast.undo'), run: () => toast('success') } })
            }
          >
            {t('toast.action')}
          </Button>
        </Row>
      </Exhibit>

      <Exhibit id="success" title={t('success')} note={t('successNote')}>
        <Row>
          <Button onClick={() => showSuccess({ title: t('successTitle'), text: t('successText') })}>
            {t('celebrate')}
          </Button>
        </Row>
      </Exhibit>

      <Exhibit id="announcements" title={t('announcements')} note={t('announcementsNote')}>
        <Row>
          <Button variant="default" onClick={announce}>
            {t('announce')}
          </Button>
        </Row>
      </Exhibit>
    </>
  );
}
