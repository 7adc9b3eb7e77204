/**
 * Input with a long text in each of its places, and the bound of an answer that refuses it.
 *
 * @module
 */

import { recordOf } from '#core/json.ts'
import { expect } from 'vitest'
import { MAX_ERROR_BYTES } from '#worker/limits.ts'

/** Length of a long text; more than this, an `initialize` is refused as a whole. */
const LONG = 240_000

/** Letters, a shorter text of what JSON, HTML and paths write with more characters, and a URI that JSON makes six times as long. */
export const LONG_TEXTS: readonly string[] = [
  'x'.repeat(LONG),
  '/"\\<é\u0007'.repeat(20_000),
  '\u0001'.repeat(4_000),
]

/** Yields the value with a long text in place of each of its values, below each of its keys, and as a further key. */
export function* lengthened(value: unknown, long: string): Generator<unknown> {
  yield long
  if (typeof value !== 'object' || value === null) return
  if (Array.isArray(value)) {
    const items: readonly unknown[] = value
    yield [long]
    yield Array.from({ length: 20 }, (_, at) => `${at}${long.slice(0, LONG / 20)}`)
    for (const [at, item] of items.entries())
      for (const one of lengthened(item, long)) yield items.with(at, one)
    return
  }
  yield { ...value, [long]: 1 }
  const keys = Array.from({ length: 20 }, (_, at) => `${at}${long.slice(0, LONG / 20)}`)
  yield { ...value, ...Object.fromEntries(keys.map((key) => [key, 1])) }
  for (const [key, inner] of Object.entries(value))
    for (const one of lengthened(inner, long)) yield { ...value, [key]: one }
}

/** How a failure names a value. */
export const shortly = (value: unknown) =>
  (JSON.stringify(value) ?? '').replaceAll(/(.{60}).{200,}/gs, '$1…')

/** Whether an answer is an error of HTTP, of JSON-RPC or of a tool. */
function isError(status: number, text: string): boolean {
  if (status >= 400) return true
  const json = /^event: [^\n]*\ndata: ([^\n]*)/.exec(text)?.[1] ?? text
  if (!json.startsWith('{')) return false
  const { error, result } = recordOf(JSON.parse(json))
  return error !== undefined || recordOf(result)['isError'] === true
}

/** Bytes of a result that is no error, as a tool answers by default. */
const MAX_RESULT_BYTES = 40_000

/**
 * Expects an answer that is an error to be short, and every other answer of a tool to have the size of a result. The
 * style is the same for every page. Returns whether it is an error.
 */
export async function expectShort(answer: Response, what: () => string): Promise<boolean> {
  const text = (await answer.text()).replace(/<style>.*?<\/style>/s, '')
  const headers = [...answer.headers].map(([name, value]) => `${name}: ${value}`).join('\n')
  const isRefused = isError(answer.status, text)
  const most = isRefused
    ? MAX_ERROR_BYTES
    : text.includes('"content":[')
      ? MAX_RESULT_BYTES
      : Infinity
  // A redirect repeats what the client gave, as OAuth wants it.
  const room = isRefused ? MAX_ERROR_BYTES : Infinity
  const bytes = new TextEncoder().encode(text).length
  // To name a request takes longer than to send it, so only one that fails is named.
  if (bytes > most || headers.length > room) {
    const label = `${what()} was answered ${answer.status} ${text.slice(0, 300)}`
    expect.fail(`${label} (${bytes} bytes, headers of ${headers.length}: ${headers.slice(0, 300)})`)
  }
  return isRefused
}
