/**
 * Formats numbers, sizes and times: numbers and dates in the user's locale, words in English.
 *
 * @module
 */

const whole = new Intl.NumberFormat()
const short = new Intl.NumberFormat(undefined, { maximumFractionDigits: 1 })
const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' })
const exact = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' })

/** Formats a number in the user's locale. */
export const number = (value: number) => whole.format(value)

/** Formats a count with its noun. */
export const numbered = (value: number, noun: string, plural = `${noun}s`) =>
  `${number(value)} ${value === 1 ? noun : plural}`

const UNITS = ['bytes', 'kB', 'MB', 'GB', 'TB']

/** Formats a size with decimal units. */
export function bytes(value: number): string {
  const power = value < 1000 ? 0 : Math.min(Math.floor(Math.log10(value) / 3), UNITS.length - 1)
  if (power === 0) return numbered(value, 'byte')
  return `${short.format(value / 1000 ** power)} ${UNITS[power] ?? ''}`
}

const STEPS = [
  { unit: 'day', ms: 86_400_000 },
  { unit: 'hour', ms: 3_600_000 },
  { unit: 'minute', ms: 60_000 },
] as const

/** Formats a past time relative to now, such as "3 minutes ago"; both in milliseconds. */
export function ago(time: number, now: number): string {
  const away = time - now
  if (Math.abs(away) < 45_000) return 'just now'
  const step = STEPS.find(({ ms }) => Math.abs(away) >= ms)
  return step ? relative.format(Math.round(away / step.ms), step.unit) : 'a minute ago'
}

/** Formats a remaining time in milliseconds, in seconds if it is short. */
export function left(ms: number): string {
  if (ms <= 0) return 'over'
  const seconds = Math.ceil(ms / 1000)
  if (seconds < 100) return numbered(seconds, 'second')
  const minutes = Math.round(seconds / 60)
  if (minutes < 100 && minutes !== 60) return numbered(minutes, 'minute')
  const hours = Math.round(minutes / 60)
  return hours < 48 ? numbered(hours, 'hour') : numbered(Math.round(hours / 24), 'day')
}

/** Formats a date and time in the user's locale. */
export const moment = (time: number) => exact.format(time)

/** Formats a duration in seconds. */
export const seconds = (count: number) => left(count * 1000)

/** Joins items for a sentence: "a, b and c". Each item is a list of pieces. */
export function joined<T>(items: readonly (readonly T[])[], word = 'and'): (T | string)[] {
  return items.flatMap((item, index) => {
    const before = index === 0 ? [] : [index === items.length - 1 ? ` ${word} ` : ', ']
    return [...before, ...item]
  })
}

/** Joins strings for a sentence. */
export const listed = (items: readonly string[]) => joined(items.map((item) => [item])).join('')

/** Adds a full stop to a sentence that ends without punctuation. */
export const ended = (sentence: string) => (/[.!?…]$/.test(sentence) ? sentence : `${sentence}.`)

/** Shortens a text to at most the given length, with an ellipsis. */
export const cut = (text: string, most: number) =>
  text.length > most ? `${text.slice(0, most).toWellFormed()}…` : text
