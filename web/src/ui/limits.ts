/** Durations and sizes of the specification that concern only the user interface. */
export const UI_LIMITS = {
  toastMs: 5000,
  errorToastMs: 2000,
  alertParameterToastMs: 3000,
  networkErrorToastMs: 5000,
  alertMs: 2000,
  alertVariantsMs: [1500, 3500, 5000],
  successNote: { shownMs: 5000, fadeStepMs: 50 },
  successToastFadeMs: 500,
  tutorialErrorMs: 2000,
  uploadSuccessCloseMs: 2000,
  swipePx: 20,
  languageDropdownPx: { expanded: 150, collapsed: 65 },
  notifications: {
    collapsedItems: 5,
    collapsedHeightPercent: 49,
    expandedHeightPercent: 80,
    overlayHeightPercent: 100,
  },
  scrollSpy: { rootMargin: '0px 0px -25%', thresholds: [0.1, 0.5, 1] },
} as const;
