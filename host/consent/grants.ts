/**
 * Sends a call; if the server requests scopes, gets them granted and sends it again.
 *
 * Stored decisions come first; where there is none, the user is asked. The call is granted only scopes
 * that the server requested, or that it needs for the paths it names and that are allowed already,
 * however wide the decision was. A call of an app also carries the stored denials. The rounds are limited.
 *
 * @module
 */

import { decide } from './decide.ts'
import type { JsonRecord } from '#core/json.ts'
import { err, ok, type Result } from '#core/result.ts'
import { covers, formatScope, parseScope, readScope, type Scope } from '#core/scope.ts'
import { textOf, textsOf } from '../mcp/parse.ts'
import type { CallToolResult } from '../mcp/types.ts'
import type { CallScopes } from './call-scopes.ts'
import { listDenials, withDenials } from './denied-scopes.ts'
import { readRefusal, requestedScopes } from './refusal.ts'
import { buildScopeOptions, type DecisionStore } from './stored-decisions.ts'
import type { Basis, ConsentDialogs, Denied, GaveUp, Requester, Send, Subject } from './types.ts'

/** What a call with grants needs. */
export interface GrantedCallParts {
  /** The server's URL, under which decisions are stored. */
  readonly server: string
  readonly send: Send
  readonly ask: ConsentDialogs
  readonly decisions: DecisionStore
  readonly requester: Requester
  readonly signal: AbortSignal
  /** Whether the server still lists the tool as the questions show it. */
  readonly isCurrent: () => boolean
}

/** Times that a server may request further scopes. */
const MAX_ROUNDS = 5

/** Scopes that a call carries because of stored decisions; the server requests any others. */
const MAX_REMEMBERED = 50

/** One call, which can be sent several times with the grants it needs. */
export class GrantedCall {
  readonly #subject: Subject
  readonly #parts: GrantedCallParts
  readonly #touched: CallScopes
  readonly #granted = new Set<string>()
  #basis: Basis = 'no-question'

  /**
   * @param subject The call, and what a question about it shows.
   * @param touched What the call needs. Scopes with a path that a stored decision allows are granted at
   *   once, so that the server does not have to refuse each call first.
   */
  constructor(subject: Subject, parts: GrantedCallParts, touched: CallScopes) {
    this.#subject = subject
    this.#parts = parts
    this.#touched = touched
    const remembered = parts.decisions.decisionsFor(parts.server)
    for (const text of touched.needed.slice(0, MAX_REMEMBERED)) {
      const scope = readScope(text)
      const isAllowed = scope.ok && decide([scope.value], remembered).decision === 'allow'
      if (isAllowed && scope.value.path !== null) this.#granted.add(text)
    }
    if (this.#granted.size > 0) this.#basis = 'stored'
  }

  /** The scopes granted so far. */
  get granted(): readonly string[] {
    return [...this.#granted]
  }

  /** Why the last of them were allowed. */
  get basis(): Basis {
    return this.#basis
  }

  /**
   * Sends the call.
   *
   * @param extra Added to its `_meta`.
   * @returns The result; an error means that the call was denied or given up.
   */
  async send(extra: JsonRecord): Promise<Result<CallToolResult, Denied | GaveUp>> {
    for (let round = 0; ; round++) {
      // Whatever was asked meanwhile was about the tool as it was.
      if (!this.#parts.isCurrent())
        return err({ status: 'gave-up', reason: 'changed', result: null })
      const result = await this.#sendOnce(extra)
      const wanted = requestedScopes(result)
      if (wanted.length === 0) return ok(result)
      const missing = wanted.filter((scope) => !this.#granted.has(scope))
      // It requests what it was just given, or has requested too often.
      if (missing.length === 0 || round === MAX_ROUNDS)
        return err({ status: 'gave-up', reason: 'scopes', result })
      const decided = await this.#decide(missing, result)
      if (!decided.ok) return decided
      for (const scope of missing) this.#granted.add(scope)
      this.#basis = decided.value
    }
  }

  async #sendOnce(extra: JsonRecord): Promise<CallToolResult> {
    const { send, signal } = this.#parts
    const { call } = this.#subject
    signal.throwIfAborted()
    const granted = { ...call.meta, ...extra, ...addGrants(call.meta, this.#granted) }
    const meta = withDenials(granted, this.#listDenials())
    try {
      return await send({ ...call, meta })
    } catch (error) {
      const refusal = readRefusal(error)
      if (refusal) return refusal
      throw error
    }
  }

  /** Lists the denials of this moment: one may be stored while the user is asked about the call. */
  #listDenials(): readonly string[] {
    const { requester, decisions, server } = this.#parts
    return requester === 'app' ? listDenials(this.#touched, decisions.decisionsFor(server)) : []
  }

  /** Looks for a stored decision, and asks the user if there is none. */
  async #decide(texts: readonly string[], refusal: CallToolResult): Promise<Result<Basis, Denied>> {
    const { decisions, server } = this.#parts
    const verdict = decide(
      texts.map((text) => parseScope(text)),
      decisions.decisionsFor(server),
    )
    if (verdict.decision === 'allow') return ok('stored')
    if (verdict.decision === 'deny') return denyScopes('stored', verdict.denied, refusal)
    return this.#askUser(verdict.ask, refusal)
  }

  async #askUser(
    requested: readonly Scope[],
    refusal: CallToolResult,
  ): Promise<Result<Basis, Denied>> {
    const { ask, decisions, server, signal } = this.#parts
    const scopes = requested.map(formatScope)
    const options = buildScopeOptions(this.#subject.call.tool, scopes)
    const answer = await ask.grant({ ...this.#subject, scopes, options, refusal }, signal)
    const chosen = answer.scopes ?? scopes
    const decision = answer.allow ? 'allow' : 'deny'
    decisions.remember({ server, decision, scopes: chosen, duration: answer.duration })
    if (!answer.allow) return denyScopes('person', requested, refusal)
    const left = requested.filter((scope) => !isCovered(scope, chosen))
    return left.length > 0 ? denyScopes('person', left, refusal) : ok('granted')
  }
}

function denyScopes(by: Denied['by'], scopes: readonly Scope[], result: CallToolResult) {
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
function addGrants(meta: JsonRecord, granted: ReadonlySet<string>): JsonRecord {
  if (granted.size === 0) return {}
  const given = meta['granted_scopes']
  const before = Array.isArray(given) ? textsOf(given) : [textOf(given)].filter((text) => text)
  return { granted_scopes: [...new Set([...before, ...granted])] }
}
