/**
 * Which line of which side a row of drawn lines is, and the place below it. The rows are plain elements
 * (`views/diff/diff-table.ts`). `test/host/console/comments.test.tsx` has the cases.
 *
 * @module
 */

/** One line of a side. */
export interface Line {
  readonly side: 'before' | 'after'
  readonly line: number
}

/** Returns the line of the row that has an element; by preference that of the side of a number. Null outside of rows. */
export function lineAt(target: EventTarget | null): Line | null {
  const cell = target instanceof Element ? target.closest('td') : null
  const row = target instanceof Element ? target.closest('tr') : null
  if (!row || !row.closest('.diffblock')) return null
  const { before, after } = numbersOf(row)
  const isBefore = cell?.classList.contains('l') === true && before !== null
  if (after !== null && !isBefore) return { side: 'after', line: after }
  return before === null ? null : { side: 'before', line: before }
}

/** Whether an element is a cell with the number of a line. */
export const isLineNumber = (target: EventTarget | null): boolean =>
  target instanceof Element && (target.closest('td')?.matches('.diffblock .n') ?? false)

/** Finds the row of a line; null if it is not drawn. */
export function findRow(root: Element, { side, line }: Line): HTMLTableRowElement | null {
  const rows = root.querySelectorAll<HTMLTableRowElement>('.diffblock tr')
  return Array.from(rows).find((row) => numbersOf(row)[side] === line) ?? null
}

/** The numbers of a row: in two columns of one text, or one in each half. */
function numbersOf(row: HTMLTableRowElement) {
  const [first, second] = row.querySelectorAll(':scope > .n')
  return { before: numberIn(first), after: numberIn(second) }
}

function numberIn(cell: Element | undefined): number | null {
  const text = cell?.textContent ?? ''
  return text === '' ? null : Number(text)
}

/** Puts a cell into a row of its own below a row, as wide as its table. Without a cell, a new one. */
export function placeBelow(
  row: HTMLTableRowElement,
  cell: HTMLTableCellElement | null,
): HTMLTableCellElement {
  const placed = cell ?? document.createElement('td')
  const own = placed.closest('tr') ?? document.createElement('tr')
  own.className = 'commentrow'
  own.append(placed)
  placed.colSpan = row.cells.length
  row.after(own)
  return placed
}
