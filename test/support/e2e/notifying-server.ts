/**
 * The Worker of `test/support/worker/notifying-worker.ts` in the workerd of this process, with storage on disk,
 * so that a test can stop it between queueing and delivery.
 *
 * @module
 */

import { join } from 'node:path'
import { Log, LogLevel, Miniflare } from 'miniflare'
import { ASSETS_FOLDER, importedModules, readModules } from '../../../scripts/built.ts'
import { buildIfOld } from '../../../scripts/build.ts'
import { bundle } from '../../../scripts/bundle.ts'
import { compatibilityDate, compatibilityFlags, ROOT } from '../../../scripts/settings.ts'
import type { Summary } from '#worker/notifier/summary.ts'
import { removeFolder, temporaryFolder } from './folder.ts'

const NAME = 'notifying'
const MAIN = 'notifying-worker.js'

/** The handler itself, without the assets in front. */
const ENTRY = 'notifying'

/** A running server. */
export interface NotifyingServer {
  /** Sends a request to the Worker. */
  readonly ask: (path: string, body?: unknown) => Promise<number>
  /** Sends a summary to all channels. Resolves to how the attempts have ended. */
  readonly sendSummary: (summary: Summary) => Promise<unknown>
  /** What the platform logs of e-mail that it was given. */
  readonly emails: readonly string[]
  /** The status of the workspace. */
  readonly status: () => Promise<unknown>
  readonly url: URL
  readonly stop: () => Promise<void>
}

/** Bundles the Worker and reads its modules. */
async function bundleModules() {
  await buildIfOld()
  const folder = temporaryFolder()
  const main = join(folder, MAIN)
  await bundle('test/support/worker/notifying-worker.ts', main)
  const modules = readModules({ [MAIN]: main, ...importedModules() })
  removeFolder(folder)
  return modules
}

let bundled: ReturnType<typeof bundleModules> | undefined

/** Keeps what is logged. */
class KeptLog extends Log {
  readonly lines: string[] = []
  override logWithLevel(_level: LogLevel, message: string): void {
    this.lines.push(message)
  }
}

/** Starts the server on the data of a folder. E-mail reaches only the address `verified`. */
export async function startNotifying(
  data: string,
  variables: Readonly<Record<string, string>>,
  { verified }: { readonly verified?: string } = {},
): Promise<NotifyingServer> {
  const log = new KeptLog(LogLevel.INFO)
  const modules = await (bundled ??= bundleModules())
  const texts = Object.entries(variables).map(
    ([name, value]) => [name, { type: 'text' as const, value }] as const,
  )
  const miniflare = new Miniflare({
    host: '127.0.0.1',
    cf: false,
    log,
    logRequests: false,
    resourcePersistencePath: data,
    workers: [
      {
        config: {
          name: NAME,
          compatibilityDate: compatibilityDate(),
          compatibilityFlags: compatibilityFlags(),
          manifest: { mainModule: MAIN, modules },
          exports: { Workspace: { type: 'durable-object', storage: 'sqlite' } },
          env: {
            ...Object.fromEntries(texts),
            WORKSPACE: { type: 'durable-object', worker: NAME, exportName: 'Workspace' },
            OAUTH_KV: { type: 'kv', id: 'edgewise-oauth' },
            ASSETS: { type: 'assets' },
            ...(verified !== undefined && {
              EMAIL: { type: 'send-email' as const, allowedDestinationAddresses: [verified] },
            }),
          },
          assets: { directory: ASSETS_FOLDER, runWorkerFirst: true, htmlHandling: 'none' },
        },
        dev: {
          rootPath: ROOT,
          unsafeDirectSockets: [{ host: '127.0.0.1', port: 0, entrypoint: ENTRY }],
        },
      },
    ],
  })
  const url = await miniflare.unsafeGetDirectURL(NAME, ENTRY)
  return {
    url,
    ask: async (path, body) => {
      const init = { method: 'POST', body: JSON.stringify(body) }
      const response = await fetch(new URL(path, url), body === undefined ? {} : init)
      await response.arrayBuffer()
      return response.status
    },
    sendSummary: async (summary) => {
      const init = { method: 'POST', body: JSON.stringify(summary) }
      return (await fetch(new URL('/channels', url), init)).json()
    },
    emails: log.lines,
    status: async () => (await fetch(new URL('/status', url))).json(),
    stop: () => miniflare.dispose(),
  }
}
