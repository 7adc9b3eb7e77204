/**
 * Cards of a board, from JSON, CSV or Markdown, each with what is needed to move it in its file.
 *
 * A column matches a card if its id or its title has the same letters and digits, so `in_progress`
 * is in the column "In Progress". A card of no column gets a column of its own, so that none is
 * lost. `test/views/templates/page.test.ts` covers it.
 *
 * @module
 */

import type { BoardColumn } from '#core/apps/templates.ts'
import { own, recordOf, type JsonRecord } from '#core/json.ts'
import { MAX_CARDS } from '../limits.ts'
import type { Csv } from './csv.ts'
import type { MarkdownColumn } from './markdown-board.ts'

/** A card. */
export interface Card {
  readonly id: string
  readonly title: string
  readonly description: string
  /** The column as the data spells it. */
  readonly column: string
  readonly priority: 'high' | 'medium' | 'low' | ''
  readonly tags: readonly string[]
  readonly assignee: string
  readonly isChecked: boolean
  /** Its index in the data, which is where its file has it. */
  readonly index: number
}

/** A column with its cards. */
export interface Lane extends BoardColumn {
  readonly cards: readonly Card[]
  /** The column as the data spells it, for a card that moves here. */
  readonly spelling: string
}

/** The columns of a board without settings (T6). */
export const STANDARD_COLUMNS: readonly BoardColumn[] = [
  { id: 'todo', title: 'To Do' },
  { id: 'in-progress', title: 'In Progress' },
  { id: 'done', title: 'Done' },
]

/** Returns the cards of JSON: a list, or an object with `cards` or `items`. */
export function cardsOfJson(value: unknown): Card[] {
  return listOfCards(value)
    .slice(0, MAX_CARDS)
    .map((each, index) => cardOf(recordOf(each), index))
}

/** Returns the list of cards in JSON. */
export function listOfCards(value: unknown): readonly unknown[] {
  const { cards, items } = recordOf(value)
  const list = [value, cards, items].find(Array.isArray)
  return Array.isArray(list) ? list : []
}

/** The member of a card that has its column. */
export const columnKey = (card: JsonRecord): 'column' | 'status' =>
  own(card, 'column') === undefined && own(card, 'status') !== undefined ? 'status' : 'column'

/** Returns the card of a record. */
export function cardOf(card: JsonRecord, index: number): Card {
  const tags = own(card, 'tags')
  const text = (key: string) => toText(own(card, key))
  return {
    id: text('id') || `${index + 1}`,
    title: text('title') || text('name') || text('id') || `Card ${index + 1}`,
    description: text('description'),
    column: text(columnKey(card)),
    priority: priorityOf(text('priority')),
    tags: (Array.isArray(tags) ? tags.map(toText) : text('tags').split(/[,;]\s*/)).filter(Boolean),
    assignee: text('assignee'),
    isChecked: false,
    index,
  }
}

const toText = (value: unknown): string =>
  typeof value === 'string' ? value : typeof value === 'number' ? `${value}` : ''

function priorityOf(text: string): Card['priority'] {
  const word = text.toLowerCase()
  return word === 'high' || word === 'medium' || word === 'low' ? word : ''
}

/** Returns the cards of a CSV file; the header names their members. */
export function cardsOfCsv({ header, rows }: Csv): Card[] {
  const names = header.map((name) => name.trim().toLowerCase())
  return rows.slice(0, MAX_CARDS).map((row, index) => {
    const members = names.flatMap((name, at): [string, string][] => {
      const value = row[at] ?? ''
      return value === '' && name !== 'column' && name !== 'status' ? [] : [[name, value]]
    })
    return cardOf(Object.fromEntries(members), index)
  })
}

/** Returns the cards of a board in Markdown, in the order of the file. */
export function cardsOfMarkdown(columns: readonly MarkdownColumn[]): Card[] {
  const seen = new Map<string, number>()
  const cards = columns.flatMap(({ title, cards: all }) => all.map((card) => ({ title, card })))
  return cards.slice(0, MAX_CARDS).map(({ title: column, card }, index) => {
    const title = card.text.replace(MARKS, '').trim() || card.text
    const count = (seen.get(title) ?? 0) + 1
    seen.set(title, count)
    const marks = [...card.text.matchAll(MARKS)].map(([mark]) => mark.trim())
    const find = (sign: string) => marks.filter((mark) => mark.startsWith(sign)).map(withoutSign)
    return {
      // The same after a move; a title that occurs twice is counted.
      id: count === 1 ? title : `${title} (${count})`,
      title,
      description: card.details,
      column,
      priority: priorityOf(find('!')[0] ?? ''),
      tags: find('#'),
      assignee: find('@').join(', '),
      isChecked: card.isChecked,
      index,
    }
  })
}

const MARKS = /(?:^|\s)(?:[#@][\p{L}\p{N}_/-]+|!(?:high|medium|low)\b)/gu

const withoutSign = (mark: string) => mark.slice(1)

/** Arranges cards in the columns of the settings, else of the data. */
export function arrange(
  cards: readonly Card[],
  settings: readonly BoardColumn[],
  headings: readonly string[] = [],
): Lane[] {
  const found = headings.map((title) => ({ id: title, title }))
  const columns = settings.length > 0 ? settings : found.length > 0 ? found : STANDARD_COLUMNS
  const used = new Set(columns.flatMap(({ id, title }) => [normalize(id), normalize(title)]))
  const others = [...new Set([...cards.map(({ column }) => column), ...headings])].filter(
    (column) => column !== '' && !used.has(normalize(column)),
  )
  const distinct = others.filter(
    (each, index) => others.findIndex((other) => normalize(other) === normalize(each)) === index,
  )
  const all = [...columns, ...distinct.map((title) => ({ id: title, title }))]
  return all.map((column, index) => {
    const own = cards.filter((card) => belongs(card.column, column, index === 0))
    return { ...column, cards: own, spelling: spellingOf(column, own, all, cards, headings) }
  })
}

function belongs(column: string, { id, title }: BoardColumn, isFirst: boolean): boolean {
  const wanted = normalize(column)
  return wanted === '' ? isFirst : wanted === normalize(id) || wanted === normalize(title)
}

const normalize = (text: string) => text.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '')

/** Returns the column as its cards spell it, else as the other columns are spelled: id or title. */
function spellingOf(
  column: BoardColumn,
  own: readonly Card[],
  all: readonly BoardColumn[],
  cards: readonly Card[],
  headings: readonly string[],
): string {
  const heading = headings.find((title) => belongs(title, column, false))
  const spelled = heading ?? own.find((card) => card.column !== '')?.column
  if (spelled !== undefined) return spelled
  const usesTitles = cards.some((card) =>
    all.some(({ id, title }) => card.column === title && title !== id),
  )
  return usesTitles ? column.title : column.id
}
