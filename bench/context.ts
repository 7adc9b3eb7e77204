/**
 * Server processes for the rows: started on first use, shared by name, stopped at the end.
 *
 * @module
 */

import { bundle, WORKER_MODULES } from '../scripts/build.ts'
import { measure } from '../scripts/sizes.ts'
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
    baseline: (name) => shared(name, () => startBaseline(name)),
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

async function startBaseline(name: string): Promise<Server> {
  const module = await bundleBaseline(name)
  const modules = { 'index.js': module }
  return startWorkerd(name, { modules, className: 'Baseline', binding: 'BASELINE' })
}

function startProduct(purpose: string, options?: readonly string[]): Promise<Server> {
  const spec = { modules: WORKER_MODULES, className: 'Workspace', binding: 'WORKSPACE' }
  return startWorkerd(`product-${purpose}`, spec, options)
}
