/** Formatting of sizes and dates. @module */

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

/**
 * Creates date formats for the host's locale and time zone. Invalid ones fall back to English.
 *
 * Each format is made once: `toLocaleString` makes one for every date, which took half of a frame while the tree was
 * scrolled.
 */
export function createDates(locale: string | undefined, timeZone: string | undefined) {
  const formatAs = (options: Intl.DateTimeFormatOptions) => {
    const format = createFormat(locale, timeZone, options)
    return (text: string) => {
      const date = new Date(text)
      return Number.isNaN(date.getTime()) ? '' : format.format(date)
    }
  }
  return {
    day: formatAs({ dateStyle: 'medium' }),
    full: formatAs({ dateStyle: 'medium', timeStyle: 'short' }),
  }
}

function createFormat(
  locale: string | undefined,
  timeZone: string | undefined,
  options: Intl.DateTimeFormatOptions,
): Intl.DateTimeFormat {
  try {
    return new Intl.DateTimeFormat(locale, { ...options, ...(timeZone && { timeZone }) })
  } catch {
    return new Intl.DateTimeFormat('en', options)
  }
}
