/**
 * Untrusted input for fuzzing: valid input with small changes, because input that is invalid
 * everywhere is refused early and never reaches the code with bugs.
 *
 * @module
 */

import { character } from './character.ts'
import fc from './random.ts'
import { pick } from './runs.ts'

/** Inputs that the nightly set tries of each kind. */
const MANY = 100_000

/** Those that it sends to a running Worker, which takes a hundred times as long for one. */
const MANY_SENT = 20_000

/** `usual` inputs, or {@link MANY} in the nightly set, or a part of those in the slow set. */
export const inputs = (usual: number) => ({ numRuns: pick(usual, MANY) })

/**
 * `usual` inputs, or {@link MANY_SENT} in the nightly set, of which `together` make one run. A report has the failure and
 * not all inputs.
 */
export function batches<T>(usual: number, together: number): fc.Parameters<T> {
  const reporter = ({ failed, seed, numRuns, errorInstance }: fc.RunDetails<T>) => {
    if (!failed) return
    const message = `Property failed after ${numRuns} runs with seed ${seed}`
    throw new Error(message, { cause: errorInstance })
  }
  const runs = Math.ceil(pick(usual, MANY_SENT) / together)
  return { numRuns: runs, endOnFailure: true, reporter }
}

/** Milliseconds that one input may take. It is long, because the machine may be busy. */
export const SOON_MS = 2_000

const WORDS = [
  '',
  ' ',
  '*',
  '**',
  '.',
  '..',
  '/',
  '//',
  '/..',
  '../',
  '/%2e%2e/',
  '\\',
  ':',
  '{',
  '}',
  '[',
  ']',
  '|',
  '{a',
  '[[',
  '{{a}}',
  '{a|{b}}',
  '\u0000',
  '\n',
  '\u0085',
  '\u202e',
  '\ufeff',
  '\ud800',
  '\udfff',
  'e\u0301',
  '😀',
  '__proto__',
  'constructor',
  'toString',
  'true',
  'null',
  'file',
  'file:///',
  'ui://',
  '-1',
  '1e999',
  '!',
  '(a+)+$',
  'a'.repeat(1_025),
  '../'.repeat(400),
  '{a}'.repeat(300),
  '['.repeat(40),
]

const word = fc.constantFrom(...WORDS)

/** Any text, and often one that means something somewhere. */
export const text = fc.oneof(
  word,
  fc.string({ unit: character, maxLength: 20 }),
  fc.array(word, { maxLength: 6 }).map((words) => words.join('')),
)

const POLLUTION: readonly unknown[] = [
  JSON.parse('{"__proto__":{"polluted":true}}'),
  JSON.parse('{"constructor":{"prototype":{"polluted":true}}}'),
]

/** Any JSON, often close to valid input. */
export const json: fc.Arbitrary<unknown> = fc.oneof(
  text,
  fc.jsonValue({ maxDepth: 3 }),
  fc.constantFrom<unknown>(null, true, false, 0, -1, 1, 0.5, 2 ** 53, -1e308, [], {}, [[]], [null]),
  fc.constantFrom(...POLLUTION),
)

/** Texts made of right ones: cut, doubled, and with something in the middle. */
export function bentText(seeds: readonly string[]): fc.Arbitrary<string> {
  const bend = fc.tuple(fc.nat(10_000), fc.nat(6), fc.oneof(text, fc.constantFrom(...seeds)))
  return fc
    .tuple(fc.constantFrom(...seeds), fc.array(bend, { maxLength: 4 }))
    .map(([seed, bends]) =>
      bends.reduce((bent, [at, cut, put]) => {
        const place = at % (bent.length + 1)
        return bent.slice(0, place) + put + bent.slice(place + cut)
      }, seed),
    )
}

const hows = ['replace', 'drop', 'double', 'rename', 'text'] as const

interface Bend {
  readonly at: number
  readonly how: (typeof hows)[number]
  readonly by: unknown
  readonly name: string
}

/** Values made of right ones: parts replaced, left out, doubled and renamed. */
export function bent(seeds: readonly unknown[], most = 3): fc.Arbitrary<unknown> {
  const bend = fc.record({
    at: fc.nat(10_000),
    how: fc.constantFrom(...hows),
    by: json,
    name: text,
  })
  return fc
    .tuple(fc.constantFrom(...seeds), fc.array(bend, { maxLength: most }))
    .map(([seed, bends]) => bends.reduce(apply, copy(seed)))
}

/** Copies a seed before it is changed. */
const copy = (value: unknown): unknown => JSON.parse(JSON.stringify(value))

type Place = readonly [holder: Record<string, unknown> | unknown[], key: string]

function apply(value: unknown, bend: Bend): unknown {
  const places = placesIn(value)
  const place = places[bend.at % (places.length + 1)]
  if (!place) return bend.how === 'replace' ? copy(bend.by) : value
  change(place, bend)
  return value
}

function change([holder, key]: Place, { how, by, name }: Bend): void {
  const old: unknown = Reflect.get(holder, key)
  if (how === 'replace') define(holder, key, copy(by))
  else if (how === 'text') define(holder, key, name)
  else if (how === 'double') define(holder, key, [old, copy(old)])
  else if (Array.isArray(holder)) holder.splice(Number(key), 1)
  else {
    Reflect.deleteProperty(holder, key)
    if (how === 'rename') define(holder, name, old)
  }
}

/** As `JSON.parse` does it: `__proto__` is a key like any other. */
function define(holder: object, key: string, value: unknown): void {
  Object.defineProperty(holder, key, {
    value,
    configurable: true,
    enumerable: true,
    writable: true,
  })
}

function placesIn(value: unknown, found: Place[] = []): Place[] {
  if (typeof value !== 'object' || value === null || found.length > 300) return found
  const holder = value as Record<string, unknown> | unknown[]
  for (const key of Object.keys(holder)) {
    found.push([holder, key])
    placesIn(Reflect.get(holder, key), found)
  }
  return found
}
