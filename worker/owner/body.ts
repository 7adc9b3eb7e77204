/** Bodies that are sent to acts of the owner: JSON objects. `test/worker/owner/serve.test.ts` has the cases. @module */

import { isRecord } from '#core/json.ts'
import { err, ok, type Result } from '#core/result.ts'
import { refuse } from '../errors/respond.ts'
import { parseBody, readBody } from '../mcp/message-body.ts'

const JSON_TYPE = /^application\/json\s*(;|$)/i

/**
 * Reads the JSON object that was sent to an act of the owner; null for a body that is none. The error is the 415
 * of another media type: a form or a page of another site can send those without a preflight.
 */
export async function readSentJson(
  request: Request,
): Promise<Result<Record<string, unknown> | null, Response>> {
  if (JSON_TYPE.test(request.headers.get('content-type') ?? ''))
    return ok(await readJsonBody(request))
  return err(
    refuse(
      415,
      'UNSUPPORTED_MEDIA_TYPE',
      'Cannot read the body: its type is not JSON. Send it with Content-Type: application/json.',
    ),
  )
}

/** Reads a body as a JSON object, within the limits of a message; null for anything else. */
export async function readJsonBody(request: Request): Promise<Record<string, unknown> | null> {
  const text = await readBody(request)
  const body = text.ok ? parseBody(text.value) : text
  return body.ok && isRecord(body.value) ? body.value : null
}
