import { LANGUAGES } from '@framelift/contract';
import IconChevronDown from '@tabler/icons-react/icons/IconChevronDown';
import IconChevronUp from '@tabler/icons-react/icons/IconChevronUp';
import type { CSSProperties } from 'react';
import { useTranslation } from 'react-i18next';
import { currentLanguage, setLanguage } from '../i18n/index.ts';
import { Dropdown } from './Dropdown.tsx';
import classes from './LanguageChooser.module.css';
import { UI_LIMITS } from './limits.ts';

const { expanded, collapsed } = UI_LIMITS.languageDropdownPx;
const widths = { '--expanded': `${expanded}px`, '--collapsed': `${collapsed}px` } as CSSProperties;

/** Language drop-down: 65 px wide while closed, 150 px while open. */
export function LanguageChooser() {
  const { t } = useTranslation();
  const now = currentLanguage();
  const current = LANGUAGES.find(({ code }) => code === now);
  return (
    <div style={widths} className={classes.place}>
      <Dropdown
        label={t('chooseLanguage')}
        className={classes.chooser}
        items={LANGUAGES.map(({ code, name, htmlLang }) => ({
          key: code,
          label: name,
          lang: htmlLang,
          checked: code === now,
          onSelect: () => void setLanguage(code),
        }))}
      >
        {(open) => (
          <>
            <span>{open ? current?.name : current?.short}</span>
            {open ? <IconChevronUp size={16} aria-hidden /> : <IconChevronDown size={16} aria-hidden />}
          </>
        )}
      </Dropdown>
    </div>
  );
}
