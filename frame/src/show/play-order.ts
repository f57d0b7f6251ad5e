/** Order in which items are shown: the owner's, or a random one in which every item comes once a round. */
export interface PlayOrder {
  /** Replaces the items. Those that remain keep their place in the round under way. */
  set(ids: readonly string[], shuffle: boolean): void;
  /** Goes on by one. @returns null without items */
  next(): string | null;
  /** Goes back by one, as far as it remembers. */
  previous(): string | null;
  /** Returns the next items without repetition, as they would come. */
  upcoming(count: number): string[];
}

/** Number of items that `previous` can go back. */
const REMEMBERED = 50;

/** @param random returns 0 … 1 (exclusive) */
export function createPlayOrder(random: () => number): PlayOrder {
  let ids: readonly string[] = [];
  let shuffles = false;
  /** Items that follow, the next one first; longer than a round when the next round has been looked at. */
  let queue: string[] = [];
  let history: string[] = [];
  let current: string | null = null;

  const addRound = () => {
    if (!shuffles) {
      queue.push(...ids);
      return;
    }
    const round = shuffled(ids, random);
    const last = queue[queue.length - 1] ?? current;
    // An item that ends a round does not begin the next one.
    if (round.length > 1 && round[0] === last) round.push(round.shift() as string);
    queue.push(...round);
  };

  return {
    set(next, shuffle) {
      const known = new Set(next);
      if (!shuffle) queue = following(ids, next, current);
      else if (!shuffles) {
        queue = shuffled(
          next.filter((id) => id !== current),
          random,
        );
      } else {
        queue = queue.filter((id) => known.has(id));
        const old = new Set(ids);
        for (const id of next) if (!old.has(id)) queue.splice(Math.floor(random() * (queue.length + 1)), 0, id);
      }
      history = history.filter((id) => known.has(id));
      ids = [...next];
      shuffles = shuffle;
    },
    next() {
      if (queue.length === 0) addRound();
      const id = queue.shift();
      if (id === undefined) return null;
      if (current !== null && ids.includes(current)) history = [...history, current].slice(-REMEMBERED);
      current = id;
      return id;
    },
    previous() {
      const id = history.pop();
      if (id === undefined) return null;
      if (current !== null && ids.includes(current)) queue.unshift(current);
      current = id;
      return id;
    },
    upcoming(count) {
      const wanted = Math.min(count, ids.length);
      while (new Set(queue).size < wanted) addRound();
      return [...new Set(queue)].slice(0, wanted);
    },
  };
}

/** Returns what comes after `current` in the new list; if it is gone, what came after it in the old one. */
function following(old: readonly string[], next: readonly string[], current: string | null): string[] {
  if (current === null) return [];
  const at = next.indexOf(current);
  if (at >= 0) return next.slice(at + 1);
  const known = new Set(next);
  const heir = old.slice(old.indexOf(current) + 1).find((id) => known.has(id));
  return heir === undefined ? [] : next.slice(next.indexOf(heir));
}

function shuffled(ids: readonly string[], random: () => number): string[] {
  const mixed = [...ids];
  for (let i = mixed.length - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1));
    [mixed[i], mixed[j]] = [mixed[j] as string, mixed[i] as string];
  }
  return mixed;
}
