/**
 * Quiet hours: the time of each day in which nothing is sent to a person, by the clocks of a time zone.
 *
 * They end when the clock first shows a time outside of them. Where clocks are put forward or back, a time can be skipped or
 * come twice, so that hour is searched for and not computed. `test/worker/notifier/quiet-hours.test.ts` compares with a
 * clock that is read every minute.
 *
 * @module
 */

import { recordOf } from '#core/json.ts'
import type { QuietHours } from '#core/owner/answers/notifications.ts'
import { err, ok, type Result } from '#core/result.ts'

const MINUTE_MS = 60_000
const DAY_MINUTES = 24 * 60

/** Most changes of a clock that are followed until the end; there is hardly ever one within a day. */
const MAX_SHIFTS = 3

/** Maximum number of characters of the name of a time zone, before it is looked up. */
const MAX_ZONE_LENGTH = 64

/** Reads the minute of the day that a clock shows at a time, in minutes since 1970. */
type Clock = (time: number) => number

/** Returns when the quiet hours end in which a time (ms) is, or null if it is in none. */
export function quietUntil(now: number, { from, to, time_zone }: QuietHours): number | null {
  const [start, end] = [minutesOf(from), minutesOf(to)]
  const clock = clockOf(time_zone)
  const isQuiet = (time: number) => isBetween(clock(time), start, end)
  let time = Math.floor(now / MINUTE_MS)
  if (!isQuiet(time)) return null
  for (let shifts = 0; shifts <= MAX_SHIFTS && isQuiet(time); shifts++)
    time = findShift(clock, time, minutesUntil(end, clock(time)))
  return time * MINUTE_MS
}

/** Whether a minute of the day is in the quiet hours, which may end on the next day. */
const isBetween = (minute: number, start: number, end: number) =>
  start < end ? start <= minute && minute < end : minute >= start || minute < end

const minutesUntil = (end: number, minute: number) => (end - minute + DAY_MINUTES) % DAY_MINUTES

/** Returns the first minute, within `span`, at which the clock was put forward or back; without one, that after `span`. */
function findShift(clock: Clock, time: number, span: number): number {
  const start = clock(time)
  const isSteady = (passed: number) => clock(time + passed) === (start + passed) % DAY_MINUTES
  if (isSteady(span)) return time + span
  let [steady, shifted] = [0, span]
  while (shifted - steady > 1) {
    const middle = Math.floor((steady + shifted) / 2)
    if (isSteady(middle)) steady = middle
    else shifted = middle
  }
  return time + shifted
}

const minutesOf = (text: string): number => {
  const [hours = 0, minutes = 0] = text.split(':').map(Number)
  return hours * 60 + minutes
}

function clockOf(timeZone: string): Clock {
  const format = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  })
  return (time) => minutesOf(format.format(time * MINUTE_MS))
}

const TIME = /^(?:[01]\d|2[0-3]):[0-5]\d$/

/** Reads quiet hours that a page has sent. The error says which member is invalid. */
export function parseQuietHours(body: unknown): Result<QuietHours, string> {
  const { from, to, time_zone } = recordOf(body)
  if (!isTime(from) || !isTime(to)) return err('from and to must be times of day such as 22:00')
  if (from === to) return err('from and to must differ')
  if (!isZone(time_zone))
    return err('time_zone must be the name of a time zone such as Europe/Berlin')
  return ok({ from, to, time_zone })
}

const isTime = (value: unknown): value is string => typeof value === 'string' && TIME.test(value)

/** A name begins with a letter; an offset such as `+05:30` does not know when clocks are put forward. */
function isZone(value: unknown): value is string {
  if (typeof value !== 'string' || value.length > MAX_ZONE_LENGTH || !/^[A-Z]/i.test(value))
    return false
  try {
    return Boolean(new Intl.DateTimeFormat('en-GB', { timeZone: value }))
  } catch {
    return false
  }
}
