/** The parts of Node that these modules use. The types of Node itself contradict those of workerd. */

declare module 'node:sqlite' {
  export type SqlInput = string | number | null | Uint8Array
  export type SqlValue = string | number | bigint | null | Uint8Array<ArrayBuffer>

  export class StatementSync {
    all(...values: readonly SqlInput[]): Record<string, SqlValue>[]
    run(...values: readonly SqlInput[]): { readonly changes: number | bigint }
    columns(): readonly unknown[]
    readonly sourceSQL: string
    setReadBigInts(enabled: boolean): void
  }

  export class DatabaseSync {
    constructor(path: string)
    exec(query: string): void
    prepare(query: string): StatementSync
    close(): void
  }
}

declare module 'node:fs/promises' {
  export function readFile(path: string | URL): Promise<Uint8Array<ArrayBuffer>>
  export function readdir(path: string | URL): Promise<string[]>
}

declare module 'node:crypto' {
  export function hash(algorithm: string, data: string, encoding: 'hex'): string
  interface Hash {
    update(data: string | ArrayBufferView): Hash
    digest(): Uint8Array
    digest(encoding: 'hex' | 'base64url'): string
  }
  export function createHash(algorithm: string): Hash
  export function timingSafeEqual(one: Uint8Array, other: Uint8Array): boolean
}

interface ImportMeta {
  /** The address of a module of the tests in plain Node. */
  readonly url: string
}
