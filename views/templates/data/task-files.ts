/**
 * Markdown files as cards: one file is one task, and its front matter names the column.
 *
 * The front matter is lines of `key: value` between two lines of `---`; other YAML stays as it is and is not
 * read. `test/views/templates/edits.test.ts` covers it.
 *
 * @module
 */

import type { JsonRecord } from '#core/json.ts'
import { cardOf, type Card } from './cards.ts'
import type { FileText } from './files.ts'
import { parseBoard } from './markdown-board.ts'

const FRONT_MATTER = /^---[ \t]*\r?\n([^]*?)(?<=\n)---[ \t]*(?:\r?\n|$)/

/** A line with a column: what is before the value, and the value. `column` wins over `status`. */
const COLUMN = /^(column[ \t]*:[ \t]*)(.*?)(?=[ \t]*$)/im
const STATUS = /^(status[ \t]*:[ \t]*)(.*?)(?=[ \t]*$)/im

/** Characters of the first paragraph that are shown as the description. */
const MAX_DESCRIPTION = 300

/** Whether files are tasks: one of them has a column, or they are several without a board in them. */
export function areTasks(files: readonly FileText[]): boolean {
  if (files.some(({ text }) => columnLine(frontMatterOf(text)))) return true
  const hasBoard = ({ text }: FileText) => parseBoard(text).some(({ cards }) => cards.length > 0)
  return files.length > 1 && !files.some(hasBoard)
}

/** Returns the card of a file. */
export function cardOfTask({ path, text }: FileText, index: number): Card {
  const members = membersOf(frontMatterOf(text))
  const body = text.replace(FRONT_MATTER, '')
  const heading = /^#\s+(.*?)(?:\s+#+)?\s*$/m.exec(body)?.[1]
  const paragraph = body.split(/\r?\n\s*\r?\n/).find((part) => /^\s*[^#\s]/.test(part)) ?? ''
  const name = path.slice(path.lastIndexOf('/') + 1).replace(/\.\w+$/, '')
  const description = paragraph.trim().slice(0, MAX_DESCRIPTION).toWellFormed()
  return cardOf({ title: heading ?? name, description, ...members, id: path }, index)
}

const frontMatterOf = (text: string) => FRONT_MATTER.exec(text)?.[1] ?? ''

const columnLine = (front: string) => [COLUMN, STATUS].find((line) => line.test(front)) ?? null

function membersOf(front: string): JsonRecord {
  const lines = [...front.matchAll(/^([\w-]+)[ \t]*:[ \t]*(.*?)[ \t]*\r?$/gm)]
  const values = lines.map(([, key = '', value = '']): [string, unknown] => {
    const list = /^\[(.*)\]$/.exec(value)?.[1]
    return [key.toLowerCase(), list === undefined ? unquote(value) : list.split(',').map(unquote)]
  })
  return Object.fromEntries(values.filter(([, value]) => value !== ''))
}

const unquote = (text: string) => text.trim().replace(/^(["'])(.*)\1$/, '$2')

/** Returns the text with another column; a file without front matter receives one. */
export function setColumn(text: string, column: string): string {
  const newline = text.includes('\r\n') ? '\r\n' : '\n'
  const member = `status: ${format(column)}${newline}`
  if (!FRONT_MATTER.test(text)) return `---${newline}${member}---${newline}${text}`
  const front = frontMatterOf(text)
  const line = columnLine(front)
  const next = line
    ? front.replace(line, (_, start: string, old: string) => {
        const gap = start.endsWith(':') ? ' ' : ''
        return start + gap + format(column, /^["']/.exec(old)?.[0])
      })
    : front + member
  const from = text.indexOf('\n') + 1
  return text.slice(0, from) + next + text.slice(from + front.length)
}

/** Formats a value of YAML; one that could be read as something else than a text is quoted. */
function format(value: string, quote = ''): string {
  const isWord = /^\p{L}[\p{L}\p{N} _-]*$/u.test(value)
  const isOther = /^(?:true|false|yes|no|on|off|null|y|n)$/i.test(value)
  if (quote === '"' || !isWord || isOther) return JSON.stringify(value)
  return quote + value + quote
}
