import { i18next } from '../../i18n/index.ts';
import { beginTutorial } from './guides.ts';

export const loadTour = () => import('./Tour.tsx');

/**
 * Makes all guides pending once the tutorial's code and texts are loaded.
 * @throws when they cannot be loaded
 */
export async function startTutorial(userId: string): Promise<void> {
  await Promise.all([
    loadTour(),
    i18next.loadNamespaces('tutorial').then(() => {
      if (!i18next.hasLoadedNamespace('tutorial')) throw new Error('The texts of the tutorial are missing');
    }),
  ]);
  beginTutorial(userId);
}
