import { readFileSync } from 'node:fs';
import { distFile } from './dist.ts';

/** The part of the platform's WebAssembly that is used; TypeScript declares it only together with a browser's DOM. */
interface Platform {
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (module: object, imports: object) => { readonly exports: unknown };
}
const { Module, Instance } = (globalThis as unknown as { WebAssembly: Platform }).WebAssembly;

/** A global that a kernel exports: where something begins in its memory, in bytes. */
export interface Address {
  readonly value: number;
}

const compiled = new Map<string, object>();

/** A new instance, with memory of its own, of a kernel in `engine/dist`. It is compiled once in a thread. */
export function instantiate<Exports>(name: string): Exports {
  let module = compiled.get(name);
  if (!module) {
    module = new Module(readFileSync(distFile(name)));
    compiled.set(name, module);
  }
  return new Instance(module, {}).exports as Exports;
}
