/**
 * Decisions: what remembered rules say to the scopes that a call needs, and what a person is asked.
 *
 * Rules that cover one scope are always a chain from wide to narrow, so "the most specific" is never
 * in doubt; of two equal ones the refusal wins, and where no rule speaks the person is asked.
 * `test/vectors/scopes.json` has the table, under `decisions` and `prompt_options`.
 *
 * @module
 */

import { covers, formatScope, parseScope, type Scope } from './scope.ts'

/** What was decided earlier. */
export interface Remembered {
  readonly allow: readonly Scope[]
  readonly deny: readonly Scope[]
}

export type Decision =
  | { readonly decision: 'allow' }
  | { readonly decision: 'deny'; readonly denied: readonly Scope[] }
  | { readonly decision: 'ask'; readonly ask: readonly Scope[] }

/** Decides on all scopes of a call at once: one refusal refuses it, one open question asks. */
export function decide(wanted: readonly Scope[], rules: Remembered): Decision {
  const verdicts = wanted.map((scope) => ({ scope, verdict: verdictOn(scope, rules) }))
  const those = (verdict: string) =>
    verdicts.filter((entry) => entry.verdict === verdict).map(({ scope }) => scope)
  const denied = those('deny')
  if (denied.length > 0) return { decision: 'deny', denied }
  const ask = those('ask')
  return ask.length > 0 ? { decision: 'ask', ask } : { decision: 'allow' }
}

function verdictOn(wanted: Scope, { allow, deny }: Remembered): Decision['decision'] {
  const allowed = narrowest(wanted, allow)
  const denied = narrowest(wanted, deny)
  if (!denied) return allowed ? 'allow' : 'ask'
  return allowed && isNarrower(allowed, denied) ? 'allow' : 'deny'
}

function narrowest(wanted: Scope, rules: readonly Scope[]): Scope | undefined {
  return rules
    .filter((rule) => covers(rule, wanted))
    .reduce<Scope | undefined>(
      (best, rule) => (!best || covers(best, rule) ? rule : best),
      undefined,
    )
}

const isNarrower = (a: Scope, b: Scope) => covers(b, a) && !covers(a, b)

/**
 * The choices that a prompt offers for a call, from wide to narrow: each prefix of each scope, once.
 * A tool that names no scope is offered by its own name.
 */
export function promptOptions(tool: string, scopes: readonly Scope[]): string[] {
  if (scopes.length === 0) return [tool]
  return [...new Set(scopes.flatMap(prefixesOf))]
}

function prefixesOf(scope: Scope): string[] {
  const wider = scope.words.map((_, index) => scope.words.slice(0, index + 1).join(':'))
  return scope.path === null ? wider : [...wider, formatScope(scope)]
}

/** Reads rules as they were stored. A text that is no scope throws, because we wrote it. */
export function rememberedOf(texts: {
  allow: readonly string[]
  deny: readonly string[]
}): Remembered {
  return {
    allow: texts.allow.map((text) => parseScope(text)),
    deny: texts.deny.map((text) => parseScope(text)),
  }
}
