/**
 * PROPFIND: the properties of a resource and of those in it, as the caller sees them. It is never cut: a folder that is
 * too large is refused, because a part of it would look like the whole. `test/worker/dav/propfind.test.ts` has the cases.
 *
 * @module
 */

import type { StorePath } from '#core/path.ts'
import { quoteValue } from '#core/quote.ts'
import type { FileContext } from '../access/file-context.ts'
import type { ReadStore } from '../access/workspace.ts'
import { INLINE_BYTES } from '../limits.ts'
import type { Entry, FileEntry } from '../store/store.ts'
import { hrefOf } from './address.ts'
import { elementsOf, isDavName, readXml } from './body.ts'
import type { KnownSums } from './checksums.ts'
import { refuseUnmet } from './conditions.ts'
import { openToRead, type Dav } from './context.ts'
import { MAX_DAV_LISTED, MAX_MULTISTATUS_LENGTH, MAX_SUMMED_BYTES } from './limits.ts'
import {
  ALL_LIVE,
  CHECKSUMS,
  DAV,
  isLive,
  keyOf,
  nameOfKey,
  NEED_HASHES,
  writeLive,
  type Facts,
} from './live-properties.ts'
import { writeLocks } from './locks.ts'
import {
  multistatus,
  NOT_FOUND,
  OK,
  refuseLong,
  type DavResource,
  type PropStat,
} from './multistatus.ts'
import { refuseDav, refuseDavCondition, refuseHeader, refuseXml } from './refuse.ts'
import type { StoredProperties } from './properties.ts'
import { sumsOf } from './upload-hash.ts'
import { writeName } from '../xml/text.ts'
import type { XmlElement } from '../xml/parse.ts'

/** What a request asks for: all properties, or those with some keys; and whether it wants their names alone. */
interface Asked {
  readonly all: boolean
  readonly keys: ReadonlySet<string>
  readonly namesOnly: boolean
}

const ALL: Asked = { all: true, keys: new Set(), namesOnly: false }

/** Lists properties. */
export async function propfind(dav: Dav): Promise<Response> {
  const { request, path } = dav
  const depth = (request.headers.get('depth') ?? 'infinity').trim().toLowerCase()
  if (!['0', '1', 'infinity'].includes(depth))
    return refuseHeader('Depth', 'it is neither 0, nor 1, nor infinity')
  const asked = await readAsked(request)
  if (asked instanceof Response) return asked
  // A body takes a while, and access may have changed meanwhile: nothing is awaited from here to the entries.
  const files = openToRead(dav, `List ${quoteValue(path)}`)
  if (files instanceof Response) return files
  const { store } = files.workspace
  const entry = store.stat(path)
  if (!entry) return refuseDav({ reason: 'not_found', path })
  const refused = refuseUnmet(dav, files.workspace)
  if (refused) return refused
  if (depth === 'infinity' && entry.type === 'folder')
    return refuseDavCondition(403, 'propfind-finite-depth')
  const inside =
    depth === '1' && entry.type === 'folder' ? store.list(path, { limit: MAX_DAV_LISTED + 1 }) : []
  if (inside.length > MAX_DAV_LISTED) return refuseTooMany(entry)
  return respond(dav, files, { asked, entries: [entry, ...inside] })
}

function refuseTooMany({ path }: Entry): Response {
  const detail = `Cannot list ${path}: it has more than ${MAX_DAV_LISTED} files and folders. Use GET /files, which has pages`
  return refuseDav({ reason: 'over_budget', detail })
}

async function readAsked(request: Request): Promise<Asked | Response> {
  const root = await readXml(request)
  if (root === null) return ALL
  if (root instanceof Response) return root
  if (!isDavName(root, 'propfind')) return refuseXml('its root is not propfind')
  const find = (name: string) => elementsOf(root).find((element) => isDavName(element, name))
  const [prop, include] = [find('prop'), find('include')]
  if (prop) return { all: false, keys: keysIn(prop), namesOnly: false }
  if (find('propname')) return { ...ALL, namesOnly: true }
  if (find('allprop')) return { ...ALL, keys: include ? keysIn(include) : ALL.keys }
  return refuseXml('propfind names no properties')
}

