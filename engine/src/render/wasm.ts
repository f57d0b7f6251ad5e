import { readFileSync } from 'node:fs';
import { distFile } from './dist.ts';

/** The part of the platform's WebAssembly that is used; TypeScript declares it only together with a browser's DOM. */
interface Platform {
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (module: object, imports: object) => { readonly exports: unknown };
  readonly Memory: new (limits: { initial: number; maximum: number; shared: true }) => KernelMemory;
}
const { Module, Instance, Memory } = (globalThis as unknown as { WebAssembly: Platform }).WebAssembly;

/** What kernels work in. Threads that are sent one share it. */
export interface KernelMemory {
  /** All of it up to now: what is taken later is seen in a buffer that is asked for later. */
  readonly buffer: SharedArrayBuffer;
  /** Takes more, in pages. @returns the pages there were before */
  grow(pages: number): number;
}

/** As far as an address of a kernel reaches; what is not used takes no memory. */
const MOST_PAGES = 65536;

export function createMemory(): KernelMemory {
  return new Memory({ initial: 1, maximum: MOST_PAGES, shared: true });
}

const PAGE = 65536;
/** Kernels read and write a little beyond the ends of rows. */
const BEYOND = 64;

/** Takes some of a memory. @returns where it begins */
export function takeMemory(memory: KernelMemory, bytes: number): number {
  return PAGE * memory.grow(Math.ceil((bytes + BEYOND) / PAGE));
}

/** A global that a kernel exports: where something begins in its memory, in bytes. */
export interface Address {
  readonly value: number;
}

const compiled = new Map<string, object>();

/** A new instance of a kernel in `engine/dist`, with memory of its own by default. It is compiled once in a thread. */
export function instantiate<Exports>(name: string, memory = createMemory()): Exports {
  let module = compiled.get(name);
  if (!module) {
    module = new Module(readFileSync(distFile(name)));
    compiled.set(name, module);
  }
  return new Instance(module, { env: { memory } }).exports as Exports;
}
