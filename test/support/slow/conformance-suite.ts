/**
 * The official conformance suite, run as its command line, with its results read from its files.
 *
 * The list of required scenarios comes from the suite itself, so a scenario that did not run, or that
 * ended before its first check, counts as missing and not as passed.
 *
 * @module
 */

import { execFile } from 'node:child_process'
import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { NODE, ROOT, temporary } from './servers.ts'

export type Revision = '2026-07-28' | '2025-11-25'

export interface Verdict {
  readonly scenario: string
  readonly passed: boolean
  /** Checks that failed, warned or were skipped, each with its message. */
  readonly complaints: string[]
}

export interface Judgement {
  readonly exitCode: number
  /** What the suite printed. */
  readonly output: string
  readonly verdicts: Verdict[]
}

const SUITE = join(ROOT, 'node_modules/@modelcontextprotocol/conformance/dist/index.js')

/** The scenarios that a revision scores. */
export async function required(revision: Revision): Promise<string[]> {
  const { output } = await run(['list', '--requirements', revision])
  const [, server = ''] = /^Server scenarios.*\n((?: {2}- .*\n)+)/m.exec(output) ?? []
  return [...server.matchAll(/- (\S+)/g)].flatMap(([, name]) => name ?? [])
}

/** Runs all that a revision knows; a baseline is a file beside this one. */
export async function judge(
  url: string,
  revision: Revision,
  baseline?: string,
): Promise<Judgement> {
  const known = baseline ? ['--expected-failures', join(import.meta.dirname, baseline)] : []
  return runServer(url, ['--requirements', revision, ...known])
}

/** Runs one scenario, also one of an extension. */
export const judgeScenario = (url: string, scenario: string): Promise<Judgement> =>
  runServer(url, ['--scenario', scenario])

async function runServer(url: string, what: readonly string[]): Promise<Judgement> {
  const results = temporary()
  const judged = await run(['server', '--url', url, ...what, '-o', results])
  const verdicts = readdirSync(results).map((folder) => readResults(results, folder))
  rmSync(results, { recursive: true })
  return { ...judged, verdicts }
}

const checks = z.array(
  z.object({ id: z.string(), status: z.string(), errorMessage: z.string().optional() }),
)

/** A folder is named `server-{scenario}-{time}`. */
function readResults(results: string, folder: string): Verdict {
  const file = readFileSync(join(results, folder, 'checks.json'), 'utf8')
  const all = checks.parse(JSON.parse(file))
  const bad = all.filter(({ status }) => status !== 'SUCCESS' && status !== 'INFO')
  return {
    scenario: folder.replace(/^server-(.+)-\d{4}-\d\d-\d\dT.*$/, '$1'),
    passed: bad.length === 0 && all.some(({ status }) => status === 'SUCCESS'),
    complaints: bad.map(({ id, status, errorMessage }) => `${status} ${id}: ${errorMessage}`),
  }
}

function run(args: string[]): Promise<Omit<Judgement, 'verdicts'>> {
  const { promise, resolve } = Promise.withResolvers<Omit<Judgement, 'verdicts'>>()
  const child = execFile(NODE, [SUITE, ...args], { maxBuffer: 64e6 }, (_, stdout, stderr) => {
    resolve({ exitCode: child.exitCode ?? -1, output: stdout + stderr })
  })
  return promise
}
