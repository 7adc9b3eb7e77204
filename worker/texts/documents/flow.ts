/**
 * The flow of a text document: paragraphs, and rows of cells as lines with tabs, on pages.
 *
 * @module
 */

import type { MaybePromise } from '../../maybe-promise.ts'
import type { Writer } from './writer.ts'

/** Writes what a reader finds in the order of the document. */
export type Flow = ReturnType<typeof createFlow>

/** Creates a flow whose pages are named by a word and their number. */
export function createFlow(writer: Writer, word: string) {
  let page = 0
  let line = ''
  let mark = ''
  /** Paragraphs are inside each other where a text box is anchored in one. */
  let paragraphs = 0
  /** Whether the page has text, as a break before any is the one that was already taken. */
  let hasText = false
  /** The rows that are open, with their cells, the innermost last. */
  const rows: string[][] = []

  async function next(name?: string): Promise<void> {
    hasText = false
    await writer.page(name ?? `${word} ${++page}`)
  }

  /** Writes the line that was collected, into the cell that is open or to the page. */
  function flush(): void {
    const row = rows.at(-1)
    const shown = line === '' ? '' : mark + line
    line = ''
    mark = ''
    if (!row) {
      hasText ||= shown !== ''
      return writer.line(shown)
    }
    const cell = row.pop() ?? ''
    const flat = shown.replaceAll(/[\t\n]+/g, ' ')
    row.push(cell === '' || flat === '' ? cell + flat : `${cell} ${flat}`)
  }

  return {
    begin: () => next(),
    pages: () => page,
    /** Begins a part behind the pages. */
    async named(name: string): Promise<void> {
      page++
      await next(name)
    },
    end(): void {
      if (line !== '') flush()
    },
    text(text: string): void {
      line += text
    },
    /** Adds spaces, which a document may only count. */
    spaces(count: number): void {
      writer.count(count)
      line += ' '.repeat(count)
    },
    /** Sets the mark of the paragraph that is open. */
    prefix(text: string): void {
      if (mark === '') mark = text
    },
    openParagraph(): void {
      // A text box begins a line of its own inside of a paragraph.
      if (paragraphs++ > 0 && line !== '') flush()
    },
    closeParagraph(): void {
      paragraphs--
      flush()
    },
    openRow(): void {
      rows.push([])
    },
    /** Begins a row whose first cell has what was collected. */
    startRow(): void {
      rows.push([''])
    },
    openCell(): void {
      rows.at(-1)?.push('')
    },
    closeCell(): void {
      if (line !== '') flush()
    },
    closeRow(): void {
      const cells = rows.pop() ?? []
      line = cells.join(rows.length > 0 ? ' ' : '\t')
      flush()
    },
    /** Begins a page. A `soft` break, which only tells where a program broke the page, needs text before it. */
    breakPage(soft = false): MaybePromise<void> {
      if (rows.length > 0 || (soft && !hasText && line === '')) return undefined
      if (line !== '') flush()
      return next()
    },
  }
}
