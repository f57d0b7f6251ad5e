import { type CSSVariablesResolver, createTheme, type MantineColorsTuple } from '@mantine/core';

/** Warm coral for everything interactive. */
const coral: MantineColorsTuple = [
  '#fff0ec',
  '#ffdfd7',
  '#ffbfb0',
  '#ff9f8a',
  '#ff8268',
  '#f96f54',
  '#e2573d',
  '#bf422b',
  '#9c3524',
  '#7a2a1d',
];
/** Second colour. Together with coral it is the red-cyan of 3D glasses; used only for depth. */
const cyan: MantineColorsTuple = [
  '#e6fafc',
  '#c7f2f6',
  '#98e6ed',
  '#67d9e3',
  '#3fd0dc',
  '#22bccb',
  '#12a0af',
  '#0b7f8c',
  '#08646f',
  '#064b54',
];
/** Neutral scale, from text (0) to the page background (7) and darker. */
const dark: MantineColorsTuple = [
  '#eceef2',
  '#c9cdd6',
  '#a3a9b7',
  '#868d9d',
  '#333845',
  '#22262f',
  '#181a21',
  '#0e0f13',
  '#0a0b0e',
  '#060709',
];

const INK = '#0e0f13';
/** WCAG 2.2 target size; every control is at least this high. */
const TARGET = '2.75rem';

export const theme = createTheme({
  primaryColor: 'coral',
  primaryShade: { light: 5, dark: 4 },
  colors: { coral, cyan, dark },
  black: INK,
  autoContrast: true,
  luminanceThreshold: 0.28,
  fontFamily: 'var(--font-family)',
  headings: {
    fontFamily: 'var(--font-family)',
    fontWeight: '650',
    textWrap: 'balance',
    sizes: {
      h1: { fontSize: 'clamp(1.625rem, 1.5rem + 0.5vw, 2rem)', lineHeight: '1.25' },
      h2: { fontSize: '1.375rem', lineHeight: '1.3' },
      h3: { fontSize: '1.125rem', lineHeight: '1.35' },
      h4: { fontSize: '1rem', lineHeight: '1.4' },
    },
  },
  radius: { xs: '4px', sm: '8px', md: '12px', lg: '16px', xl: '24px' },
  defaultRadius: 'md',
  spacing: { xs: '0.5rem', sm: '0.75rem', md: '1rem', lg: '1.5rem', xl: '2.5rem' },
  cursorType: 'pointer',
  respectReducedMotion: true,
  // By name, not by `Button.extend`, which would include every component named here in the first load.
  components: {
    Button: {
      defaultProps: { size: 'md' },
      vars: (_: unknown, { size }: { size?: string }) => ({ root: size === 'md' ? { '--button-height': TARGET } : {} }),
    },
    ActionIcon: { defaultProps: { variant: 'subtle', color: 'gray', size: TARGET } },
    // Small letters on the full accent colour have too little contrast.
    Badge: { defaultProps: { variant: 'light' } },
    Input: { defaultProps: { size: 'md' } },
    TextInput: { defaultProps: { size: 'md' } },
    PasswordInput: { defaultProps: { size: 'md' } },
    Checkbox: { defaultProps: { size: 'md' } },
  },
});

/** Colours that differ between the two schemes, with the names used by the components' style sheets. */
export const cssVariablesResolver: CSSVariablesResolver = () => ({
  variables: {
    '--target': TARGET,
    '--depth-red': '#ff5d4d',
    '--depth-cyan': '#2fd3e2',
  },
  dark: {
    '--mantine-color-body': INK,
    '--mantine-color-dimmed': dark[2],
    '--mantine-color-placeholder': dark[3],
    '--mantine-color-disabled': dark[5],
    '--mantine-color-disabled-color': dark[2],
    '--mantine-color-error': '#ff9b93',
    '--mantine-color-success': '#7fdca4',
    '--mantine-color-anchor': coral[3],
    '--mantine-color-coral-light': 'rgb(255 130 104 / 16%)',
    '--mantine-color-coral-light-hover': 'rgb(255 130 104 / 24%)',
    '--mantine-color-coral-light-color': coral[3],
    '--surface-1': dark[6],
    '--surface-2': dark[5],
    '--line': dark[4],
    '--field': INK,
    '--field-line': '#666e80',
    '--shade': 'rgb(0 0 0 / 45%)',
    '--accent-text': coral[3],
    '--second-text': cyan[3],
    '--unread': '#4dabf7',
    '--depth-blend': 'screen',
  },
  light: {
    '--mantine-color-body': '#f6f6f8',
    '--mantine-color-text': '#16181d',
    '--mantine-color-dimmed': '#5a6070',
    '--mantine-color-placeholder': '#6b7180',
    '--mantine-color-error': '#b3261e',
    '--mantine-color-success': '#1c7a43',
    '--mantine-color-anchor': coral[7],
    '--mantine-color-coral-light-color': coral[8],
    '--surface-1': '#ffffff',
    '--surface-2': '#eceef2',
    '--line': '#d9dce3',
    '--field': '#ffffff',
    '--field-line': '#868d9d',
    '--shade': 'rgb(20 22 30 / 16%)',
    '--accent-text': coral[7],
    '--second-text': cyan[8],
    '--unread': '#1971c2',
    '--depth-blend': 'multiply',
  },
});
