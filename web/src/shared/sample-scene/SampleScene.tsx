import { useReducedMotion } from '@mantine/hooks';
import { type CSSProperties, type KeyboardEvent, type PointerEvent, type ReactNode, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './SampleScene.module.css';
import { useSway } from './use-sway.ts';

/** Size of the drawing, whose coordinates all shapes use. */
const WIDTH = 1200;
const HEIGHT = 960;
/** The opening of the drawn frame. */
const OPENING = { x: 246, y: 172, width: 708, height: 590 };
const FRAME = 30;
/** Depth of the drawn frame, 0 (farthest) … 1 (nearest): it does not move with the view. */
const FRAME_DEPTH = 0.54;
const KEY_STEP = 0.1;

/**
 * A paper-cut evening that leaves its frame. Every layer is a drawing of its own that moves as a whole, by its depth,
 * so nothing tears, the edges are those of the browser's vector drawing at any pixel ratio, and WebGL is not needed.
 */
export function SampleScene({ label }: { label: string }) {
  const { t } = useTranslation('depth');
  const still = useReducedMotion();
  const host = useRef<HTMLDivElement>(null);
  const { moveTo, wanted } = useSway(host, !still);

  const onPointerMove = ({ clientX, clientY, currentTarget }: PointerEvent) => {
    const { left, top, width, height } = currentTarget.getBoundingClientRect();
    moveTo(((clientX - left) / width) * 2 - 1, ((clientY - top) / height) * 2 - 1);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const { x, y } = wanted();
    const to: Record<string, readonly [number, number]> = {
      ArrowLeft: [x - KEY_STEP, y],
      ArrowRight: [x + KEY_STEP, y],
      Home: [-1, y],
      End: [1, y],
    };
    const target = to[event.key];
    if (!target) return;
    event.preventDefault();
    moveTo(...target);
  };

  return (
    <div
      ref={host}
      className={classes.scene}
      role="img"
      aria-label={`${label} ${t('keys')}`}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: the arrow keys move the picture
      tabIndex={0}
      onPointerMove={onPointerMove}
      onKeyDown={onKeyDown}
    >
      <Definitions />
      <div className={classes.opening}>
        <Sky />
        {HILLS.map((hill) => (
          <Hill key={hill.colour} {...hill} />
        ))}
        <Lantern x={566} y={408} size={30} turn={5} depth={0.22} glow={0.5} />
        <Lantern x={866} y={452} size={42} turn={-6} depth={0.3} glow={0.5} />
      </div>
      <Frame />
      <Ground />
      <Lantern x={1012} y={486} size={104} turn={7} depth={0.8} glow={0.42} />
      <Crane />
      <Lantern x={182} y={696} size={150} turn={-8} depth={0.96} glow={0.4} />
    </div>
  );
}

interface LayerProps {
  /** Part of the drawing that the layer covers: x, y, width, height. */
  readonly box: readonly [number, number, number, number];
  readonly depth: number;
  /** Depth per height of the scene by which parts above `hinge` are nearer than the layer. */
  readonly lean?: number;
  /** Height at which a leaning layer has the depth of the whole, in coordinates of the drawing. */
  readonly hinge?: number;
  readonly children: ReactNode;
}

function Layer({ box, depth, lean = 0, hinge = box[1], children }: LayerProps) {
  const [x, y, width, height] = box;
  const style = {
    left: `${(x / WIDTH) * 100}%`,
    top: `${(y / HEIGHT) * 100}%`,
    width: `${(width / WIDTH) * 100}%`,
    transformOrigin: `0 ${((hinge - y) / height) * 100}%`,
    '--lift': depth - FRAME_DEPTH,
    '--lean': lean,
  } as CSSProperties;
  return (
    <svg aria-hidden data-layer className={classes.layer} viewBox={box.join(' ')} style={style}>
      {children}
    </svg>
  );
}

function Definitions() {
  return (
    <svg aria-hidden className={classes.definitions}>
      <defs>
        <linearGradient id="scene-sky" x1="0" y1="0" x2="0" y2="1">
          <stop offset="0" stopColor="#10243f" />
          <stop offset=".38" stopColor="#2c5a78" />
          <stop offset=".66" stopColor="#e79a7c" />
          <stop offset="1" stopColor="#ffd9a6" />
        </linearGradient>
        <linearGradient id="scene-wood" x1="0" y1="0" x2="1" y2="1">
          <stop offset="0" stopColor="#f4ead9" />
          <stop offset="1" stopColor="#cdb692" />
        </linearGradient>
        <radialGradient id="scene-moon" cx=".4" cy=".38" r=".7">
          <stop offset="0" stopColor="#fff8e6" />
          <stop offset="1" stopColor="#f7dcae" />
        </radialGradient>
        <radialGradient id="scene-halo">
          <stop offset=".45" stopColor="#ffe6bd" stopOpacity=".5" />
          <stop offset="1" stopColor="#ffe6bd" stopOpacity="0" />
        </radialGradient>
        <radialGradient id="scene-lantern" cx=".5" cy=".78" r=".8">
          <stop offset="0" stopColor="#fff0b8" />
          <stop offset=".45" stopColor="#ffb35c" />
          <stop offset="1" stopColor="#e2573d" />
        </radialGradient>
        <radialGradient id="scene-glow">
          <stop offset="0" stopColor="#ffa652" stopOpacity=".9" />
          <stop offset=".5" stopColor="#ffa04a" stopOpacity=".35" />
          <stop offset="1" stopColor="#ff9f4a" stopOpacity="0" />
        </radialGradient>
        <linearGradient id="scene-near" x1="0" y1="0" x2="0" y2="1">
          <stop offset="0" stopColor="#2b3a52" />
          <stop offset="1" stopColor="#182236" />
        </linearGradient>
        {[9, 16, 20].map((blur) => (
          <filter key={blur} id={`scene-blur-${blur}`} x="-30%" y="-30%" width="160%" height="160%">
            <feGaussianBlur stdDeviation={blur} />
          </filter>
        ))}
      </defs>
    </svg>
  );
}

const STARS = [
  [300, 220],
  [352, 300],
  [420, 214],
  [512, 262],
  [640, 208],
  [598, 330],
  [858, 228],
  [912, 330],
  [474, 342],
  [290, 372],
] as const;

/** Wider than the opening by more than the view travels. */
function Sky() {
  return (
    <>
      <Layer box={[186, 132, 828, 670]} depth={0}>
        <rect x="186" y="132" width="828" height="670" fill="url(#scene-sky)" />
        {STARS.map(([x, y], index) => (
          <circle key={x} cx={x} cy={y} r={index % 3 === 0 ? 2.6 : 1.7} fill="#fff" fillOpacity=".8" />
        ))}
      </Layer>
      <Layer box={[516, 152, 400, 400]} depth={0.05}>
        <circle cx="716" cy="352" r="196" fill="url(#scene-halo)" />
        <circle cx="716" cy="352" r="96" fill="url(#scene-moon)" />
      </Layer>
    </>
  );
}

type Points = readonly (readonly [number, number])[];

const HILLS: readonly { colour: string; depth: number; points: Points }[] = [
  {
    colour: '#d98f80',
    depth: 0.12,
    points: [
      [180, 566],
      [330, 500],
      [450, 556],
      [580, 478],
      [720, 548],
      [860, 500],
      [1020, 552],
    ],
  },
  {
    colour: '#b06d77',
    depth: 0.2,
    points: [
      [180, 606],
      [300, 560],
      [420, 612],
      [560, 540],
      [690, 606],
      [820, 556],
      [1020, 614],
    ],
  },
  {
    colour: '#7d4f6e',
    depth: 0.28,
    points: [
      [180, 624],
      [340, 662],
      [470, 588],
      [620, 664],
      [760, 604],
      [900, 652],
      [1020, 606],
    ],
  },
  {
    colour: '#4c3d63',
    depth: 0.37,
    points: [
      [180, 694],
      [320, 640],
      [460, 706],
      [600, 660],
      [740, 716],
      [880, 662],
      [1020, 704],
    ],
  },
];

/** Returns the start of a path: a smooth line from left to right through `points`. */
function ridge([first = [0, 0], ...rest]: Points): string {
  let path = `M${first[0]} ${first[1]}`;
  let from = first;
  for (const to of rest) {
    const middle = (from[0] + to[0]) / 2;
    path += ` C${middle} ${from[1]} ${middle} ${to[1]} ${to[0]} ${to[1]}`;
    from = to;
  }
  return path;
}

function Hill({ colour, depth, points }: (typeof HILLS)[number]) {
  const path = `${ridge(points)} V830 H180 Z`;
  return (
    <Layer box={[180, 420, 840, 400]} depth={depth}>
      <path d={path} transform="translate(0 -5)" opacity=".3" filter="url(#scene-blur-9)" />
      <path d={path} fill={colour} />
    </Layer>
  );
}

interface LanternProps {
  readonly x: number;
  readonly y: number;
  readonly size: number;
  readonly turn: number;
  readonly depth: number;
  readonly glow: number;
}

function Lantern({ x, y, size, turn, depth, glow }: LanternProps) {
  const reach = size * 1.9;
  return (
    <Layer box={[x - reach, y - reach, 2 * reach, 2 * reach]} depth={depth}>
      <circle cx={x} cy={y + size * 0.12} r={reach * 0.92} fill="url(#scene-glow)" opacity={glow} />
      <g transform={`translate(${x} ${y}) rotate(${turn}) scale(${size / 100})`}>
        <path d="M-36 -50 Q0 -64 36 -50 L28 46 Q0 56 -28 46 Z" fill="url(#scene-lantern)" />
        <path d="M-12 -57 L-9 50 M14 -56 L10 50" stroke="#c9482f" strokeOpacity=".35" strokeWidth="2.5" fill="none" />
        <path d="M-28 46 Q0 56 28 46 L26 54 Q0 63 -26 54 Z" fill="#8e3424" />
      </g>
    </Layer>
  );
}

const rect = (x: number, y: number, width: number, height: number) => `M${x} ${y} h${width} v${height} h${-width} Z`;

function Frame() {
  const { x, y, width, height } = OPENING;
  const opening = rect(x, y, width, height);
  const frame = `${rect(x - FRAME, y - FRAME, width + 2 * FRAME, height + 2 * FRAME)} ${opening}`;
  return (
    <Layer box={[0, 0, WIDTH, HEIGHT]} depth={FRAME_DEPTH}>
      <path d={frame} fillRule="evenodd" transform="translate(4 14)" opacity=".6" filter="url(#scene-blur-20)" />
      <path d={frame} fillRule="evenodd" fill="url(#scene-wood)" />
      <path d={`${rect(x - 4, y - 4, width + 8, height + 8)} ${opening}`} fillRule="evenodd" fill="#a98f68" />
    </Layer>
  );
}

/** A fir of paper: three triangles on a stem, its foot at (x, y). */
function fir(x: number, y: number, size: number): string {
  const tiers = [0, 1, 2].map((tier) => {
    const half = size * (0.13 + tier * 0.07);
    return `M${x} ${y - size * (1 - tier * 0.24)} l${half} ${size * 0.4} h${-2 * half} Z`;
  });
  return `${tiers.join(' ')} M${x - size * 0.03} ${y - size * 0.24} h${size * 0.06} v${size * 0.3} h-${size * 0.06} Z`;
}

function Ground() {
  const hill = `${ridge([
    [150, 872],
    [238, 776],
    [372, 738],
    [520, 790],
    [668, 742],
    [826, 786],
    [962, 740],
    [1052, 872],
  ])} Q600 918 150 872 Z`;
  const trees = [fir(330, 760, 168), fir(408, 772, 108), fir(878, 782, 150), fir(942, 764, 214), fir(806, 798, 96)];
  return (
    <Layer box={[100, 500, 1000, 460]} depth={0.68}>
      <path d={`${trees.join(' ')} ${hill}`} transform="translate(4 12)" opacity=".5" filter="url(#scene-blur-16)" />
      <path d={trees.join(' ')} fill="#22304a" />
      <path d={hill} fill="url(#scene-near)" />
    </Layer>
  );
}

type Facet = readonly [points: string, colour: string];

/** The facets of a folded crane by the part that they belong to. Neighbours overlap: no gap opens as the wings lean. */
const FAR_WING: readonly Facet[] = [
  ['-34,12 -20,40 30,40 30,6 -70,-236', '#d8dfe8'],
  ['30,6 30,40 64,40 64,8 -70,-236', '#bcc8d6'],
];
const BODY: readonly Facet[] = [
  ['34,6 92,34 250,-84', '#ffffff'],
  ['92,34 76,48 250,-84', '#ced6e0'],
  ['-30,4 -40,24 -206,-98', '#f6f3ee'],
  ['-40,24 -48,44 -206,-98', '#cdd3dc'],
  ['-206,-98 -180,-76 -250,-64', '#ff8268'],
  ['-48,44 -44,10 98,30 26,92', '#e9edf2'],
  ['20,24 98,30 26,92', '#c3ccd8'],
];
const NEAR_WING: readonly Facet[] = [
  ['-48,20 -46,44 44,44 44,30 168,-226', '#ffffff'],
  ['44,30 44,44 80,44 98,30 168,-226', '#dbe2ea'],
];
const CRANE_BOX = [60, 90, 600, 420] as const;
const CRANE_DEPTH = 0.81;
/** Height of the line along which the wings are folded to the body. */
const FOLD = 390;

function Crane() {
  const facets = (part: readonly Facet[]) => (
    <g transform="translate(350 360) rotate(-4) scale(1.02)">
      {part.map(([points, colour]) => (
        // The stroke closes the hairline between neighbours.
        <polygon key={points} points={points} fill={colour} stroke={colour} strokeWidth=".6" strokeLinejoin="round" />
      ))}
    </g>
  );
  return (
    <>
      <Layer box={CRANE_BOX} depth={0.6}>
        <g transform="translate(30 44)" opacity=".42" filter="url(#scene-blur-16)">
          <g transform="translate(350 360) rotate(-4) scale(1.02)">
            {[...FAR_WING, ...BODY, ...NEAR_WING].map(([points]) => (
              <polygon key={points} points={points} />
            ))}
          </g>
        </g>
      </Layer>
      <Layer box={CRANE_BOX} depth={CRANE_DEPTH} lean={-0.75} hinge={FOLD}>
        {facets(FAR_WING)}
      </Layer>
      <Layer box={CRANE_BOX} depth={CRANE_DEPTH}>
        {facets(BODY)}
      </Layer>
      <Layer box={CRANE_BOX} depth={CRANE_DEPTH} lean={0.75} hinge={FOLD}>
        {facets(NEAR_WING)}
      </Layer>
    </>
  );
}
