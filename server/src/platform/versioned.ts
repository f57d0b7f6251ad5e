/** An answer that is only read if the caller does not have this version of it. */
export interface Versioned<T> {
  readonly version: string;
  read(): Promise<T>;
}
