/**
 * Reads documents in a process of their own, on this machine: one that takes too long or too much memory ends with that
 * process, and the product goes on. It runs the same module as the Worker, with the limits that only a process can have.
 *
 * The process is started with the first document and ends when none came for a while. Tested by
 * `test/extractor.test.ts`.
 *
 * @module
 */

import { spawn, type ChildProcess } from 'node:child_process'
import { pathToFileURL } from 'node:url'
import { join } from 'node:path'
import { guard } from './child-guard.ts'
import { MODULE_EXTENSION, WORKER_FOLDER } from './built.ts'

/** Longest time for one document, after the others before it. */
const MAX_MS = 30_000

/** Memory of the process for objects, in MiB. */
const MEMORY = 512

/** Time without a document after which the process ends. */
const IDLE_MS = 60_000

/** Documents that wait; the Worker reads further ones itself. */
const MAX_WAITING = 64

/** What is run: a file of its own would not be in the package. */
const PROGRAM = `
const { extractText } = await import(process.argv[1])
const turn = () => new Promise((done) => setImmediate(done))
process.on('message', async ({ bytes, format }) => {
  process.send(await extractText(bytes, { format, isIsolated: true, turn }))
})
process.on('disconnect', () => process.exit())
`

/** A document: its bytes, and the format that its name tells. */
interface Job {
  readonly bytes: Uint8Array
  readonly format: string | null
}

/** How a process is limited; tests use less. */
export interface ExtractorLimits {
  readonly maxMs: number
  readonly module: string
}

const LIMITS: ExtractorLimits = {
  maxMs: MAX_MS,
  module: join(WORKER_FOLDER, `extract${MODULE_EXTENSION}`),
}

/** Reads documents one after the other. */
export interface Extractor {
  /** Resolves to what was found, as JSON; null if too many wait, or it was ended. */
  read(job: Job): Promise<string | null>
  /** Ends the process. */
  end(): void
}

/** Creates the extractor. Nothing runs until the first document. */
export function createExtractor({ maxMs, module }: ExtractorLimits = LIMITS): Extractor {
  let child: ChildProcess | null = null
  let idle: NodeJS.Timeout | undefined
  let last: Promise<unknown> = Promise.resolve()
  let waiting = 0
  let isEnded = false

  function stop(): void {
    clearTimeout(idle)
    child?.kill('SIGKILL')
    child = null
  }

  function start(): ChildProcess {
    const memory = `--max-old-space-size=${MEMORY}`
    const args = [memory, '--input-type=module', '-e', PROGRAM, pathToFileURL(module).href]
    // A document without end would be read on when the product has gone.
    const started = guard(
      spawn(process.execPath, args, {
        stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
        serialization: 'advanced',
        // Ctrl+C is for the product alone: it ends this process, and no document is blamed for it.
        detached: true,
      }),
    )
    started.on('error', () => undefined) // the exit, or the time, tells it
    // One that ends while it has nothing to do says nothing of the next document.
    started.on('exit', () => {
      if (child === started) child = null
    })
    return started
  }

  async function run(job: Job): Promise<string | null> {
    if (isEnded) return null
    clearTimeout(idle)
    const reader = (child ??= start())
    const { promise, resolve } = Promise.withResolvers<string>()
    const timer = setTimeout(() => resolve(TOO_LONG), maxMs)
    const answer = (found: unknown) => resolve(JSON.stringify(found))
    const fail = () => resolve(ENDED)
    reader.once('message', answer).once('exit', fail).once('error', fail)
    reader.send(job, (error) => error && fail())
    const found = await promise
    clearTimeout(timer)
    reader.off('message', answer).off('exit', fail).off('error', fail)
    // Neither a document that was interrupted nor the product is at fault then.
    if (isEnded) return null
    if (found === TOO_LONG || found === ENDED) stop()
    idle = setTimeout(stop, IDLE_MS)
    idle.unref()
    return found
  }

  function end(): void {
    isEnded = true
    stop()
  }

  return {
    end,
    async read(job) {
      if (waiting >= MAX_WAITING) return null
      waiting++
      const turn = last.then(() => run(job))
      last = turn.catch(() => undefined)
      try {
        return await turn
      } finally {
        waiting--
      }
    },
  }
}

const refused = (detail: string) => JSON.stringify({ ok: false, why: 'too_large', detail })

const TOO_LONG = refused('reading it takes too long')
const ENDED = refused('reading it takes too much memory')
