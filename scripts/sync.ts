/**
 * `npm run sync -- <folder> [url]`: keeps a folder on disk and a folder of a workspace in step. `docs/sync.md` explains it.
 *
 * @module
 */

import { setTimeout as sleep } from 'node:timers/promises'
import { printable, runScript, UserError } from './errors.ts'
import { HELP, readArguments, type SyncJob } from './sync/arguments.ts'
import { describeOutcome, describePlan, describeRest, isQuiet, isTrouble } from './sync/outcome.ts'
import { look, sync } from './sync/run.ts'
import { lockSession, openSession, type Session } from './sync/session.ts'
import { watchBoth } from './sync/watch.ts'

/** What the command line asks for. */
export async function run(): Promise<void> {
  const job = readArguments()
  if (job === null) return console.log(HELP)
  const session = await openSession(job)
  if (job.command === 'status' || job.isDry) return showPlan(session)
  await session.parts.disk.prepare()
  const unlock = lockSession(job.folder)
  try {
    if (job.watches) await watchSession(job, session)
    else await syncSession(session)
  } finally {
    unlock()
  }
}

async function showPlan({ parts, options, where }: Session): Promise<void> {
  const { plan, outcome } = await look(parts, options)
  const lines = [...describePlan(plan), ...describeRest(outcome).map(printable)]
  console.log(
    [...lines, lines.length === 0 ? `In step with ${where}` : `Compared with ${where}`].join('\n'),
  )
  if ([...plan.values()].some(({ type }) => type === 'conflict' || type === 'choose'))
    process.exitCode = 1
}

async function syncSession({ parts, options, where }: Session): Promise<void> {
  const outcome = await sync(parts, options)
  console.log(describeOutcome(outcome, where).join('\n'))
  if (isTrouble(outcome)) process.exitCode = 1
}

/** Time (ms) between two looks at the workspace when a run just failed on it. */
const UNKNOWN_MS = 1_000

async function watchSession(job: SyncJob, { parts, options, where }: Session): Promise<void> {
  const control = new AbortController()
  const stop = () => control.abort()
  process.once('SIGINT', stop)
  process.once('SIGTERM', stop)
  console.log(printable(`Watching ${job.folder} and ${where}. Ctrl+C ends it`))
  // A choice is for what differs at the start.
  let choice = options
  try {
    await watchBoth({
      folder: job.folder,
      signal: control.signal,
      run: async () => {
        const outcome = await sync(parts, choice)
        choice = { ...options, take: null, acceptsRules: false }
        if (!isQuiet(outcome)) console.log(describeOutcome(outcome, where).join('\n'))
      },
      waitThere: async (signal) => {
        const { version } = parts.state
        if (version === null) await sleep(UNKNOWN_MS, undefined, { signal })
        else await parts.remote.wait(version, signal)
      },
      report: (error: UserError) => console.error(printable(error.message)),
    })
  } finally {
    process.off('SIGINT', stop)
    process.off('SIGTERM', stop)
  }
}

if (import.meta.main) await runScript(run)
