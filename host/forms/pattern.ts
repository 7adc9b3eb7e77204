/**
 * Patterns of a schema, where checking one cannot take long.
 *
 * A stranger's pattern may take exponential time in the browser's engine. So only those are tried
 * whose repetitions stand alone, on texts so short that even their product is small; all others are
 * left to the server, which has to check anyway. `test/host/forms-pattern.test.ts` has the table.
 *
 * @module
 */

const MAX_PATTERN = 500

/** Steps that a check may take, at the most unlucky. */
const MAX_STEPS = 1_000_000

const compiled = new Map<string, RegExp | null>()
const MAX_COMPILED = 500

/** Whether a text is known not to match. */
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

/** Classes and escapes are single characters as far as time is concerned. */
const flattened = (pattern: string) =>
  pattern.replace(/\\(?:[pP]\{[^}]*\}|u\{[^}]*\}|[\s\S])|\[(?:\\[\s\S]|[^\]\\])*\]/g, 'x')

function isSimple(pattern: string): boolean {
  if (pattern.length > MAX_PATTERN || /\\[1-9k]/.test(pattern)) return false
  // No group is repeated, so no repetition stands in another.
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
