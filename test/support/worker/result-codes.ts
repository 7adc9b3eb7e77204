/**
 * Reads success and failure from a result, in one place, because the tests do not
 * depend on its shape.
 *
 * @module
 */

import { isRecord, recordOf } from '#core/json.ts'

/** The code of a tool error; undefined for any other result. */
export function errorCode(result: unknown): string | undefined {
  const { isError, structuredContent, _meta } = recordOf(result)
  if (isError !== true) return undefined
  const error = recordOf(_meta)['dev.edgewise/error'] ?? structuredContent
  const code = recordOf(error)['code']
  return typeof code === 'string' ? code : 'UNKNOWN'
}

/** The code of a tool error or of a JSON-RPC error; undefined where the call succeeded. */
export function codeOfReply(reply: unknown): string | number | undefined {
  const { error, result } = recordOf(reply)
  if (isRecord(error)) return typeof error['code'] === 'number' ? error['code'] : 'UNKNOWN'
  return errorCode(result)
}

/** The text of a result and everything else in it. */
export const wholeOf = (reply: unknown): string => JSON.stringify(reply)
