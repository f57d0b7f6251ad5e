import { FALLBACK_LANGUAGE, LANGUAGES, type Language } from '@framelift/contract';
import { Textarea, TextInput } from '@mantine/core';
import type { ComponentProps } from 'react';
import { useTranslation } from 'react-i18next';

interface Props {
  readonly label: string;
  readonly maxLength: number;
  /** Rows of a text of several lines; one line when absent. */
  readonly rows?: number;
  readonly description?: string;
  /** Whether the English text is needed. */
  readonly required?: boolean;
  /** Returns the properties of the field of a language. */
  readonly props: (language: Language) => ComponentProps<'input'> & ComponentProps<'textarea'>;
}

/** One text in every language of the site. English stands in where another one is empty. */
export function LocalizedFields({ label, maxLength, rows, description, required = false, props }: Props) {
  const { t } = useTranslation('admin');
  return LANGUAGES.toSorted(
    (one, other) => Number(other.code === FALLBACK_LANGUAGE) - Number(one.code === FALLBACK_LANGUAGE),
  ).map(({ code, name, htmlLang }) => {
    const field = {
      label: (
        <>
          {label} (<span lang={htmlLang}>{name}</span>)
        </>
      ),
      lang: htmlLang,
      maxLength,
      size: 'md',
      withAsterisk: required && code === FALLBACK_LANGUAGE,
      description: code === FALLBACK_LANGUAGE ? description : undefined,
      placeholder: code === FALLBACK_LANGUAGE ? undefined : t('shop.asEnglish'),
      key: code,
    } as const;
    const { key, ...rest } = field;
    return rows === undefined ? (
      <TextInput key={key} {...rest} {...(props(code) as object)} />
    ) : (
      <Textarea key={key} {...rest} rows={rows} {...(props(code) as object)} />
    );
  });
}
