import type { ResourceKey } from 'i18next';

/**
 * Text loaders of all namespaces by path. A file of its own: their 140 names would be 2 KB of the first load.
 */
export const otherTexts = import.meta.glob<ResourceKey>(
  ['../../../texts/*/*.json', '!**/emails.json', '!**/frame.json'],
  {
    import: 'default',
  },
);
