import { ActionIcon, type MantineBreakpoint, useComputedColorScheme, useMantineColorScheme } from '@mantine/core';
import IconMoon from '@tabler/icons-react/icons/IconMoon';
import IconSun from '@tabler/icons-react/icons/IconSun';
import { useTranslation } from 'react-i18next';

/** Toggles between dark and light. The choice is stored; until then the system setting applies. */
export function ThemeSwitch({ visibleFrom }: { visibleFrom?: MantineBreakpoint }) {
  const { setColorScheme } = useMantineColorScheme();
  const scheme = useComputedColorScheme('dark');
  const { t } = useTranslation();
  const next = scheme === 'dark' ? 'light' : 'dark';
  return (
    <ActionIcon
      onClick={() => setColorScheme(next)}
      aria-label={t(next === 'light' ? 'useLight' : 'useDark')}
      {...(visibleFrom && { visibleFrom })}
    >
      {scheme === 'dark' ? <IconSun size={20} aria-hidden /> : <IconMoon size={20} aria-hidden />}
    </ActionIcon>
  );
}
