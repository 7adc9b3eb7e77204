/**
 * A workspace whose storage fails on demand: the real object behind the real front, where each response
 * of R2 and each statement of SQLite can be replaced by a failure.
 *
 * @module
 */

import type { Env } from '#worker/env.ts'
import { front } from '#worker/index.ts'
import { Workspace } from '#worker/workspace.ts'
import { createExecutionContext, runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { faultsOf } from './invariants.ts'
import { newStub } from './object-life.ts'

/** Replacements of operations, each active while it is set. */
export interface Faults {
  put?: ((...args: Parameters<R2Bucket['put']>) => Promise<R2Object>) | undefined
  get?: ((...args: Parameters<R2Bucket['get']>) => Promise<null>) | undefined
  delete?: (() => Promise<never>) | undefined
  /** Called before each statement, with its bindings. */
  exec?: ((statement: string, ...values: unknown[]) => void) | undefined
}

export interface FaultyWorkspace {
  readonly faults: Faults
  readonly state: DurableObjectState
  readonly fetch: (path: string, init?: RequestInit) => Promise<Response>
  readonly alarm: () => Promise<void>
  /** Every rule that is broken, see `invariants.ts`. */
  readonly broken: () => Promise<Record<string, unknown>>
}

/** A proxy with the methods in `parts`, as long as they are set. */
function overrideMethods<T extends object>(whole: T, parts: Partial<Record<keyof T, unknown>>): T {
  return new Proxy(whole, {
    get(target, key) {
      const part: unknown = Reflect.get(parts, key)
      if (part !== undefined) return part
      const value: unknown = Reflect.get(target, key)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}

/** Opens such a workspace, deployed with some variables. Its alarm rings only when a test calls `alarm`. */
export function withFaults<T>(
  work: (faulty: FaultyWorkspace) => Promise<T>,
  variables: Partial<Env> = {},
): Promise<T> {
  return runInDurableObject(newStub(), async (registered, state) => {
    // It shares the storage, and would do the deferred work of the other one with an R2 that does not fail.
    Object.defineProperty(registered, 'alarm', { value: () => Promise.resolve() })
    const faults: Faults = {}
    const deployed = { ...env, ...variables }
    const FILES = overrideMethods(env.FILES, faults)
    const workspace = new Workspace(state, { ...deployed, FILES })
    // Opened before anything fails.
    await workspace.fetch(new Request('http://localhost/status'))
    const { sql } = state.storage
    const exec = sql.exec.bind(sql)
    const watched = (statement: string, ...values: unknown[]) => {
      faults.exec?.(statement, ...values)
      return exec(statement, ...values)
    }
    Object.defineProperty(sql, 'exec', { value: watched })
    const object = {
      fetch: (request: Request | string, init?: RequestInit) =>
        workspace.fetch(new Request(request, init)),
    }
    const WORKSPACE = overrideMethods(env.WORKSPACE, { get: () => object })
    return work({
      faults,
      state,
      async fetch(path, init) {
        const request = new Request(`http://localhost${path}`, init)
        return front.fetch(request, { ...deployed, WORKSPACE }, createExecutionContext())
      },
      alarm: () => workspace.alarm(),
      broken: () => faultsOf(state),
    })
  })
}
