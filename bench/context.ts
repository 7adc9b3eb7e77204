/**
 * Server processes for the rows: started on first use, shared by name, stopped at the end.
 *
 * @module
 */

import { bundle } from '../scripts/bundle.ts'
import { measure } from '../scripts/sizes.ts'
import { workerModules } from '../scripts/built.ts'
import type { WorkerSpec } from './capnp.ts'
import type { Context, Scale } from './row.ts'
import { OUT, startWorkerd, stop, type Server } from './workerd.ts'

/** A context, for the code that has to end it. */
export interface OwnedContext extends Context {
  /** Stops all servers. */
  end(): Promise<void>
}

/** Creates the context of a run. */
export function createContext(scale: Scale): OwnedContext {
  const servers = new Map<string, Promise<Server>>()
  const shared = (name: string, start: () => Promise<Server>) => {
    const server = servers.get(name) ?? start()
    servers.set(name, server)
    return server
  }
  return {
    scale,
    baseline: (name, purpose = name) => shared(purpose, () => startBaseline(name, purpose)),
    worker: (name) => (name === null ? Promise.resolve(productSpec()) : baselineSpec(name)),
    product: (purpose, options) =>
      shared(`product-${purpose}`, () => startProduct(purpose, options)),
    baselineSize: async (name) =>
      measure(await bundleBaseline(name), { name, of: 'gzip', limit: 0 }).gzip,
    async end() {
      const started = await Promise.allSettled(servers.values())
      for (const one of started) if (one.status === 'fulfilled') await stop(one.value)
    },
  }
}

async function bundleBaseline(name: string): Promise<string> {
  const module = `${OUT}/${name}.js`
  await bundle(`bench/baselines/${name}.ts`, module)
  return module
}

async function baselineSpec(name: string): Promise<WorkerSpec> {
  const module = await bundleBaseline(name)
  return { modules: { 'index.js': module }, className: 'Baseline', binding: 'BASELINE' }
}

async function startBaseline(name: string, purpose: string): Promise<Server> {
  return startWorkerd(purpose, await baselineSpec(name))
}

const productSpec = (): WorkerSpec => {
  return {
    modules: workerModules(),
    className: 'Workspace',
    binding: 'WORKSPACE',
    others: [{ className: 'Notifier', binding: 'NOTIFIER' }],
  }
}

const startProduct = (purpose: string, options?: readonly string[]) =>
  startWorkerd(`product-${purpose}`, productSpec(), options)
