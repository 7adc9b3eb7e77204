/**
 * Trust beside drafts: what the owner let pass in a model, and the conditions that a change has to meet which was applied
 * without a decision.
 *
 * @module
 */

import { RISKS } from '#core/owner/answers/drafts.ts'
import { isWithin, parsePath, type StorePath } from '#core/path.ts'
import type { Trusts } from '#worker/trust/trusts.ts'
import { expect } from 'vitest'
import type { ToolCall } from './draft-model.ts'

/** What the owner lets pass. */
export interface Given {
  readonly folder: '/' | '/a' | '/b'
  readonly tools: readonly string[]
  /** Whether risky changes pass as well. */
  readonly isRisky: boolean
  readonly seconds: number
}

/** Trust of a model, in force. */
export interface Held extends Given {
  readonly id: string
  readonly session: string
  readonly until: number
}

const ACTOR = { principal: 'owner', session: null, label: null }

/** Gives trust to a session. Returns null where the session has ended or has as much as it may have. */
export function give(trusts: Trusts, session: string, given: Given): Held | null {
  const { folder, tools, isRisky, seconds } = given
  const until = Date.now() + seconds * 1000
  const kinds = isRisky ? RISKS : []
  const details = { session, folder: parsePath(folder), tools: tools.toSorted(), kinds, until }
  const shown = trusts.show(details)
  if (!shown.ok) return null
  const made = trusts.give(details, { actor: ACTOR, digest: shown.value.digest, passkey: null })
  return made.ok ? { ...given, id: made.value.id, session, until } : null
}

/** A change that was applied without a decision. */
interface Passed {
  readonly session: string
  readonly call: ToolCall
  /** The paths of what waits in the draft of the session. */
  readonly waiting: readonly StorePath[]
  /** The paths of which the owner left something out. */
  readonly leftOut: ReadonlySet<string>
}

/** The paths that a call writes. */
export const writtenBy = ({ name, args }: ToolCall): StorePath[] =>
  [args['path'], args['to'], name === 'move_file' ? args['from'] : undefined].flatMap((path) =>
    typeof path === 'string' ? [parsePath(path)] : [],
  )

/** Holds a change that passed to the conditions of trust that is in force. */
export function expectTrusted(held: readonly Held[], { session, call, waiting, leftOut }: Passed) {
  const paths = writtenBy(call)
  const by = held.filter(
    (one) =>
      one.session === session &&
      Date.now() < one.until &&
      one.tools.includes(call.name) &&
      paths.every((path) => isWithin(path, parsePath(one.folder))),
  )
  const isRisky = call.name === 'delete_file' || paths.some((path) => leftOut.has(path))
  const facts = JSON.stringify({
    call: [call.name, call.args],
    held,
    waiting,
    leftOut: [...leftOut],
  })
  expect(
    by.some((one) => one.isRisky || !isRisky),
    facts,
  ).toBe(true)
  const meets = waiting.some((one) =>
    paths.some((path) => isWithin(one, path) || isWithin(path, one)),
  )
  expect(meets, facts).toBe(false)
}
