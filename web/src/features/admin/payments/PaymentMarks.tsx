import type { ManagedPayment } from '@framelift/contract';
import { useTranslation } from 'react-i18next';
import classes from '../Marks.module.css';
import { useProblemText } from './problem-text.ts';

/** The state of a payment, and its problem. */
export function PaymentMarks({ payment: { state, problem } }: { payment: Pick<ManagedPayment, 'state' | 'problem'> }) {
  const { t } = useTranslation('adminPayments');
  const textOf = useProblemText();
  return (
    <ul className={classes.marks}>
      <li data-mark={state}>{t(`states.${state}`)}</li>
      {problem !== null && <li data-mark="problem">{textOf(problem).name}</li>}
    </ul>
  );
}
