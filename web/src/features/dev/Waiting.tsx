import { Button, Skeleton, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Modal } from '../../ui/Modal.tsx';
import { ProgressBar } from '../../ui/ProgressBar.tsx';
import { Spinner } from '../../ui/Spinner.tsx';
import { Exhibit, Row, State } from './Exhibit.tsx';
import classes from './GalleryPage.module.css';

/** Gallery section: loading states and stacked dialogs. */
export function Waiting() {
  const { t } = useTranslation('dev');
  const [depth, setDepth] = useState(0);
  return (
    <>
      <Exhibit id="waiting" title={t('waiting')} note={t('waitingNote')}>
        <Row>
          <State name={t('spinner')}>
            <div className={classes.spinner}>
              <Spinner />
            </div>
          </State>
          <State name={t('skeleton')}>
            <Skeleton className={classes.wide} height="2.75rem" />
          </State>
        </Row>
        <Row>
          {[0, 1, 40, 99, 100].map((value) => (
            <State key={value} name={t('percent', { value })}>
              <div className={classes.wide}>
                <ProgressBar value={value} label={t('progress', { value })} />
              </div>
            </State>
          ))}
        </Row>
      </Exhibit>

      <Exhibit id="dialogs" title={t('dialogs')} note={t('dialogsNote')}>
        <Row>
          <Button variant="default" onClick={() => setDepth(1)}>
            {t('openDialog')}
          </Button>
        </Row>
        {[1, 2, 3].map((level) => (
          <Modal key={level} opened={depth >= level} onClose={() => setDepth(level - 1)} title={t('dialog', { level })}>
            <Text mb="md">{t('dialogText')}</Text>
            {level < 3 && <Button onClick={() => setDepth(level + 1)}>{t('openAnother')}</Button>}
          </Modal>
        ))}
      </Exhibit>
    </>
  );
}
