/**
 * Ends children with this process.
 *
 * A program that ends its children when it exits does not get so far when it is killed, by the user or for its memory:
 * a server would keep its port and its data, and the next start would find both in use. Tested by
 * `test/child-guard.test.ts`, `test/e2e/startup.test.ts` and `test/e2e/dev.slow.test.ts`.
 *
 * @module
 */

import { isRecord } from '#core/json.ts'
import { ChildProcess, spawn } from 'node:child_process'
import { subscribe } from 'node:diagnostics_channel'
import { basename } from 'node:path'
import { pathToFileURL } from 'node:url'
import { inProject } from './settings.ts'

/** Its input ends with the process that holds the other end, however that ends. */
const SCRIPT = 'read -r _; kill -9 "$0"; rm -rf -- "$@"'

/**
 * Ends a child once this process has ended, and then deletes the folders that were made for it.
 *
 * @returns The child.
 */
export function guard<Child extends ChildProcess>(child: Child, ...folders: string[]): Child {
  if (process.platform === 'win32') return child // there, Node ends its children with itself
  if (child.pid === undefined) return child // it did not start
  // A group of its own, because Ctrl+C and `kill` reach the whole group of this process.
  const guardian = spawn('sh', ['-c', SCRIPT, `${child.pid}`, ...folders], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  guardian.on('error', () => undefined) // without a shell there is no guard
  guardian.unref()
  child.once('exit', () => guardian.kill('SIGKILL'))
  return child
}

/** Guards each workerd and each Node that is started from now on: libraries do not tell which processes they start. */
export function guardChildren(): void {
  subscribe('child_process', (message) => {
    const child = isRecord(message) ? message['process'] : undefined
    if (child instanceof ChildProcess) child.once('spawn', () => guardServer(child))
  })
}

function guardServer(child: ChildProcess): void {
  const isNode = child.spawnfile === process.execPath
  if (isNode || basename(child.spawnfile).startsWith('workerd')) guard(child)
}

/** Returns the environment in which a program in Node guards its children, and those in Node theirs. */
export function guardingEnvironment(): NodeJS.ProcessEnv {
  const module = pathToFileURL(inProject('scripts/guard-children.ts')).href
  return { NODE_OPTIONS: `${process.env['NODE_OPTIONS'] ?? ''} --import=${module}`.trim() }
}
