/**
 * The official Inspector as its command line, with a home folder of its own.
 *
 * @module
 */

import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { NODE, ROOT } from './servers.ts'

export interface Inspection {
  readonly era: 'modern' | 'legacy'
  readonly method: string
  readonly args: readonly string[]
  /** Its home folder. */
  readonly home: string
}

const INSPECTOR = join(ROOT, 'node_modules/.bin/mcp-inspector')

export function inspect(url: string, { era, method, args, home }: Inspection) {
  const how = ['--transport', 'http', '--protocol-era', era, '--format', 'json']
  const all = [INSPECTOR, '--cli', url, ...how, '--method', method, ...args]
  const env = { ...process.env, HOME: home }
  const { promise, resolve } = Promise.withResolvers<{
    exitCode: number | null
    stdout: string
    stderr: string
  }>()
  const child = execFile(NODE, all, { env }, (_, stdout, stderr) =>
    resolve({ exitCode: child.exitCode, stdout, stderr }),
  )
  return promise
}
