/**
 * Ends the runtime with this process.
 *
 * Miniflare ends workerd when this process exits. A process that is killed, by the user or for its memory, does not
 * get so far: workerd would keep the port and the data, and the next start would find both in use. Tested by
 * `test/e2e/startup.test.ts`.
 *
 * @module
 */

import { isRecord } from '#core/json.ts'
import { ChildProcess, spawn } from 'node:child_process'
import { subscribe } from 'node:diagnostics_channel'
import { basename } from 'node:path'

/** Its input ends with the process that holds the other end, however that ends. */
const SCRIPT = 'read -r _; kill -9 "$0"'

/** Ends each workerd that is started from now on, once this process has ended. */
export function guardRuntimes(): void {
  if (process.platform === 'win32') return // there, Node ends its children with itself
  // Miniflare does not tell which process it has started.
  subscribe('child_process', (message) => {
    const child = isRecord(message) ? message['process'] : undefined
    if (child instanceof ChildProcess) child.once('spawn', () => guard(child))
  })
}

function guard(runtime: ChildProcess): void {
  if (!basename(runtime.spawnfile).startsWith('workerd')) return
  // A group of its own, because Ctrl+C and `kill` reach the whole group of this process.
  const guardian = spawn('sh', ['-c', SCRIPT, `${runtime.pid}`], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  guardian.on('error', () => undefined) // without a shell there is no guard, as before
  guardian.unref()
  runtime.once('exit', () => guardian.kill('SIGKILL'))
}
