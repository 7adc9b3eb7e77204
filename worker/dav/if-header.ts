/**
 * The header `If` of RFC 4918, section 10.4: lists of conditions, of which one has to hold. It names locks by their
 * tokens, and states by their entity tags. `test/worker/dav/if-header.test.ts` has the cases.
 *
 * @module
 */

import { err, ok, type Result } from '#core/result.ts'
import { MAX_DAV_HEADER, MAX_IF_CONDITIONS } from './limits.ts'

/** One condition: the token of a lock, or an entity tag with its quotes. */
export interface Condition {
  readonly type: 'token' | 'tag'
  readonly value: string
  readonly isNot: boolean
}

/** Conditions that have to hold together, on the resource of an address; null for that of the request. */
export interface ConditionList {
  readonly resource: string | null
  readonly conditions: readonly Condition[]
}

const RESOURCE = /\s*<([^<>\s]+)>(?=\s*\()/y
const BEGIN = /\s*\(/y
const CONDITION = /\s*(?:(not)(?=[\s<[])\s*)?(?:<([^<>\s]+)>|\[((?:W\/)?"[^"]*")\])/iy
const END = /\s*\)\s*/y

/** Parses the header. The error is a clause that says what is wrong with it. */
export function parseIf(text: string): Result<readonly ConditionList[], string> {
  if (text.length > MAX_DAV_HEADER) return err(`it is longer than ${MAX_DAV_HEADER} characters`)
  const lists: ConditionList[] = []
  let [at, count] = [0, 0]
  let resource: string | null = null
  const take = (pattern: RegExp) => {
    pattern.lastIndex = at
    const match = pattern.exec(text)
    if (match) at += match[0].length
    return match
  }
  while (at < text.trimEnd().length) {
    const tagged = take(RESOURCE)
    // Lists with and without a resource are not mixed.
    if (tagged && lists.length > 0 && resource === null) return err('it mixes its two forms')
    resource = tagged?.[1] ?? resource
    if (!take(BEGIN)) return err('a list does not begin with (')
    const conditions: Condition[] = []
    for (let match = take(CONDITION); match; match = take(CONDITION)) {
      if (++count > MAX_IF_CONDITIONS)
        return err(`it has more than ${MAX_IF_CONDITIONS} conditions`)
      conditions.push(conditionOf(match))
    }
    if (conditions.length === 0 || !take(END)) return err('a list is malformed')
    lists.push({ resource, conditions })
  }
  return lists.length > 0 ? ok(lists) : err('it is empty')
}

function conditionOf([, not, token, tag = '']: RegExpExecArray): Condition {
  const isNot = not !== undefined
  return token === undefined
    ? { type: 'tag', value: tag, isNot }
    : { type: 'token', value: token, isNot }
}

/** What a resource is now. */
export interface State {
  /** Its entity tag; null if there is none. */
  readonly tag: string | null
  /** The tokens of the locks that are on it. */
  readonly tokens: readonly string[]
}

/** Whether one of the lists holds. `stateOf` finds the state of a resource. */
export const holds = (
  lists: readonly ConditionList[],
  stateOf: (resource: string | null) => State,
): boolean =>
  lists.some(({ resource, conditions }) => {
    const state = stateOf(resource)
    return conditions.every((condition) => isMet(condition, state) !== condition.isNot)
  })

const isMet = ({ type, value }: Condition, { tag, tokens }: State): boolean =>
  type === 'tag' ? value === tag : tokens.includes(value)

/** The tokens that a header submits, whether their lists hold or not; those of conditions with Not as well. */
export const tokensIn = (lists: readonly ConditionList[]): string[] =>
  lists.flatMap(({ conditions }) =>
    conditions.flatMap(({ type, value }) => (type === 'token' ? [value] : [])),
  )
