/**
 * The properties that the server computes: those of RFC 4918, section 15, quotas (RFC 4331), and checksums as ownCloud
 * has them. `test/worker/dav/propfind.test.ts` has the cases.
 *
 * @module
 */

import { nameOf, ROOT, type StorePath } from '#core/path.ts'
import type { Entry } from '../store/store.ts'
import type { KnownSums } from './checksums.ts'
import { tagOfHash } from './context.ts'
import { SUPPORTED_LOCK } from './locks.ts'
import { escapeXml } from '../xml/text.ts'
import type { XmlName } from '../xml/parse.ts'

/** The namespace of RFC 4918. */
export const DAV = 'DAV:'

/** The namespace of ownCloud, which Nextcloud uses as well. */
export const OC = 'http://owncloud.org/ns'

/** Writes a name as one text. */
export const keyOf = ({ namespace, local }: XmlName): string => `{${namespace}}${local}`

/** Reads what {@link keyOf} has written. */
export function nameOfKey(key: string): XmlName {
  const end = key.lastIndexOf('}')
  return { namespace: key.slice(1, end), local: key.slice(end + 1) }
}

/** What the properties of some resources are computed from. */
export interface Facts {
  /** SHA-256 by blob. */
  readonly hashes: ReadonlyMap<number, string>
  /** Checksums by SHA-256. */
  readonly sums: ReadonlyMap<string, KnownSums>
  /** Bytes that are used and free; null where the caller must not learn them. */
  readonly quota: { readonly used: number; readonly free: number } | null
  /** Writes the locks on a path. */
  readonly locks: (path: StorePath) => string
}

/** Computes what is in a property; null if the resource has none of it. */
type Live = (entry: Entry, facts: Facts) => string | null

const LIVE: Readonly<Record<string, Live>> = {
  [`{${DAV}}resourcetype`]: ({ type }) => (type === 'folder' ? '<D:collection/>' : ''),
  [`{${DAV}}displayname`]: ({ path }) => escapeXml(path === ROOT ? '/' : nameOf(path)),
  [`{${DAV}}getcontentlength`]: (entry) => (entry.type === 'file' ? String(entry.size) : null),
  [`{${DAV}}getcontenttype`]: (entry) => (entry.type === 'file' ? escapeXml(entry.mime) : null),
  [`{${DAV}}getetag`]: (entry, { hashes }) => {
    const hash = entry.type === 'file' ? hashes.get(entry.blob) : undefined
    return hash === undefined ? null : tagOfHash(hash)
  },
  // The top folder has no time.
  [`{${DAV}}getlastmodified`]: ({ path, mtime }) =>
    path === ROOT ? null : new Date(mtime).toUTCString(),
  [`{${DAV}}supportedlock`]: () => SUPPORTED_LOCK,
  [`{${DAV}}lockdiscovery`]: ({ path }, { locks }) => locks(path),
}

/** Properties that a client has to name. */
const ONLY_NAMED: Readonly<Record<string, Live>> = {
  [`{${DAV}}quota-used-bytes`]: ({ type }, { quota }) =>
    type === 'folder' && quota ? String(quota.used) : null,
  [`{${DAV}}quota-available-bytes`]: ({ type }, { quota }) =>
    type === 'folder' && quota ? String(quota.free) : null,
  [`{${OC}}checksums`]: (entry, { hashes, sums }) => {
    const hash = entry.type === 'file' ? hashes.get(entry.blob) : undefined
    const known = hash === undefined ? undefined : sums.get(hash)
    if (!known) return null
    return `<oc:checksum>SHA1:${known.sha1} MD5:${known.md5}</oc:checksum>`
  },
}

/** Keys of the properties that every request for all of them gets. */
export const ALL_LIVE = Object.keys(LIVE)

/** The key of the checksums of a file. */
export const CHECKSUMS = `{${OC}}checksums`

/** The keys whose values need hashes. */
export const NEED_HASHES: readonly string[] = [`{${DAV}}getetag`, CHECKSUMS]

/** Whether the server computes a property, so that no client sets it. */
export const isLive = (key: string): boolean =>
  Object.hasOwn(LIVE, key) || Object.hasOwn(ONLY_NAMED, key)

const PREFIXES: Readonly<Record<string, string>> = { [DAV]: 'D', [OC]: 'oc' }

/** Computes a property of a resource as an element; null if it has none. */
export function writeLive(key: string, entry: Entry, facts: Facts): string | null {
  const compute = LIVE[key] ?? ONLY_NAMED[key]
  const inside = compute?.(entry, facts) ?? null
  if (inside === null) return null
  const { namespace, local } = nameOfKey(key)
  const name = `${PREFIXES[namespace]}:${local}`
  return inside === '' ? `<${name}/>` : `<${name}>${inside}</${name}>`
}
