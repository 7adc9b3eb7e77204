/**
 * The blocks of a text in Markdown (CommonMark 0.31 and GFM): headings, paragraphs, lists, tasks, quotes, code, tables and
 * rules. HTML is text, and so is what is nested deeper than a limit. Each level of quotes and lists reads its lines once,
 * so the time is linear in the length. `test/core/markdown/blocks.test.ts` has the cases.
 *
 * @module
 */

import { labelKey, parseInline, type Definitions } from './inline.ts'
import { readList } from './lists.ts'
import { unescape } from './pieces.ts'
import {
  FENCE,
  HEADING,
  interrupts,
  MARKER,
  QUOTE,
  RULE,
  type Source,
  type Taken,
} from './starts.ts'
import { isTableAt, readTable } from './tables.ts'
import type { Block } from './tree.ts'

/** Maximum depth of quotes and lists; deeper lines are a paragraph. */
const MAX_DEPTH = 12

/** Parses a text. Its lines end with `\n`. */
export function parseMarkdown(text: string): readonly Block[] {
  const lines = text.replaceAll('\t', '    ').split('\n')
  const matter = readFrontMatter(lines)
  const definitions = readDefinitions(lines)
  const blocks = parseBlocks(lines.slice(matter?.next ?? 0), definitions, 0)
  return matter?.block ? [matter.block, ...blocks] : blocks
}

/** Maximum number of lines of the fields at the beginning of a file. */
const MAX_MATTER_LINES = 200

/** Fields between two lines of `---` at the beginning are code. */
function readFrontMatter(lines: readonly string[]): Taken | null {
  if (lines[0]?.trimEnd() !== '---') return null
  const end = lines.slice(1, MAX_MATTER_LINES).findIndex((line) => line.trimEnd() === '---')
  if (end < 1) return null
  const text = lines.slice(1, end + 1).join('\n')
  return { block: { type: 'code', language: 'yaml', text }, next: end + 2 }
}

const DEFINITION =
  /^ {0,3}\[([^[\]]{1,200})\]: {0,9}<?([^\s<>]{1,1000})>?(?: {1,9}["'(].{0,300})?\s*$/

function readDefinitions(lines: readonly string[]): Definitions {
  const found = new Map<string, string>()
  for (const line of lines) {
    const [, label, address] = line.includes(']:') ? (DEFINITION.exec(line) ?? []) : []
    if (label === undefined || address === undefined) continue
    const key = labelKey(label)
    if (!found.has(key)) found.set(key, unescape(address))
  }
  return found
}

/** Parses the lines of the text, or of a block that contains others. */
function parseBlocks(
  lines: readonly string[],
  definitions: Definitions,
  depth: number,
): readonly Block[] {
  if (depth > MAX_DEPTH)
    return [{ type: 'paragraph', children: parseInline(lines.join('\n'), definitions) }]
  const parseInner = (inner: readonly string[]) => parseBlocks(inner, definitions, depth + 1)
  const source: Source = { lines, definitions, parseInner }
  const blocks: Block[] = []
  for (let at = 0; at < lines.length;) {
    const { block, next } = readBlock(source, at)
    if (block) blocks.push(block)
    at = next
  }
  return blocks
}

const INDENTED = /^ {4}/

function readBlock(source: Source, at: number): Taken {
  const line = source.lines[at] ?? ''
  if (line.trim() === '') return { block: null, next: at + 1 }
  if (FENCE.test(line)) return readFence(source, at)
  if (HEADING.test(line)) return readHeading(source, at)
  if (RULE.test(line)) return { block: { type: 'rule' }, next: at + 1 }
  if (QUOTE.test(line)) return readQuote(source, at)
  if (MARKER.test(line)) return readList(source, at)
  if (INDENTED.test(line)) return readIndented(source, at)
  if (isTableAt(source.lines, at)) return readTable(source, at)
  return readParagraph(source, at)
}

function readFence({ lines }: Source, at: number): Taken {
  const [, indent = '', fence = '', language = ''] = FENCE.exec(lines[at] ?? '') ?? []
  const ends = (line: string) => {
    const mark = line.trim()
    return mark.length >= fence.length && mark === fence.slice(0, 1).repeat(mark.length)
  }
  let end = at + 1
  while (end < lines.length && !ends(lines[end] ?? '')) end++
  const inner = lines.slice(at + 1, end)
  const text = inner.map((line) => (line.startsWith(indent) ? line.slice(indent.length) : line))
  return { block: { type: 'code', language, text: text.join('\n') }, next: end + 1 }
}

function readHeading({ lines, definitions }: Source, at: number): Taken {
  const [, marks = '', text = ''] = HEADING.exec(lines[at] ?? '') ?? []
  const children = parseInline(withoutClosing(text.trim()), definitions)
  return { block: { type: 'heading', level: marks.length, children }, next: at + 1 }
}

/** Removes the marks that may close a heading. */
function withoutClosing(text: string): string {
  let end = text.length
  while (text[end - 1] === '#') end--
  return end === 0 || text[end - 1] === ' ' ? text.slice(0, end).trimEnd() : text
}

function readQuote({ lines, parseInner }: Source, at: number): Taken {
  let next = at
  while (next < lines.length && QUOTE.test(lines[next] ?? '')) next++
  const inner = lines.slice(at, next).map((line) => line.replace(QUOTE, ''))
  return { block: { type: 'quote', children: parseInner(inner) }, next }
}

function readIndented({ lines }: Source, at: number): Taken {
  let next = at
  let end = at
  for (; next < lines.length; next++) {
    const line = lines[next] ?? ''
    if (INDENTED.test(line) && line.trim() !== '') end = next + 1
    else if (line.trim() !== '') break
  }
  const text = lines.slice(at, end).map((line) => line.slice(4))
  return { block: { type: 'code', language: '', text: text.join('\n') }, next: end }
}

const UNDERLINE = /^ {0,3}(?:(=+)|-+)\s*$/

function readParagraph({ lines, definitions }: Source, at: number): Taken {
  if (DEFINITION.test(lines[at] ?? '')) return { block: null, next: at + 1 }
  let next = at + 1
  let level: number | null = null
  for (; next < lines.length; next++) {
    const under = UNDERLINE.exec(lines[next] ?? '')
    if (under) level = under[1] === undefined ? 2 : 1
    if (under || interrupts(lines[next] ?? '') || isTableAt(lines, next)) break
  }
  const text = lines.slice(at, next).map((line) => line.trimStart())
  const children = parseInline(text.join('\n').trimEnd(), definitions)
  return level === null
    ? { block: { type: 'paragraph', children }, next }
    : { block: { type: 'heading', level, children }, next: next + 1 }
}
