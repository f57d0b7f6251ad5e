import { ERRORS, type ErrorCode } from '@framelift/contract';
import { Text, Title } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { errorText } from '../../i18n/error-text.ts';
import { DocumentTitle } from '../../ui/DocumentTitle.tsx';
import { Controls } from './Controls.tsx';
import { Exhibit } from './Exhibit.tsx';
import classes from './GalleryPage.module.css';
import { Messages } from './Messages.tsx';
import { Waiting } from './Waiting.tsx';

/** Gallery of all components in all states, for development. */
export function GalleryPage() {
  const { t } = useTranslation('dev');
  return (
    <div className={classes.page}>
      <DocumentTitle title={t('title')} />
      <div>
        <Title order={1}>{t('title')}</Title>
        <Text c="dimmed">{t('intro')}</Text>
      </div>
      <Messages />
      <Waiting />
      <Controls />
      <Catalogue />
    </div>
  );
}

/** Every error with its text, status and recommended action, in the page's language. */
function Catalogue() {
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
