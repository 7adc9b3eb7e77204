/** Work on many things with a few at once. Tested by `test/sync-local.test.ts`. @module */

/** Does something with each item, with a few at once. The first failure ends it, after those that have begun. */
export async function forEachOf<T>(
  items: readonly T[],
  most: number,
  act: (item: T) => Promise<void>,
): Promise<void> {
  const rest = items[Symbol.iterator]()
  let failed = false
  async function work(): Promise<void> {
    for (const item of rest) {
      if (failed) return
      try {
        await act(item)
      } catch (error) {
        failed = true
        throw error
      }
    }
  }
  const workers = Array.from({ length: Math.min(most, items.length) }, work)
  const ended = await Promise.allSettled(workers)
  const fault = ended.find((one) => one.status === 'rejected')
  if (fault) throw fault.reason
}

/** Runs work beside the caller, some at once. `add` waits for room, and `end` for everything; both throw what failed. */
export function createPool(most: number) {
  const open = new Set<Promise<void>>()
  let fault: { readonly error: unknown } | null = null

  function check(): void {
    if (fault) throw fault.error
  }

  return {
    async add(act: () => Promise<void>): Promise<void> {
      while (open.size >= most) await Promise.race(open)
      check()
      const work: Promise<void> = act()
        .catch((error: unknown) => {
          fault ??= { error }
        })
        .finally(() => open.delete(work))
      open.add(work)
    },
    async end(): Promise<void> {
      await Promise.all(open)
      check()
    },
  }
}
