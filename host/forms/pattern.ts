/**
 * Checks patterns of a schema only where that cannot take long.
 *
 * A pattern is untrusted input and may take exponential time in the browser's engine. Only patterns
 * without nested repetition are tried, on texts so short that the worst case is small; all others
 * are left to the server, which checks anyway. `test/host/forms-pattern.test.ts` has the table.
 *
 * @module
 */

const MAX_PATTERN = 500

/** Steps that a check may take in the worst case. */
const MAX_STEPS = 1_000_000

const compiled = new Map<string, RegExp | null>()
const MAX_COMPILED = 500

/** Whether a text certainly does not match; false if it matches or was not checked. */
export function isMismatch(pattern: string, text: string): boolean {
  const regex = safely(pattern)
  if (!regex) return false
  const repetitions = repetitionsIn(pattern)
  if ((text.length + 1) ** (repetitions + 1) > MAX_STEPS) return false
  return !regex.test(text)
}

function safely(pattern: string): RegExp | null {
  const known = compiled.get(pattern)
  if (known !== undefined) return known
  const regex = isSimple(pattern) ? regexOf(pattern) : null
  if (compiled.size >= MAX_COMPILED) compiled.clear()
  compiled.set(pattern, regex)
  return regex
}

/** Replaces classes and escapes by one character, since each matches a single character. */
const flattened = (pattern: string) =>
  pattern.replace(/\\(?:[pP]\{[^}]*\}|u\{[^}]*\}|[\s\S])|\[(?:\\[\s\S]|[^\]\\])*\]/g, 'x')

function isSimple(pattern: string): boolean {
  if (pattern.length > MAX_PATTERN || /\\[1-9k]/.test(pattern)) return false
  // No group is repeated, so repetitions are never nested.
  return !/\)[*+?{]/.test(flattened(pattern))
}

const repetitionsIn = (pattern: string) => flattened(pattern).match(/[*+]|\{\d/g)?.length ?? 0

function regexOf(pattern: string): RegExp | null {
  try {
    return new RegExp(pattern, 'u')
  } catch {
    return null
  }
}
