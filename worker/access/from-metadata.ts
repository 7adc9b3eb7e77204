/**
 * The access of one request of a caller, from its `_meta`.
 *
 * `test/worker/call/metadata.laws.test.ts` has random metadata.
 *
 * @module
 */

import { ok, type Result } from '#core/result.ts'
import { resolveAccess, type Access } from './access.ts'
import type { Caller } from './caller.ts'
import {
  NO_METADATA,
  parseMetadata,
  refuse,
  type CallMetadata,
  type Meta,
  type Refused,
} from './metadata.ts'

/** Computes the access of one request of a caller from its `_meta`. */
export function accessOfRequest(caller: Caller, meta: Meta): Result<Access, Refused> {
  const metadata = parseMetadata(meta)
  return metadata.ok ? accessOf(caller, metadata.value) : metadata
}

/** The same, from metadata that was parsed. */
export function accessOf(caller: Caller, metadata: CallMetadata): Result<Access, Refused> {
  if (metadata === NO_METADATA) return ok(caller.access)
  const access = resolveAccess(caller.working, metadata)
  return access.ok ? access : refuse(access.error)
}
