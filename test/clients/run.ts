/** Runs a client's drive in a process of its own and reads its record. @module */

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { setTimeout } from 'node:timers/promises'
import { CLIENTS, haveHosts, HOSTS, KINDS, versionOf } from './clients.ts'
import { RECORD, type Cells } from './session.ts'

export interface Row {
  readonly kind: keyof typeof KINDS
  readonly file: string
  readonly title: string
  readonly version: string
  readonly mode: string
}

/** Every client in each of its modes. */
export const ROWS: readonly Row[] = [...CLIENTS, ...(haveHosts ? HOSTS : [])].flatMap(
  ({ kind = 'model', file, title, from, modes }) =>
    modes.map((mode) => ({ kind, file, title, version: versionOf(from, kind), mode })),
)

const MAX_DRIVE_MS = 400_000

/** Returns the record of a drive; throws its output if it ended early. */
export async function drive(file: string, mode: string, origin: string): Promise<Cells> {
  const name = `${file}-${mode}`.replace(/\W+/g, '-')
  const program = `${import.meta.dirname}/drive.ts`
  const child = spawn(process.execPath, [program, file, mode, origin, name], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const late = new AbortController()
  void setTimeout(MAX_DRIVE_MS, undefined, { signal: late.signal })
    .then(() => child.kill('SIGKILL'))
    .catch(() => {})
  const exit = once(child, 'exit')
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)])
  await exit
  late.abort()
  return readRecord(stdout) ?? fail(file, stdout + stderr)
}

function readRecord(stdout: string): Cells | undefined {
  const line = stdout.split('\n').findLast((each) => each.startsWith(RECORD))
  return line === undefined ? undefined : JSON.parse(line.slice(RECORD.length))
}

function fail(file: string, printed: string): never {
  throw new Error(`The drive of ${file} broke off:\n${printed.slice(-2000)}`)
}
