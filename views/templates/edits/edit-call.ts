/**
 * From two texts to the arguments of `edit_file`: the changed lines, with as many lines before and
 * after them as make the place unique.
 *
 * `edit_file` keeps line endings and a byte order mark, and fails where the text is not the one that
 * was edited. `test/views/templates/edits.test.ts` applies the edits.
 *
 * @module
 */

/** One replacement, as `edit_file` takes it. */
export interface TextEdit {
  readonly find: string
  readonly replace: string
}

/** Returns the replacement that makes `next` out of `old`; null if they are equal or `old` is empty. */
export function findEdit(old: string, next: string): TextEdit | null {
  if (old === next || old === '') return null
  const [start, end] = changedRange(old, next)
  const length = next.length - old.length
  let from = lineStart(old, start)
  let to = lineEnd(old, end)
  for (;;) {
    const find = old.slice(from, to)
    if (find !== '' && old.indexOf(find) === old.lastIndexOf(find))
      return { find, replace: next.slice(from, to + length) }
    from = lineStart(old, from - 1)
    to = lineEnd(old, to + 1)
  }
}

/** Returns the part of the old text between what both have in common at their ends. */
function changedRange(old: string, next: string): [number, number] {
  const shorter = Math.min(old.length, next.length)
  let start = 0
  while (start < shorter && old[start] === next[start]) start++
  let same = 0
  while (same < shorter - start && old.at(-1 - same) === next.at(-1 - same)) same++
  return [start, old.length - same]
}

const lineStart = (text: string, at: number) => (at <= 0 ? 0 : text.lastIndexOf('\n', at - 1) + 1)

function lineEnd(text: string, at: number): number {
  if (at > 0 && text[at - 1] === '\n') return at
  const end = text.indexOf('\n', at)
  return end === -1 ? text.length : end + 1
}
