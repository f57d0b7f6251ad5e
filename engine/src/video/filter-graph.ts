import { AV_BUFFERSRC_FLAG_KEEP_REF, AVERROR_EOF } from 'node-av/constants';
import { Filter, type FilterContext, FilterGraph, type Frame } from 'node-av/lib';
import { must, ready } from './av.ts';

/** A filter graph: frames go in one by one and come out filtered, each as soon as possible. */
export interface Graph {
  /**
   * Adds a frame by reference; the caller keeps its own reference.
   * @param other the frame of the second chain, if chains have frames of their own
   */
  put(frame: Frame, other?: Frame): Promise<void>;
  /** Signals the end of the input. */
  end(): Promise<void>;
  /** Fills `frame` and returns true, or returns false if no frame is available (yet). */
  take(frame: Frame): Promise<boolean>;
  free(): void;
}

/** Two chains whose results are put one above the other; they have the same size. */
export interface Both {
  readonly above: readonly string[];
  readonly below: readonly string[];
  /** Whether each has frames of its own, of the same kind; otherwise both get the same ones. */
  readonly apart?: boolean;
}

/**
 * Creates a filter graph.
 * @param source name and arguments of the source, `buffer` or `abuffer`
 * @param filters FFmpeg descriptions of the filters in between
 */
export async function createGraph(
  source: { readonly kind: 'buffer' | 'abuffer'; readonly args: string },
  filters: readonly string[] | Both,
  threads: number,
): Promise<Graph> {
  const graph = new FilterGraph();
  graph.alloc();
  graph.nbThreads = threads;
  const make = (kind: string, name: string, args: string | null): FilterContext => {
    const filter = Filter.getByName(kind);
    const context = filter && graph.createFilter(filter, name, args);
    if (!context) throw new Error(`filter ${kind}=${args ?? ''} cannot be made`);
    return context;
  };
  try {
    const first = make(source.kind, 'in', source.args);
    const second = 'above' in filters && filters.apart ? make(source.kind, 'in2', source.args) : null;
    /** Links filters one after another, from an output of `from`. */
    const chain = (from: FilterContext, output: number, texts: readonly string[], name: string) => {
      let last = from;
      for (const [i, text] of texts.entries()) {
        const [kind = '', args = null] = split(text);
        const next = make(kind, `${name}${i}`, args);
        must(last.link(last === from ? output : 0, next, 0), 'linking filters');
        last = next;
      }
      return last;
    };
    let last: FilterContext;
    if ('above' in filters) {
      const fork = second ? null : make('split', 'split', null);
      if (fork) must(first.link(0, fork, 0), 'linking filters');
      last = make('vstack', 'stack', null);
      const above = chain(fork ?? first, 0, filters.above, 'above');
      const below = chain(fork ?? (second as FilterContext), fork ? 1 : 0, filters.below, 'below');
      for (const [i, end] of [above, below].entries()) must(end.link(0, last, i), 'linking filters');
    } else last = chain(first, 0, filters, 'f');
    const sink = make(source.kind === 'buffer' ? 'buffersink' : 'abuffersink', 'out', null);
    must(last.link(0, sink, 0), 'linking filters');
    must(await graph.config(), 'filters');
    return {
      async put(frame, other = frame) {
        // Only queues the frames: filtering happens when the next result is taken.
        must(first.buffersrcAddFrameSync(frame, AV_BUFFERSRC_FLAG_KEEP_REF), 'filtering');
        if (second) must(second.buffersrcAddFrameSync(other, AV_BUFFERSRC_FLAG_KEEP_REF), 'filtering');
      },
      async end() {
        for (const input of second ? [first, second] : [first]) {
          const code = await input.buffersrcAddFrame(null);
          if (code !== AVERROR_EOF) must(code, 'ending the filters');
        }
      },
      take: async (frame) => ready(await sink.buffersinkGetFrame(frame), 'filtering'),
      free: () => graph.free(),
    };
  } catch (error) {
    graph.free();
    throw error;
  }
}

function split(text: string): [string, string?] {
  const at = text.indexOf('=');
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)];
}
