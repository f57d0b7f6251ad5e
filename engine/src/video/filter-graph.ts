import { AV_BUFFERSRC_FLAG_KEEP_REF, AVERROR_EOF } from 'node-av/constants';
import { Filter, type FilterContext, FilterGraph, type Frame } from 'node-av/lib';
import { must, ready } from './av.ts';

/** A filter graph: frames go in one by one and come out filtered, each as soon as possible. */
export interface Graph {
  /** Adds a frame by reference; the caller keeps its own reference. */
  put(frame: Frame): Promise<void>;
  /** Signals the end of the input. */
  end(): Promise<void>;
  /** Fills `frame` and returns true, or returns false if no frame is available (yet). */
  take(frame: Frame): Promise<boolean>;
  free(): void;
}

/** Two chains for the same frame, whose results are put one above the other; they have the same size. */
export interface Both {
  readonly above: readonly string[];
  readonly below: readonly string[];
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
    /** Links filters one after another, from an output of `from`. */
    const chain = (from: FilterContext, output: number, texts: readonly string[]) => {
      let last = from;
      for (const [i, text] of texts.entries()) {
        const [kind = '', args = null] = split(text);
        const next = make(kind, `f${output}-${i}`, args);
        must(last.link(last === from ? output : 0, next, 0), 'linking filters');
        last = next;
      }
      return last;
    };
    let last: FilterContext;
    if ('above' in filters) {
      const fork = make('split', 'split', null);
      must(first.link(0, fork, 0), 'linking filters');
      last = make('vstack', 'stack', null);
      for (const [i, texts] of [filters.above, filters.below].entries())
        must(chain(fork, i, texts).link(0, last, i), 'linking filters');
    } else last = chain(first, 0, filters);
    const sink = make(source.kind === 'buffer' ? 'buffersink' : 'abuffersink', 'out', null);
    must(last.link(0, sink, 0), 'linking filters');
    must(await graph.config(), 'filters');
    return {
      async put(frame) {
        // Only queues the frame: filtering happens when the next result is taken.
        must(first.buffersrcAddFrameSync(frame, AV_BUFFERSRC_FLAG_KEEP_REF), 'filtering');
      },
      async end() {
        const code = await first.buffersrcAddFrame(null);
        if (code !== AVERROR_EOF) must(code, 'ending the filters');
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
