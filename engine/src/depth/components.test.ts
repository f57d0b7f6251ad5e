import { describe, expect, test } from 'vitest';
import { findComponents } from './components.ts';

/** Parses a drawing into a mask; '#' is a set cell. */
function parse(drawing: string) {
  const rows = drawing.trim().split(/\s+/);
  const width = rows[0]?.length ?? 0;
  return { mask: Uint8Array.from(rows.join(''), (c) => (c === '#' ? 1 : 0)), width, height: rows.length };
}

function label(drawing: string, connectivity: 4 | 8) {
  const { mask, width, height } = parse(drawing);
  const { labels, list } = findComponents(mask, width, height, connectivity);
  const rows = Array.from({ length: height }, (_, y) => labels.slice(y * width, (y + 1) * width).join(''));
  return { rows, list };
}

const DIAGONAL = `
  ##...
  ..##.
  ....#`;

describe('connected components', () => {
  test('cells that touch by corners only are one component of eight neighbours and three of four', () => {
    expect(label(DIAGONAL, 8).rows).toEqual(['11000', '00110', '00001']);
    expect(label(DIAGONAL, 4).rows).toEqual(['11000', '00220', '00003']);
  });

  test('branches that meet only further down are one component', () => {
    const comb = `
      #.#.#
      #.#.#
      #####`;
    expect(label(comb, 4).rows).toEqual(['10101', '10101', '11111']);
    expect(label(comb, 4).list).toEqual([{ label: 1, area: 11, left: 0, top: 0, right: 4, bottom: 2 }]);
  });

  test('a spiral is one component, and what lies beside it another', () => {
    const spiral = `
      ######.
      .....#.
      .###.#.
      .#...#.
      .#####.
      .......
      ###....`;
    const { list } = label(spiral, 4);
    expect(list.map(({ area }) => area)).toEqual([18, 3]);
  });

  test('rows do not wrap around', () => {
    expect(label('..# #..', 8).list).toHaveLength(2);
  });

  test('an empty mask has none and a full one has one', () => {
    expect(label('... ...', 8).list).toEqual([]);
    expect(label('### ###', 4).list).toEqual([{ label: 1, area: 6, left: 0, top: 0, right: 2, bottom: 1 }]);
  });
});
