import { type Driver, driver } from 'driver.js';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation } from 'react-router';
import 'driver.js/dist/driver.css';
import { endGuide, endTutorial, type Guide } from './guides.ts';
import { PLANS, type Step } from './steps.ts';
import classes from './Tour.module.css';

/** Returns the anchor's element if it is visible and not covered by a dialog. */
function shown(anchor: string): HTMLElement | null {
  const dialogs = [...document.querySelectorAll('[role="dialog"][aria-modal="true"]:not(.driver-popover)')];
  const top = dialogs.at(-1);
  const found = [...document.querySelectorAll<HTMLElement>(`[data-guide~="${anchor}"]`)];
  return found.find((element) => element.checkVisibility() && (!top || top.contains(element))) ?? null;
}

const isShown = ({ anchor }: Step): boolean => anchor === undefined || shown(anchor) !== null;

/** True if every required anchor of the guide is on the page and not covered. */
function isReady(guide: Guide, path: string): boolean {
  const { pages, steps } = PLANS[guide];
  return (pages?.test(path) ?? true) && steps.every((step) => step.optional || isShown(step));
}

/** Resolves when all transitions have finished: moving elements cannot be highlighted. */
async function stillness(): Promise<void> {
  const moving = document.getAnimations().filter((animation) => animation instanceof CSSTransition);
  await Promise.allSettled(moving.map(({ finished }) => finished));
}

/** Shows the pending guides one after the other, as their anchors become visible. */
export function Tour({ userId, guides }: { userId: string; guides: readonly Guide[] }) {
  const { t } = useTranslation('tutorial');
  const { pathname } = useLocation();
  const pending = guides.join(' ');
  /** The step shown last: a guide that something interrupted goes on there. */
  const reached = useRef<Step | undefined>(undefined);

  useEffect(() => {
    let stopped = false;
    let starting = false;
    let running: { steps: readonly Step[]; tour: Driver } | null = null;

    const finish = (guide: Guide, element?: Element) => {
      running = null;
      endGuide(userId, guide);
      if (element instanceof HTMLElement) element.focus();
    };
    const end = () => {
      running?.tour.destroy();
      running = null;
      endTutorial(userId);
    };
    const onKey = ({ key, target }: KeyboardEvent) => {
      // Escape pressed inside a dialog of the page belongs to that dialog.
      const dialog = target instanceof Element && target.closest('[role="dialog"]:not(.driver-popover)');
      if (key === 'Escape' && running && !dialog) end();
    };
    const start = (guide: Guide) => {
      const reduced = matchMedia('(prefers-reduced-motion: reduce)').matches;
      const steps = PLANS[guide].steps.filter(isShown);
      const tour = driver({
        animate: !reduced,
        smoothScroll: !reduced,
        overlayOpacity: 0.6,
        // A click outside must not end the tutorial.
        overlayClickBehavior: () => {},
        stageRadius: 12,
        stagePadding: 6,
        popoverClass: classes.popover ?? '',
        showProgress: steps.length > 1,
        progressText: t('progress', { current: '{{current}}', total: '{{total}}' }),
        nextBtnText: t('next'),
        prevBtnText: t('back'),
        doneBtnText: t('done'),
        showButtons: steps.length > 1 ? ['next', 'previous', 'close'] : ['next', 'close'],
        steps: steps.map(({ text, anchor, press }) => ({
          ...(anchor !== undefined && { element: () => shown(anchor) ?? document.body }),
          ...(press && { advanceOnClick: true }),
          popover: { title: t(`${text}.title`), description: t(`${text}.text`) },
        })),
        // Arrow keys are used by the cropper and the sliders.
        allowKeyboardControl: false,
        onPopoverRender: ({ wrapper, title, footer, closeButton, nextButton }) => {
          wrapper.setAttribute('aria-modal', 'true');
          // Header and footer of the popover are not page landmarks.
          for (const part of [title, footer]) part.setAttribute('role', 'none');
          closeButton.setAttribute('aria-label', t('close'));
          // Escape ends the tutorial, not the dialog below it.
          for (const button of wrapper.querySelectorAll('button'))
            button.setAttribute('data-mantine-stop-propagation', 'true');
          // Runs after the library has focused the first button, which is the close button.
          queueMicrotask(() => nextButton.focus());
        },
        onHighlighted: () => {
          reached.current = steps[tour.getActiveIndex() ?? 0];
          // The highlighted element opens nothing: the attributes would mislead screen readers.
          const element = document.querySelector('.driver-active-element');
          for (const name of ['aria-haspopup', 'aria-expanded', 'aria-controls']) element?.removeAttribute(name);
        },
        onDoneClick: (element) => {
          tour.destroy();
          finish(guide, element);
        },
        // The close button was pressed.
        onDestroyStarted: end,
      });
      running = { steps, tour };
      tour.drive(Math.max(0, reached.current ? steps.indexOf(reached.current) : 0));
    };

    const look = async () => {
      if (stopped) return;
      if (running) {
        // The anchor is gone or covered by a dialog: the user has continued without the tutorial.
        const step = running.steps[running.tour.getActiveIndex() ?? 0];
        if (!step || isShown(step)) return;
        running.tour.destroy();
        running = null;
      }
      if (starting) return;
      const ready = () => guides.find((guide) => isReady(guide, pathname));
      if (!ready()) return;
      starting = true;
      await stillness();
      starting = false;
      const guide = ready();
      if (guide && !stopped && !running) start(guide);
    };

    let frame = 0;
    const observer = new MutationObserver(() => {
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(() => void look());
    });
    observer.observe(document.body, { childList: true, subtree: true });
    document.addEventListener('keydown', onKey, true);
    void look();
    return () => {
      stopped = true;
      observer.disconnect();
      document.removeEventListener('keydown', onKey, true);
      cancelAnimationFrame(frame);
      running?.tour.destroy();
    };
    // Compared by value: `guides` is a new array on each render.
  }, [userId, pending, pathname, t]);

  return null;
}
