/**
 * Renders diff rows as a table. Rows never change after they are created, so they are plain DOM
 * nodes: a virtual DOM would hold four elements per line.
 *
 * @module
 */

import type { DiffLine } from '#core/diff/hunks.ts'
import { partsOf, type NumberedLine, type Row } from '#core/diff/layout.ts'
import { visiblePieces } from '#core/visible.ts'
import { isChanged, type Layout } from './segments.ts'

const SIGNS = { context: '', delete: '−', insert: '+' } as const
const LABELS = { context: '', delete: 'removed', insert: 'added' } as const
const CLASSES = { context: '', delete: 'd', insert: 'i' } as const

/** Selects the first row of each run of changed lines, a target of keyboard navigation. */
export const CHANGE_START = 'tr[data-change]'

export interface TableOptions {
  readonly layout: Layout
  /** Accessible name of the table. */
  readonly label: string
  /** Whether the row before the first one is part of the same change. */
  readonly within: boolean
  /** Whether `\r` is hidden, because all lines end with it. */
  readonly hidesReturns?: boolean
  /** Appends a part of a line; by default as text with its hidden characters visible. */
  readonly write?: WritePart | undefined
}

/** Appends the part of a line that begins at an offset. */
export type WritePart = (parent: Element, part: string, line: NumberedLine, from: number) => void

/** Renders rows as a table. */
export function renderTable(rows: readonly Row[], options: TableOptions) {
  const { layout, label, within } = options
  const table = element('table', '')
  table.setAttribute('aria-label', label)
  const columns = layout === 'split' ? ['n', 's', 'c', 'n', 's', 'c'] : ['n', 'n', 's', 'c']
  table.append(group(columns))
  const body = table.createTBody()
  let inChange = within
  for (const row of rows) {
    const tr = layout === 'split' ? splitRow(row, options) : unifiedRow(row, options)
    const changed = isChanged(row)
    if (changed && !inChange) {
      tr.dataset['change'] = ''
      tr.tabIndex = -1
    }
    inChange = changed
    body.append(tr)
  }
  return table
}

function group(columns: readonly string[]) {
  const all = document.createElement('colgroup')
  all.append(...columns.map((name) => element('col', name)))
  return all
}

function unifiedRow({ left, right }: Row, options: TableOptions) {
  const numbered = right ?? left
  const tr = element('tr', CLASSES[numbered?.line.kind ?? 'context'])
  if (!numbered) return tr
  const { line, oldNumber, newNumber } = numbered
  tr.append(
    numberCell(oldNumber),
    numberCell(newNumber),
    signCell(line),
    codeCell(numbered, options),
  )
  return tr
}

function splitRow({ left, right }: Row, options: TableOptions) {
  const tr = document.createElement('tr')
  tr.append(
    ...half(left, left?.oldNumber ?? null, 'l', options),
    ...half(right, right?.newNumber ?? null, 'r', options),
  )
  return tr
}

function half(
  side: NumberedLine | null,
  number: number | null,
  where: string,
  options: TableOptions,
) {
  const kind = side ? CLASSES[side.line.kind] : 'e'
  const cells = side
    ? [numberCell(number), signCell(side.line), codeCell(side, options)]
    : [element('td', 'n'), element('td', 's'), element('td', 'c')]
  for (const cell of cells) cell.className += ` ${kind} ${where}`
  return cells
}

function numberCell(number: number | null) {
  const cell = element('td', 'n')
  if (number !== null) cell.textContent = `${number}`
  return cell
}

function signCell({ kind }: DiffLine) {
  const cell = element('td', 's')
  if (kind === 'context') return cell
  cell.textContent = SIGNS[kind]
  cell.setAttribute('aria-label', LABELS[kind])
  return cell
}

function codeCell(numbered: NumberedLine, options: TableOptions) {
  const { write = appendVisible, hidesReturns } = options
  const { line } = numbered
  const cell = element('td', 'c')
  const text = line.text.endsWith('\r') ? line.text.slice(0, -1) : line.text
  let at = 0
  for (const { text: part, marked, left } of partsOf(text, line.spans)) {
    if (left !== undefined) {
      const [from, to] = [at, at + left]
      cell.append(opener(left, (place) => write(place, text.slice(from, to), numbered, from)))
    } else
      write(marked ? cell.appendChild(document.createElement('mark')) : cell, part, numbered, at)
    at += left ?? part.length
  }
  if (text !== line.text && !hidesReturns) cell.append(returnNote(line))
  if (line.noNewline) cell.append(note('no newline at the end'))
  return cell
}

/** Renders a carriage return at the end of a line, marked if it is part of the change. */
function returnNote({ text, spans }: DiffLine) {
  const changed = spans?.some(([, to]) => to === text.length) ?? false
  const name = element('span', changed ? 'hidden-char' : 'linenote', 'CR')
  if (!changed) return name
  const mark = document.createElement('mark')
  mark.append(name)
  return mark
}

/** Appends a text with its hidden characters visible. */
export function appendVisible(parent: Element, text: string) {
  for (const piece of visiblePieces(text))
    parent.append(typeof piece === 'string' ? piece : element('span', 'hidden-char', piece.name))
}

/** A button that what was left out takes the place of. */
function opener(left: number, write: (place: Element) => void) {
  const button = element('button', 'linenote', `Show ${left.toLocaleString('en')} more characters`)
  button.type = 'button'
  button.onclick = () => {
    const place = element('span', '')
    place.tabIndex = -1
    write(place)
    button.replaceWith(place)
    place.focus()
  }
  return button
}

function note(text: string) {
  return element('span', 'linenote', text)
}

function element<K extends keyof HTMLElementTagNameMap>(tag: K, name: string, text?: string) {
  const made = document.createElement(tag)
  if (name !== '') made.className = name
  if (text !== undefined) made.textContent = text
  return made
}
