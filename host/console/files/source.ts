/**
 * Reads a file or a folder of the workspace over `/files`, for the pages of Files. What is edited is read as bytes, so
 * that its encoding, its byte order mark and its line endings are known and can be kept.
 * `test/host/console/files/source.test.ts` has the cases.
 *
 * @module
 */

import { isRecord } from '#core/json.ts'
import { err, ok, type Result } from '#core/result.ts'
import { numberOf } from '../../mcp/parse.ts'
import { MAX_EDITED_BYTES } from '../amendments/proposed-text.ts'
import { fetchOwn, getJson, readRefusal } from '../connect/http.ts'
import { textIn } from '../ui/storage.ts'

/** Bytes of a larger file that are shown. */
const FIRST_BYTES = 262_144

/** Entries of one page of a folder. */
const PAGE = 500

/** An entry of a folder. */
export interface Entry {
  readonly name: string
  readonly path: string
  readonly type: 'file' | 'folder'
  readonly version: number
  /** When it was changed, in milliseconds since 1970. */
  readonly changed: number
  /** Bytes; null for a folder. */
  readonly size: number | null
}

/** A page of a folder, ordered by name. */
export interface FolderPage {
  readonly entries: readonly Entry[]
  /** The name after which the next page begins; null on the last one. */
  readonly next: string | null
}

/** The facts of a file. */
export interface FileFacts {
  readonly path: string
  readonly version: number
  readonly size: number
  /** Media type, as the server found it. */
  readonly mime: string
  /** When it was changed, in milliseconds since 1970; null if that is not known. */
  readonly changed: number | null
}

/** What is at a path. */
export type Place =
  | { readonly type: 'file'; readonly file: FileFacts }
  | { readonly type: 'folder'; readonly page: FolderPage }
  | { readonly type: 'missing' }

/** How the text of a file is encoded. */
export type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be'

/** The text of a file at a version. */
export interface Source {
  readonly version: number
  /** The text without a byte order mark, with its line endings as they are. */
  readonly text: string
  readonly encoding: Encoding
  readonly hasMark: boolean
}

/** The beginning of a file whose text cannot be edited here, or nothing of it, with the reason. */
export interface NoSource {
  readonly reason: 'not_text' | 'too_large'
  readonly beginning: string | null
}

/** Returns the address of a path below `/files` or another route that takes a path. */
export const addressOf = (base: string, path: string, route = 'files'): string =>
  `${base}/${route}${path.split('/').map(encodeURIComponent).join('/')}`

/**
 * Finds what is at a path.
 *
 * @throws {AnswerError} If the server refuses.
 */
export async function readPlace(base: string, path: string, signal: AbortSignal): Promise<Place> {
  const response = await fetchOwn(addressOf(base, path), {
    method: 'HEAD',
    cache: 'no-store',
    signal,
  })
  if (response.status === 404) return { type: 'missing' }
  if (!response.ok) throw await readRefusal(response)
  const version = versionOf(response)
  if (version === null)
    return { type: 'folder', page: await readPage(base, path, { after: null, signal }) }
  return { type: 'file', file: { path, version, ...readFacts(response) } }
}

const versionOf = ({ headers }: Response) => {
  const tag = /^"(\d+)"$/.exec(headers.get('etag') ?? '')
  return tag ? Number(tag[1]) : null
}

function readFacts({ headers }: Response) {
  const changed = Date.parse(headers.get('last-modified') ?? '')
  return {
    size: Number(headers.get('content-length') ?? 0),
    mime: (headers.get('content-type') ?? '').replace(/;.*/, ''),
    changed: Number.isNaN(changed) ? null : changed,
  }
}

/**
 * Reads one page of a folder.
 *
 * @throws {AnswerError} If the server refuses.
 */
export async function readPage(
  base: string,
  path: string,
  { after, signal }: { readonly after: string | null; readonly signal: AbortSignal },
): Promise<FolderPage> {
  const query = new URLSearchParams({ limit: String(PAGE), ...(after !== null && { after }) })
  const body = await getJson(`${addressOf(base, path)}?${query.toString()}`, signal)
  const list = isRecord(body) && Array.isArray(body['entries']) ? body['entries'] : []
  const folder = path === '/' ? '' : path
  return {
    entries: list.flatMap((one) => readEntry(one, folder)),
    next: textIn(body, 'next'),
  }
}

function readEntry(value: unknown, folder: string): Entry[] {
  const [name, type] = [textIn(value, 'name'), textIn(value, 'type')]
  if (!isRecord(value) || name === null || (type !== 'file' && type !== 'folder')) return []
  const { version, mtime, size } = value
  return [
    {
      ...{ name, type, path: `${folder}/${name}`, size: numberOf(size) },
      ...{ version: numberOf(version) ?? 0, changed: numberOf(mtime) ?? 0 },
    },
  ]
}

/**
 * Reads the text of a file.
 *
 * @throws {AnswerError} If the server refuses.
 */
export async function readSource(
  base: string,
  path: string,
  signal?: AbortSignal,
): Promise<Result<Source, NoSource>> {
  const address = addressOf(base, path)
  // One byte more than can be edited tells a file that is too large from one that is not.
  const range = `bytes=0-${MAX_EDITED_BYTES}`
  // A browser that keeps a range of an earlier version asks for no more than that one had.
  const request = { cache: 'no-store', ...(signal && { signal }) } as const
  const response = await fetchOwn(address, { headers: { range }, ...request })
  // An empty file has no first byte.
  if (response.status === 416) return readWhole(address, request)
  if (!response.ok) throw await readRefusal(response)
  const bytes = new Uint8Array(await response.arrayBuffer())
  if (bytes.length > MAX_EDITED_BYTES)
    return err({ reason: 'too_large', beginning: decodeBeginning(bytes) })
  return decodeSource(bytes, versionOf(response) ?? 0)
}

async function readWhole(address: string, request: RequestInit): Promise<Result<Source, NoSource>> {
  const response = await fetchOwn(address, request)
  if (!response.ok) throw await readRefusal(response)
  return decodeSource(new Uint8Array(await response.arrayBuffer()), versionOf(response) ?? 0)
}

/** Decodes the bytes of a file strictly: what is not valid would not be kept as it is. */
export function decodeSource(bytes: Uint8Array, version: number): Result<Source, NoSource> {
  const encoding = encodingOf(bytes)
  const whole = decode(bytes, encoding)
  // The server takes a text with this character for binary.
  if (whole === null || whole.includes('\0')) return err({ reason: 'not_text', beginning: null })
  const hasMark = whole.startsWith('\ufeff')
  return ok({ version, encoding, hasMark, text: hasMark ? whole.slice(1) : whole })
}

function encodingOf([first, second]: Uint8Array): Encoding {
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  return first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8'
}

function decode(bytes: Uint8Array, encoding: Encoding): string | null {
  try {
    return new TextDecoder(encoding, { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return null
  }
}

/** Decodes the beginning of a text up to the end of a line; null for what is not text. */
function decodeBeginning(bytes: Uint8Array): string | null {
  const first = bytes.subarray(0, FIRST_BYTES)
  const text = new TextDecoder(encodingOf(first)).decode(first)
  if (text.includes('\0')) return null
  return text.slice(0, text.lastIndexOf('\n') + 1) || text
}
