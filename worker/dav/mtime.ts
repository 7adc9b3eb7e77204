/** Modification times that clients set, in seconds since 1970. @module */

/** The newest time that is taken, in seconds: the end of the year 9999. */
const NEWEST = 253_402_300_799

/** Parses a time in seconds to milliseconds; null if it is not given. */
export function readMtime(text: string | null): number | 'invalid' | null {
  if (text === null) return null
  if (!/^\d{1,12}(?:\.\d{1,9})?$/.test(text.trim())) return 'invalid'
  const seconds = Number(text)
  return seconds <= NEWEST ? Math.round(seconds * 1000) : 'invalid'
}

/** Parses a date of HTTP to milliseconds; null if it is none. */
export function readDate(text: string): number | null {
  const time = Date.parse(text)
  return Number.isFinite(time) && time >= 0 && time <= NEWEST * 1000 ? time : null
}
