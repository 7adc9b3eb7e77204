/**
 * What keys do in a field of code: Tab and Shift Tab change the indentation, Enter keeps it. Each is a replacement of a
 * part of the text, so that the browser's own undo has it. `test/host/console/files/field-keys.test.ts` has the cases.
 *
 * @module
 */

/** A text with its selection, as a field has it. */
export interface Selected {
  readonly value: string
  readonly start: number
  readonly end: number
}

/** A replacement, and the selection after it. */
export interface Replaced {
  readonly from: number
  readonly to: number
  readonly insert: string
  readonly start: number
  readonly end: number
}

/** Lines that are looked at to find the unit of the indentation. */
const MAX_LOOKED = 500

/** Finds what one level of the indentation is: a tab, or two or four spaces. */
export function findIndentUnit(text: string): string {
  const starts = text.slice(0, 100_000).split('\n', MAX_LOOKED).flatMap(indentOf)
  if (starts.some((start) => start.startsWith('\t'))) return '\t'
  const spaces = starts.filter((start) => start.startsWith(' ')).map(({ length }) => length)
  return spaces.length > 0 && spaces.every((count) => count % 4 === 0) ? '    ' : '  '
}

const indentOf = (line: string) => /^[\t ]+(?=\S)/.exec(line)?.[0] ?? []

/** Adds one level: at the caret, or to each line of a selection of several. */
export function indent(selected: Selected, unit: string): Replaced {
  const { value, start, end } = selected
  if (!value.slice(start, end).includes('\n')) {
    const at = start + unit.length
    return { from: start, to: end, insert: unit, start: at, end: at }
  }
  return changeLines(selected, (line) => (line === '' ? line : unit + line))
}

/** Removes one level from each selected line; null if no line has one. */
export function outdent(selected: Selected, unit: string): Replaced | null {
  const spaces = new RegExp(`^(?:\t| {1,${unit === '\t' ? 4 : unit.length}})`)
  const changed = changeLines(selected, (line) => line.replace(spaces, ''))
  return changed.insert === selected.value.slice(changed.from, changed.to) ? null : changed
}

/** Begins a line with the indentation of the one before. */
export function breakLine({ value, start, end }: Selected): Replaced {
  const line = value.slice(value.lastIndexOf('\n', start - 1) + 1, start)
  const insert = `\n${/^[\t ]*/.exec(line)?.[0] ?? ''}`
  const at = start + insert.length
  return { from: start, to: end, insert, start: at, end: at }
}

function changeLines({ value, start, end }: Selected, change: (line: string) => string): Replaced {
  const from = value.lastIndexOf('\n', start - 1) + 1
  // A selection that ends at the start of a line does not have that line.
  const last = end > start && value[end - 1] === '\n' ? end - 1 : end
  const stop = value.indexOf('\n', last)
  const to = stop === -1 ? value.length : stop
  const lines = value.slice(from, to).split('\n')
  const changed = lines.map(change)
  const insert = changed.join('\n')
  const first = (changed[0]?.length ?? 0) - (lines[0]?.length ?? 0)
  return {
    ...{ from, to, insert },
    start: Math.max(from, start + first),
    end: Math.max(from, end + insert.length - (to - from)),
  }
}
