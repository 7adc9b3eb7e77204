/**
 * The height of a review page, from its facts. The page has no script and cannot report its height, so the numbers
 * here follow its style (`worker/changes/review-page/style.ts`), and texts are laid out in its fonts.
 * `test/pages/console/review-height.slow.test.ts` compares them with pages as they are drawn.
 *
 * @module
 */

import { isRecord, recordOf } from '#core/json.ts'
import { textIn } from '../ui/storage.ts'
import { countLines, type Font } from './drawn-lines.ts'
import { readLines } from './touched-files.ts'

/** Heights in pixels of parts of the page. */
const STATE_PX = 20
const TITLE_PX = 27
const SUM_PX = 32
const TITLE_GAPS_PX = 10
const SPARE_PX = 6
const ROW_PX = 36
const SUMMARY_PX = 38
const SECOND_LINE_PX = 22
const NOTE_PX = 26
const GAP_PX = 26

/** Width in pixels beside a path: what happened to it, and the padding. */
const KIND_PX = 110

/** Width in pixels beside a path and its facts. */
const FACTS_PX = 280

/** The fonts of the page. */
const SANS = 'system-ui, sans-serif'
const MONO = "ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace"
const TITLE: Font = `600 21px ${SANS}`
const SMALL: Font = `13px ${SANS}`
const PATH: Font = `13.8px ${MONO}`
const CODE: Font = `12.5px ${MONO}`
const NARROW_CODE: Font = `11.5px ${MONO}`

/** Lines of a diff that are measured; more do not fit into the highest frame. */
const MAX_MEASURED_LINES = 60

/** In a narrower frame the switch of the views is below a long sum. */
const NARROW_SUM_PX = 420

/** Frames narrower than this have smaller code, and their rows wrap. */
const NARROW_PX = 560

/** Estimates the height in pixels of a review page in a frame of a width in pixels, without a title if it is beside. */
export function estimateReviewHeight(facts: unknown, width: number, isTitled: boolean): number {
  const padding = isTitled ? 12 : Math.min(Math.max(width * 0.03, 12), 28)
  const inner = Math.max(width - 2 * padding, 100)
  const files = listIn(facts, 'files')
  const linesOf = files.map((file) => listIn(file, 'hunks').flatMap(readLines))
  const hasLines = linesOf.some((lines) => lines.length > 0)
  const state = `Preview · nothing has been changed yet · ${textIn(facts, 'tool') ?? ''}`
  const title = textIn(facts, 'intent') ?? ''
  const head =
    STATE_PX * lineCount(state, SMALL, inner) +
    TITLE_PX * lineCount(title, TITLE, inner) +
    TITLE_GAPS_PX
  const rows = files.length === 1 && hasLines ? [] : files
  const parts = [
    2 * padding + SPARE_PX,
    isTitled ? 0 : head,
    hasLines || files.length !== 1
      ? SUM_PX * (isSumLong(facts) && hasLines && inner < NARROW_SUM_PX ? 2 : 1)
      : 0,
    ...listIn(facts, 'notes').map(() => NOTE_PX),
    rows.length > 0 ? 16 : 0,
    ...rows.map((file) => ROW_PX + secondLine(file, inner)),
    ...files.map((file) => sectionHeight(file, inner, files.length > 1)),
  ]
  return Math.ceil(sumOf(parts))
}

/** Whether the sum has bytes beside the lines, as that of deleted files. */
const isSumLong = (facts: unknown) =>
  Number(recordOf(facts)['bytes']) > 0 &&
  listIn(facts, 'files').every((file) => recordOf(file)['to'] === null)

/** `isCounted`: its counts are beside its path, and not those of the page. */
function sectionHeight(file: unknown, inner: number, isCounted: boolean): number {
  const hunks = listIn(file, 'hunks')
  if (hunks.length === 0) return 0
  const isNarrow = inner < NARROW_PX
  const line = isNarrow ? 18.4 : 20
  const room = inner - (isNarrow ? 62 : 80)
  const font = isNarrow ? NARROW_CODE : CODE
  const texts = hunks.flatMap(readLines).map((each) => textIn(each, 'text') ?? '')
  const lines = countLines(texts.slice(0, MAX_MEASURED_LINES), font, room)
  const gaps = GAP_PX * (hunks.length - (isAtStart(hunks[0]) ? 1 : 0))
  return 18 + SUMMARY_PX + secondLine(file, inner, isCounted) + gaps + line * sumOf(lines)
}

/** Whether a hunk begins with the first line, so that no row counts the lines before it. */
function isAtStart(hunk: unknown): boolean {
  const { oldStart, oldLines } = recordOf(hunk)
  return oldLines === 0 ? oldStart === 0 : oldStart === 1
}

/** Further lines of a row: those of a long path, and of the facts where both do not fit beside each other. */
function secondLine(file: unknown, inner: number, hasFacts = true): number {
  const { from, to } = recordOf(file)
  const paths = [from, to].filter((one) => typeof one === 'string')
  const shown = (from === to ? paths.slice(1) : paths).join(' → ')
  const lines = lineCount(shown, PATH, inner - KIND_PX)
  const isWide = inner >= 420 && lineCount(shown, PATH, Math.max(inner - FACTS_PX, 1)) === 1
  const isApart = hasFacts && !isWide
  return SECOND_LINE_PX * (lines - 1 + (isApart ? 1 : 0))
}

const lineCount = (text: string, font: Font, width: number) =>
  countLines([text], font, width)[0] ?? 1

const sumOf = (numbers: readonly number[]) => numbers.reduce((sum, each) => sum + each, 0)

function listIn(value: unknown, name: string): readonly unknown[] {
  const list = isRecord(value) ? value[name] : null
  return Array.isArray(list) ? list : []
}
