/**
 * DOCX: paragraphs, tables and notes of a Word document. A page begins where Word saved that it did, or at a page break.
 * `test/worker/texts/documents/formats.test.ts` compares it with other programs.
 *
 * @module
 */

import type { Budget } from './budget.ts'
import type { DocumentText } from '../document.ts'
import { Flow } from './flow.ts'
import { createWriter } from './writer.ts'
import {
  findMainPart,
  needPart,
  readRelations,
  walkXml,
  type Attribute,
  type XmlHandler,
} from './xml-part.ts'
import type { Archive } from './zip.ts'

/** Parts behind the text, by the type of their relation. */
const APPENDED: Readonly<Record<string, string>> = {
  footnotes: 'footnotes',
  endnotes: 'endnotes',
  comments: 'comments',
  header: 'header',
  footer: 'footer',
}

/** Elements whose content is not shown: what was moved away or deleted, codes of fields, and doubles. */
const HIDDEN = new Set(['Fallback', 'moveFrom', 'delText', 'instrText', 'delInstrText'])

/** Reads a Word document. */
export async function readDocx(archive: Archive, budget: Budget): Promise<DocumentText> {
  const writer = createWriter(budget)
  const main = await findMainPart(archive, budget)
  const flow = new Flow(writer, 'page')
  await flow.begin()
  await walkXml(needPart(archive, main), budget, handle(flow))
  const isPaged = flow.pages() > 1
  const seen = new Set<string>()
  for (const { type, target } of await readRelations(archive, budget, main)) {
    const name = APPENDED[type]
    const source = name !== undefined && !seen.has(target) ? archive.text(target) : null
    seen.add(target)
    if (name !== undefined && source !== null) await append(source, name, { flow, budget })
  }
  return writer.end('docx', isPaged || flow.pages() > 1)
}

interface Appending {
  readonly flow: Flow
  readonly budget: Budget
}

async function append(source: string, name: string, { flow, budget }: Appending): Promise<void> {
  if (!/<\w*:?t[ >]/.test(source)) return
  await flow.begin(name)
  await walkXml(source, budget, handle(flow))
  flow.end()
}

function handle(flow: Flow): XmlHandler {
  /** Elements below one that is not shown. */
  let hidden = 0
  let isText = false
  let isFormat = false
  return {
    open(name, attribute) {
      if (hidden > 0 || HIDDEN.has(name)) hidden++
      else if (name === 't') isText = true
      else if (name === 'pPr' || name === 'rPr') isFormat = true
      else if (isFormat) format(name, attribute('val'), flow)
      else if (name === 'br' && attribute('type') === 'page') return flow.breakPage()
      else if (name === 'lastRenderedPageBreak') return flow.breakPage(true)
      else openElement(name, attribute, flow)
      return undefined
    },
    close(name) {
      if (hidden > 0) hidden--
      else if (name === 't') isText = false
      else if (name === 'pPr' || name === 'rPr') isFormat = false
      else if (!isFormat) closeElement(name, flow)
    },
    text(text) {
      if (isText && hidden === 0) flow.text(text)
    },
  }
}

/** The ids of the styles of headings, which Word keeps in English or shortens. */
const HEADING = /^(?:Heading|heading|berschrift|Titre|Ttulo|Titolo)([1-6])$/

/** Headings and lists are marked as in Markdown. */
function format(name: string, value: string | undefined, flow: Flow): void {
  const level = name === 'pStyle' ? HEADING.exec(value ?? '') : null
  if (level) flow.prefix(`${'#'.repeat(Number(level[1]))} `)
  if (name === 'numId' && value !== '0') flow.prefix('- ')
}

function openElement(name: string, attribute: Attribute, flow: Flow): void {
  if (name === 'tab' || name === 'ptab') flow.text('\t')
  else if (name === 'br' || name === 'cr') flow.text('\n')
  else if (name === 'noBreakHyphen') flow.text('-')
  else if (name === 'p') flow.openParagraph()
  else if (name === 'tr') flow.openRow()
  else if (name === 'tc') flow.openCell()
  else if (name === 'footnoteReference' || name === 'endnoteReference')
    flow.text(`[${attribute('id') ?? ''}]`)
}

function closeElement(name: string, flow: Flow): void {
  if (name === 'p') flow.closeParagraph()
  else if (name === 'tr') flow.closeRow()
  else if (name === 'tc') flow.closeCell()
}
