/**
 * Numbers and times in words, in the reader's own language where the platform knows it.
 *
 * @module
 */

const whole = new Intl.NumberFormat()
const short = new Intl.NumberFormat(undefined, { maximumFractionDigits: 1 })
const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' })
const exact = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' })

export const number = (value: number) => whole.format(value)

export const numbered = (value: number, noun: string, plural = `${noun}s`) =>
  `${number(value)} ${value === 1 ? noun : plural}`

const UNITS = ['bytes', 'kB', 'MB', 'GB', 'TB']

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

/** Such as "3 minutes ago". */
export function ago(time: number, now: number): string {
  const away = time - now
  if (Math.abs(away) < 45_000) return 'just now'
  const step = STEPS.find(({ ms }) => Math.abs(away) >= ms)
  return step ? relative.format(Math.round(away / step.ms), step.unit) : 'a minute ago'
}

/** Time that is left, to the second when there is little. */
export function left(ms: number): string {
  if (ms <= 0) return 'over'
  const seconds = Math.ceil(ms / 1000)
  if (seconds < 100) return numbered(seconds, 'second')
  const minutes = Math.round(seconds / 60)
  if (minutes < 100 && minutes !== 60) return numbered(minutes, 'minute')
  const hours = Math.round(minutes / 60)
  return hours < 48 ? numbered(hours, 'hour') : numbered(Math.round(hours / 24), 'day')
}

export const moment = (time: number) => exact.format(time)

export const seconds = (count: number) => left(count * 1000)

/** Items as a part of a sentence: "a, b and c". An item may have several pieces. */
export function joined<T>(items: readonly (readonly T[])[], word = 'and'): (T | string)[] {
  return items.flatMap((item, index) => {
    const before = index === 0 ? [] : [index === items.length - 1 ? ` ${word} ` : ', ']
    return [...before, ...item]
  })
}

export const listed = (items: readonly string[]) => joined(items.map((item) => [item])).join('')

/** A sentence with the stop that it may lack. */
export const ended = (sentence: string) => (/[.!?…]$/.test(sentence) ? sentence : `${sentence}.`)

/** A text that is too long for its place. */
export const cut = (text: string, most: number) =>
  text.length > most ? `${text.slice(0, most).toWellFormed()}…` : text
