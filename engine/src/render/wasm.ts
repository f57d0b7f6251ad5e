import { readFileSync } from 'node:fs';
import { distFile } from './dist.ts';

/** The used part of the WebAssembly API; TypeScript declares it only as part of the DOM library. */
interface Platform {
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (module: object, imports: object) => { readonly exports: unknown };
  readonly Memory: new (limits: { initial: number; maximum: number; shared: true }) => KernelMemory;
}
const { Module, Instance, Memory } = (globalThis as unknown as { WebAssembly: Platform }).WebAssembly;

/** Memory of kernels. Threads that receive it share it. */
export interface KernelMemory {
  /** The whole memory at the time of access; later growth is visible only in a buffer read later. */
  readonly buffer: SharedArrayBuffer;
  /**
   * Grows the memory by pages.
   * @returns the previous number of pages
   */
  grow(pages: number): number;
}

/** Address range of a kernel; unused pages take no memory. */
const MOST_PAGES = 65536;

export function createMemory(): KernelMemory {
  return new Memory({ initial: 1, maximum: MOST_PAGES, shared: true });
}

const PAGE = 65536;
/** Kernels read and write slightly past the ends of rows. */
const BEYOND = 64;

/**
 * Allocates part of a memory.
 * @returns its offset in bytes
 */
export function takeMemory(memory: KernelMemory, bytes: number): number {
  return PAGE * memory.grow(Math.ceil((bytes + BEYOND) / PAGE));
}

/** A global exported by a kernel: a byte offset in its memory. */
export interface Address {
  readonly value: number;
}

const compiled = new Map<string, object>();

/** Returns a new instance of a kernel in `engine/dist`, by default with its own memory. Compiled once per thread. */
export function instantiate<Exports>(name: string, memory = createMemory()): Exports {
  let module = compiled.get(name);
  if (!module) {
    module = new Module(readFileSync(distFile(name)));
    compiled.set(name, module);
  }
  return new Instance(module, { env: { memory } }).exports as Exports;
}
