/** Cloudflare's `agents` as a client in a Worker, in workerd on this machine. @module */

import { build as bundleWith, type Plugin } from 'esbuild'
import { Miniflare } from 'miniflare'
import { builtinModules } from 'node:module'
import { byModel } from '../agent.ts'
import { member } from '../model-input.ts'
import type { Driver } from '../session.ts'
import { array } from '../wire.ts'

/** CommonJS that requires a module of Node gets the one that workerd has. */
const nodeModules: Plugin = {
  name: 'node-modules',
  setup(build) {
    const filter = new RegExp(`^(${builtinModules.join('|')})$`)
    build.onResolve({ filter }, ({ path }) => ({ path, namespace: 'node-modules' }))
    build.onLoad({ filter: /./, namespace: 'node-modules' }, ({ path }) => ({
      contents: `export * from 'node:${path}'; export { default } from 'node:${path}'`,
    }))
  },
}

async function bundle(): Promise<string> {
  const { outputFiles } = await bundleWith({
    entryPoints: [`${import.meta.dirname}/cloudflare-agents.worker.ts`],
    bundle: true,
    write: false,
    format: 'esm',
    target: 'es2024',
    conditions: ['workerd', 'worker', 'browser'],
    external: ['cloudflare:*', 'node:*'],
    plugins: [nodeModules],
    logLevel: 'error',
  })
  return outputFiles[0]?.text ?? ''
}

async function start(url: string, model: string): Promise<Miniflare> {
  const contents = await bundle()
  return new Miniflare({
    host: '127.0.0.1',
    cf: false,
    logRequests: false,
    workers: [
      {
        config: {
          name: 'judge',
          compatibilityDate: '2026-10-01',
          compatibilityFlags: ['nodejs_compat'],
          manifest: { mainModule: 'index.js', modules: { 'index.js': { type: 'esm', contents } } },
          exports: { Judge: { type: 'durable-object', storage: 'sqlite' } },
          env: {
            JUDGE: { type: 'durable-object', worker: 'judge', exportName: 'Judge' },
            MODEL: { type: 'text', value: model },
            MCP: { type: 'text', value: url },
          },
        },
      },
    ],
  })
}

export const driver: Driver = {
  open: ({ url }) =>
    byModel(async (model) => {
      const miniflare = await start(url, model.url)
      const origin = await miniflare.ready
      const ask = async (path: string, body?: string): Promise<unknown> => {
        const init = body === undefined ? {} : { method: 'POST', body }
        const response = await fetch(new URL(path, origin), init)
        if (!response.ok) throw new Error(`${response.status} ${await response.text()}`)
        return response.json()
      }
      await ask('/connect')
      const resources = async () => array(await ask('/resources'))
      return {
        run: (prompt) => ask('/run', prompt),
        resources: async () => (await resources()).map((one) => String(member(one, 'uri'))),
        readResource: async (uri) => {
          const serverId = String(member((await resources())[0], 'serverId'))
          return JSON.stringify(await ask(`/resource?${new URLSearchParams({ serverId, uri })}`))
        },
        close: () => miniflare.dispose(),
      }
    }),
}
