/**
 * IPYNB: the cells of a notebook, each with the text of its results. Pictures are left out.
 *
 * @module
 */

import type { Budget } from './budget.ts'
import { DocumentFault, type DocumentText } from '../document.ts'
import { createWriter, type Writer } from './writer.ts'

/** Reads a notebook, of version 3 or later. */
export async function readIpynb(source: string, budget: Budget): Promise<DocumentText> {
  const writer = createWriter(budget)
  for (const [index, cell] of cellsOf(parse(source)).entries()) {
    if (budget.object()) await budget.turn()
    const type = textOf(field(cell, 'cell_type')) || 'cell'
    await writer.page(`cell ${index + 1}: ${type}`)
    writer.line(textOf(field(cell, 'source') ?? field(cell, 'input')))
    for (const output of listOf(field(cell, 'outputs'))) writeOutput(output, writer)
  }
  return writer.end('ipynb', true)
}

function parse(source: string): unknown {
  try {
    return JSON.parse(source)
  } catch {
    throw new DocumentFault('broken', 'it is not JSON')
  }
}

/** Notebooks of version 3 have their cells in worksheets. */
function cellsOf(notebook: unknown): readonly unknown[] {
  const cells = field(notebook, 'cells')
  if (Array.isArray(cells)) return cells
  const sheets = listOf(field(notebook, 'worksheets'))
  if (sheets.length === 0) throw new DocumentFault('broken', 'it has no cells')
  return sheets.flatMap((sheet) => listOf(field(sheet, 'cells')))
}

function writeOutput(output: unknown, writer: Writer): void {
  const data = field(output, 'data')
  const shown =
    textOf(field(output, 'text')) ||
    textOf(field(data, 'text/plain')) ||
    [field(output, 'ename'), field(output, 'evalue')].map(textOf).filter(Boolean).join(': ')
  if (shown === '') return
  writer.line('Output:')
  writer.line(shown.trimEnd())
}

const field = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? Object.entries(value).find(([key]) => key === name)?.[1]
    : undefined

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

/** A text is one string, or a list of its lines. */
const textOf = (value: unknown): string =>
  typeof value === 'string'
    ? value
    : listOf(value)
        .filter((line) => typeof line === 'string')
        .join('')
