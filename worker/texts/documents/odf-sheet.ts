/**
 * ODS: the sheets of an OpenDocument workbook. A cell or a row says how often it is repeated, up to a million times for
 * the empty ones at the end.
 *
 * @module
 */

import type { Budget } from './budget.ts'
import { tooLarge } from './budget.ts'
import { createRow } from './sheet.ts'
import type { Writer } from './writer.ts'
import { walkXml, type Attribute } from './xml-part.ts'

/** Times that a row or a cell with a value is repeated at most. */
const MAX_REPEATED = 16_384

interface Cell {
  readonly times: number
  text: string
}

/** Writes the sheets of a workbook. */
export async function readOdfSheet(source: string, budget: Budget, writer: Writer): Promise<void> {
  let [sheet, column, times, paragraphs, notes] = [0, 0, 1, 0, 0]
  let row = createRow()
  let cell: Cell | null = null
  await walkXml(source, budget, {
    open(name, attribute) {
      if (name === 'annotation') notes++
      else if (name === 'table') return writer.page(`sheet ${++sheet}: ${attribute('name') ?? ''}`)
      else if (name === 'table-row') {
        row = createRow()
        column = 0
        times = repeated(attribute, 'number-rows-repeated')
      } else if (name === 'table-cell' || name === 'covered-table-cell')
        cell = { times: repeated(attribute, 'number-columns-repeated'), text: '' }
      else if (cell && name === 'p' && notes === 0) {
        if (paragraphs++ > 0) cell.text += ' '
      } else if (cell && name === 's' && notes === 0) cell.text += ' '
      return undefined
    },
    close(name) {
      if (name === 'annotation') notes--
      else if (name === 'table-cell' || name === 'covered-table-cell') {
        if (cell && cell.text !== '')
          repeat(cell.times, (index) => row.put(column + index, cell?.text ?? ''))
        column += cell?.times ?? 0
        cell = null
        paragraphs = 0
      } else if (name === 'table-row' && !row.isEmpty()) repeat(times, () => row.write(writer))
    },
    text(text) {
      if (cell && paragraphs > 0 && notes === 0) cell.text += text.replaceAll(/\s+/g, ' ')
    },
  })
}

const repeated = (attribute: Attribute, name: string): number =>
  Math.max(1, Math.floor(Number(attribute(name) ?? 1)) || 1)

function repeat(times: number, work: (index: number) => void): void {
  if (times > MAX_REPEATED) throw tooLarge(`${MAX_REPEATED} repetitions of a value`)
  for (let index = 0; index < times; index++) work(index)
}
