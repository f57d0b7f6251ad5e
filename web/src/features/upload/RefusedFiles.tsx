import { Alert } from '@mantine/core';
import type { Dispatch } from 'react';
import { useTranslation } from 'react-i18next';
import { errorText } from '../../i18n/error-text.ts';
import classes from './ManyPhotos.module.css';
import type { ManyEvent, ManyFlow } from './many-flow.ts';

interface RefusedFilesProps {
  readonly refused: ManyFlow['refused'];
  readonly dispatch: Dispatch<ManyEvent>;
}

/** Names the files that were not added, each with its reason. Empty without any. */
export function RefusedFiles({ refused, dispatch }: RefusedFilesProps) {
  const { t } = useTranslation('upload');
  if (refused.length === 0) return null;
  return (
    <Alert
      variant="default"
      role="alert"
      title={t('many.refused', { count: refused.length })}
      withCloseButton
      closeButtonLabel={t('sending.dismiss')}
      onClose={() => dispatch({ type: 'dismissRefused' })}
    >
      <ul className={classes.refused}>
        {refused.map(({ name, code }, i) => (
          <li key={i}>
            <strong>{name}</strong> {errorText(code)}
          </li>
        ))}
      </ul>
    </Alert>
  );
}
