/**
 * Sends a call; if the server requests scopes, gets them granted and sends it again.
 *
 * Stored decisions come first; where there is none, the user is asked. The call carries only the
 * scopes that the server requested, however wide the decision was, and the rounds are limited.
 *
 * @module
 */

import { decide } from '#core/decide.ts'
import type { JsonRecord } from '#core/json.ts'
import { err, ok, type Result } from '#core/result.ts'
import { covers, formatScope, parseScope, readScope, type Scope } from '#core/scope.ts'
import { textOf, textsOf } from '../connection/read.ts'
import type { CallToolResult } from '../connection/types.ts'
import { refusalIn, requestedScopes } from './requested.ts'
import { promptFor, type RuleBook } from './rules.ts'
import type { Asking, Basis, Denied, GaveUp, Send, Subject } from './types.ts'

/** What a gate needs. */
export interface GateParts {
  readonly server: string
  readonly send: Send
  readonly ask: Asking
  readonly rules: RuleBook
  readonly signal: AbortSignal
}

/** Times that a server may request further scopes. */
const MAX_ROUNDS = 5

/** Sends one call with the grants it needs. */
export interface Gate {
  /** Sends the call with more `_meta`. An error means that it was denied or given up. */
  send(extra: JsonRecord): Promise<Result<CallToolResult, Denied | GaveUp>>
  /** The scopes granted so far, and why the last of them were allowed. */
  readonly granted: readonly string[]
  readonly basis: Basis
}

/** Creates the gate of one call. */
export function createGate(subject: Subject, parts: GateParts): Gate {
  const { call } = subject
  const granted = new Set<string>()
  let basis: Basis = 'no-question'

  async function send(extra: JsonRecord): Promise<Result<CallToolResult, Denied | GaveUp>> {
    for (let round = 0; ; round++) {
      parts.signal.throwIfAborted()
      const meta = { ...call.meta, ...extra, ...grantsIn(call.meta, granted) }
      const result = await sendOrRefusal({ ...call, meta }, parts.send)
      const wanted = requestedScopes(result)
      if (wanted.length === 0) return ok(result)
      const missing = wanted.filter((scope) => !granted.has(scope))
      // It requests what it was just given, or has requested too often.
      if (missing.length === 0 || round === MAX_ROUNDS)
        return err({ status: 'gave-up', reason: 'scopes', result })
      const settled = await settle(missing, result)
      if (!settled.ok) return settled
      for (const scope of missing) granted.add(scope)
      basis = settled.value
    }
  }

  /** Looks for a stored decision, and asks the user if there is none. */
  async function settle(
    texts: readonly string[],
    refusal: CallToolResult,
  ): Promise<Result<Basis, Denied>> {
    const wanted = texts.map((text) => parseScope(text))
    const verdict = decide(wanted, parts.rules.rememberedFor(parts.server))
    if (verdict.decision === 'allow') return ok('rule')
    if (verdict.decision === 'deny') return refused('rule', verdict.denied, refusal)
    return askPerson(verdict.ask, refusal)
  }

  async function askPerson(
    asked: readonly Scope[],
    refusal: CallToolResult,
  ): Promise<Result<Basis, Denied>> {
    const scopes = asked.map(formatScope)
    const options = promptFor(call.tool, scopes)
    const answer = await parts.ask.grant({ ...subject, scopes, options, refusal }, parts.signal)
    const chosen = answer.scopes ?? scopes
    const decision = answer.allow ? 'allow' : 'deny'
    const { server } = parts
    parts.rules.remember({ server, decision, scopes: chosen, duration: answer.duration })
    if (!answer.allow) return refused('person', asked, refusal)
    const left = asked.filter((scope) => !isCovered(scope, chosen))
    return left.length > 0 ? refused('person', left, refusal) : ok('granted')
  }

  return {
    send,
    get granted() {
      return [...granted]
    },
    get basis() {
      return basis
    },
  }
}

function refused(by: Denied['by'], scopes: readonly Scope[], result: CallToolResult) {
  const texts = scopes.map(formatScope)
  return err({ status: 'denied', by, what: 'scopes', scopes: texts, result } as const)
}

function isCovered(wanted: Scope, chosen: readonly string[]): boolean {
  return chosen.some((text) => {
    const held = readScope(text)
    return held.ok && covers(held.value, wanted)
  })
}

/** Adds the grants of this flow to those already in the call. */
function grantsIn(meta: JsonRecord, granted: ReadonlySet<string>): JsonRecord {
  if (granted.size === 0) return {}
  const given = meta['granted_scopes']
  const before = Array.isArray(given) ? textsOf(given) : [textOf(given)].filter((text) => text)
  return { granted_scopes: [...new Set([...before, ...granted])] }
}

async function sendOrRefusal(call: Subject['call'], send: Send): Promise<CallToolResult> {
  try {
    return await send(call)
  } catch (error) {
    const refusal = refusalIn(error)
    if (refusal) return refusal
    throw error
  }
}
