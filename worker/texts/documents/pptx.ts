/**
 * PPTX: the slides of a presentation in their order, each with its notes.
 * `test/worker/texts/documents/formats.test.ts` compares it with other programs.
 *
 * @module
 */

import type { Budget } from './budget.ts'
import type { DocumentText } from '../document.ts'
import { Flow } from './flow.ts'
import { createWriter } from './writer.ts'
import { findMainPart, needPart, readRelations, walkXml, type XmlHandler } from './xml-part.ts'
import type { Archive } from './zip.ts'

/** Reads a presentation. */
export async function readPptx(archive: Archive, budget: Budget): Promise<DocumentText> {
  const writer = createWriter(budget)
  const flow = new Flow(writer, 'slide')
  const main = await findMainPart(archive, budget)
  const relations = await readRelations(archive, budget, main)
  const ids: string[] = []
  await walkXml(needPart(archive, main), budget, {
    open(name, attribute) {
      if (name === 'sldId') ids.push(attribute('*:id') ?? '')
    },
  })
  for (const id of ids) {
    const part = relations.find((one) => one.id === id && one.type === 'slide')
    await flow.begin()
    if (part) await readSlide(archive, part.target, { flow, budget })
  }
  return writer.end('pptx', true)
}

interface Slides {
  readonly flow: Flow
  readonly budget: Budget
}

async function readSlide(archive: Archive, part: string, { flow, budget }: Slides): Promise<void> {
  const source = archive.text(part)
  if (source !== null) await walkXml(source, budget, handle(flow))
  flow.end()
  for (const { type, target } of await readRelations(archive, budget, part)) {
    const notes = type === 'notesSlide' ? archive.text(target) : null
    if (notes === null) continue
    flow.openParagraph()
    flow.text('Notes:')
    flow.closeParagraph()
    await walkXml(notes, budget, handle(flow))
    flow.end()
  }
}

function handle(flow: Flow): XmlHandler {
  let [isText, hidden] = [false, 0]
  return {
    open(name, attribute) {
      if (hidden > 0 || name === 'Fallback' || isNumber(name, attribute('type'))) hidden++
      else if (name === 't') isText = true
      else if (name === 'br') flow.text('\n')
      else if (name === 'tab') flow.text('\t')
      else if (name === 'p') flow.openParagraph()
      else if (name === 'tr') flow.openRow()
      else if (name === 'tc') flow.openCell()
    },
    close(name) {
      if (hidden > 0) hidden--
      else if (name === 't') isText = false
      else if (name === 'p') flow.closeParagraph()
      else if (name === 'tr') flow.closeRow()
      else if (name === 'tc') flow.closeCell()
    },
    text(text) {
      if (isText) flow.text(text)
    },
  }
}

/** The field with the number of a slide repeats what its line already names. */
const isNumber = (name: string, type: string | undefined) => name === 'fld' && type === 'slidenum'
