/**
 * A text that is read and highlighted in blocks, on demand.
 *
 * Only blocks that become visible are read, from anywhere in the file. A block is highlighted from
 * the state at the end of the previous block, where that is known. Reading from the top is
 * therefore exact, while a jump into the middle of a long comment is a guess.
 * `test/views/files/text-blocks.test.ts` covers it.
 *
 * @module
 */

import { errorMessage } from './client.ts'
import {
  createTokenizer,
  type Language,
  type State,
  type Token,
  type Tokenizer,
} from '#core/highlight/tokens.ts'
import type { LineRange } from './tool-results.ts'

/** Lines per block. */
export const BLOCK = 100

/** Most lines that can be scrolled to; browsers limit the height of a page. */
export const MAX_LINES = 1_000_000

/** The file behind a text. */
export interface TextSource {
  /** Reads up to `limit` lines from a line number, counted from 1. */
  readonly read: (start: number, limit: number) => Promise<LineRange>
  readonly language: Language | null
  /** Called after lines have arrived or failed to arrive. */
  readonly onChange: () => void
  /** Called when a part is from another version of the file. */
  readonly onStale: () => void
}

interface HighlightedBlock {
  readonly startState: State
  readonly lines: readonly (readonly Token[])[]
  readonly endState: State
}

/** A text that is being read. */
export class TextBlocks {
  /** Lines that can be scrolled to. */
  readonly total: number
  /** Lines of the file, including those that cannot be scrolled to. */
  readonly fileLines: number
  /** Number of blocks. */
  readonly count: number
  readonly #source: TextSource
  readonly #version: number
  readonly #tokenize: Tokenizer | null
  readonly #lines = new Map<number, string>()
  readonly #requested = new Set<number>()
  readonly #highlighted = new Map<number, HighlightedBlock>()
  #error: string | null = null

  /** Creates a text from its first part. */
  constructor(first: LineRange, source: TextSource) {
    this.total = Math.min(first.total, MAX_LINES)
    this.fileLines = first.total
    this.count = Math.ceil(this.total / BLOCK)
    this.#source = source
    this.#version = first.version
    this.#tokenize = source.language && createTokenizer(source.language)
    this.#keep(first)
  }

  /** The message of the last failed read; null if there is none. */
  get error(): string | null {
    return this.#error
  }

  /** Returns the number of lines in a block. */
  lineCount(block: number): number {
    return Math.min(BLOCK, this.total - block * BLOCK)
  }

  /** Reads a visible block, in several calls if the server returns fewer lines than requested. */
  async load(block: number): Promise<void> {
    if (this.#requested.has(block)) return
    this.#requested.add(block)
    const { read, onChange, onStale } = this.#source
    try {
      for (let from = this.#missing(block); from !== null; from = this.#missing(block)) {
        const part = await read(from, (block + 1) * BLOCK - from + 1)
        if (part.version !== this.#version || part.count === 0) return onStale()
        this.#keep(part)
        onChange()
      }
    } catch (error) {
      this.#error = errorMessage(error)
      onChange()
    }
  }

  /** Returns the tokens of a block's lines; null while lines are missing. */
  tokens(block: number): HighlightedBlock['lines'] | null {
    return this.#missing(block) === null ? this.#highlight(block).lines : null
  }

  /** Reads again what failed. */
  retry(): void {
    this.#error = null
    this.#requested.clear()
    this.#source.onChange()
  }

  #keep({ start_line, content, count }: LineRange): void {
    const texts = content.split('\n').slice(0, count)
    for (const [index, text] of texts.entries())
      this.#lines.set(start_line + index, text.replace(/^\d+: /, ''))
  }

  /** Returns the first line of a block that has not been read; null if all have. */
  #missing(block: number): number | null {
    const start = block * BLOCK + 1
    for (let line = start; line < start + this.lineCount(block); line++)
      if (!this.#lines.has(line)) return line
    return null
  }

  #highlight(block: number): HighlightedBlock {
    const startState = this.#highlighted.get(block - 1)?.endState ?? 0
    const known = this.#highlighted.get(block)
    if (known?.startState === startState) return known
    let endState = startState
    const lines = Array.from({ length: this.lineCount(block) }, (_, index): readonly Token[] => {
      const text = this.#lines.get(block * BLOCK + 1 + index) ?? ''
      if (!this.#tokenize) return [[text, null]]
      const { tokens, state } = this.#tokenize(text, endState)
      endState = state
      return tokens
    })
    const fresh = { startState, lines, endState }
    this.#highlighted.set(block, fresh)
    return fresh
  }
}
