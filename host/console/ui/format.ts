/**
 * Formats numbers, sizes and times: numbers and dates in the user's locale, words in English.
 *
 * @module
 */

const whole = new Intl.NumberFormat()
const short = new Intl.NumberFormat(undefined, { maximumFractionDigits: 1 })
const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' })
const clock = new Intl.DateTimeFormat(undefined, { timeStyle: 'short' })
const exact = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' })

/** Formats a number in the user's locale. */
export const formatNumber = (value: number) => whole.format(value)

/** Formats a count with its noun. */
export const formatCount = (value: number, noun: string, plural = `${noun}s`) =>
  `${formatNumber(value)} ${value === 1 ? noun : plural}`

const UNITS = ['bytes', 'kB', 'MB', 'GB', 'TB']

/** Formats a size with decimal units. */
export function formatBytes(value: number): string {
  const power = value < 1000 ? 0 : Math.min(Math.floor(Math.log10(value) / 3), UNITS.length - 1)
  if (power === 0) return formatCount(value, 'byte')
  return `${short.format(value / 1000 ** power)} ${UNITS[power] ?? ''}`
}

const BINARY_UNITS = ['GiB', 'MiB', 'KiB']

/** Formats a size limit in the units in which it was set: "100 MiB" or "100 MB", never "104.9 MB". */
export function formatLimit(value: number): string {
  const power = BINARY_UNITS.findIndex((_, index) => value > 0 && value % 1024 ** (3 - index) === 0)
  const unit = BINARY_UNITS[power]
  return unit === undefined
    ? formatBytes(value)
    : `${formatNumber(value / 1024 ** (3 - power))} ${unit}`
}

const STEPS = [
  { unit: 'day', ms: 86_400_000 },
  { unit: 'hour', ms: 3_600_000 },
  { unit: 'minute', ms: 60_000 },
] as const

/** Formats a past time relative to now, such as "3 minutes ago"; both in milliseconds. */
export function formatAge(time: number, now: number): string {
  const away = time - now
  if (Math.abs(away) < 45_000) return 'just now'
  const step = STEPS.find(({ ms }) => Math.abs(away) >= ms)
  return step ? relative.format(Math.round(away / step.ms), step.unit) : 'a minute ago'
}

/** Formats a remaining time in milliseconds, in seconds if it is short. */
export function formatRemaining(ms: number): string {
  if (ms <= 0) return 'expired'
  const seconds = Math.ceil(ms / 1000)
  if (seconds < 100) return formatCount(seconds, 'second')
  const minutes = Math.round(seconds / 60)
  if (minutes < 100 && minutes !== 60) return formatCount(minutes, 'minute')
  const hours = Math.round(minutes / 60)
  return hours < 48 ? formatCount(hours, 'hour') : formatCount(Math.round(hours / 24), 'day')
}

/** Formats a date and time in the user's locale. */
export const formatMoment = (time: number) => exact.format(time)

/** Formats the time at which something ends: without its date, if that is today. */
export const formatUntil = (time: number) =>
  new Date(time).toDateString() === new Date().toDateString()
    ? clock.format(time)
    : exact.format(time)

/** Formats a duration in seconds. */
export const formatSeconds = (count: number) => formatRemaining(count * 1000)

/** Adds a full stop to a sentence that ends without punctuation. */
export const endSentence = (sentence: string) =>
  /[.!?…]$/.test(sentence) ? sentence : `${sentence}.`

/** Shortens a text to at most the given length, with an ellipsis. */
export const truncate = (text: string, most: number) =>
  text.length > most ? `${text.slice(0, most).toWellFormed()}…` : text
