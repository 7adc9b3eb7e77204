/**
 * Paths: absolute names in a workspace, such as `/notes/today.md`.
 *
 * A {@link StorePath} is checked once, which its type proves: it starts with `/`, is in
 * Unicode NFC, has no empty, `.` or `..` segment, no control character and no backslash, and is at
 * most {@link MAX_PATH_BYTES} long. Every file has exactly one spelling, so a folder is the range of
 * paths that start with its name and a slash. `test/core/path.test.ts` has the table.
 *
 * @module
 */

import { err, ok, type Result } from './result.ts'

declare const brand: unique symbol

/** An absolute, normalised path. Only this module makes one. */
export type StorePath = string & { readonly [brand]: 'StorePath' }

/** The longest path, in bytes of UTF-8. */
export const MAX_PATH_BYTES = 1024

/** The top folder. */
export const ROOT = '/' as StorePath

/**
 * Parses untrusted text as a path: resolves relative text against `base`, resolves `.` and `..`
 * (stopping at the top), removes repeated and trailing slashes, and normalises to NFC.
 */
export function resolvePath(text: string, base: StorePath = ROOT): Result<StorePath, string> {
  if (text.length <= MAX_PATH_BYTES && PLAIN.test(text)) return ok(text as StorePath)
  const fault = faultOf(text)
  if (fault) return err(fault)

  const segments = text.startsWith('/') ? [] : segmentsOf(base)
  for (const segment of text.normalize('NFC').split('/')) {
    if (segment === '..') segments.pop()
    else if (segment !== '' && segment !== '.') segments.push(segment)
  }
  const path = `/${segments.join('/')}`
  if (utf8Length(path) > MAX_PATH_BYTES) return err(`it is longer than ${MAX_PATH_BYTES} bytes`)
  return ok(path as StorePath)
}

/** The form of nearly all paths, which is normalised: absolute, ASCII, and no segment begins with a dot. */
const PLAIN = /^(?:\/[\w-][\w.-]*)+$/

/**
 * Parses text that must already be a normalised path.
 *
 * @throws SyntaxError if it is not.
 */
export function parsePath(text: string): StorePath {
  const path = resolvePath(text)
  if (!path.ok)
    throw new SyntaxError(`Cannot read ${JSON.stringify(text)} as a path: ${path.error}`)
  if (path.value !== text) throw new SyntaxError(`${JSON.stringify(text)} is not a normalised path`)
  return path.value
}

/** Returns the folder that contains a path; for the root, the root. */
export function parentOf(path: StorePath): StorePath {
  return (path.slice(0, path.lastIndexOf('/')) || '/') as StorePath
}

/** Returns the last segment; empty for the root. */
export function nameOf(path: StorePath): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

/** Whether `path` is `folder` or lies below it. `/ab` is not below `/a`. */
export function isWithin(path: StorePath, folder: StorePath): boolean {
  return folder === ROOT || path === folder || path.startsWith(`${folder}/`)
}

/** Lists the folders above a path, from the top, without the root. */
export function ancestorsOf(path: StorePath): StorePath[] {
  const above: StorePath[] = []
  for (let at = path.indexOf('/', 1); at > 0; at = path.indexOf('/', at + 1)) {
    above.push(path.slice(0, at) as StorePath)
  }
  return above
}

/** Returns a path relative to `folder`, which must contain it; empty for the folder itself. */
export function relativeTo(path: StorePath, folder: StorePath): string {
  if (folder === ROOT) return path.slice(1)
  return path === folder ? '' : path.slice(folder.length + 1)
}

/**
 * Formats a path for a result: relative inside the folder `base`, absolute outside of it, `.` for `base`
 * itself. {@link resolvePath} parses it back.
 */
export function displayPath(path: StorePath, base: StorePath): string {
  return isWithin(path, base) ? relativeTo(path, base) || '.' : path
}

/** Returns the new path of `path` after the folder `from`, which contains it, was moved to `to`. */
export function rebase(path: StorePath, from: StorePath, to: StorePath): StorePath {
  return (to + path.slice(from.length)) as StorePath
}

/**
 * Returns the half-open range of paths below a folder, for an ordered index: `low` is included, `high`
 * is not. `0` is the character after `/`.
 */
export function rangeBelow(folder: StorePath): { readonly low: string; readonly high: string } {
  return folder === ROOT ? { low: '/', high: '0' } : { low: `${folder}/`, high: `${folder}0` }
}

/**
 * Walks up from each path, and yields every folder above them once, without the root. A walk ends early at a folder for
 * which `isEnough` holds.
 */
export function* foldersAbove(
  paths: Iterable<StorePath>,
  isEnough = (_folder: StorePath) => false,
): Generator<StorePath> {
  const above = new Set<StorePath>()
  for (const path of paths) {
    let folder = parentOf(path)
    for (; folder !== ROOT && !above.has(folder) && !isEnough(folder); folder = parentOf(folder)) {
      above.add(folder)
      yield folder
    }
  }
}

/** Sorts folders so that each comes before what lies in it, and nothing else comes between. */
export function sortByTree(folders: Iterable<StorePath>): StorePath[] {
  const byKey = new Map(Array.from(folders, (folder) => [rangeBelow(folder).low, folder]))
  return [...byKey].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, folder]) => folder)
}

function segmentsOf(path: StorePath): string[] {
  return path === ROOT ? [] : path.slice(1).split('/')
}

function faultOf(text: string): string | null {
  if (text === '') return 'it is empty'
  if (text.length > 4 * MAX_PATH_BYTES) return `it is longer than ${MAX_PATH_BYTES} bytes`
  if (!text.isWellFormed()) return 'it holds half of a surrogate pair'
  // oxlint-disable-next-line no-control-regex -- control characters are what is looked for
  if (/[\u0000-\u001f\u007f-\u009f]/.test(text)) return 'it holds a control character'
  if (text.includes('\\')) return 'it holds a backslash; folders are separated by /'
  return null
}

function utf8Length(text: string): number {
  let bytes = 0
  for (const char of text) {
    const code = char.codePointAt(0) ?? 0
    bytes += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4
  }
  return bytes
}
