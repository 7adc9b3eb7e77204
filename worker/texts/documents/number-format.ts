/**
 * Numbers of a workbook as they are shown: dates, times and percentages are numbers with a format.
 *
 * @module
 */

import type { Budget } from './budget.ts'
import { walkXml } from './xml-part.ts'

/** How a number is shown. */
export type NumberKind = 'plain' | 'date' | 'time' | 'date_time' | 'percent'

/** The formats that every workbook has, by their numbers. */
const BUILT_IN: Readonly<Record<number, NumberKind>> = {
  9: 'percent',
  10: 'percent',
  14: 'date',
  15: 'date',
  16: 'date',
  17: 'date',
  18: 'time',
  19: 'time',
  20: 'time',
  21: 'time',
  22: 'date_time',
  45: 'time',
  46: 'time',
  47: 'time',
}

/** Returns the kind of a format code, of its first section and without quoted text. */
function kindOf(code: string): NumberKind {
  const shown = (code.slice(0, MAX_CODE).split(';', 1)[0] ?? '')
    .replaceAll(/"[^"]*"|\\.|\[[^\]]*\]|_./g, '')
    .toLowerCase()
  if (shown.includes('general')) return 'plain'
  const [hasDate, hasTime] = [/[yd]|mmm/.test(shown), /[hs]/.test(shown)]
  if (hasDate) return hasTime ? 'date_time' : 'date'
  if (hasTime) return 'time'
  return shown.includes('%') ? 'percent' : 'plain'
}

const MAX_CODE = 255

/** Reads the kinds of numbers of a workbook, by the index of a cell's style. */
export async function readKinds(
  styles: string | null,
  budget: Budget,
): Promise<readonly NumberKind[]> {
  const kinds: NumberKind[] = []
  const custom = new Map<number, NumberKind>()
  let isCell = false
  if (styles === null) return kinds
  await walkXml(styles, budget, {
    open(name, attribute) {
      if (name === 'numFmt')
        custom.set(Number(attribute('numFmtId')), kindOf(attribute('formatCode') ?? ''))
      else if (name === 'cellXfs') isCell = true
      else if (name === 'xf' && isCell) {
        const id = Number(attribute('numFmtId') ?? 0)
        kinds.push(custom.get(id) ?? BUILT_IN[id] ?? 'plain')
      }
    },
    close(name) {
      if (name === 'cellXfs') isCell = false
    },
  })
  return kinds
}

/** Milliseconds of a day. */
const DAY = 86_400_000

/** Day 0 of a workbook, in milliseconds since 1970; that of old ones from a Mac is in 1904. */
const EPOCH = { windows: Date.UTC(1899, 11, 30), mac: Date.UTC(1904, 0, 1) }

/** The last day of the calendar of workbooks: the end of the year 9999. */
const MAX_DAY = 2_958_466

/** Writes a number as it is shown. */
export function showNumber(text: string, kind: NumberKind, isMac: boolean): string {
  const value = Number(text)
  if (kind === 'plain' || text === '' || !Number.isFinite(value)) return plain(text, value)
  if (kind === 'percent') return `${plain('', round(value * 100))}%`
  if (value < 0 || value >= MAX_DAY) return text
  const iso = new Date((isMac ? EPOCH.mac : EPOCH.windows) + Math.round(value * DAY)).toISOString()
  const [date, time] = [iso.slice(0, 10), iso.slice(11, 19)]
  return kind === 'date' ? date : kind === 'time' ? time : `${date} ${time}`
}

/** Numbers are stored with the digits of their binary form, such as 0.30000000000000004. */
const round = (value: number) => Number(value.toPrecision(15))

const plain = (text: string, value: number) =>
  text !== '' && (!Number.isFinite(value) || text.trim() === '') ? text : String(round(value))
