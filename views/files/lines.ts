/**
 * A text that is read and highlighted in blocks, on demand.
 *
 * Only blocks that become visible are read, from anywhere in the file. A block is highlighted from
 * the state at the end of the previous block, where that is known. Reading from the top is
 * therefore exact, while a jump into the middle of a long comment is a guess.
 * `test/views/files-lines.test.ts` covers it.
 *
 * @module
 */

import type { Part } from './answers.ts'
import { createTokenizer, type Language, type State, type Token } from './highlight/tokens.ts'
import { wordsOf } from './server.ts'

/** Lines per block. */
export const BLOCK = 100

/** Most lines that can be scrolled to; browsers limit the height of a page. */
export const MOST_LINES = 1_000_000

/** The file behind a text. */
export interface TextSource {
  /** Reads up to `limit` lines from a line number, counted from 1. */
  readonly read: (start: number, limit: number) => Promise<Part>
  readonly language: Language | null
  readonly changed: () => void
  /** Called when a part is from another version of the file. */
  readonly stale: () => void
}

/** A text that is being read. */
export type Text = ReturnType<typeof createText>

interface Coloured {
  readonly from: State
  readonly lines: readonly (readonly Token[])[]
  readonly to: State
}

/** Creates a text from its first part. */
export function createText(first: Part, { read, language, changed, stale }: TextSource) {
  const lines = new Map<number, string>()
  const asked = new Set<number>()
  const coloured = new Map<number, Coloured>()
  const tokenize = language && createTokenizer(language)
  const total = Math.min(first.total, MOST_LINES)
  const blocks = Math.ceil(total / BLOCK)
  let error: string | null = null
  keep(first)

  function keep({ start_line, content, count }: Part): void {
    const texts = content.split('\n').slice(0, count)
    for (const [index, text] of texts.entries())
      lines.set(start_line + index, text.replace(/^\d+: /, ''))
  }

  const linesOf = (block: number) => Math.min(BLOCK, total - block * BLOCK)

  /** Returns the first line of a block that has not been read; null if all have. */
  function missing(block: number): number | null {
    const start = block * BLOCK + 1
    for (let line = start; line < start + linesOf(block); line++) if (!lines.has(line)) return line
    return null
  }

  /** Reads a visible block, in several calls if the server returns fewer lines than requested. */
  async function want(block: number): Promise<void> {
    if (asked.has(block)) return
    asked.add(block)
    try {
      for (let from = missing(block); from !== null; from = missing(block)) {
        const part = await read(from, (block + 1) * BLOCK - from + 1)
        if (part.version !== first.version || part.count === 0) return stale()
        keep(part)
        changed()
      }
    } catch (reason) {
      error = wordsOf(reason)
      changed()
    }
  }

  /** Returns the tokens of a block's lines; null while lines are missing. */
  function tokens(block: number): Coloured['lines'] | null {
    return missing(block) === null ? colour(block).lines : null
  }

  function colour(block: number): Coloured {
    const from = coloured.get(block - 1)?.to ?? 0
    const known = coloured.get(block)
    if (known?.from === from) return known
    let state = from
    const painted = Array.from({ length: linesOf(block) }, (_, index): readonly Token[] => {
      const text = lines.get(block * BLOCK + 1 + index) ?? ''
      if (!tokenize) return [[text, null]]
      const line = tokenize(text, state)
      state = line.state
      return line.tokens
    })
    const fresh = { from, lines: painted, to: state }
    coloured.set(block, fresh)
    return fresh
  }

  function retry(): void {
    error = null
    asked.clear()
    changed()
  }

  return {
    total,
    /** Lines of the file, including those that cannot be scrolled to. */
    all: first.total,
    blocks,
    linesOf,
    want,
    tokens,
    retry,
    get error(): string | null {
      return error
    },
  }
}
