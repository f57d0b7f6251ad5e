import { localStorageColorSchemeManager, MantineProvider } from '@mantine/core';
import { type QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { type ReactNode, StrictMode } from 'react';
import { Pages } from './routes.tsx';
import { cssVariablesResolver, theme } from './theme.ts';

const colorSchemeManager = localStorageColorSchemeManager({ key: 'colour-scheme' });

/** The whole app. `router` wraps it: the browser's, or that of the prerendered page. */
export function App({ queries, router }: { queries: QueryClient; router: (pages: ReactNode) => ReactNode }) {
  return (
    <StrictMode>
      <MantineProvider
        theme={theme}
        cssVariablesResolver={cssVariablesResolver}
        defaultColorScheme="auto"
        colorSchemeManager={colorSchemeManager}
      >
        <QueryClientProvider client={queries}>{router(<Pages />)}</QueryClientProvider>
      </MantineProvider>
    </StrictMode>
  );
}
