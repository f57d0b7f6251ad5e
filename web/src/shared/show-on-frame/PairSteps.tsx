import { useTranslation } from 'react-i18next';
import classes from './ShowOnFrame.module.css';

/** Returns the address to type into the browser of a frame. */
export const frameAddress = () => `${location.host}/frame`;

/** How a frame is paired, in three steps. */
export function PairSteps() {
  const { t } = useTranslation('frames');
  return (
    <ol className={classes.steps}>
      <li>{t('empty.open', { address: frameAddress() })}</li>
      <li>{t('empty.scan')}</li>
      <li>{t('empty.confirm')}</li>
    </ol>
  );
}
