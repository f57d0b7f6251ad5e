import { avChannelLayoutDescribe, type ChannelLayout } from 'node-av/lib';

/** Value of `AVChannelOrder`: channels named by the bits of a mask. */
const NATIVE = 1;
/** Value of `AVChannelOrder`: ambisonic components; the first two are omnidirectional and left minus right. */
const AMBISONIC = 3;

/** Layouts that AAC names by a number, which all decoders know, and the names of what fits into them unchanged. */
const KEPT: Readonly<Record<string, string>> = {
  mono: 'mono',
  stereo: 'stereo',
  '3.0': '3.0',
  '4.0': '4.0',
  '5.0': '5.0',
  '5.0(side)': '5.0',
  '5.1': '5.1',
  '5.1(side)': '5.1',
  '6.1': '7.1',
  '7.0': '7.1',
  '7.1': '7.1',
};
/** Layouts of a number of channels without names, as WAV has them. */
const UNNAMED = ['mono', 'stereo', '3.0', 'quad', '5.0', '5.1', '6.1', '7.1'];

/** Names of the bits of a channel mask. */
const CHANNELS = (
  'FL FR FC LFE BL BR FLC FRC BC SL SR TC TFL TFC TFR TBL TBC TBR - - - - - - - - - - - DL DR WL WR SDL SDR LFE2 TSL ' +
  'TSR BFC BFL BFR SSL SSR TTL TTR'
).split(' ');
/** Gains of a channel in a mix; the mix is scaled so that it cannot clip. */
const FRONT = 1;
const OTHER = Math.SQRT1_2;

/** How audio is read and what becomes of its channels. */
export interface SoundLayout {
  /** Name of the source layout for FFmpeg. */
  readonly source: string;
  /** Name of the layout in the AAC. */
  readonly target: string;
  readonly channels: number;
  /** Filter that mixes all channels to stereo; null if each one keeps its place. */
  readonly mix: string | null;
}

/** Plans the channels of an audio track: each stays in its place, or all are mixed to stereo and none is lost. */
export function soundLayout(layout: ChannelLayout): SoundLayout {
  const count = Math.max(1, layout.nbChannels);
  const named = layout.order === NATIVE ? avChannelLayoutDescribe(layout) : null;
  const source = named ?? (layout.order === AMBISONIC ? null : (UNNAMED[count - 1] ?? null));
  const target = source === null ? undefined : KEPT[source];
  if (source !== null && target) return { source, target, channels: channelsOf(target), mix: null };
  const mix = named
    ? mixOf(namesIn(layout.mask))
    : source === 'quad'
      ? mixOf(['FL', 'FR', 'BL', 'BR'])
      : mixOfUnnamed(layout);
  return { source: source ?? `${count}c`, target: 'stereo', channels: 2, mix };
}

function channelsOf(name: string): number {
  const [full = '', low = '0'] = /^(\d)\.(\d)/.exec(name)?.slice(1) ?? [];
  return name === 'mono' ? 1 : name === 'stereo' ? 2 : Number(full) + Number(low);
}

function namesIn(mask: bigint): string[] {
  return CHANNELS.filter((_, bit) => (mask >> BigInt(bit)) & 1n);
}

function mixOf(names: readonly string[]): string {
  const gain = (name: string) => `${(/^F[LR]$/.test(name) ? FRONT : OTHER).toFixed(4)}*${name}`;
  const central = names.filter((name) => (/C$/.test(name) && !/[LR]C$/.test(name)) || /^LFE/.test(name));
  const left = names.filter((name) => !central.includes(name) && /L/.test(name));
  const right = names.filter((name) => !central.includes(name) && /R/.test(name));
  return pan([...left, ...central].map(gain), [...right, ...central].map(gain));
}

function mixOfUnnamed({ order, nbChannels }: ChannelLayout): string {
  if (order === AMBISONIC) return pan(['0.5*c0', '0.5*c1'], ['0.5*c0', '-0.5*c1']);
  const channels = Array.from({ length: nbChannels }, (_, i) => `c${i}`);
  return pan(
    channels.filter((_, i) => i % 2 === 0),
    channels.filter((_, i) => i % 2 === 1),
  );
}

/** `<` scales the gains of a channel to a sum of 1. */
function pan(left: readonly string[], right: readonly string[]): string {
  return `pan=stereo|FL<${left.join('+')}|FR<${right.join('+').replaceAll('+-', '-')}`;
}
