import { Button, CloseButton } from '@mantine/core';
import { useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { KindIcon } from './KindIcon.tsx';
import classes from './Toasts.module.css';
import { type Toast, toasts } from './toasts.ts';

/**
 * Renders the toasts. Both live regions exist from the first paint on; otherwise screen readers would miss the first
 * message.
 */
export function Toasts() {
  const current = useSyncExternalStore(toasts.subscribe, toasts.current, toasts.current);
  const { t } = useTranslation();
  const list = (errors: boolean) =>
    current.filter(({ kind }) => (kind === 'error') === errors).map((toast) => <Item key={toast.id} {...toast} />);
  return (
    <section className={classes.place} aria-label={t('messages')}>
      <div role="status" aria-live="polite" className={classes.list}>
        {list(false)}
      </div>
      <div role="alert" aria-live="assertive" className={classes.list}>
        {list(true)}
      </div>
    </section>
  );
}

function Item({ kind, text, lines = [], action, state }: Toast) {
  const { t } = useTranslation();
  return (
    // The pointer only pauses the countdown, so there is nothing to make accessible by keyboard.
    // biome-ignore lint/a11y/noStaticElementInteractions: see above
    <div
      className={classes.toast}
      data-kind={kind}
      data-state={state}
      onMouseEnter={() => toasts.hold(kind)}
      onMouseLeave={() => toasts.release(kind)}
      onFocus={() => toasts.hold(kind)}
      onBlur={() => toasts.release(kind)}
    >
      <KindIcon kind={kind} />
      <div className={classes.text}>
        <p>{text}</p>
        {lines.map((line) => (
          <p key={line} className={classes.line}>
            {line}
          </p>
        ))}
      </div>
      {action &&
        ('to' in action ? (
          <Button component={Link} to={action.to} variant="subtle" px="xs" onClick={() => toasts.hide(kind)}>
            {action.label}
          </Button>
        ) : (
          <Button
            variant="subtle"
            px="xs"
            onClick={() => {
              toasts.hide(kind);
              action.run();
            }}
          >
            {action.label}
          </Button>
        ))}
      <CloseButton size="xl" aria-label={t('close')} onClick={() => toasts.hide(kind)} />
    </div>
  );
}
