import { containsPersonalInfo, LIMITS } from '@framelift/contract';
import IconCheck from '@tabler/icons-react/icons/IconCheck';
import { useTranslation } from 'react-i18next';
import classes from './PasswordHints.module.css';
import { PASSWORD_RULE_NAMES, PASSWORD_RULES, type PasswordRule } from './password-rules.ts';

interface Props {
  readonly password: string;
  /** User whose name and e-mail address the password must not contain. */
  readonly owner?: { readonly name: string; readonly email: string };
}

/** Password requirements; each is ticked off while typing. */
export function PasswordHints({ password, owner }: Props) {
  const { t } = useTranslation('auth');
  const points = PASSWORD_RULE_NAMES.map((rule) => ({
    name: rule as PasswordRule | 'owner',
    fulfilled: PASSWORD_RULES[rule](password),
  }));
  if (owner) points.push({ name: 'owner', fulfilled: password !== '' && !containsPersonalInfo(password, owner) });
  return (
    <span className={classes.hints}>
      <span className={classes.title}>{t('rulesTitle')}</span>
      {points.map(({ name, fulfilled }) => (
        <span key={name} className={classes.hint} data-fulfilled={fulfilled}>
          {fulfilled ? <IconCheck size={16} aria-label={t('fulfilled')} /> : <span className={classes.dot} />}
          {t(`rules.${name}`, { min: LIMITS.password.min })}
        </span>
      ))}
    </span>
  );
}
