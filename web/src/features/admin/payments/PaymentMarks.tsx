import type { ManagedPayment } from '@framelift/contract';
import { useTranslation } from 'react-i18next';
import classes from '../Marks.module.css';
import { useProblemText } from './problem-text.ts';

interface PaymentMarksProps {
  readonly payment: Pick<ManagedPayment, 'state' | 'problem' | 'unanswered_since'>;
}

/** The state of a payment, and its problem. */
export function PaymentMarks({ payment: { state, problem, unanswered_since } }: PaymentMarksProps) {
  const { t } = useTranslation('adminPayments');
  const textOf = useProblemText();
  return (
    <ul className={classes.marks}>
      <li data-mark={state}>{t(`states.${state}`)}</li>
      {unanswered_since !== null && <li data-mark="problem">{t('unanswered.mark')}</li>}
      {problem !== null && <li data-mark="problem">{textOf(problem).name}</li>}
    </ul>
  );
}
