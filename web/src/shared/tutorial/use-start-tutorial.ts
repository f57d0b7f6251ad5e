import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { useSession } from '../../api/session.ts';
import { showAlert } from '../../ui/alerts.ts';
import { UI_LIMITS } from '../../ui/limits.ts';
import { startTutorial } from './start-tutorial.ts';

/** Returns a function that starts the tutorial at home, or says that it cannot start. */
export function useStartTutorial(): () => Promise<void> {
  const { t } = useTranslation();
  const session = useSession();
  const navigate = useNavigate();
  return async () => {
    if (session.kind !== 'member') return;
    try {
      await startTutorial(session.user.id);
      navigate('/home');
    } catch {
      void showAlert({ title: t('tutorialFailed'), ms: UI_LIMITS.tutorialErrorMs });
    }
  };
}
