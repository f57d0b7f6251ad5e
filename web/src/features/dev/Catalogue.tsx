import { ERRORS, type ErrorCode } from '@framelift/contract';
import { Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { errorText } from '../../i18n/error-text.ts';
import { Exhibit } from './Exhibit.tsx';
import classes from './GalleryPage.module.css';

/** Every error with its text, its status and what is to be done, in the page's language. */
export function Catalogue() {
  const { t } = useTranslation(['dev', 'errors']);
  return (
    <Exhibit id="errors" title={t('errors')} note={t('errorsNote')}>
      <ul className={classes.codes}>
        {(Object.keys(ERRORS) as ErrorCode[]).map((code) => (
          <li key={code}>
            <span className={classes.code}>
              {code} · {ERRORS[code].status} · {ERRORS[code].handling}
            </span>
            <Text>{errorText(code)}</Text>
          </li>
        ))}
      </ul>
    </Exhibit>
  );
}
