/**
 * The flow of a text document: paragraphs, and rows of cells as lines with tabs, on pages.
 *
 * @module
 */

import type { MaybePromise } from '../../maybe-promise.ts'
import type { Writer } from './writer.ts'

/** Writes what a reader finds in the order of the document. */
export class Flow {
  readonly #writer: Writer
  readonly #word: string
  #page = 0
  #line = ''
  #mark = ''
  /** Paragraphs are inside each other where a text box is anchored in one. */
  #paragraphs = 0
  /** Whether the page has text, as a break before any is the one that was already taken. */
  #hasText = false
  /** The rows that are open, with their cells, the innermost last. */
  readonly #rows: string[][] = []

  /** Creates a flow whose pages are named by a word and their number. */
  constructor(writer: Writer, word: string) {
    this.#writer = writer
    this.#word = word
  }

  /** Begins a page. */
  async begin(name?: string): Promise<void> {
    this.#hasText = false
    this.#page++
    await this.#writer.page(name ?? `${this.#word} ${this.#page}`)
  }

  /** The number of pages that were begun. */
  pages(): number {
    return this.#page
  }

  /** Writes what was collected. */
  end(): void {
    if (this.#line !== '') this.#flush()
  }

  text(text: string): void {
    this.#line += text
  }

  /** Adds spaces, which a document may only count. */
  spaces(count: number): void {
    this.#writer.count(count)
    this.#line += ' '.repeat(count)
  }

  /** Sets the mark of the paragraph that is open. */
  prefix(text: string): void {
    if (this.#mark === '') this.#mark = text
  }

  openParagraph(): void {
    // A text box begins a line of its own inside of a paragraph.
    if (this.#paragraphs++ > 0) this.end()
  }

  closeParagraph(): void {
    this.#paragraphs--
    this.#flush()
  }

  openRow(): void {
    this.#rows.push([])
  }

  /** Begins a row whose first cell has what was collected. */
  startRow(): void {
    this.#rows.push([''])
  }

  openCell(): void {
    this.#rows.at(-1)?.push('')
  }

  closeCell(): void {
    this.end()
  }

  closeRow(): void {
    const cells = this.#rows.pop() ?? []
    this.#line = cells.join(this.#rows.length > 0 ? ' ' : '\t')
    this.#flush()
  }

  /** Begins a page. A `soft` break, which only tells where a program broke the page, needs text before it. */
  breakPage(soft = false): MaybePromise<void> {
    const isFirst = !this.#hasText && this.#line === ''
    if (this.#rows.length > 0 || (soft && isFirst)) return undefined
    this.end()
    return this.begin()
  }

  /** Writes the line that was collected, into the cell that is open or to the page. */
  #flush(): void {
    const row = this.#rows.at(-1)
    const shown = this.#line === '' ? '' : this.#mark + this.#line
    this.#line = ''
    this.#mark = ''
    if (row) return addToCell(row, shown)
    this.#hasText ||= shown !== ''
    this.#writer.line(shown)
  }
}

/** Adds a line to the last cell of a row. */
function addToCell(row: string[], line: string): void {
  const cell = row.pop() ?? ''
  const flat = line.replaceAll(/[\t\n]+/g, ' ')
  row.push(cell === '' || flat === '' ? cell + flat : `${cell} ${flat}`)
}
