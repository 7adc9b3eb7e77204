/**
 * A workspace whose storage fails on demand: the real object behind the real front, where each answer
 * of R2 and each statement of SQLite may be replaced by what goes wrong.
 *
 * @module
 */

import { front } from '#worker/index.ts'
import { Workspace } from '#worker/workspace.ts'
import { createExecutionContext, runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { faultsOf } from './invariants.ts'
import { newStub } from './life.ts'

/** What takes the place of an operation while it is there. */
export interface Faults {
  put?: ((...args: Parameters<R2Bucket['put']>) => Promise<R2Object>) | undefined
  get?: ((...args: Parameters<R2Bucket['get']>) => Promise<null>) | undefined
  delete?: (() => Promise<never>) | undefined
  /** Called before each statement. */
  exec?: ((statement: string) => void) | undefined
}

export interface Frail {
  readonly faults: Faults
  readonly state: DurableObjectState
  readonly fetch: (path: string, init?: RequestInit) => Promise<Response>
  readonly alarm: () => Promise<void>
  /** Every rule that is broken, see `invariants.ts`. */
  readonly broken: () => Promise<Record<string, unknown>>
}

/** Something with some of its methods replaced, for as long as there is something in their place. */
function replaced<T extends object>(whole: T, parts: Partial<Record<keyof T, unknown>>): T {
  return new Proxy(whole, {
    get(target, key) {
      const part: unknown = Reflect.get(parts, key)
      if (part !== undefined) return part
      const value: unknown = Reflect.get(target, key)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}

export function withFaults<T>(work: (frail: Frail) => Promise<T>): Promise<T> {
  return runInDurableObject(newStub(), async (_, state) => {
    const faults: Faults = {}
    const workspace = new Workspace(state, { ...env, FILES: replaced(env.FILES, faults) })
    // Opened before anything fails.
    await workspace.fetch(new Request('http://localhost/status'))
    const { sql } = state.storage
    const exec = sql.exec.bind(sql)
    const watched = (statement: string, ...values: unknown[]) => {
      faults.exec?.(statement)
      return exec(statement, ...values)
    }
    Object.defineProperty(sql, 'exec', { value: watched })
    const object = {
      fetch: (request: Request | string, init?: RequestInit) =>
        workspace.fetch(new Request(request, init)),
    }
    const WORKSPACE = replaced(env.WORKSPACE, { get: () => object })
    return work({
      faults,
      state,
      async fetch(path, init) {
        const request = new Request(`http://localhost${path}`, init)
        return front.fetch(request, { ...env, WORKSPACE }, createExecutionContext())
      },
      alarm: () => workspace.alarm(),
      broken: () => faultsOf(state),
    })
  })
}
