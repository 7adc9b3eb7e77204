/**
 * RTF: the text of a rich text file, page by page where it has breaks. Fonts, styles, pictures and what programs keep for
 * themselves are passed over.
 *
 * `test/worker/texts/documents/formats.test.ts` compares it with other programs.
 *
 * @module
 */

import { MAX_DOCUMENT_DEPTH } from '../limits.ts'
import { tooLarge, type Budget } from './budget.ts'
import type { DocumentText } from '../document.ts'
import { Flow } from './flow.ts'
import { createWriter } from './writer.ts'

/** Groups whose content is not shown. */
const HIDDEN = new Set(
  (
    'fonttbl colortbl stylesheet listtable listoverridetable info pict object objdata themedata colorschememapping ' +
    'latentstyles datastore rsidtbl generator xmlnstbl fldinst bkmkstart bkmkend pgptbl wgrffmtfilter revtbl mmathPr ' +
    'nonshppict template operator datafield formfield header footer headerl headerr headerf footerl footerr footerf'
  ).split(' '),
)

/** Characters that have a word of their own. */
const CHARACTERS: Readonly<Record<string, string>> = {
  tab: '\t',
  line: '\n',
  emdash: '—',
  endash: '–',
  emspace: '\u2003',
  enspace: '\u2002',
  bullet: '•',
  lquote: '‘',
  rquote: '’',
  ldblquote: '“',
  rdblquote: '”',
  '~': '\u00a0',
  _: '-',
  '{': '{',
  '}': '}',
  '\\': '\\',
}

/** What a group inherits from the one around it. */
interface Group {
  readonly isHidden: boolean
  /** Characters that follow a character of Unicode, for programs that have none. */
  readonly skip: number
}

interface State {
  readonly flow: Flow
  readonly groups: Group[]
  group: Group
  /** The bytes of the code page that were not decoded yet. */
  bytes: number[]
  codePage: string
  /** Characters to be passed over. */
  toSkip: number
  isRow: boolean
}

/** A control word with its number, a symbol, a byte, a brace, or text. */
const TOKEN =
  /\\([a-zA-Z]{1,32})(-?\d{1,10})? ?|\\'([0-9a-fA-F]{2})|\\([^a-zA-Z])|([{}])|[\r\n]+|[^\\{}\r\n]+/gs

/** Reads a rich text file. `source` has one character for each byte. */
export async function readRtf(source: string, budget: Budget): Promise<DocumentText> {
  const writer = createWriter(budget)
  const flow = new Flow(writer, 'page')
  const first: Group = { isHidden: false, skip: 1 }
  const state: State = {
    ...{ flow, groups: [], group: first, bytes: [], codePage: 'windows-1252' },
    ...{ toSkip: 0, isRow: false },
  }
  await flow.begin()
  TOKEN.lastIndex = 0
  const tokens = new RegExp(TOKEN)
  for (let match = tokens.exec(source); match; match = tokens.exec(source)) {
    if (budget.object()) await budget.turn()
    const paged = apply(match, state)
    if (paged) await flow.breakPage()
    if (match[1] === 'bin') tokens.lastIndex += Math.max(0, Number(match[2] ?? 0))
  }
  flush(state)
  if (state.isRow) flow.closeRow()
  flow.end()
  return writer.end('rtf', flow.pages() > 1)
}

/** Applies a token. Returns whether a page ends. */
function apply(match: RegExpExecArray, state: State): boolean {
  const [text, word, number, byte, symbol, brace] = match
  if (byte !== undefined) addByte(Number.parseInt(byte, 16), state)
  else if (word !== undefined) return applyWord(word, number, state)
  else if (symbol !== undefined) applySymbol(symbol, state)
  else if (brace === '{') openGroup(state)
  else if (brace === '}') closeGroup(state)
  else if (!/^[\r\n]/.test(text)) addText(text, state)
  return false
}

function openGroup(state: State): void {
  flush(state)
  if (state.groups.length >= MAX_DOCUMENT_DEPTH)
    throw tooLarge(`${MAX_DOCUMENT_DEPTH} groups inside each other`)
  state.groups.push(state.group)
}

function closeGroup(state: State): void {
  flush(state)
  state.group = state.groups.pop() ?? state.group
  state.toSkip = 0
}

function applySymbol(symbol: string, state: State): void {
  // A group that programs may not know.
  if (symbol === '*') state.group = { ...state.group, isHidden: true }
  else if (symbol === '\n' || symbol === '\r') endParagraph(state)
  else addText(CHARACTERS[symbol] ?? '', state)
}

function applyWord(word: string, number: string | undefined, state: State): boolean {
  if (HIDDEN.has(word)) {
    flush(state)
    state.group = { ...state.group, isHidden: true }
  } else if (word === 'u') addUnicode(Number(number ?? 0), state)
  else if (word === 'uc') state.group = { ...state.group, skip: Math.max(0, Number(number ?? 1)) }
  else if (word === 'ansicpg') state.codePage = `windows-${number ?? '1252'}`
  else if (word === 'mac') state.codePage = 'macintosh'
  else if (!state.group.isHidden) return applyLayout(word, state)
  return false
}

function applyLayout(word: string, state: State): boolean {
  if (word === 'par' || word === 'sect') endParagraph(state)
  else if (word === 'cell' || word === 'nestcell') endCell(state)
  else if (word === 'row' || word === 'nestrow') endRow(state)
  else if (word === 'page') {
    flush(state)
    return true
  } else if (Object.hasOwn(CHARACTERS, word)) addText(CHARACTERS[word] ?? '', state)
  return false
}

function endParagraph(state: State): void {
  flush(state)
  state.flow.openParagraph()
  state.flow.closeParagraph()
}

/** A row begins with its first cell, whose text comes before the word that ends it. */
function endCell(state: State): void {
  flush(state)
  if (!state.isRow) state.flow.startRow()
  state.isRow = true
  state.flow.closeCell()
  state.flow.openCell()
}

function endRow(state: State): void {
  flush(state)
  if (state.isRow) state.flow.closeRow()
  state.isRow = false
}

function addText(text: string, state: State): void {
  flush(state)
  const shown = state.toSkip > 0 ? text.slice(state.toSkip) : text
  state.toSkip = Math.max(0, state.toSkip - text.length)
  if (!state.group.isHidden && shown !== '') state.flow.text(shown)
}

function addByte(byte: number, state: State): void {
  if (state.toSkip > 0) state.toSkip--
  else if (!state.group.isHidden) state.bytes.push(byte)
}

function addUnicode(number: number, state: State): void {
  flush(state)
  const unit = number < 0 ? number + 0x10000 : number
  if (!state.group.isHidden && unit > 0 && unit <= 0xffff)
    state.flow.text(String.fromCharCode(unit))
  state.toSkip = state.group.skip
}

/** Decodes the bytes that were collected: characters of some code pages have two. */
function flush(state: State): void {
  if (state.bytes.length === 0) return
  state.flow.text(decoderOf(state.codePage).decode(Uint8Array.from(state.bytes)))
  state.bytes = []
}

/** Code pages that have another name, as they are no pages of Windows. */
const CODE_PAGES: Readonly<Record<string, string>> = {
  'windows-932': 'shift_jis',
  'windows-936': 'gbk',
  'windows-949': 'euc-kr',
  'windows-950': 'big5',
  'windows-65001': 'utf-8',
}

function decoderOf(codePage: string): TextDecoder {
  try {
    return new TextDecoder(CODE_PAGES[codePage] ?? codePage)
  } catch {
    return new TextDecoder('windows-1252')
  }
}
