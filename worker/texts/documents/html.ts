/** HTML pages as documents. @module */

import type { Budget } from './budget.ts'
import type { DocumentText } from '../document.ts'
import { decodeEntities } from './entities.ts'
import { Flow } from './flow.ts'
import { writeHtml } from './html-text.ts'
import { createWriter } from './writer.ts'

/** Reads a page. Its title is its first line. */
export async function readHtml(source: string, budget: Budget): Promise<DocumentText> {
  const writer = createWriter(budget)
  const flow = new Flow(writer, 'page')
  await flow.begin()
  const title = titleOf(source)
  if (title !== '') writer.line(title)
  await writeHtml(source, budget, flow)
  return writer.end('html', false)
}

/** Characters at the beginning of a page in which its title is looked for. */
const HEAD = 64 * 1024

/** Returns the title of a page; empty if it has none. */
export function titleOf(source: string): string {
  const head = source.slice(0, HEAD)
  const start = /<title\b[^>]{0,500}>/i.exec(head)
  const from = start ? start.index + start[0].length : -1
  const end = from < 0 ? -1 : head.indexOf('</', from)
  return end < 0 ? '' : decodeEntities(head.slice(from, end)).replaceAll(/\s+/g, ' ').trim()
}
