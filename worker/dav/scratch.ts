/**
 * Files that operating systems write for themselves beside others: `._*` and `.DS_Store` of macOS, `Thumbs.db` and
 * `desktop.ini` of Windows.
 *
 * They never reach a draft or the history. Refused, they make Finder end a whole copy with an error, so they are taken and
 * kept in memory for the link that wrote them, within a bound, in no listing, and until the object is evicted. A file of
 * the workspace with such a name, which came another way, is read and deleted as any other.
 * `test/worker/dav/scratch.test.ts` has the cases.
 *
 * @module
 */

import { nameOf, type StorePath } from '#core/path.ts'
import { quoteValue } from '#core/quote.ts'
import type { FileContext } from '../access/file-context.ts'
import { readWhole } from '../api/receive.ts'
import { chunksOf, createBytes } from '../archive/bytes.ts'
import { toHex } from '../encoding/bytes.ts'
import { problem, refuse } from '../errors/respond.ts'
import { writing } from '../tools/lib/tool.ts'
import { hrefOf, parseReference } from './address.ts'
import { openToChange, openToRead, type Dav } from './context.ts'
import { MAX_SCRATCH_BYTES, MAX_SCRATCH_FILE_BYTES, MAX_SCRATCH_FILES } from './limits.ts'
import { multistatus, OK } from './multistatus.ts'

const SCRATCH = /^(?:\._.*|\.DS_Store|Thumbs\.db|desktop\.ini)$/is

/** Whether a path has the name of such a file. */
export const isScratch = (path: StorePath): boolean => SCRATCH.test(nameOf(path))

/** A file in memory. */
interface ScratchFile {
  readonly session: string
  /** The principal of the link, whose share its files use. */
  readonly budget: string
  readonly path: StorePath
  readonly bytes: Uint8Array
  readonly hash: string
  /** Milliseconds since 1970. */
  readonly mtime: number
}

/** The files in memory of one workspace. */
export type Scratch = ReturnType<typeof createScratch>

const keyOf = (session: string, path: StorePath) => `${session}\n${path}`

/** Bytes that a file takes: empty ones have a path as well. */
const sizeOf = ({ path, bytes }: ScratchFile): number => bytes.length + 2 * path.length

/** Creates the memory. */
export function createScratch() {
  const files = new Map<string, ScratchFile>()
  let size = 0

  function remove(session: string, path: StorePath): boolean {
    const key = keyOf(session, path)
    const file = files.get(key)
    if (file) size -= sizeOf(file)
    return files.delete(key)
  }

  function dropOldest(isLoser: (file: ScratchFile) => boolean): void {
    const oldest = [...files.values()].find(isLoser)
    if (oldest) remove(oldest.session, oldest.path)
  }

  function countOf(session: string): number {
    return [...files.values()].filter((file) => file.session === session).length
  }

  /** The principal whose files are the most bytes loses its oldest, however many links it has. */
  function dropLargest(): void {
    const shares = new Map<string, number>()
    for (const file of files.values())
      shares.set(file.budget, (shares.get(file.budget) ?? 0) + sizeOf(file))
    const [largest] = [...shares].toSorted(([, a], [, b]) => b - a)
    if (largest) dropOldest(({ budget }) => budget === largest[0])
  }

  return {
    find: (session: string, path: StorePath): ScratchFile | null =>
      files.get(keyOf(session, path)) ?? null,
    /** Keeps a file. Returns whether there was none at its path. */
    put(file: ScratchFile): boolean {
      const isNew = !remove(file.session, file.path)
      files.set(keyOf(file.session, file.path), file)
      size += sizeOf(file)
      if (countOf(file.session) > MAX_SCRATCH_FILES)
        dropOldest(({ session }) => session === file.session)
      while (size > MAX_SCRATCH_BYTES) dropLargest()
      return isNew
    },
    remove,
  }
}

/** Serves a request for such a file; null if it is for one of the workspace, or for none. */
export async function serveScratch(dav: Dav): Promise<Response | null> {
  const { request, path, session, memory } = dav
  if (request.method === 'PUT') return put(dav)
  if (request.method === 'MKCOL') return refuseScratch()
  const file = memory.scratch.find(session, path)
  if (!file) return null
  switch (request.method) {
    case 'GET':
    case 'HEAD':
    case 'PROPFIND':
      return read(dav, file)
    case 'DELETE':
    case 'COPY':
    case 'MOVE':
    case 'PROPPATCH':
      return change(dav, file)
    default:
      return null
  }
}

