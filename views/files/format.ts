/** Sizes, dates and places as a person reads them. @module */

import { ROOT, type StorePath } from '#core/path.ts'

const UNITS = ['B', 'kB', 'MB', 'GB']

export function sizeText(bytes: number): string {
  let value = bytes
  let unit = 0
  while (value >= 999.5 && unit < UNITS.length - 1) {
    value /= 1000
    unit++
  }
  const digits = unit === 0 || value >= 99.5 ? 0 : 1
  return `${value.toFixed(digits)} ${UNITS[unit]}`
}

export function counted(count: number, noun: string): string {
  return `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`
}

export type Dates = ReturnType<typeof createDates>

/** Dates in the host's language and time zone, as far as it named any that exist. */
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

/** A path without its first slash. */
export const shownPath = (path: StorePath) => (path === ROOT ? '/' : path.slice(1))
