/**
 * Lines: finds which lines of one text were replaced to make another.
 *
 * A line ends with `\n` and nothing else; a `\r` is part of its text. A last line without `\n` differs from
 * the same text with it. A few changes are found on the lines themselves (`alignFew`). Otherwise lines
 * are numbered, and those that occur on one side only are removed before `align` finds the ones that stay:
 * 100,000 lines that all differ cost no search at all. The result changes as few lines as possible, unless
 * the search took too many steps.
 *
 * @module
 */

import { align, alignFew, MAX_STEPS } from './myers.ts'
import { slideChanges } from './slide.ts'

/** A text as lines. */
export interface Lines {
  /** The lines without their `\n`. */
  readonly texts: readonly string[]
  /** Whether the last line ends with `\n`. True for an empty text. */
  readonly terminated: boolean
}

/** Lines that were replaced, as half-open ranges that count from 0. One of the two may be empty. */
export interface Change {
  readonly oldStart: number
  readonly oldEnd: number
  readonly newStart: number
  readonly newEnd: number
}

/** Two texts, and the changes from one to the other, in order. Lines between two changes are equal. */
export interface LineScript {
  readonly old: Lines
  readonly new: Lines
  readonly changes: readonly Change[]
}

/** Compares two texts line by line. With fewer `steps`, a search among many changes gives up earlier. */
export function diffLines(oldText: string, newText: string, steps = MAX_STEPS): LineScript {
  const old = splitLines(oldText)
  const next = splitLines(newText)
  const oldKeys = keysOf(old)
  const newKeys = keysOf(next)
  const changes = changesBetween(oldKeys, newKeys, steps)
  return { old, new: next, changes: slideChanges(changes, oldKeys, newKeys) }
}

/** Splits a text at each `\n`. */
export function splitLines(text: string): Lines {
  const texts = text.split('\n')
  const terminated = texts.at(-1) === ''
  if (terminated) texts.pop()
  return { texts, terminated }
}

/** Returns the texts to compare. A `\n` marks an unterminated last line, because no line contains one. */
function keysOf({ texts, terminated }: Lines): readonly string[] {
  return terminated ? texts : texts.with(-1, `${texts.at(-1) ?? ''}\n`)
}

function changesBetween(old: readonly string[], next: readonly string[], steps: number): Change[] {
  const start = countAlike(old, next)
  const [oldEnd, newEnd] = trimEnds(old, next, start)
  const oldMiddle = old.slice(start, oldEnd)
  const newMiddle = next.slice(start, newEnd)
  const partners = alignFew(oldMiddle, newMiddle) ?? alignMany(oldMiddle, newMiddle, steps)

  const changes: Change[] = []
  let oldStart = start
  let newStart = start
  const stay = (oldLine: number, newLine: number) => {
    if (oldLine > oldStart || newLine > newStart)
      changes.push({ oldStart, oldEnd: oldLine, newStart, newEnd: newLine })
    oldStart = oldLine + 1
    newStart = newLine + 1
  }
  for (let index = 0; index < partners.length; index++) {
    const partner = partners[index] ?? -1
    if (partner !== -1) stay(start + index, start + partner)
  }
  stay(oldEnd, newEnd)
  return changes
}

function countAlike(old: readonly string[], next: readonly string[]): number {
  const shortest = Math.min(old.length, next.length)
  let count = 0
  while (count < shortest && old[count] === next[count]) count++
  return count
}

/** Returns the ends of both sides without their common end. */
function trimEnds(old: readonly string[], next: readonly string[], start: number) {
  let oldEnd = old.length
  let newEnd = next.length
  while (oldEnd > start && newEnd > start && old[oldEnd - 1] === next[newEnd - 1]) {
    oldEnd--
    newEnd--
  }
  return [oldEnd, newEnd] as const
}

/** Numbers the lines that occur on both sides, and aligns only these. */
function alignMany(old: readonly string[], next: readonly string[], steps: number): Int32Array {
  const numbers = new Map<string, number>()
  for (const line of next) if (!numbers.has(line)) numbers.set(line, numbers.size)
  const inBoth = new Uint8Array(numbers.size)
  const keptOld = keep(old, (line) => {
    const number = numbers.get(line) ?? -1
    if (number !== -1) inBoth[number] = 1
    return number
  })
  const keptNew = keep(next, (line) => {
    const number = numbers.get(line) ?? -1
    return inBoth[number] === 1 ? number : -1
  })

  const partners = new Int32Array(old.length).fill(-1)
  const aligned = align(keptOld.numbers, keptNew.numbers, steps)
  for (let index = 0; index < aligned.length; index++) {
    const partner = keptNew.places[aligned[index] ?? -1]
    if (partner !== undefined) partners[keptOld.places[index] ?? 0] = partner
  }
  return partners
}

interface Kept {
  readonly numbers: Int32Array
  /** The index of each of them among all lines. */
  readonly places: Int32Array
}

function keep(lines: readonly string[], numberOf: (line: string) => number): Kept {
  const numbers = new Int32Array(lines.length)
  const places = new Int32Array(lines.length)
  let count = 0
  for (let place = 0; place < lines.length; place++) {
    const number = numberOf(lines[place] ?? '')
    if (number === -1) continue
    numbers[count] = number
    places[count++] = place
  }
  return { numbers: numbers.subarray(0, count), places: places.subarray(0, count) }
}
