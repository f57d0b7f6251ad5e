/** A connected component of a mask. `right` and `bottom` are inclusive. */
export interface Component {
  /** Value of its cells in `labels`, starting at 1. */
  readonly label: number;
  readonly area: number;
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

export interface Components {
  /** 0 where the mask is 0, otherwise the label of the component. */
  readonly labels: Int32Array;
  readonly list: readonly Component[];
}

/**
 * A run of set cells `left` … `right` in one row; `parent` is the index of an earlier run of the same component, or its
 * own.
 */
interface Run {
  readonly y: number;
  readonly left: number;
  readonly right: number;
  parent: number;
}

/**
 * Labels the connected components of the non-zero cells of `mask`, with 4- or 8-connectivity. Runs of each row are
 * joined with those of the row above; labels are in the order of the components' first cells.
 */
export function findComponents(mask: Uint8Array, width: number, height: number, connectivity: 4 | 8): Components {
  const runs: Run[] = [];
  const reach = connectivity === 8 ? 1 : 0;
  let above = 0;
  let row = 0;
  for (let y = 0; y < height; y++) {
    above = row;
    row = runs.length;
    addRuns(runs, mask, width, y);
    joinRows(runs, above, row, reach);
  }

  const labels = new Int32Array(width * height);
  const list: Mutable<Component>[] = [];
  const componentOf = new Map<number, Mutable<Component>>();
  for (const [i, { y, left, right }] of runs.entries()) {
    const root = findRoot(runs, i);
    let component = componentOf.get(root);
    if (!component) {
      component = { label: list.length + 1, area: 0, left, top: y, right, bottom: y };
      componentOf.set(root, component);
      list.push(component);
    }
    component.area += right - left + 1;
    component.left = Math.min(component.left, left);
    component.right = Math.max(component.right, right);
    component.bottom = y;
    labels.fill(component.label, y * width + left, y * width + right + 1);
  }
  return { labels, list };
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

function addRuns(runs: Run[], mask: Uint8Array, width: number, y: number): void {
  const start = y * width;
  for (let x = 0; x < width; x++) {
    if (!mask[start + x]) continue;
    const left = x;
    while (x + 1 < width && mask[start + x + 1]) x++;
    runs.push({ y, left, right: x, parent: runs.length });
  }
}

/** Joins the runs from index `row` on with the runs `above` … `row` that they touch. Both rows are sorted by `left`. */
function joinRows(runs: Run[], above: number, row: number, reach: number): void {
  let i = above;
  for (let j = row; j < runs.length; j++) {
    const run = runs[j] as Run;
    while (i < row && (runs[i] as Run).right + reach < run.left) i++;
    // A run above may touch several runs below, so `i` stays at the first one that this run touches.
    for (let k = i; k < row && (runs[k] as Run).left <= run.right + reach; k++) join(runs, k, j);
  }
}

function findRoot(runs: Run[], i: number): number {
  let at = i;
  for (;;) {
    const run = runs[at] as Run;
    if (run.parent === at) return at;
    const parent = runs[run.parent] as Run;
    run.parent = parent.parent;
    at = run.parent;
  }
}

/** The earlier root stays the root, so that labels follow the order of first cells. */
function join(runs: Run[], a: number, b: number): void {
  const rootA = findRoot(runs, a);
  const rootB = findRoot(runs, b);
  (runs[Math.max(rootA, rootB)] as Run).parent = Math.min(rootA, rootB);
}
