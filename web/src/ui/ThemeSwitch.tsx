import { ActionIcon, type MantineBreakpoint, useComputedColorScheme, useMantineColorScheme } from '@mantine/core';
import IconMoon from '@tabler/icons-react/icons/IconMoon';
import IconSun from '@tabler/icons-react/icons/IconSun';
import { useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';

const never = () => () => {};

/** Toggles between dark and light. The choice is stored; until then the system setting applies. */
export function ThemeSwitch({ visibleFrom }: { visibleFrom?: MantineBreakpoint }) {
  const { setColorScheme } = useMantineColorScheme();
  const scheme = useComputedColorScheme('dark');
  // A page that is prerendered for everybody has both icons, and the name of one: that of the first render.
  const isKnown = useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
  const { t } = useTranslation();
  const next = isKnown && scheme === 'light' ? 'dark' : 'light';
  return (
    <ActionIcon
      onClick={() => setColorScheme(next)}
      aria-label={t(next === 'light' ? 'useLight' : 'useDark')}
      {...(visibleFrom && { visibleFrom })}
    >
      <IconSun size={20} className="mantine-light-hidden" aria-hidden />
      <IconMoon size={20} className="mantine-dark-hidden" aria-hidden />
    </ActionIcon>
  );
}
