import { encodeQR } from 'qr';

const SVG = 'http://www.w3.org/2000/svg';
/** Width of the quiet zone in modules, as required by ISO/IEC 18004. */
const QUIET = 4;

/** Draws a QR code as SVG without styles or scripts, dark on white as scanners expect. */
export function drawQr(text: string, label: string): SVGSVGElement {
  const rows = encodeQR(text, 'raw', { ecc: 'medium', border: QUIET });
  const svg = document.createElementNS(SVG, 'svg');
  svg.setAttribute('viewBox', `0 0 ${rows.length} ${rows.length}`);
  svg.setAttribute('role', 'img');
  svg.setAttribute('aria-label', label);
  svg.setAttribute('shape-rendering', 'crispEdges');
  const path = document.createElementNS(SVG, 'path');
  // One path segment for each run of dark modules.
  const runs = rows.flatMap((row, y) =>
    row.flatMap((dark, x) => {
      if (!dark || row[x - 1]) return [];
      const light = row.indexOf(false, x);
      return [`M${x} ${y}h${(light < 0 ? row.length : light) - x}v1H${x}z`];
    }),
  );
  path.setAttribute('d', runs.join(''));
  svg.append(path);
  return svg;
}
