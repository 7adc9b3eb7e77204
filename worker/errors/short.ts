/**
 * The size of errors. A message quotes what was sent, which may have megabytes, so it is shown without its middle.
 * `test/worker/errors/size.slow.test.ts` and `route-size.slow.test.ts` send a long text in each place of a request.
 *
 * @module
 */

import { cutMiddle } from '#core/cut-middle.ts'
import { isString } from '#core/json.ts'
import { bytesOf, jsonBytes, utf8Bytes } from '../encoding/json-bytes.ts'
import { MAX_ERROR_BYTES } from '../limits.ts'

/** Bytes of JSON of one message: of it and its advice, a path and scopes, one error has room for all. */
const MAX_TEXT_BYTES = 1_200

/** Returns a text without its middle if it has more bytes than one error has for it. */
export function shortText(text: string, bytes = MAX_TEXT_BYTES): string {
  for (let most = bytes; ; most = Math.floor(most / 2)) {
    const cut = cutMiddle(text, most)
    const short = cut ? `${cut.head}… ${cut.left} characters …${cut.tail}` : text
    if (jsonBytes(short) <= bytes || most === 0) return short
  }
}

/** The first paths or scopes that a sentence names, each without its middle if it is long. */
export const shortNames = (names: readonly string[], most: number): string[] =>
  names.slice(0, most).map((name) => shortText(name, 300))

/** The members of an error that are prose. */
const PROSE: ReadonlySet<string> = new Set(['message', 'error_description', 'pointer', 'note'])

/** Bytes of JSON of the error of one call, beside what surrounds it in a response. */
const MAX_CALL_ERROR_BYTES = MAX_ERROR_BYTES - 500

/** Bytes of JSON that the sentence of an error has at least, if it needs them. */
const MIN_SENTENCE_BYTES = 1_000

/** A sentence and the data of an error, which fit a response together. */
interface FittingError {
  readonly sentence: string
  readonly data: Record<string, unknown>
}

/**
 * Shortens an error as a whole. Data stays as long as it fits, the first members first: a list loses its last items, prose
 * its middle, and any other value that has no room is left out, because a part of a path or a scope would name another.
 */
export function fitError(sentence: string, data: Readonly<Record<string, unknown>>): FittingError {
  let left = MAX_CALL_ERROR_BYTES - Math.min(jsonBytes(sentence), MIN_SENTENCE_BYTES)
  const kept = Object.entries(data).flatMap(([key, value]) => {
    const part = fitMember(key, value, left)
    const bytes = bytesOf({ [key]: part })
    if (bytes > left) return []
    left -= bytes
    return [[key, part]]
  })
  const fitting = Object.fromEntries(kept)
  return { sentence: shortText(sentence, MAX_CALL_ERROR_BYTES - bytesOf(fitting)), data: fitting }
}

function fitMember(key: string, value: unknown, most: number): unknown {
  if (isString(value) && PROSE.has(key)) return shortText(value, MIN_SENTENCE_BYTES)
  if (!Array.isArray(value)) return value
  let left = most - bytesOf({ [key]: [] })
  const items: readonly unknown[] = value
  const end = items.findIndex((item) => (left -= bytesOf(item) + 1) < 0)
  return end === -1 ? items : items.slice(0, end)
}

/** Maximum length of an id or a challenge, which stay whole. */
const MAX_ID_LENGTH = 1_400

/** Shortens the texts of an error in JSON, those of libraries too: the SDK and the OAuth library repeat what was sent. */
export async function shortError(response: Response): Promise<Response> {
  if (response.status < 400 || !response.headers.get('content-type')?.includes('json'))
    return response
  const text = await response.text()
  const headers = new Headers(response.headers)
  headers.delete('content-length')
  return new Response(shortJson(text), { status: response.status, headers })
}

function shortJson(text: string): string {
  let short = text
  for (let most = MAX_TEXT_BYTES; utf8Bytes(short) > MAX_ERROR_BYTES && most > 50; most /= 4)
    short = JSON.stringify(
      JSON.parse(text, (key, value: unknown) =>
        isString(value) && (PROSE.has(key) || value.length > MAX_ID_LENGTH)
          ? shortText(value, most)
          : value,
      ),
    )
  return short
}
