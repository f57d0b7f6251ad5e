import type { Texts } from '@framelift/texts';
import type { Guide } from './guides.ts';

type Tutorial = Texts['tutorial'];
type Text = {
  [K in keyof Tutorial]: Tutorial[K] extends { title: string } ? K : never;
}[keyof Tutorial];

export interface Step {
  readonly text: Text;
  /** Value of `data-guide` of what is pointed at; a step without stands in the middle. */
  readonly anchor?: string;
  /** Pressing what is pointed at ends the guide: that is what it asks for. */
  readonly press?: true;
  /** Left out where what is pointed at is not on the screen. */
  readonly optional?: true;
}

interface Plan {
  /** The pages on which the guide is shown; on any when there are none. */
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
  orderGuideList: { pages: /^\/(member|menu)\/video\/?$/i, steps: [{ text: 'wall', anchor: 'wall' }] },
};
