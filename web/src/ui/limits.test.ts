import { describe, expect, it } from 'vitest';
import { UI_LIMITS } from './limits.ts';

/** Section 9 of the specification, literally. What people see of it is proved where they meet it. */
describe('the limits of the specification on the screen', () => {
  it('5 notifications collapsed; 49 %, 80 % and 100 % of the height', () => {
    expect(UI_LIMITS.notifications).toEqual({
      collapsedItems: 5,
      collapsedHeightPercent: 49,
      expandedHeightPercent: 80,
      overlayHeightPercent: 100,
    });
  });
  it('toasts for 5000 ms', () => {
    expect(UI_LIMITS.toastMs).toBe(5000);
  });
  it('alerts for 2000 ms, in some cases 1500, 3500 or 5000', () => {
    expect(UI_LIMITS.alertMs).toBe(2000);
    expect(UI_LIMITS.alertVariantsMs).toEqual([1500, 3500, 5000]);
  });
  it('errors 2 s, the alert parameter 3 s, network trouble 5 s, the tutorial error 2 s', () => {
    const { errorToastMs, alertParameterToastMs, networkErrorToastMs, tutorialErrorMs } = UI_LIMITS;
    expect([errorToastMs, alertParameterToastMs, networkErrorToastMs, tutorialErrorMs]).toEqual([
      2000, 3000, 5000, 2000,
    ]);
  });
  it('success notes about 5 s in fades of 50 ms, success toasts fading after 0.5 s', () => {
    expect(UI_LIMITS.successNote).toEqual({ shownMs: 5000, fadeStepMs: 50 });
    expect(UI_LIMITS.successToastFadeMs).toBe(500);
  });
  it('20 px of a swipe, 150 and 65 px of the language list', () => {
    expect(UI_LIMITS.swipePx).toBe(20);
    expect(UI_LIMITS.languageDropdownPx).toEqual({ expanded: 150, collapsed: 65 });
  });
  it('the margins and thresholds of the scroll spy', () => {
    expect(UI_LIMITS.scrollSpy).toEqual({ rootMargin: '0px 0px -25%', thresholds: [0.1, 0.5, 1] });
  });
});
