/**
 * A board in Markdown: headings are columns, list items are cards.
 *
 * `## Column` begins a column, `- [ ] card` or `- card` at the left edge is a card, and indented
 * lines below it belong to it. In the title, `#word` is a tag, `@name` the assignee, and `!high`,
 * `!medium` or `!low` the priority. A move takes the lines of a card as they are.
 * `test/views/templates/edits.test.ts` covers it.
 *
 * @module
 */

import { err, ok, type Result } from '#core/result.ts'

/** A card, with the offsets of its lines. */
export interface MarkdownCard {
  /** The text of the item without its mark. */
  readonly text: string
  /** Its indented lines, without the indentation. */
  readonly details: string
  readonly isChecked: boolean
  readonly from: number
  /** The offset after its last line, line ending included. */
  readonly to: number
}

/** A heading and the cards below it. */
export interface MarkdownColumn {
  readonly title: string
  readonly cards: readonly MarkdownCard[]
  /** The offset where a card that is added begins. */
  readonly end: number
}

interface Line {
  readonly text: string
  readonly from: number
  readonly to: number
}

/** Splits a text into columns. Items before the first heading are not cards. */
export function parseBoard(text: string): MarkdownColumn[] {
  const columns: { title: string; cards: MarkdownCard[]; end: number }[] = []
  let isCode = false
  for (const line of splitLines(text)) {
    if (/^\s*(?:```|~~~)/.test(line.text)) isCode = !isCode
    const heading = isCode ? null : /^##\s+(.*?)(?:\s+#+)?\s*$/.exec(line.text)
    const column = columns.at(-1)
    if (heading) columns.push({ title: heading[1] ?? '', cards: [], end: line.to })
    else if (column) readLine(column, line, isCode)
  }
  return columns.map((column) => ({ ...column, end: insertionPoint(text, column) }))
}

const ITEM = /^[-*+]\s+(?:\[([ xX])\]\s+)?(.*)$/

function readLine(
  column: { cards: MarkdownCard[]; end: number },
  line: Line,
  isCode: boolean,
): void {
  const item = isCode ? null : ITEM.exec(line.text)
  const last = column.cards.at(-1)
  if (item) {
    const isChecked = item[1] !== undefined && item[1] !== ' '
    const card = { text: item[2] ?? '', details: '', isChecked, from: line.from, to: line.to }
    column.cards.push(card)
  } else if (last && last.to === line.from && /^[ \t]+\S/.test(line.text)) {
    const details = [last.details, line.text.trim()].filter(Boolean).join('\n')
    column.cards.splice(-1, 1, { ...last, details, to: line.to })
  }
}

/** Returns where a card is added: after the last one, else after the empty line below the heading. */
function insertionPoint(
  text: string,
  { cards, end }: { cards: readonly MarkdownCard[]; end: number },
): number {
  const last = cards.at(-1)
  if (last) return last.to
  const blank = /^[ \t]*\r?\n/.exec(text.slice(end, end + 80))
  return end + (blank?.[0].length ?? 0)
}

function* splitLines(text: string): Iterable<Line> {
  for (let from = 0; from < text.length;) {
    const newline = text.indexOf('\n', from)
    const to = newline === -1 ? text.length : newline + 1
    yield { text: text.slice(from, to).replace(/\r?\n$/, ''), from, to }
    from = to
  }
}

/** Returns the text with a card moved to the end of another column. */
export function moveCard(
  text: string,
  card: MarkdownCard,
  target: MarkdownColumn,
): Result<string, string> {
  if (target.end > card.from && target.end < card.to) return err('The card is in that column')
  const newline = text.includes('\r\n') ? '\r\n' : '\n'
  const lines = text.slice(card.from, card.to)
  const block = lines.endsWith('\n') ? lines : lines + newline
  const before = text.slice(0, target.end)
  const open = before !== '' && !before.endsWith('\n') ? newline : ''
  const insert = open + block
  const moved =
    target.end <= card.from
      ? before + insert + text.slice(target.end, card.from) + text.slice(card.to)
      : text.slice(0, card.from) + text.slice(card.to, target.end) + insert + text.slice(target.end)
  return ok(text.endsWith('\n') ? moved : moved.replace(/\r?\n$/, ''))
}
