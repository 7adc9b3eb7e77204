/**
 * Plants each fault in a copy of the project and checks that its tests find it.
 *
 *     npm run test:planted                   # all faults
 *     npm run test:planted -- scope drafts:  # those with one of these texts in their name
 *     npm run test:planted -- scope --whole  # all fast tests of the room for those that the named tests miss
 *
 * The tests that found the faults are written to `test/planted/found.json`, which `test/planted.test.ts` reads.
 *
 * @module
 */

import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import { findBrowser } from '../../scripts/browser.ts'
import { createMemoryFolder } from '../../scripts/memory-folder.ts'
import { inProject } from '../../scripts/settings.ts'
import { checkFault, type CheckContext, type Verdict } from './check.ts'
import { copyProject } from './copy.ts'
import { FOUND_FILE, type Fault, type FoundBy, type FoundTable } from './fault.ts'
import { FAULTS } from './faults.ts'
import { projectOf } from './places.ts'
import { createSessions } from './session.ts'

const words = process.argv.slice(2)
const isWhole = words.includes('--whole')
const filters = words.filter((word) => !word.startsWith('--'))
const isWanted = ({ name }: Fault) =>
  filters.length === 0 || filters.some((part) => name.includes(part))

/** Faults of the same project and test file follow each other. */
const orderOf = ({ tests: [first = ''] }: Fault) => `${projectOf(first)} ${first}`

const chosen = FAULTS.filter(isWanted).toSorted((a, b) => orderOf(a).localeCompare(orderOf(b)))

/** Sets what the browser and the tests read from the environment. */
async function prepareEnvironment(temporary: Readonly<Record<string, string>>): Promise<void> {
  const browser = await findBrowser()
  const quiet = { CLOUDFLARE_CF_FETCH_ENABLED: 'false' } // what workerd is started for fetches nothing
  Object.assign(process.env, {
    CHROMIUM: browser.executable,
    ...browser.env,
    ...temporary,
    ...quiet,
  })
}

/** What became of each fault so far, by its name. */
const verdicts = new Map<string, Verdict>()

async function checkAll(context: CheckContext): Promise<void> {
  for (const fault of chosen) {
    const verdict = await checkFault(context, fault)
    verdicts.set(fault.name, verdict)
    console.log(describe(fault, verdict))
  }
}

function describe({ name, promise }: Fault, verdict: Verdict): string {
  if (verdict.kind === 'found')
    return `found    ${name}\n         ${verdict.file} > ${verdict.test}`
  if (verdict.kind === 'missed') return `missed   ${name}\n         ${promise}`
  return `invalid  ${name}\n         ${verdict.reason}`
}

/** Keeps the entries of faults that were not run, and drops those of faults that no longer exist. */
function writeTable(): void {
  const path = inProject(FOUND_FILE)
  const old: FoundTable = existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : {}
  const rows = FAULTS.flatMap(({ name }): [string, FoundBy][] => {
    const verdict = verdicts.get(name)
    if (verdict?.kind === 'found') return [[name, { file: verdict.file, test: verdict.test }]]
    const known = verdict === undefined ? old[name] : undefined
    return known === undefined ? [] : [[name, known]]
  })
  const table = Object.fromEntries(rows.toSorted(([a], [b]) => (a < b ? -1 : 1)))
  writeFileSync(path, `${JSON.stringify(table, null, 2)}\n`)
}

const memory = createMemoryFolder()
await prepareEnvironment(memory.env)
const copy = copyProject()
const sessions = createSessions(copy.root)

/** Time in ms for runtimes to end; some do not while a test waits. */
const MAX_CLOSE_MS = 5_000

/** Writes what was found so far, and ends the runtimes. */
async function end(): Promise<void> {
  writeTable()
  process.chdir('/')
  await Promise.race([sessions.close(), setTimeout(MAX_CLOSE_MS)])
}

// However the process ends: a run that is closed in the middle of a test fails.
process.once('exit', () => {
  copy.remove()
  memory.remove()
})

for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => void end().finally(() => process.exit(130)))

// Tests read files relative to it.
process.chdir(copy.root)
process.env['PWD'] = copy.root
await checkAll({ copy, sessions, baselines: new Map(), isWhole })
await end()
const found = [...verdicts.values()].filter(({ kind }) => kind === 'found').length
const invalid = [...verdicts.values()].filter(({ kind }) => kind === 'invalid').length
if (invalid > 0) console.log(`\n${invalid} invalid, counted as missed`)
console.log(`\n${found} found, ${verdicts.size - found} missed`)
process.exit(found === verdicts.size ? 0 : 1)
