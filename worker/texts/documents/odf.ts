/**
 * OpenDocument: the text of ODT, the sheets of ODS and the slides of ODP, which are one language.
 * `test/worker/texts/documents/formats.test.ts` compares them with other programs.
 *
 * @module
 */

import type { MaybePromise } from '../../maybe-promise.ts'
import type { Budget } from './budget.ts'
import { DocumentFault, type DocumentText } from '../document.ts'
import { Flow } from './flow.ts'
import { readOdfSheet } from './odf-sheet.ts'
import { createWriter } from './writer.ts'
import { needPart, walkXml, type Attribute, type XmlHandler } from './xml-part.ts'
import type { Archive } from './zip.ts'

/** Elements whose content is not shown: earlier versions of text, and what names its author and date. */
const HIDDEN = new Set(['tracked-changes', 'creator', 'date', 'ruby-text', 'settings', 'forms'])

/** Spaces of one element that are written. */
const MAX_SPACES = 256

/** Reads an OpenDocument file of a format. */
export async function readOdf(
  archive: Archive,
  budget: Budget,
  format: 'odt' | 'ods' | 'odp',
): Promise<DocumentText> {
  refuseEncrypted(archive)
  const writer = createWriter(budget)
  const content = needPart(archive, 'content.xml')
  if (format === 'ods') {
    await readOdfSheet(content, budget, writer)
    return writer.end('ods', true)
  }
  const flow = new Flow(writer, format === 'odt' ? 'page' : 'slide')
  if (format === 'odt') await flow.begin()
  await walkXml(content, budget, handle(flow))
  flow.end()
  const isPaged = format === 'odp' || flow.pages() > 1
  const styles = format === 'odt' ? archive.text('styles.xml') : null
  if (styles !== null && /<style:(?:header|footer)\b[^>]*>\s*</.test(styles)) {
    await flow.begin('header and footer')
    await walkXml(styles, budget, onlyIn(['header', 'footer'], handle(flow)))
    flow.end()
  }
  return writer.end(format, isPaged || flow.pages() > 1)
}

function refuseEncrypted(archive: Archive): void {
  if (archive.text('META-INF/manifest.xml')?.includes('encryption-data'))
    throw new DocumentFault('encrypted', 'it needs a password')
}

function handle(flow: Flow): XmlHandler {
  /** Elements below one that is not shown, and paragraphs that are open. */
  let [hidden, paragraphs] = [0, 0]
  return {
    open(name, attribute) {
      if (hidden > 0 || HIDDEN.has(name)) hidden++
      else if (name === 'p' || name === 'h') {
        paragraphs++
        flow.openParagraph()
        if (name === 'h') flow.prefix(`${'#'.repeat(levelOf(attribute))} `)
      } else return openElement(name, attribute, flow)
      return undefined
    },
    close(name) {
      if (hidden > 0) hidden--
      else if (name === 'p' || name === 'h') {
        paragraphs--
        flow.closeParagraph()
      } else if (name === 'table-row') flow.closeRow()
      else if (name === 'table-cell') flow.closeCell()
    },
    text(text) {
      if (hidden === 0 && paragraphs > 0) flow.text(text.replaceAll(/\s+/g, ' '))
    },
  }
}

const levelOf = (attribute: Attribute) =>
  Math.min(6, Math.max(1, Number(attribute('outline-level')) || 1))

const spacesIn = (attribute: Attribute) =>
  Math.min(MAX_SPACES, Math.max(1, Math.floor(Number(attribute('c') ?? 1)) || 1))

function openElement(name: string, attribute: Attribute, flow: Flow): MaybePromise<void> {
  if (name === 's') flow.spaces(spacesIn(attribute))
  else if (name === 'tab') flow.text('\t')
  else if (name === 'line-break') flow.text('\n')
  else if (name === 'list-item') flow.prefix('- ')
  else if (name === 'table-row') flow.openRow()
  else if (name === 'table-cell') flow.openCell()
  else if (name === 'note-body' || name === 'annotation') flow.text(' ')
  else if (name === 'soft-page-break') return flow.breakPage(true)
  else if (name === 'page') return flow.begin()
  return undefined
}

/** Passes on what is inside of some elements. */
function onlyIn(names: readonly string[], handler: XmlHandler): XmlHandler {
  let depth = 0
  return {
    open(name, attribute) {
      if (depth > 0 || names.includes(name)) depth++
      return depth > 1 ? handler.open?.(name, attribute) : undefined
    },
    close(name) {
      if (depth > 0) depth--
      return depth > 0 ? handler.close?.(name) : undefined
    },
    text(text) {
      if (depth > 0) handler.text?.(text)
    },
  }
}