async function put(dav: Dav): Promise<Response> {
  const { request, path, session, caller, memory } = dav
  const { budget } = caller
  const files = openToChange(dav, `Upload ${quoteValue(path)}`, [writing(path)])
  if (files instanceof Response) return files
  const most = MAX_SCRATCH_FILE_BYTES
  const bytes = request.body
    ? await readWhole(createBytes(chunksOf(request.body)), most)
    : new Uint8Array(0)
  if (bytes === 'broken') return refuse(400, 'BODY_BROKEN_OFF', 'Body ended early. Send it again.')
  if (bytes === 'too large') return problem({ reason: 'file_too_large', limit: most })
  const hash = toHex(new Uint8Array(await crypto.subtle.digest('SHA-256', bytes)))
  const isNew = memory.scratch.put({ session, budget, path, bytes, hash, mtime: Date.now() })
  return new Response(null, { status: isNew ? 201 : 204, headers: { etag: `"${hash}"` } })
}

/** Has an empty file for a lock, unless there is one. No change waits for it. */
export async function keepEmpty({ path, session, caller, memory }: Dav): Promise<null> {
  if (memory.scratch.find(session, path)) return null
  const bytes = new Uint8Array(0)
  const hash = toHex(new Uint8Array(await crypto.subtle.digest('SHA-256', bytes)))
  memory.scratch.put({ session, budget: caller.budget, path, bytes, hash, mtime: Date.now() })
  return null
}

function read(dav: Dav, file: ScratchFile): Response {
  const files = openToRead(dav, `Download ${quoteValue(dav.path)}`)
  if (files instanceof Response) return files
  const { method } = dav.request
  return method === 'PROPFIND' ? describe(dav, file) : serve(method, file)
}

function serve(method: string, { bytes, hash, mtime }: ScratchFile): Response {
  const headers = {
    'content-type': 'application/octet-stream',
    'content-length': String(bytes.length),
    'content-security-policy': "sandbox; default-src 'none'",
    'last-modified': new Date(mtime).toUTCString(),
    etag: `"${hash}"`,
  }
  return new Response(method === 'HEAD' ? null : bytes.slice(), { headers })
}

function describe({ prefix }: Dav, { path, bytes, hash, mtime }: ScratchFile): Response {
  const properties = [
    '<D:resourcetype/>',
    `<D:getcontentlength>${bytes.length}</D:getcontentlength>`,
    `<D:getlastmodified>${new Date(mtime).toUTCString()}</D:getlastmodified>`,
    `<D:getetag>"${hash}"</D:getetag>`,
  ]
  return multistatus([{ href: hrefOf(prefix, path, false), stats: [{ status: OK, properties }] }])
}

function change(dav: Dav, file: ScratchFile): Response {
  const { request, path, memory } = dav
  const files = openToChange(dav, `Change ${quoteValue(path)}`, [writing(path)])
  if (files instanceof Response) return files
  if (request.method === 'DELETE') {
    memory.scratch.remove(file.session, path)
    return new Response(null, { status: 204 })
  }
  // The system that wrote the file asks for nothing that it stores with it.
  if (request.method === 'PROPPATCH') return describe(dav, file)
  return transfer(dav, files, file)
}

/** Such a file stays one: it is copied and moved only to another such name. */
function transfer(dav: Dav, { workspace }: FileContext, file: ScratchFile): Response {
  const { request, memory } = dav
  const to = parseReference(request.headers.get('destination') ?? '', dav)
  if (!to.ok || !isScratch(to.value) || !workspace.access.canWrite(to.value)) return refuseScratch()
  const isNew = memory.scratch.put({ ...file, path: to.value })
  if (request.method === 'MOVE' && to.value !== file.path)
    memory.scratch.remove(file.session, file.path)
  return new Response(null, { status: isNew ? 201 : 204 })
}

/** Builds the 403 of what would bring such a name into the workspace. */
export function refuseScratch(): Response {
  const message =
    'Cannot use this name: files of operating systems for themselves, such as .DS_Store, are not kept.'
  return refuse(403, 'SYSTEM_FILE', message)
}