const keysIn = (element: XmlElement) => new Set(elementsOf(element).map(keyOf))

interface Listing {
  readonly asked: Asked
  readonly entries: readonly Entry[]
}

async function respond(dav: Dav, files: FileContext, { asked, entries }: Listing) {
  const stored = dav.parts.properties.of(
    dav.session,
    entries.map(({ path }) => path),
    MAX_MULTISTATUS_LENGTH,
  )
  if (!stored) return refuseLong()
  const facts = await gatherFacts(dav, files, { asked, entries })
  return multistatus(resourcesOf(dav, { asked, entries }, { facts, stored }))
}

interface Gathered {
  readonly facts: Facts
  readonly stored: ReadonlyMap<StorePath, StoredProperties>
}

/** Writes one resource after the other, so that an answer that is too long is never in memory. */
function* resourcesOf(
  { prefix }: Dav,
  { asked, entries }: Listing,
  { facts, stored }: Gathered,
): Iterable<DavResource> {
  for (const entry of entries) {
    const own: StoredProperties = stored.get(entry.path) ?? new Map<string, string>()
    const href = hrefOf(prefix, entry.path, entry.type === 'folder')
    yield { href, stats: statsOf(asked, entry, { facts, own }) }
  }
}

interface Known {
  readonly facts: Facts
  readonly own: StoredProperties
}

function statsOf({ all, keys, namesOnly }: Asked, entry: Entry, { facts, own }: Known): PropStat[] {
  const named = all ? [...new Set([...ALL_LIVE, ...own.keys(), ...keys])] : [...keys]
  const written = named.map((key) => ({
    key,
    element: isLive(key) ? writeLive(key, entry, facts) : (own.get(key) ?? null),
  }))
  const there = written.flatMap(({ key, element }) => (element === null ? [] : [{ key, element }]))
  const missing = written.flatMap(({ key, element }) => (element === null ? [key] : []))
  const properties = there.map(({ key, element }) =>
    namesOnly ? writeName(nameOfKey(key)) : element,
  )
  // Only what was named can be missing.
  const lacking = missing.filter((key) => keys.has(key)).map((key) => writeName(nameOfKey(key)))
  return [
    { status: OK, properties },
    { status: NOT_FOUND, properties: lacking },
  ]
}

async function gatherFacts(
  dav: Dav,
  { workspace, limits }: FileContext,
  { asked, entries }: Listing,
): Promise<Facts> {
  const isAsked = (key: string) => asked.keys.has(key)
  const filesIn = entries.filter((entry) => entry.type === 'file')
  const needsHashes = asked.all || NEED_HASHES.some(isAsked)
  const hashes = needsHashes
    ? workspace.store.hashesOf(filesIn.map(({ blob }) => blob))
    : new Map<number, string>()
  const used = [...asked.keys].some((key) => key.startsWith(`{${DAV}}quota-`))
    ? workspace.size()
    : null
  const free = Math.max(0, limits.workspaceBytes - (used ?? 0))
  const sums = isAsked(CHECKSUMS)
    ? await sumFiles(dav, workspace.store, { filesIn, hashes })
    : new Map<string, KnownSums>()
  const locks = (path: StorePath) => writeLocks(dav, workspace, path)
  return { hashes, sums, quota: used === null ? null : { used, free }, locks }
}

interface Summed {
  readonly filesIn: readonly FileEntry[]
  readonly hashes: ReadonlyMap<number, string>
}

/** Finds the checksums of files, and computes those of small ones that no upload has left, up to a number of bytes. */
async function sumFiles(dav: Dav, store: ReadStore, { filesIn, hashes }: Summed) {
  const sums = new Map(dav.parts.checksums.of([...hashes.values()]))
  let left = MAX_SUMMED_BYTES
  for (const file of filesIn) {
    const hash = hashes.get(file.blob)
    if (hash === undefined || sums.has(hash) || file.size > INLINE_BYTES) continue
    left -= file.size
    if (left < 0) break
    const bytes = await store.bytes(file)
    sums.set(hash, sumsOf(Uint8Array.from(bytes)))
  }
  return sums
}
