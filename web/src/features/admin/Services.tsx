import type { SiteStatus } from '@framelift/contract';
import { useTranslation } from 'react-i18next';
import classes from './Admin.module.css';

/** Environment variable that replaces each built-in service. */
const SETTINGS = { database: 'DATABASE_URL', files: 'S3_BUCKET', mail: 'SMTP_URL', captcha: 'CAPTCHA' } as const;
const ORDER = ['database', 'files', 'mail', 'captcha'] as const;

/** Shows which services are the built-in ones, and how to replace them. */
export function Services({ services }: { services: SiteStatus['services'] }) {
  const { t } = useTranslation('admin');
  return (
    <ul className={classes.services}>
      {ORDER.map((service) => {
        const state = services[service];
        const builtin = state === 'builtin' || state === 'off';
        return (
          <li key={service}>
            <strong>{t(`services.${service}`)}</strong>
            <span className={builtin ? classes.builtin : undefined}>{t(`services.states.${state as 'off'}`)}</span>
            {builtin && <p>{t(`services.hints.${service}`, { setting: SETTINGS[service] })}</p>}
          </li>
        );
      })}
    </ul>
  );
}
