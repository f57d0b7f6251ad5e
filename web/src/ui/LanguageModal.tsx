import { LANGUAGES, type Language } from '@framelift/contract';
import { UnstyledButton } from '@mantine/core';
import IconCheck from '@tabler/icons-react/icons/IconCheck';
import { useTranslation } from 'react-i18next';
import { currentLanguage, setLanguage } from '../i18n/index.ts';
import classes from './LanguageModal.module.css';
import { Modal } from './Modal.tsx';

/** Language dialog; a choice changes the page and closes it. */
export function LanguageModal({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const { t } = useTranslation();
  const now = currentLanguage();
  const choose = (language: Language) => {
    void setLanguage(language);
    onClose();
  };
  return (
    <Modal opened={opened} onClose={onClose} title={t('chooseLanguage')} size="xs">
      <ul className={classes.list}>
        {LANGUAGES.map(({ code, name, htmlLang }) => (
          <li key={code}>
            <UnstyledButton
              className={classes.choice ?? ''}
              lang={htmlLang}
              aria-pressed={code === now}
              onClick={() => choose(code)}
            >
              <span>{name}</span>
              {code === now && <IconCheck size={20} aria-hidden />}
            </UnstyledButton>
          </li>
        ))}
      </ul>
    </Modal>
  );
}
