/** Quiet hours, against a clock that is read every minute, over days on which clocks are put forward and back. */

import { parseQuietHours, quietUntil } from '#worker/notifier/quiet-hours.ts'
import { describe, expect, it } from 'vitest'
import fc from '../../support/core/random.ts'
import { runs } from '../../support/core/runs.ts'

const MINUTE = 60_000
const NIGHT = { from: '22:00', to: '07:00', time_zone: 'Europe/Berlin' }

it.each([
  // Summer time: two hours ahead of UTC.
  ['2026-07-01T19:59:59Z', null],
  ['2026-07-01T20:00:00Z', '2026-07-02T05:00:00.000Z'],
  ['2026-07-01T23:30:12Z', '2026-07-02T05:00:00.000Z'],
  ['2026-07-02T04:59:59Z', '2026-07-02T05:00:00.000Z'],
  ['2026-07-02T05:00:00Z', null],
  // Clocks go back at 01:00 UTC, so the night has an hour more.
  ['2026-10-24T22:00:00Z', '2026-10-25T06:00:00.000Z'],
  // Clocks go forward at 01:00 UTC, so the night has an hour less.
  ['2026-03-28T22:00:00Z', '2026-03-29T05:00:00.000Z'],
])('at %s the night ends at %s', (now, end) => {
  const until = quietUntil(Date.parse(now), NIGHT)
  expect(until === null ? null : new Date(until).toISOString()).toBe(end)
})

it('hours within one day end on it', () => {
  const noon = { from: '12:00', to: '13:30', time_zone: 'UTC' }
  expect(quietUntil(Date.parse('2026-01-01T12:10:00Z'), noon)).toBe(
    Date.parse('2026-01-01T13:30:00Z'),
  )
  expect(quietUntil(Date.parse('2026-01-01T11:59:00Z'), noon)).toBeNull()
  expect(quietUntil(Date.parse('2026-01-01T13:30:00Z'), noon)).toBeNull()
})

it('an end that the clock skips is when it was put forward', () => {
  const until = quietUntil(Date.parse('2026-03-29T00:30:00Z'), { ...NIGHT, to: '02:30' })
  expect(until).toBe(Date.parse('2026-03-29T01:00:00Z'))
})

/** Reads the clock at each minute. Null if the first minute is not quiet. */
function scan(now: number, { from, to, time_zone: timeZone }: typeof NIGHT): number | null {
  const options = { timeZone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const
  const format = new Intl.DateTimeFormat('en-GB', options)
  const isQuiet = (time: number) => {
    const shown = format.format(time)
    return from < to ? from <= shown && shown < to : shown >= from || shown < to
  }
  const start = now - (now % MINUTE)
  if (!isQuiet(start)) return null
  let time = start
  while (isQuiet(time)) time += MINUTE
  return time
}

/** Days on which a clock is put forward or back, by half an hour as well, and on which a zone skips a day. */
const DAYS = [
  ['Europe/Berlin', '2026-03-28'],
  ['Europe/Berlin', '2026-10-24'],
  ['America/New_York', '2026-03-07'],
  ['America/New_York', '2026-10-31'],
  ['Australia/Lord_Howe', '2026-04-04'],
  ['Australia/Lord_Howe', '2026-10-03'],
  ['America/Santiago', '2026-09-05'],
  ['Africa/Casablanca', '2026-02-14'],
  ['Pacific/Apia', '2011-12-29'],
  ['Asia/Kolkata', '2026-05-01'],
] as const

const minute = fc.integer({ min: 0, max: 24 * 60 - 1 })
const textOf = (value: number) =>
  [Math.floor(value / 60), value % 60].map((part) => String(part).padStart(2, '0')).join(':')

it('ends when a clock that is read every minute first shows another time', () => {
  const elapsed = fc.integer({ min: 0, max: 48 * 60 * MINUTE })
  const law = fc.property(
    fc.constantFrom(...DAYS),
    elapsed,
    minute,
    minute,
    ([time_zone, day], passed, start, end) => {
      fc.pre(start !== end)
      const quiet = { from: textOf(start), to: textOf(end), time_zone }
      const now = Date.parse(`${day}T00:00:00Z`) + passed
      expect(quietUntil(now, quiet), JSON.stringify({ quiet, now })).toBe(scan(now, quiet))
    },
  )
  fc.assert(law, runs(100))
})

describe('what a page sends', () => {
  it('is read', () => {
    expect(parseQuietHours({ ...NIGHT, more: 1 })).toEqual({ ok: true, value: NIGHT })
  })

  it.each([
    [{ ...NIGHT, from: '24:00' }, 'times of day'],
    [{ ...NIGHT, to: '7:00' }, 'times of day'],
    [{ ...NIGHT, to: '07:60' }, 'times of day'],
    [{ ...NIGHT, to: 7 }, 'times of day'],
    [{ ...NIGHT, to: '07:00\n' }, 'times of day'],
    [{ ...NIGHT, to: '22:00' }, 'differ'],
    [{ ...NIGHT, time_zone: 'Europe/Nowhere' }, 'time_zone'],
    [{ ...NIGHT, time_zone: '+02:00' }, 'time_zone'],
    [{ ...NIGHT, time_zone: '' }, 'time_zone'],
    [{ ...NIGHT, time_zone: 'A'.repeat(10_000) }, 'time_zone'],
    [{ ...NIGHT, time_zone: undefined }, 'time_zone'],
    [null, 'times of day'],
    [[], 'times of day'],
    ['22:00', 'times of day'],
  ])('is refused as %j', (body, reason) => {
    expect(parseQuietHours(body)).toMatchObject({
      ok: false,
      error: expect.stringContaining(reason),
    })
  })
})
