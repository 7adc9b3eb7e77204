/**
 * WebDAV (RFC 4918) over the files of a workspace, for the holder of a session link. It is loaded with the first request.
 *
 * A link has here the access that it has over `/s/{link}/files`: the same paths are authorized, and changes take the same
 * way, so one that has to wait joins the draft of the link. `test/worker/dav/matrix.test.ts` holds it to the access of
 * every kind of link, and `test/e2e/dav/judges.slow.test.ts` to litmus and rclone.
 *
 * @module
 */

import { draftOwnerOf } from '../access/draft-owner.ts'
import { notAllowed, refuse } from '../errors/respond.ts'
import { toHex } from '../encoding/bytes.ts'
import {
  DAV_PATH,
  hashSecret,
  LINK_HEADER,
  PREFIX_HEADER,
  refuseLink,
  SENDER_HEADER,
} from '../sessions/links.ts'
import { parseAddress } from './address.ts'
import type { Dav, DavMemory, DavParts } from './context.ts'
import { copyOrMove } from './copy-move.ts'
import { get } from './get.ts'
import { makeFolder, remove } from './folders.ts'
import { lock, unlock } from './lock.ts'
import { createPasswords } from './passwords.ts'
import { propfind } from './propfind.ts'
import { proppatch } from './proppatch.ts'
import { put } from './put.ts'
import { refuseDav } from './refuse.ts'
import { createScratch, isScratch, serveScratch } from './scratch.ts'

/** Serves a method. */
type Method = (dav: Dav) => Promise<Response> | Response

const METHODS: Readonly<Record<string, Method>> = {
  GET: get,
  HEAD: get,
  PUT: put,
  DELETE: remove,
  MKCOL: makeFolder,
  COPY: copyOrMove,
  MOVE: copyOrMove,
  PROPFIND: propfind,
  PROPPATCH: proppatch,
  LOCK: lock,
  UNLOCK: unlock,
}

/** The memory of each open workspace. */
const memories = new WeakMap<DavParts, DavMemory>()

function memoryOf(parts: DavParts): DavMemory {
  const known = memories.get(parts)
  if (known) return known
  const memory = { passwords: createPasswords(), scratch: createScratch() }
  memories.set(parts, memory)
  return memory
}

/** Serves a request that the front has sent on. */
export async function serveDav(request: Request, parts: DavParts): Promise<Response> {
  const memory = memoryOf(parts)
  const caller = await callerOf(request, parts, memory)
  if (caller instanceof Response) return caller
  const session = caller.session?.id
  if (session === undefined) return refuseLink()
  const { key } = draftOwnerOf(caller)
  parts.drafts.hear(key)
  const encoded = new URL(request.url).pathname.slice(DAV_PATH.length)
  const path = parseAddress(encoded)
  if (!path.ok) return refuseDav({ reason: 'bad_path', text: encoded, detail: path.error })
  const prefix = request.headers.get(PREFIX_HEADER) ?? ''
  const response = await serveMethod({
    ...{ request, prefix, path: path.value, caller, session, parts, memory },
  })
  // The bytes of a large file take a while.
  parts.drafts.hear(key)
  return response
}

async function serveMethod(dav: Dav): Promise<Response> {
  const serve = METHODS[dav.request.method]
  if (!serve) return notAllowed(Object.keys(METHODS).join(', '))
  return (isScratch(dav.path) && (await serveScratch(dav))) || serve(dav)
}

/** Finds the caller of a link, within the budget of wrong passwords if the link was one. */
async function callerOf(request: Request, { callers }: DavParts, { passwords }: DavMemory) {
  const sender = request.headers.get(SENDER_HEADER)
  const secret = request.headers.get(LINK_HEADER)
  if (secret === null) return refuseLink()
  if (sender === null) return callers.of(request)
  const hash = toHex(await hashSecret(secret))
  const verdict = passwords.judge(hash, sender)
  if (verdict === 'wrong') return refuseLink()
  // Also without a budget left, as others may have used it: a link that is right passes.
  const caller = await callers.of(request)
  const isWrong = caller instanceof Response && caller.status === 401
  if (isWrong && verdict !== 'check') return refuseAttempt(verdict)
  if (isWrong) passwords.wrong(hash)
  else passwords.right(hash, sender)
  return caller
}

function refuseAttempt(wait: number): Response {
  const message = `Cannot sign in: too many wrong passwords. Try again in ${wait} s.`
  return refuse(429, 'TOO_MANY_ATTEMPTS', message, { 'retry-after': String(wait) })
}
