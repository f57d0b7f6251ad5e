import { LIMITS } from '@framelift/contract';
import IconCheck from '@tabler/icons-react/icons/IconCheck';
import { useTranslation } from 'react-i18next';
import classes from './PasswordHints.module.css';
import { PASSWORD_RULE_NAMES, PASSWORD_RULES } from './passwordRules.ts';

/** What a password needs; each point is ticked as it is typed. */
export function PasswordHints({ password }: { password: string }) {
  const { t } = useTranslation('auth');
  return (
    <span className={classes.hints}>
      <span className={classes.title}>{t('rulesTitle')}</span>
      {PASSWORD_RULE_NAMES.map((rule) => {
        const fulfilled = PASSWORD_RULES[rule](password);
        return (
          <span key={rule} className={classes.hint} data-fulfilled={fulfilled}>
            {fulfilled ? <IconCheck size={16} aria-label={t('fulfilled')} /> : <span className={classes.dot} />}
            {t(`rules.${rule}`, { min: LIMITS.password.min })}
          </span>
        );
      })}
    </span>
  );
}
