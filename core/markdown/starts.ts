/** How blocks of Markdown begin, and what they are read from. `test/core/markdown/blocks.test.ts` tests it. @module */

import type { Definitions } from './inline.ts'
import type { Block } from './tree.ts'

/** Lines of one block, and what is known of the whole text. */
export interface Source {
  readonly lines: readonly string[]
  readonly definitions: Definitions
  /** Parses lines that are one level deeper. */
  readonly parseInner: (lines: readonly string[]) => readonly Block[]
}

/** A block, or none, and the line after it. */
export interface Taken {
  readonly block: Block | null
  readonly next: number
}

/** A heading, and its marks and text. */
export const HEADING = /^ {0,3}(#{1,6})(?:\s+(.*))?$/

/** A rule across the page. */
export const RULE = /^ {0,3}(?:(?:-\s*){3,}|(?:\*\s*){3,}|(?:_\s*){3,})$/

/** The first line of code: its indent, its fence and its language. */
export const FENCE = /^( {0,3})(`{3,}|~{3,})\s*([^\s`]*)[^`]*$/

/** The mark of a quote. */
export const QUOTE = /^ {0,3}> ?/

/** The mark of an item of a list: its indent, its sign, its number and what ends it, and the spaces after it. */
export const MARKER = /^( {0,3})([-*+]|(\d{1,9})([.)]))( +|$)/

/** Whether a line ends a paragraph above it. A list does only if it begins with 1 and has a text. */
export function interrupts(line: string): boolean {
  return (
    line.trim() === '' ||
    [FENCE, HEADING, RULE, QUOTE].some((start) => start.test(line)) ||
    /^ {0,3}(?:[-*+]|1[.)]) +\S/.test(line)
  )
}
