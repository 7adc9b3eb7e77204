/** The Unicode tables that the build removes from the regex engine equal those of the platform. */

import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { expect, it } from 'vitest'
import { rangesOf } from '#worker/search/unicode.ts'

const engine = readFileSync(
  createRequire(import.meta.url)
    .resolve('re2js')
    .replace(/\.cjs$/, '.js'),
  'utf8',
)
const ENTRY =
  /^\t\t(\w+): \(\) => new UnicodeRangeTable\(decodeRanges\("([^"]*)", (true|false)\)\)/gm
const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+-'

/** Numbers in base 32, five bits to a digit, the lowest first. */
function numbersOf(text: string): number[] {
  const numbers: number[] = []
  let [value, shift] = [0, 0]
  for (const digit of text) {
    const bits = DIGITS.indexOf(digit)
    value |= (bits & 31) << shift
    shift += 5
    if (bits & 32) continue
    numbers.push(value)
    ;[value, shift] = [0, 0]
  }
  return numbers
}

/** Every code point of a table, as one bit each. */
function bitsOf(
  ranges: Iterable<readonly [first: number, last: number, step: number]>,
): Uint8Array {
  const bits = new Uint8Array(0x110000)
  for (const [first, last, step] of ranges)
    for (let at = first; at <= last; at += step) bits[at] = 1
  return bits
}

function* engineRanges(text: string, withoutStep: boolean) {
  const numbers = numbersOf(text)
  for (let [index, at] = [0, 0]; index < numbers.length;) {
    const first = (at += numbers[index++] ?? 0)
    const last = (at += numbers[index++] ?? 0)
    yield [first, last, withoutStep ? 1 : (numbers[index++] ?? 1)] as const
  }
}

function* platformRanges(property: string) {
  const ranges = rangesOf(property)
  for (let index = 0; index < ranges.length; index += 3)
    yield [ranges[index] ?? 0, ranges[index + 1] ?? -1, 1] as const
}

it('every property is the same set of characters', () => {
  const scripts = engine.indexOf('static SCRIPTS = ')
  const folds = engine.indexOf('static FOLD_CATEGORIES = ')
  let compared = 0
  for (const { 1: name = '', 2: text = '', 3: flag, index } of engine
    .slice(0, folds)
    .matchAll(ENTRY)) {
    const property = index > scripts ? `sc=${name}` : name
    const same = Buffer.compare(
      bitsOf(engineRanges(text, flag === 'true')),
      bitsOf(platformRanges(property)),
    )
    expect(same, property).toBe(0)
    compared++
  }
  expect(compared).toBeGreaterThan(200)
})
