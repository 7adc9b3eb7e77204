/**
 * Reads the text of a file before a draft and after it, to amend it. Only what is valid UTF-8 up to a bound is amended:
 * anything else would not be kept as it is. `test/host/console/amendments.test.tsx` has the cases.
 *
 * @module
 */

import { err, ok, type Result } from '#core/result.ts'

/** Largest text, in bytes, that can be amended. */
export const MAX_EDITED_BYTES = 1_048_576

/** Why a text cannot be amended; `changed`: the file is not the one that was listed. */
export type Uneditable = 'changed' | 'not_text' | 'not_shown' | 'too_large' | 'unreadable'

/** Reads a text of this server, with its byte order mark. */
export async function readProposed(address: string): Promise<Result<string, Uneditable>> {
  const response = await fetch(address).catch(() => null)
  if (response?.status === 409) return err('changed')
  if (!response?.ok) return err('unreadable')
  if (Number(response.headers.get('content-length')) > MAX_EDITED_BYTES) return err('too_large')
  const bytes = await response.arrayBuffer().catch(() => null)
  return bytes === null ? err('unreadable') : decode(bytes)
}

function decode(bytes: ArrayBuffer): Result<string, Uneditable> {
  if (bytes.byteLength > MAX_EDITED_BYTES) return err('too_large')
  const text = decodeStrictly(bytes)
  // The server takes a text with this character for binary.
  return text === null || text.includes('\0') ? err('not_text') : ok(text)
}

function decodeStrictly(bytes: ArrayBuffer): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return null
  }
}
