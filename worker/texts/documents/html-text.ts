/**
 * HTML as readable text: of pages, and of the chapters of EPUB. What a browser would not show is left out.
 *
 * It takes any text, goes through it once, and needs no tree. `test/worker/texts/documents/readers.test.ts` tests it.
 *
 * @module
 */

import { isLongPiece, piecesOf } from '../../xml/pieces.ts'
import type { Budget } from './budget.ts'
import { decodeEntities } from './entities.ts'
import type { Flow } from './flow.ts'

/** Elements whose content is not shown, and is not read as markup where it is `raw`. */
const HIDDEN = new Set(['head', 'noscript', 'template', 'svg', 'math', 'datalist', 'select'])
const RAW = new Set([
  'script',
  'style',
  'textarea',
  'title',
  'xmp',
  'iframe',
  'noembed',
  'noframes',
])

/** Elements that begin and end a line. */
const BLOCKS = new Set(
  (
    'address article aside blockquote body caption dd details dialog div dl dt fieldset figcaption figure footer form ' +
    'h1 h2 h3 h4 h5 h6 header hgroup hr html legend li main menu nav ol p pre section summary tbody tfoot thead ul'
  ).split(' '),
)

interface State {
  readonly flow: Flow
  /** The name of the hidden element that was opened, and how many of its name are inside of each other. */
  hidden: { readonly name: string; depth: number } | null
  pre: number
  /** The tables inside of each other, each with whether a row of it is open. */
  readonly tables: boolean[]
  /** Whether there is a space between what is written and what follows. */
  space: boolean
  hasText: boolean
}

/** Writes the text of a page. */
export async function writeHtml(source: string, budget: Budget, flow: Flow): Promise<void> {
  const state: State = { flow, hidden: null, pre: 0, tables: [], space: false, hasText: false }
  for (let at = 0; at < source.length;) {
    if (budget.object()) await budget.turn()
    const tag = nextTag(source, at)
    for (const piece of tag.start > at ? piecesOf(source.slice(at, tag.start)) : []) {
      writeText(piece, state)
      if (isLongPiece(piece)) await budget.turn()
    }
    at = tag.end
    if (tag.name !== '') at = applyTag(tag, source, state)
  }
  while (state.tables.length > 0) closeTable('table', state)
  endLine(state)
}

interface Tag {
  readonly start: number
  readonly end: number
  /** In lower case; empty for a comment or a declaration. */
  readonly name: string
  readonly isClose: boolean
}

const TAG = /<(?:!--|[!?]|\/?[a-zA-Z])/g

function nextTag(source: string, from: number): Tag {
  TAG.lastIndex = from
  const found = TAG.exec(source)
  const none = { start: source.length, end: source.length, name: '', isClose: false }
  if (!found) return none
  const { index: start } = found
  if (found[0] === '<!--') return { ...none, start, end: endAt(source, '-->', start + 4) }
  const isClose = source[start + 1] === '/'
  const nameFrom = start + (isClose ? 2 : 1)
  const name = /^[!?]/.test(source[nameFrom] ?? '') ? '' : nameAt(source, nameFrom)
  return { start, end: endOfTag(source, nameFrom), name, isClose }
}

const NAME = /[a-zA-Z][^\s/>]{0,40}/y

function nameAt(source: string, at: number): string {
  NAME.lastIndex = at
  return (NAME.exec(source)?.[0] ?? '').toLowerCase()
}

function endAt(source: string, end: string, from: number): number {
  const found = source.indexOf(end, from)
  return found === -1 ? source.length : found + end.length
}

/** Finds the end of a tag, outside of the values of attributes; an open quote ends at the next `>`. */
function endOfTag(source: string, from: number): number {
  for (let at = from; at < source.length; at++) {
    const char = source[at]
    if (char === '>') return at + 1
    if (char !== '"' && char !== "'") continue
    if (source[at - 1] !== '=') continue
    const close = source.indexOf(char, at + 1)
    if (close === -1) return endAt(source, '>', at)
    at = close
  }
  return source.length
}

/** Applies a tag. Returns where to read on: behind the content of an element that has no markup. */
function applyTag({ name, isClose, end }: Tag, source: string, state: State): number {
  const { hidden } = state
  if (hidden) {
    if (name === hidden.name) hidden.depth += isClose ? -1 : 1
    if (hidden.depth === 0) state.hidden = null
    return end
  }
  if (isClose) closeTag(name, state)
  else {
    if (RAW.has(name) && source[end - 2] !== '/') return skipRaw(source, name, end)
    if (HIDDEN.has(name) && source[end - 2] !== '/') state.hidden = { name, depth: 1 }
    else openTag(name, state)
  }
  return end
}

/** Finds the end of an element whose content is no markup. */
function skipRaw(source: string, name: string, from: number): number {
  const close = new RegExp(`</${name}`, 'gi')
  close.lastIndex = from
  const found = close.exec(source)
  return found ? endOfTag(source, found.index + 2) : source.length
}

function openTag(name: string, state: State): void {
  const { flow } = state
  if (name === 'br') return lineBreak(state)
  if (TABLES.has(name)) return openTable(name, state)
  if (!BLOCKS.has(name)) return undefined
  endLine(state)
  if (name === 'pre') state.pre++
  if (name === 'li') flow.prefix('- ')
  if (/^h[1-6]$/.test(name)) flow.prefix(`${'#'.repeat(Number(name[1]))} `)
}

function closeTag(name: string, state: State): void {
  if (TABLES.has(name)) return closeTable(name, state)
  if (!BLOCKS.has(name)) return undefined
  endLine(state)
  if (name === 'pre') state.pre = Math.max(0, state.pre - 1)
}

const TABLES = new Set(['table', 'tr', 'td', 'th'])

/** Tables inside of each other whose rows are lines; those further inside are only lines. */
const MAX_TABLES = 8

/** The ends of rows and cells may be missing. */
function openTable(name: string, state: State): void {
  const { flow, tables } = state
  endLine(state)
  if (name === 'table') {
    tables.push(false)
    return
  }
  if (tables.length === 0 || tables.length > MAX_TABLES) return
  const isOpen = tables.at(-1)
  if (name === 'tr') {
    if (isOpen) flow.closeRow()
    flow.openRow()
  } else {
    if (!isOpen) flow.openRow()
    flow.openCell()
  }
  tables[tables.length - 1] = true
}

function closeTable(name: string, state: State): void {
  const { flow, tables } = state
  endLine(state)
  if (name === 'td' || name === 'th') return
  if (tables.at(-1)) flow.closeRow()
  if (name === 'table') tables.pop()
  else if (tables.length > 0) tables[tables.length - 1] = false
}

function lineBreak(state: State): void {
  state.flow.text('\n')
  state.space = false
}

function endLine(state: State): void {
  if (state.hasText) {
    state.flow.openParagraph()
    state.flow.closeParagraph()
  }
  state.space = false
  state.hasText = false
}

function writeText(source: string, state: State): void {
  if (state.hidden) return
  const text = decodeEntities(source)
  if (state.pre > 0) {
    state.flow.text(text)
    state.hasText ||= text.trim() !== ''
    return
  }
  // A no-break space is shown as it is.
  const words = text.replaceAll(/[ \t\r\n\f]+/g, ' ')
  if (words.startsWith(' ')) state.space = true
  const shown = words.trim()
  if (shown === '') return
  state.flow.text(state.space && state.hasText ? ` ${shown}` : shown)
  state.hasText = true
  state.space = words.endsWith(' ')
}
