/**
 * What the text of a query says: the limits of workerd that it breaks, and what kind of statement it is.
 * `test/worker/memory/platform.test.ts` holds it to workerd.
 *
 * @module
 */

/** Limits of the text of a statement in workerd. */
const MAX_STATEMENT_BYTES = 100_000
const MAX_COMPOUND_PARTS = 5

/** What the text of a query says. */
export interface QueryFacts {
  /** Why workerd refuses it, or null. */
  readonly refusal: string | null
  readonly isRead: boolean
  readonly hasSeveralStatements: boolean
}

/** The facts of each text: every workspace has the same queries, and to look through one takes longer than to run it. */
const known = new Map<string, QueryFacts>()

/** Reads a text once. */
export function factsOf(query: string): QueryFacts {
  const facts = known.get(query) ?? readFacts(query)
  known.set(query, facts)
  return facts
}

const readFacts = (query: string): QueryFacts => ({
  refusal: refusalOf(query),
  isRead: /^\s*(?:SELECT|WITH|PRAGMA|EXPLAIN)/i.test(query),
  // Node prepares the first statement only. A trigger is one statement with several inside.
  hasSeveralStatements: /;\s*\S/.test(query) && !/^\s*CREATE TRIGGER/i.test(query),
})

function refusalOf(query: string): string | null {
  if (query.length > MAX_STATEMENT_BYTES) return 'statement too long: SQLITE_TOOBIG'
  return countCompoundParts(query) > MAX_COMPOUND_PARTS
    ? 'too many terms in compound SELECT: SQLITE_ERROR'
    : null
}

/** The most parts that a compound `SELECT` of a query has, each within its parentheses. */
function countCompoundParts(query: string): number {
  const open = [1]
  let most = 1
  for (const [token] of query.matchAll(/'[^']*'|[();]|\b(?:UNION|INTERSECT|EXCEPT)\b/gi)) {
    if (token.startsWith("'")) continue
    if (token === '(') open.push(1)
    else if (token === ')') open.pop()
    else if (token === ';') open.splice(0, open.length, 1)
    else most = Math.max(most, (open[open.length - 1] = (open.at(-1) ?? 1) + 1))
  }
  return most
}
