import classes from './FrameGlyph.module.css';

type Kind = 'quilt' | 'sbs' | 'anaglyph' | 'flat';

/** Small drawing (hill and moon) of the file format for this kind of frame. */
export function FrameGlyph({ kind }: { kind: Kind }) {
  return (
    <svg viewBox="0 0 96 64" className={classes.glyph} aria-hidden="true">
      {kind === 'quilt' &&
        Array.from({ length: 12 }, (_, view) => (
          <Scene
            key={view}
            x={(view % 4) * 24}
            y={Math.floor(view / 4) * 21.33}
            width={23}
            height={20.33}
            shift={view}
          />
        ))}
      {kind === 'sbs' && (
        <>
          <Scene x={0} y={0} width={47} height={64} shift={2} />
          <Scene x={49} y={0} width={47} height={64} shift={10} />
        </>
      )}
      {kind === 'anaglyph' && (
        <>
          <Scene x={0} y={0} width={96} height={64} shift={6} />
          <circle cx="60" cy="22" r="10" className={classes.red} />
          <circle cx="68" cy="22" r="10" className={classes.cyan} />
        </>
      )}
      {kind === 'flat' && <Scene x={0} y={0} width={96} height={64} shift={6} />}
    </svg>
  );
}

/**
 * The scene from one viewpoint. `shift` 0 … 12 is the viewer's position: the far moon moves along, the hill against it.
 */
function Scene({ x, y, width, height, shift }: { x: number; y: number; width: number; height: number; shift: number }) {
  const to = (px: number) => x + px * width;
  const down = (py: number) => y + py * height;
  const near = (6 - shift) * 0.012;
  return (
    <g>
      <rect x={x} y={y} width={width} height={height} rx="2" className={classes.sky} />
      <circle cx={to(0.64 - near)} cy={down(0.34)} r={Math.min(width, height) * 0.14} className={classes.moon} />
      <path
        d={`M${x} ${down(0.78)} Q${to(0.34 + near)} ${down(0.3)} ${to(0.62 + near)} ${down(0.72)} T${x + width} ${down(0.7)} V${y + height} H${x} Z`}
        className={classes.hill}
      />
    </g>
  );
}
