/** Formatting of sizes, dates and paths. @module */

import { ROOT, type StorePath } from '#core/path.ts'

const UNITS = ['B', 'kB', 'MB', 'GB']

/** Formats a size in decimal units. */
export function formatSize(bytes: number): string {
  let value = bytes
  let unit = 0
  while (value >= 999.5 && unit < UNITS.length - 1) {
    value /= 1000
    unit++
  }
  const digits = unit === 0 || value >= 99.5 ? 0 : 1
  return `${value.toFixed(digits)} ${UNITS[unit]}`
}

/** The date formats of one locale. */
export type Dates = ReturnType<typeof createDates>

/** Creates date formats for the host's locale and time zone. Invalid ones fall back to English. */
export function createDates(locale: string | undefined, timeZone: string | undefined) {
  const format = (text: string, options: Intl.DateTimeFormatOptions) => {
    const date = new Date(text)
    if (Number.isNaN(date.getTime())) return ''
    try {
      return date.toLocaleString(locale, { ...options, ...(timeZone && { timeZone }) })
    } catch {
      return date.toLocaleString('en', options)
    }
  }
  return {
    day: (text: string) => format(text, { dateStyle: 'medium' }),
    full: (text: string) => format(text, { dateStyle: 'medium', timeStyle: 'short' }),
  }
}

/** Returns a path without its leading slash. */
export const displayPath = (path: StorePath) => (path === ROOT ? '/' : path.slice(1))
