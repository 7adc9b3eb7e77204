/**
 * The official conformance suite for authorization: as a client of our authorization
 * server, for which a person consents, and as a server for the console's client.
 *
 * @module
 */

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { Person } from '../e2e/person.ts'
import { NODE, ROOT, temporary } from './servers.ts'

export interface Judged {
  readonly exitCode: number | null
  readonly output: string
  /** The scenarios that passed. */
  readonly passed: string[]
}

const SUITE = join(ROOT, 'node_modules/@modelcontextprotocol/conformance/dist/index.js')

/** Runs a command of the suite; `hear` gets the whole output so far, each time that there is more. */
export async function suite(
  args: readonly string[],
  hear: (output: string) => void = () => {},
): Promise<Judged> {
  const child = spawn(NODE, [SUITE, ...args], { stdio: ['ignore', 'pipe', 'pipe'] })
  const closed = once(child, 'close')
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => hear((output += chunk.toString())))
  await closed
  const passed = [...output.matchAll(/^✓ (\S+): [1-9]\d* passed, 0 failed$/gm)]
  return { exitCode: child.exitCode, output, passed: passed.flatMap(([, name]) => name ?? []) }
}

/** The same for a command that also writes its results into a folder. */
async function judge(...[args, hear]: Parameters<typeof suite>): Promise<Judged> {
  const results = temporary()
  const judged = await suite([...args, '--output-dir', results], hear)
  rmSync(results, { recursive: true, force: true })
  return judged
}

/** What is asked of an authorization server. The suite shows a link, and a person follows it. */
export function runAuthorizationSuite(
  url: string,
  client: string,
  { port, resource }: { port: number; resource: string },
): Promise<Judged> {
  const whom = ['--url', url, '--client-id', client, '--resource', resource]
  let followed = false
  return judge(['authorization', ...whom, '--port', String(port)], (output) => {
    const link = /http\S+\/authorize\?\S+(?=\s)/.exec(output)?.[0]
    if (followed || link === undefined) return
    followed = true
    // What came of it, the suite says.
    follow(link).catch(() => {})
  })
}

async function follow(link: string): Promise<void> {
  await fetch(await new Person().consent(new URL(link), { allow: true }))
}

/** What is asked of a client: our own, as a program. */
export function runClientSuite(revision: string, baseline: string): Promise<Judged> {
  const command = `${NODE} ${join(import.meta.dirname, 'conformance-auth-client.ts')}`
  const known = join(import.meta.dirname, baseline)
  const what = ['--requirements', revision, '--expected-failures', known]
  return judge(['client', '--command', command, ...what])
}
