/**
 * The two texts of a diff, from JSON or from two files.
 *
 * Parts (`changes`) only say how another program compared the texts; they are put together to the
 * texts again, which are compared here. `test/views/templates/page.test.ts` covers it.
 *
 * @module
 */

import { isString, own, recordOf } from '#core/json.ts'

/** Two texts to compare. */
export interface TextPair {
  readonly original: string
  readonly modified: string
}

/** Reads `{original, modified}`, `{left, right}` or `{changes}`; null if there is none of them. */
export function pairOfJson(value: unknown): TextPair | null {
  const record = recordOf(value)
  const text = (name: string) => {
    const found = own(record, name)
    return typeof found === 'string' ? found : null
  }
  const original = text('original') ?? text('left')
  const modified = text('modified') ?? text('right')
  if (original !== null && modified !== null) return { original, modified }
  const changes = own(record, 'changes')
  if (!Array.isArray(changes)) return null
  const join = (without: string) =>
    changes
      .map(recordOf)
      .filter((part) => own(part, without) !== true)
      .map((part) => own(part, 'value'))
      .filter(isString)
      .join('')
  return { original: original ?? join('added'), modified: modified ?? join('removed') }
}
