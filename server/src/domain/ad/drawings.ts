import type { HouseAd } from '@framelift/contract';

/** Adds the movement of a group, if the drawing moves: from one value to the others and back, for ever. */
type Move = (kind: 'translate' | 'rotate' | 'scale', seconds: number, ...values: readonly string[]) => string;

/** Returns one of our ads as SVG, 640 × 360. A moving one moves by itself, without a script. */
export function drawAd(slug: HouseAd, isMoving: boolean): string {
  const move: Move = (kind, seconds, ...values) => (isMoving ? movement(kind, seconds, values) : '');
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 640 360">${DRAWINGS[slug](move)}</svg>`;
}

function movement(kind: string, seconds: number, values: readonly string[]): string {
  const [first = ''] = values;
  const all = [...values, first];
  const times = all.map((_, n) => (n / (all.length - 1)).toFixed(3)).join(';');
  const splines = values.map(() => '.4 0 .6 1').join(';');
  return `<animateTransform attributeName="transform" type="${kind}" dur="${seconds}s" repeatCount="indefinite" calcMode="spline" values="${all.join(';')}" keyTimes="${times}" keySplines="${splines}"/>`;
}

/** A layer that sways by so many pixels, as nearer things do when the viewer moves. */
const layer = (move: Move, pixels: number, content: string) =>
  `<g>${move('translate', 6, `${-pixels} 0`, `${pixels} 0`)}${content}</g>`;

const gradient = (id: string, top: string, bottom: string) =>
  `<linearGradient id="${id}" x2="0" y2="1"><stop stop-color="${top}"/><stop offset="1" stop-color="${bottom}"/></linearGradient>`;

const tree = (x: number, y: number, size: number, colour: string) =>
  `<g transform="translate(${x} ${y}) scale(${size})"><rect x="-4" y="-30" width="8" height="30" fill="#5b4636"/><path d="M0-120 34-62H18L42-24H-42L-18-62H-34Z" fill="${colour}"/></g>`;

/** Hills behind hills, which a picture has once it is in depth. */
const landscape = (move: Move, sway: number) => `
  <defs>${gradient('sky', '#7cc4f5', '#fdeacb')}</defs>
  <rect width="640" height="360" fill="url(#sky)"/>
  ${layer(move, sway * 0.1, '<circle cx="470" cy="92" r="44" fill="#fff6d6"/>')}
  ${layer(move, sway * 0.3, '<path d="M-60 250 90 110l86 84 104-126 128 140 92-76 200 130v120H-60Z" fill="#8fa9d6"/>')}
  ${layer(move, sway * 0.6, '<path d="M-60 262q120-84 250-24t230-22 280 30v140H-60Z" fill="#6aa57c"/>')}
  ${layer(move, sway, `<path d="M-60 318q150-70 320-26t440-20v120H-60Z" fill="#3f7d58"/>${tree(120, 312, 1.15, '#2c5f46')}${tree(210, 306, 0.75, '#35704f')}`)}
  ${layer(move, sway * 1.6, `${tree(540, 372, 1.9, '#1f4a37')}`)}`;

const HEART = 'M0 14C-22-2-16-20-7-20-3-20 0-16 0-13 0-16 3-20 7-20 16-20 22-2 0 14Z';

const DRAWINGS: Readonly<Record<HouseAd, (move: Move) => string>> = {
  depth: (move) => landscape(move, 26),

  frame: (move) => `
  <defs>${gradient('wall', '#f3ebe2', '#e2d5c8')}<clipPath id="glass"><rect x="196" y="66" width="248" height="186" rx="4"/></clipPath></defs>
  <rect width="640" height="360" fill="url(#wall)"/>
  <rect y="286" width="640" height="74" fill="#b98f6a"/><rect y="286" width="640" height="8" fill="#caa27c"/>
  <ellipse cx="320" cy="290" rx="150" ry="10" fill="#000" opacity=".14"/>
  <rect x="178" y="48" width="284" height="222" rx="12" fill="#2b2b33"/>
  <path d="M270 270h100l14 20H256Z" fill="#22222a"/>
  <g clip-path="url(#glass)"><g transform="translate(132 54) scale(.56)">${landscape(move, 44)}</g></g>
  <path d="M196 66h92l-62 186h-30Z" fill="#fff" opacity=".1"/>
  <g transform="translate(92 286)"><path d="M-20 0-26-44h52L20 0Z" fill="#d8734f"/><g>${move('rotate', 5, '-3', '3')}<path d="M0-44C-34-66-40-104-30-124-6-110 2-78 0-44ZM0-44C34-62 46-94 40-112 14-104-2-76 0-44ZM0-44C-8-84 0-122 10-140 24-112 16-74 0-44Z" fill="#5d9c6b"/></g></g>
  <g transform="translate(552 286)"><path d="M-34 0v-78h68V0Z" fill="#6b86b8"/><path d="M-34-14h68M-34-64h68" stroke="#fff" stroke-width="3" opacity=".6"/></g>`,

  friends: (move) => `
  <defs>${gradient('air', '#fbe3d6', '#f7c9b6')}</defs>
  <rect width="640" height="360" fill="url(#air)"/>
  <path d="M150 170C240 40 400 40 482 150" fill="none" stroke="#fff" stroke-width="5" stroke-dasharray="2 16" stroke-linecap="round"/>
  <rect x="76" y="112" width="112" height="206" rx="18" fill="#33303d"/><rect x="86" y="128" width="92" height="168" rx="6" fill="#fff"/>
  <rect x="96" y="140" width="72" height="54" rx="4" fill="#8fc1e8"/><path d="M96 194l24-30 18 20 12-12 18 22Z" fill="#5d9c6b"/>
  <rect x="96" y="206" width="72" height="54" rx="4" fill="#f2d49b"/><circle cx="132" cy="232" r="15" fill="#e59a6f"/>
  <rect x="104" y="272" width="56" height="14" rx="7" fill="#d8734f"/>
  <rect x="404" y="120" width="176" height="146" rx="10" fill="#2b2b33"/><rect x="418" y="134" width="148" height="118" rx="3" fill="#bfe0f2"/>
  <path d="M418 252l46-62 32 36 24-24 46 50Z" fill="#5d9c6b"/><circle cx="530" cy="164" r="13" fill="#fff6d6"/>
  <path d="M470 266h44l10 22h-64Z" fill="#22222a"/>
  <g transform="translate(316 78)"><g>${move('translate', 5, '-130 66', '-40 2', '60 4', '140 60')}<g transform="rotate(-6)"><rect x="-44" y="-34" width="88" height="68" rx="6" fill="#fff"/><rect x="-37" y="-27" width="74" height="54" rx="3" fill="#8fc1e8"/><path d="M-37 27-12-6 8 16 20 4 37 27Z" fill="#5d9c6b"/><circle cx="18" cy="-12" r="7" fill="#fff6d6"/></g></g></g>
  <g transform="translate(492 96) scale(1.5)"><g>${move('scale', 2, '.85', '1.1')}<path d="${HEART}" fill="#d8524f"/></g></g>`,
};
