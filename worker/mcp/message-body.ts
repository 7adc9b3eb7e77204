/** The body of a message: read within the size limit, and parsed as JSON within the depth limit. @module */

import { err, ok, type Result } from '#core/result.ts'
import { decodeUtf8, NotUtf8, readText, type Ends } from '../archive/bytes.ts'
import { nestsTooDeep } from '../encoding/json-depth.ts'
import { MAX_JSON_DEPTH, MAX_MESSAGE_BYTES } from '../limits.ts'
import { codingOf } from '../http.ts'
import { idOf, respondError } from '../json-rpc.ts'

/** The text of a body, or the response for one that is too large or incomplete. */
export type Body = Result<string, Response>

/**
 * Reads a request's body as text. The runtime reads a body of known size; one of unknown size is counted as it
 * arrives. One that is too large is discarded, up to the size of a file, which a client may have sent in a call.
 */
export async function readBody(request: Request): Promise<Body> {
  const encoded = refuseEncoding(request)
  if (encoded) return err(encoded)
  const length = Number(request.headers.get('content-length') ?? NaN)
  try {
    if (length >= 0 && length <= MAX_MESSAGE_BYTES)
      return ok(decodeUtf8(await request.arrayBuffer()))
    const text = await readText(request, MAX_MESSAGE_BYTES)
    return text.ok ? text : err(refuseLarge(text.error))
  } catch (error) {
    // Only its sender can cut a body short, so this is not logged.
    const fault = error instanceof NotUtf8 ? NOT_UTF8 : 'the body ended early'
    return err(respondError(null, -32700, `Parse error: ${fault}`, 400))
  }
}

/** Some programs write Latin-1 unless a charset is set; replacement characters would be stored in its place. */
const NOT_UTF8 =
  'the body is not UTF-8. Send it as UTF-8, or with each character beyond ASCII as a JSON escape'

function refuseEncoding({ headers }: Request): Response | null {
  const coding = codingOf(headers)
  if (coding === null) return null
  const message = `Unsupported Content-Encoding: ${coding}. Send the message without an encoding.`
  const response = respondError(null, -32000, message, 415)
  response.headers.set('accept-encoding', 'identity')
  return response
}

function refuseLarge(ends: Ends): Response {
  const message =
    `Cannot read the message: it has more than ${MAX_MESSAGE_BYTES} bytes. To write a large file, call ` +
    'transfer_link with direction "upload", and send the bytes of the file to its URL with PUT.'
  return respondError(idIn(ends), -32000, message, 413)
}

/** Returns the id of a message by its members before `params`, or by its last members; null if it is elsewhere. */
function idIn({ head, tail }: Ends): string | number | null {
  const first = parseBody(`${head.slice(0, head.indexOf(PARAMS))}${PARAMS}:0}`)
  const last = parseBody(`{${tail.slice(tail.lastIndexOf('"id"'))}`)
  return (
    [first, last].map((part) => (part.ok ? idOf(part.value) : null)).find((id) => id !== null) ??
    null
  )
}

const PARAMS = '"params"'

/** Parses a body as JSON. The error is the response for invalid or too deeply nested JSON. */
export function parseBody(text: string): Result<unknown, Response> {
  if (nestsTooDeep(text)) {
    return err(
      respondError(
        null,
        -32600,
        `Invalid Request: the message nests deeper than ${MAX_JSON_DEPTH} levels`,
        400,
      ),
    )
  }
  try {
    return ok(JSON.parse(text))
  } catch {
    return err(respondError(null, -32700, 'Parse error: the body is not JSON', 400))
  }
}
