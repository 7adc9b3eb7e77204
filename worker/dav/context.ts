/**
 * A request of WebDAV: who sends it, at which path, and what it may be answered from.
 *
 * @module
 */

import type { StorePath } from '#core/path.ts'
import type { Result } from '#core/result.ts'
import type { Access } from '../access/access.ts'
import { authorize, type Touch } from '../access/authorize.ts'
import type { Applied } from '../access/apply.ts'
import type { Caller } from '../access/caller.ts'
import type { FileContext } from '../access/file-context.ts'
import type { LeasePlace } from '../access/lease.ts'
import type { ReadStore } from '../access/workspace.ts'
import { openLinked, permitRead, type LinkedParts } from '../api/link.ts'
import { toBase64Url } from '../encoding/base64.ts'
import type { Problem } from '../errors/problem.ts'
import type { Entry, Step } from '../store/store.ts'
import type { Checksums } from './checksums.ts'
import { refuseLocked } from './locks.ts'
import type { Passwords } from './passwords.ts'
import type { Properties } from './properties.ts'
import { refuseDav } from './refuse.ts'
import type { Scratch } from './scratch.ts'

/** The services of WebDAV. */
export interface DavParts extends LinkedParts {
  readonly properties: Properties
  readonly checksums: Checksums
}

/** What an object keeps in memory for its WebDAV clients. */
export interface DavMemory {
  readonly passwords: Passwords
  readonly scratch: Scratch
}

/** A request with a link that is valid. */
export interface Dav {
  readonly request: Request
  /** The beginning of every path, as the client sees it. */
  readonly prefix: string
  readonly path: StorePath
  readonly caller: Caller
  /** The id of the session of its link. */
  readonly session: string
  readonly parts: DavParts
  readonly memory: DavMemory
}

/** Opens the files to read a path, or returns the response that refuses it. */
export const openToRead = (dav: Dav, intent: string): FileContext | Response =>
  open(dav, intent, (access) => permitRead(dav.path, access))

/** Opens the files to change some paths, or returns the response that refuses it. */
export function openToChange(
  dav: Dav,
  intent: string,
  touches: readonly Touch[],
): FileContext | Response {
  return open(dav, intent, (access) => authorize(touches, access))
}

function open(
  { request, caller, parts }: Dav,
  intent: string,
  permit: (access: Access) => Result<unknown, Problem>,
): FileContext | Response {
  // A body can take a while, and rules or the link may have changed since the caller was resolved.
  if (!parts.callers.isCurrent(caller.access, caller.session))
    return refuseDav({ reason: 'access_changed' })
  const opened = openLinked({ tool: request.method, intent, permit }, caller, parts)
  return opened.ok ? opened.value : refuseDav(opened.error)
}

/** A change of a request. */
export interface DavChange {
  readonly intent: string
  readonly steps: readonly Step[]
  /** The version of the workspace that it was planned on. */
  readonly basis: number
  /** Where locks prevent it. */
  readonly places: readonly LeasePlace[]
  /** Whether it was planned without reading any file. */
  readonly isUnconditional?: boolean
}

/** Applies a change, or adds it to the draft of the link, in the one way in which every change goes. */
export function applyDav(
  dav: Dav,
  { workspace, actor, decision, refused }: FileContext,
  { intent, steps, basis, places, isUnconditional = false }: DavChange,
): Applied | Response {
  const note = { tool: dav.request.method, intent, actor, decision }
  // What may not be changed is refused as such, so that no lock tells of what is hidden in a folder.
  const locked = workspace.refusalOf(steps) ? null : refuseLocked(dav, workspace, places)
  if (locked) return locked
  const applied = workspace.apply({ basis, steps, note, isUnconditional })
  if (applied.ok) return applied.value
  refused?.(applied.error)
  return refuseDav(applied.error)
}

/** The header with the draft in which a change waits. The status is the same as if it did not. */
const DRAFT_HEADER = 'edgewise-draft'

/** Builds the response of a change: 201 where it created something, else 204. */
export function respondChanged({ draft }: Applied, isNew: boolean, headers = {}): Response {
  const waits = draft === null ? {} : { [DRAFT_HEADER]: draft.name }
  return new Response(null, { status: isNew ? 201 : 204, headers: { ...headers, ...waits } })
}

/** The entity tag of a file: its content, so that an approval changes none. Null for a folder and for nothing. */
export function tagOf(store: Pick<ReadStore, 'hashesOf'>, entry: Entry | null): string | null {
  if (entry?.type !== 'file') return null
  const hash = store.hashesOf([entry.blob]).get(entry.blob)
  return hash === undefined ? null : tagOfHash(hash)
}

/**
 * The entity tag of content by its SHA-256 in hexadecimal. In base64, because litmus cuts a header `If` with two longer ones.
 */
export const tagOfHash = (hash: string): string =>
  `"${toBase64Url(Uint8Array.from(hash.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16)))}"`
