import type { Texts } from '@framelift/texts';
import type { Guide } from './guides.ts';

type Tutorial = Texts['tutorial'];
type Text = {
  [K in keyof Tutorial]: Tutorial[K] extends { title: string } ? K : never;
}[keyof Tutorial];

export interface Step {
  readonly text: Text;
  /** Value of `data-guide` of the anchor; a step without one is centred. */
  readonly anchor?: string;
  /** Pressing the anchor ends the guide, because that is what the step asks for. */
  readonly press?: true;
  /** Skipped if the anchor is not visible. */
  readonly optional?: true;
}

interface Plan {
  /** Pages on which the guide is shown; all pages when absent. */
  readonly pages?: RegExp;
  readonly steps: readonly Step[];
}

export const PLANS: Readonly<Record<Guide, Plan>> = {
  guideList: {
    pages: /^\/(player|home)\/?$/i,
    steps: [
      { text: 'home' },
      { text: 'content', anchor: 'content', optional: true },
      { text: 'convert', anchor: 'convert', press: true },
    ],
  },
  uploadGuide: { steps: [{ text: 'photo', anchor: 'photo', press: true }] },
  cropperGuide: {
    steps: [
      { text: 'crop', anchor: 'crop' },
      { text: 'frame', anchor: 'frame' },
      { text: 'strength', anchor: 'strength' },
      { text: 'submit', anchor: 'submit', press: true },
    ],
  },
  saveImageGuide: {
    pages: /^\/result\//i,
    steps: [
      { text: 'result', anchor: 'result' },
      { text: 'download', anchor: 'download', press: true },
    ],
  },
  orderGuideList: {
    pages: /^\/(member|menu)\/order\/?$/i,
    steps: [
      { text: 'orderKinds', anchor: 'order-kinds' },
      { text: 'orderDates', anchor: 'order-dates' },
      // An empty list as well: the guide waits until it is loaded.
      { text: 'orders', anchor: 'orders' },
      { text: 'payments', anchor: 'payments' },
    ],
  },
};
