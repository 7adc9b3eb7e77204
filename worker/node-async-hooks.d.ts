/** The part of `node:async_hooks` that is used here; workerd has it under `nodejs_compat`. */
declare module 'node:async_hooks' {
  export class AsyncLocalStorage<T> {
    run<R>(store: T, work: () => R): R
    getStore(): T | undefined
  }
}
