/**
 * Decisions: applies stored decisions to the scopes that a call needs, and lists the choices of a prompt.
 *
 * The scopes that cover another one always form a chain from wide to narrow, so the most specific one is
 * unambiguous. Of two equally specific ones, deny wins. Where none matches, the person is asked.
 * `test/host/consent/decide.test.ts` runs the table of `test/vectors/scopes.json`.
 *
 * @module
 */

import { covers, formatScope, type Scope } from '#core/scope.ts'

/** Scopes of earlier decisions. */
export interface Remembered {
  readonly allow: readonly Scope[]
  readonly deny: readonly Scope[]
}

/** The result of {@link decide}, with the scopes that were denied or that a person has to decide. */
export type Decision =
  | { readonly decision: 'allow' }
  | { readonly decision: 'deny'; readonly denied: readonly Scope[] }
  | { readonly decision: 'ask'; readonly ask: readonly Scope[] }

/** Decides on all scopes of a call together: one denied scope denies it, one open scope asks. */
export function decide(wanted: readonly Scope[], remembered: Remembered): Decision {
  const verdicts = wanted.map((scope) => ({ scope, verdict: judge(scope, remembered) }))
  const scopesWith = (verdict: string) =>
    verdicts.filter((entry) => entry.verdict === verdict).map(({ scope }) => scope)
  const denied = scopesWith('deny')
  if (denied.length > 0) return { decision: 'deny', denied }
  const ask = scopesWith('ask')
  return ask.length > 0 ? { decision: 'ask', ask } : { decision: 'allow' }
}

function judge(wanted: Scope, { allow, deny }: Remembered): Decision['decision'] {
  const allowed = findNarrowest(wanted, allow)
  const denied = findNarrowest(wanted, deny)
  if (!denied) return allowed ? 'allow' : 'ask'
  return allowed && isNarrower(allowed, denied) ? 'allow' : 'deny'
}

function findNarrowest(wanted: Scope, scopes: readonly Scope[]): Scope | undefined {
  return scopes
    .filter((scope) => covers(scope, wanted))
    .reduce<Scope | undefined>(
      (best, scope) => (!best || covers(best, scope) ? scope : best),
      undefined,
    )
}

const isNarrower = (a: Scope, b: Scope) => covers(b, a) && !covers(a, b)

/**
 * Lists the choices that a prompt offers for a call, from wide to narrow: each prefix of each scope,
 * without duplicates. For a tool without scopes the only choice is its name.
 */
export function promptOptions(tool: string, scopes: readonly Scope[]): string[] {
  if (scopes.length === 0) return [tool]
  return [...new Set(scopes.flatMap(listPrefixes))]
}

function listPrefixes(scope: Scope): string[] {
  const wider = scope.words.map((_, index) => scope.words.slice(0, index + 1).join(':'))
  return scope.path === null ? wider : [...wider, formatScope(scope)]
}
