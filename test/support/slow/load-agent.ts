/**
 * An agent of a load test: a client, a folder of its own, and a record of its changes.
 *
 * Some of its changes are previewed first; then exactly the preview is applied.
 *
 * @module
 */

import assert from 'node:assert/strict'
import { PREVIEW_META } from '#core/wire.ts'
import { below, pick, seeded, type Random } from '../../../bench/random.ts'
import type { Arguments, Client, Done, Refused } from './load-client.ts'
import type { Ledger } from './load-audit.ts'
import type { Statistics } from './load-statistics.ts'
import { textOf, type Label } from './load-content.ts'

export type Agent = ReturnType<typeof createAgent>

/** A change that was made. */
export interface Made {
  readonly ok: true
  readonly id: string
  readonly version: number
}

export interface AgentParts {
  readonly name: string
  readonly seed: number
  readonly client: Client
  readonly ledger: Ledger
  readonly tally: Statistics
}

/** One change in so many is shown first. */
const SHOWN_EVERY = 6

/** One text in so many is written by others too. */
const COMMON_EVERY = 8
const COMMON_TEXTS = 5

export function createAgent({ name, seed, client, ledger, tally }: AgentParts) {
  const random = seeded(seed)
  let turn = 0

  /** Returns a label that no other write uses. */
  const newLabel = (bytes: number): Label => ({ by: name, turn: ++turn, bytes, revision: 0 })

  /** Mostly a new text; now and then one that many files hold at the same time. */
  function someText(bytes: number): string {
    if (below(random, COMMON_EVERY) > 0) return textOf(newLabel(bytes))
    return textOf({ by: 'common', turn: below(random, COMMON_TEXTS), bytes: 700, revision: 0 })
  }

  /** Makes a change that may be refused, because others write there too. */
  async function attempt(tool: string, args: Arguments): Promise<Made | Refused> {
    const shown = below(random, SHOWN_EVERY) === 0 ? await show(tool, args) : undefined
    if (shown && !shown.ok) return refused(shown)
    const meta = shown?.change ? { [PREVIEW_META]: shown.change.id } : {}
    const done = await client.call(tool, args, meta)
    if (!done.ok) return refused(done)
    const { change } = done
    assert(change?.applied && change.version !== null, `${tool} answers without a change`)
    if (shown) assert.deepEqual(withoutVersion(done), withoutVersion(shown))
    return { ok: true, id: change.id, version: ledger.applied(change.version, tool) }
  }

  async function show(tool: string, args: Arguments): Promise<Done | Refused> {
    const shown = await client.call(tool, args, { preview: true })
    if (!shown.ok) return shown
    assert(shown.change?.applied === false, `${tool} was to be shown`)
    ledger.noted()
    return shown
  }

  function refused(refusal: Refused): Refused {
    tally.refused(refusal.code)
    return refusal
  }

  /** Makes a change in the own folder, where no other agent writes, so it cannot conflict. */
  async function change(tool: string, args: Arguments): Promise<Made> {
    const made = await attempt(tool, args)
    if (!made.ok) throw new Error(`${tool} ${JSON.stringify(args).slice(0, 200)}: ${made.code}`)
    return made
  }

  /** Uploads a file over HTTP. Answers its version. */
  async function upload(path: string, text: string): Promise<number> {
    const { status, body } = await client.put(path, {}, text)
    assert([200, 201].includes(status), `PUT ${path} answered ${status}: ${body.toString()}`)
    const { version }: { version: number } = JSON.parse(body.toString())
    return ledger.applied(version, 'PUT')
  }

  /** Calls a read-only tool. */
  async function look(tool: string, args: Arguments): Promise<Done['structured']> {
    const done = await client.call(tool, args)
    if (!done.ok) throw new Error(`${tool} ${JSON.stringify(args).slice(0, 200)}: ${done.code}`)
    return done.structured
  }

  /** Downloads a file that is there. */
  async function download(path: string): Promise<{ text: string; version: number }> {
    const { status, head, body } = await client.get(path)
    assert.equal(status, 200, `GET ${path} answered ${status}: ${body.toString('utf8', 0, 200)}`)
    return { text: body.toString(), version: Number(/\r\netag: "(\d+)"/.exec(head)?.[1]) }
  }

  const chance: Random = random
  const any = <T>(items: readonly T[]): T => pick(random, items)
  const upTo = (end: number) => below(random, end)
  return {
    name,
    client,
    newLabel,
    someText,
    attempt,
    change,
    upload,
    look,
    download,
    chance,
    any,
    upTo,
  }
}

/** Others may have changed the workspace since the preview, so only the version may differ. */
const withoutVersion = ({ structured: { version: _version, ...rest } }: Done) => rest
