/**
 * The files of a review in one line each: what happened to them, their path, and how much changed.
 *
 * @module
 */

import type { DiffStats } from '#core/diff/hunks.ts'
import type { FileDiff } from '#core/diff/unified.ts'
import { markup, type Html } from '../../encoding/html.ts'
import { pathHtml } from '../../encoding/visible-html.ts'
import { count } from './text.ts'

/** What happened to one file, or to a folder as a whole. */
export interface ReviewFile extends FileDiff {
  readonly stats: DiffStats
  /** How its lines end, if they ended in another way before. */
  readonly endings?: string
  /** How it is encoded, if it was encoded in another way before. */
  readonly encoding?: string
  /** Its lines are the text of a document. */
  readonly extracted?: true
  /** It is text whose lines are not shown. */
  readonly omitted?: true
  /** Counts of the lines that were left out, because they are too many to be stored. */
  readonly left_out?: DiffStats
  /** The size of a file that is not shown line by line. */
  readonly bytes?: number
  /** Set when the paths are those of a folder, with the size of its content. */
  readonly folder?: { readonly files: number; readonly bytes: number }
}

/** Returns the number of files that an entry represents. */
export function filesIn({ folder }: ReviewFile): number {
  return folder?.files ?? 1
}

/** Options of {@link factsOf}. */
interface FactsOptions {
  /** Every line ends with `\r\n`. */
  readonly crlf?: boolean
  /** Whether the counts of lines are in it; those of the only file are the sum of the page. */
  readonly isCounted?: boolean
}

/** Renders the line of a file. */
export function factsOf(
  file: ReviewFile,
  { crlf = false, isCounted = true }: FactsOptions = {},
): Html {
  const endings = file.endings ? [`line endings: ${file.endings}`] : crlf ? ['CRLF'] : []
  const encoding = file.encoding ? [`encoding: ${file.encoding}`] : []
  const details = [...detailsOf(file), ...modeOf(file), ...endings, ...encoding].join(', ')
  const hasLines = isCounted && (file.hunks.length > 0 || file.left_out !== undefined)
  const lines = hasLines ? linesOf(file.stats) : null
  const stat = markup`${details}${details && lines ? ' · ' : null}${lines}`
  const path = markup`<span class="path">${pathsOf(file)}</span>`
  return markup`<span class="kind">${kindOf(file)}</span>${path}<span class="stat">${stat}</span>`
}

/** Renders the counts of added and removed lines. */
export function linesOf({ added, removed }: Pick<DiffStats, 'added' | 'removed'>): Html {
  const more = markup`<span class="a">+${count(added)}</span>`
  const less = markup`<span class="r">−${count(removed)}</span>`
  if (removed === 0) return more
  return added === 0 ? less : markup`${more} ${less}`
}

/** Formats a number with its noun, in the plural where needed. */
export function formatCount(number: number, thing: string): string {
  return `${count(number)} ${thing}${number === 1 ? '' : 's'}`
}

function kindOf({ from, to }: ReviewFile): string {
  if (from === null) return 'New'
  if (to === null) return 'Deleted'
  return from === to ? 'Changed' : 'Moved'
}

function detailsOf({ from, to, binary, hunks, bytes, folder, ...file }: ReviewFile): string[] {
  if (folder) return [formatCount(folder.files, 'file'), sizeOf(folder.bytes)]
  const size = bytes === undefined ? [] : [sizeOf(bytes)]
  if (file.omitted) return ['too large to show', ...size]
  if (binary) return ['not shown as text', ...size]
  if (file.extracted) return ['text of a document', ...size]
  if (hunks.length > 0) return []
  if (from === null && bytes === undefined) return ['empty']
  return from !== null && to !== null && from !== to ? ['content unchanged', ...size] : size
}

/** Says that a file is made executable, or is no longer. */
function modeOf({ from, to, executable }: ReviewFile): string[] {
  if (to === null || executable === undefined || executable.before === executable.after) return []
  if (!executable.after) return ['no longer executable']
  return [from === null ? 'executable' : 'becomes executable']
}

function pathsOf({ from, to, folder }: ReviewFile): Html {
  const end = folder ? '/' : ''
  if (from === null || to === null || from === to) return pathOf(to ?? from ?? '', end)
  return markup`${pathOf(from, end)} → ${pathOf(to, end)}`
}

function pathOf(path: string, end: string): Html {
  const name = path.lastIndexOf('/') + 1
  const folder = markup`<span class="dir">${pathHtml(path.slice(0, name))}</span>`
  return markup`<bdi dir="ltr">${folder}${pathHtml(path.slice(name) + end)}</bdi>`
}

const UNITS = ['bytes', 'kB', 'MB', 'GB', 'TB']

/** Formats a size in decimal units. */
export function sizeOf(bytes: number): string {
  if (bytes === 1) return '1 byte'
  let [size, unit] = [bytes, 0]
  for (; size >= 999.5 && unit < UNITS.length - 1; unit++) size /= 1000
  return `${unit > 0 && size < 9.95 ? size.toFixed(1) : Math.round(size)} ${UNITS[unit] ?? ''}`
}
