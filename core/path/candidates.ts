/**
 * Candidates: the paths that a caller may mean by a text, such as `/a.ts` by `file:///a.ts` or `"/a.ts"`.
 *
 * The literal path is the first, because a file that exists is reachable by its name, whatever that looks like. Where
 * none exists, a text that is never meant literally creates no folder of that name. A denial holds if it matches any
 * candidate. `test/core/path-candidates.test.ts` has the table.
 *
 * @module
 */

import { MAX_PATH_BYTES, resolvePath, ROOT, type StorePath } from '../path.ts'
import { decodePercent } from '../percent.ts'
import { err, type Result } from '../result.ts'

/**
 * What a candidate is good for:
 * - `any`: it is the path, also of a new file
 * - `existing`: it is the path only if something exists there
 * - `send`: the caller has to send this path instead
 * - `hint`: it is named where nothing was found
 */
export type CandidateUse = 'any' | 'existing' | 'send' | 'hint'

/** A path that a text may mean. */
export interface Candidate {
  readonly path: StorePath
  readonly use: CandidateUse
}

/** Lists the paths that a text may mean, the literal one first. The list is empty only if none of them is valid. */
export function candidatesOf(text: string, base: StorePath = ROOT): readonly Candidate[] {
  const literal = resolvePath(text, base)
  if (literal.ok && !isOdd(text)) return [{ path: literal.value, use: 'any' }]
  const others: Candidate[] = []
  let isMeant = true
  let use: CandidateUse = 'any'
  let rest = text.length > MAX_TEXT ? '' : text
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const read = readSpelling(rest)
    if (read === null) break
    use = read.use === 'any' && use !== 'any' ? 'send' : read.use
    isMeant &&= use === 'hint'
    rest = read.rest
    const path = rest === '' ? null : resolvePath(rest, base)
    if (path?.ok && path.value !== (literal.ok && literal.value))
      others.push({ path: path.value, use })
  }
  return literal.ok
    ? [{ path: literal.value, use: isMeant ? 'any' : 'existing' }, ...others]
    : others
}

/** Returns what to write in place of a text; null if it is a path. An absolute one may be of something that exists. */
export function plainPathFor(text: string, base: StorePath = ROOT): StorePath | null {
  if (text.startsWith('/')) return null
  const [first, ...others] = candidatesOf(text, base)
  if (first === undefined || first.use === 'any') return null
  return others.findLast(({ use }) => use !== 'hint')?.path ?? first.path
}

/** Resolves a path of rules and scopes, which is never guessed: a text that may mean another path is refused. */
export function resolvePlainPath(text: string, base: StorePath = ROOT): Result<StorePath, string> {
  const plain = plainPathFor(text, base)
  return plain === null ? resolvePath(text, base) : err(`write it as ${plain}`)
}

/** Longest text, in code units, that is read as anything but itself. */
const MAX_TEXT = 4 * MAX_PATH_BYTES

/** Spellings inside of each other, such as a URI in quotes. */
const MAX_ROUNDS = 6

/** Whether a text may have a candidate beside the literal one. Most have not. */
const isOdd = (text: string) => ODD.test(text) || text !== text.trim()

const ODD = /["'`\\~@#]|:[\d\\/]|,\d+\)$/

/** A text that means another one. */
interface Spelling {
  readonly use: CandidateUse
  readonly rest: string
}

/** Takes one spelling away from a text; null if there is none. */
function readSpelling(text: string): Spelling | null {
  const trimmed = text.trim()
  if (trimmed !== text) return { use: trimmed.startsWith('/') ? 'send' : 'hint', rest: trimmed }
  for (const { pattern, use, decode = (rest: string) => rest } of SPELLINGS) {
    const [, rest] = pattern.exec(text) ?? []
    if (rest !== undefined) return { use, rest: decode(rest) }
  }
  return text.includes('\\') ? { use: 'send', rest: withSlashes(text) } : null
}

/** A backslash before a space is that of a shell; all others separate folders. */
const withSlashes = (text: string) => text.replaceAll('\\ ', ' ').replaceAll('\\', '/')

const fromTop = (rest: string) => `/${rest}`

/** Each pattern captures what is left of the text. */
const SPELLINGS: readonly {
  readonly pattern: RegExp
  readonly use: CandidateUse
  readonly decode?: (rest: string) => string
}[] = [
  ...['"', "'", '`'].map((quote) => ({
    pattern: new RegExp(`^${quote}([^${quote}]+)${quote}$`),
    use: 'send' as const,
  })),
  { pattern: /^file:\/\/\/(.*)$/is, use: 'any', decode: (rest) => fromTop(decodePercent(rest)) },
  // Forms that this server does not write: with a host, or with fewer slashes.
  {
    pattern: /^file:\/{1,2}(?:localhost\/)?(.*)$/is,
    use: 'send',
    decode: (rest) => fromTop(decodePercent(rest)),
  },
  { pattern: /^\/?[a-z]:[\\/](.*)$/is, use: 'send', decode: fromTop },
  { pattern: /^~(?:$|[\\/])(.*)$/s, use: 'send', decode: (rest) => rest || '.' },
  { pattern: /^@(.+)$/s, use: 'hint' },
  // A place in the file: a.ts:12, a.ts:12:5, a.ts:12-20, a.ts#L12-L20, a.ts(12,5).
  {
    pattern: /^(.+?)(?::\d+(?::\d+)?(?:-\d+)?|#L\d+(?:C\d+)?(?:-L?\d+(?:C\d+)?)?|\(\d+,\d+\))$/is,
    use: 'hint',
  },
]
