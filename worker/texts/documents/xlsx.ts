/**
 * XLSX: the sheets of a workbook, with the values that its formulas had when it was saved.
 * `test/worker/texts/documents/formats.test.ts` compares it with other programs.
 *
 * @module
 */

import type { Budget } from './budget.ts'
import type { DocumentText } from '../document.ts'
import { readKinds, showNumber, type NumberKind } from './number-format.ts'
import { columnOf, createRow } from './sheet.ts'
import { createWriter, type Writer } from './writer.ts'
import { findMainPart, needPart, readRelations, walkXml, type Attribute } from './xml-part.ts'
import type { Archive } from './zip.ts'

/** What the cells of all sheets refer to. */
interface Workbook {
  readonly strings: readonly string[]
  readonly kinds: readonly NumberKind[]
  readonly isMac: boolean
}

interface SheetName {
  readonly name: string
  readonly id: string
  readonly isHidden: boolean
}

/** Reads a workbook. */
export async function readXlsx(archive: Archive, budget: Budget): Promise<DocumentText> {
  const writer = createWriter(budget)
  const main = await findMainPart(archive, budget)
  const { sheets, isMac } = await readSheets(needPart(archive, main), budget)
  const relations = await readRelations(archive, budget, main)
  const partOf = (type: string) => relations.find((one) => one.type === type)?.target ?? ''
  const strings = await readStrings(archive.text(partOf('sharedStrings')), budget)
  const kinds = await readKinds(archive.text(partOf('styles')), budget)
  for (const [index, { name, id, isHidden }] of sheets.entries()) {
    await writer.page(`sheet ${index + 1}: ${name}${isHidden ? ' (hidden)' : ''}`)
    const part = relations.find((one) => one.id === id)
    const source = part?.type === 'worksheet' ? archive.text(part.target) : null
    if (source !== null) await readSheet(source, { strings, kinds, isMac }, { writer, budget })
  }
  return writer.end('xlsx', true)
}

async function readSheets(source: string, budget: Budget) {
  const sheets: SheetName[] = []
  let isMac = false
  await walkXml(source, budget, {
    open(name, attribute) {
      if (name === 'workbookPr') isMac = /^(1|true)$/.test(attribute('date1904') ?? '')
      if (name !== 'sheet') return
      const isHidden = (attribute('state') ?? 'visible') !== 'visible'
      sheets.push({ name: attribute('name') ?? '', id: attribute('id') ?? '', isHidden })
    },
  })
  return { sheets, isMac }
}

async function readStrings(source: string | null, budget: Budget): Promise<readonly string[]> {
  const strings: string[] = []
  let [text, isText, isPhonetic] = ['', false, false]
  if (source === null) return strings
  await walkXml(source, budget, {
    open(name) {
      if (name === 'si') text = ''
      else if (name === 'rPh') isPhonetic = true
      else if (name === 't') isText = !isPhonetic
    },
    close(name) {
      if (name === 'si') strings.push(text)
      else if (name === 'rPh') isPhonetic = false
      else if (name === 't') isText = false
    },
    text(part) {
      if (isText) text += part
    },
  })
  return strings
}

interface Sheet {
  readonly writer: Writer
  readonly budget: Budget
}

/** A cell: where it is, and how its value is to be read. */
interface Cell {
  readonly column: number
  readonly type: string
  readonly style: number
}

function readSheet(source: string, workbook: Workbook, { writer, budget }: Sheet): Promise<void> {
  let row = createRow()
  let cell: Cell = { column: -1, type: 'n', style: 0 }
  let [value, isValue] = ['', false]
  return walkXml(source, budget, {
    open(name, attribute) {
      if (name === 'row') {
        row = createRow()
        cell = { column: -1, type: 'n', style: 0 }
      } else if (name === 'c') {
        cell = cellOf(attribute, cell.column + 1)
        value = ''
      } else if (name === 'v' || name === 't') isValue = true
      else if (name === 'f' || name === 'rPh') isValue = false
    },
    close(name) {
      if (name === 'v' || name === 't') isValue = false
      else if (name === 'c') row.put(cell.column, valueOf(value, cell, workbook))
      else if (name === 'row') row.write(writer)
    },
    text(text) {
      if (isValue) value += text
    },
  })
}

function cellOf(attribute: Attribute, next: number): Cell {
  return {
    column: columnOf(attribute('r')) ?? next,
    type: attribute('t') ?? 'n',
    style: Number(attribute('s') ?? 0),
  }
}

function valueOf(value: string, { type, style }: Cell, workbook: Workbook): string {
  if (type === 's') return workbook.strings[Number(value)] ?? ''
  if (type === 'b') return value === '1' ? 'TRUE' : 'FALSE'
  if (type !== 'n') return value
  return showNumber(value, workbook.kinds[style] ?? 'plain', workbook.isMac)
}
