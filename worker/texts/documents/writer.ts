/**
 * Writes the text of a document: lines, and pages with a line that names each.
 *
 * @module
 */

import type { Budget } from './budget.ts'
import type { DocumentFormat, DocumentText } from '../document.ts'

/** Characters that a text has no use for: they would make it binary for its readers. */
// eslint-disable-next-line no-control-regex
const CONTROLS = /[\x00-\x08\x0b-\x1f\x7f]/g

/** Writes the text of one document. */
export type Writer = ReturnType<typeof createWriter>

/** Creates a writer. */
export function createWriter(budget: Budget) {
  const lines: string[] = []
  const pages: number[] = []
  /** Whether the last line is not empty. */
  let hasLine = false

  function write(line: string): void {
    budget.text(line.length + 1)
    lines.push(line)
    hasLine = line !== ''
  }

  /** Writes text, which may have several lines. Of empty lines that follow each other, one stays. */
  function line(text: string): void {
    for (const one of text.split('\n')) {
      const shown = one.replaceAll(CONTROLS, '').trimEnd()
      if (shown !== '' || hasLine) write(shown)
    }
  }

  return {
    line,
    /** Counts characters that may not be in a line in the end. */
    count: (length: number): void => budget.text(length),
    /** Begins a page, which a line names. Other requests get a turn before. */
    async page(name: string): Promise<void> {
      await budget.page()
      pages.push(lines.length + 1)
      write(`[${name.replaceAll(/\s+/g, ' ').slice(0, MAX_NAME)}]`)
      hasLine = false
    },
    /** Takes back the line of a single page: a document of one page has no pages. */
    end(format: DocumentFormat, isPaged: boolean): DocumentText {
      const isSingle = !isPaged && pages.length === 1
      const shown = isSingle ? lines.slice(1) : lines
      while (shown.at(-1) === '') shown.pop()
      const text = shown.length === 0 ? '' : `${shown.join('\n')}\n`.toWellFormed()
      return { format, text, pages: isSingle || pages.length === 0 ? [1] : pages }
    },
  }
}

/** Characters of the name of a page that its line shows. */
const MAX_NAME = 200
