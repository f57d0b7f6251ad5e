import { ActionIcon, TextInput, type TextInputProps } from '@mantine/core';
import IconEye from '@tabler/icons-react/icons/IconEye';
import IconEyeOff from '@tabler/icons-react/icons/IconEyeOff';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';

/** Password field with a button that reveals the input. */
export function PasswordField(props: TextInputProps) {
  const { t } = useTranslation('auth');
  const [visible, setVisible] = useState(false);
  const Icon = visible ? IconEyeOff : IconEye;
  return (
    <TextInput
      type={visible ? 'text' : 'password'}
      autoCapitalize="none"
      spellCheck={false}
      rightSectionWidth="var(--target)"
      rightSection={
        <ActionIcon
          aria-label={t(visible ? 'hidePassword' : 'showPassword')}
          // Keeps focus and caret in the field.
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => setVisible(!visible)}
        >
          <Icon size={20} aria-hidden />
        </ActionIcon>
      }
      {...props}
    />
  );
}
