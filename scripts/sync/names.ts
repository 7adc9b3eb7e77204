/**
 * Names of files that both a workspace and a disk can have. A name is a path relative to the folder that is kept in step,
 * with `/` between its segments, in Unicode NFC.
 *
 * Names of a workspace are untrusted: a server may send `../x`. Every name passes {@link faultOfName} before it becomes a
 * path on disk. Tested by `test/sync-names.test.ts`.
 *
 * @module
 */

import { resolvePath } from '../../core/path.ts'

/** The file that remembers what both sides had. */
export const STATE_FILE = '.edgewise-sync.json'

/** The folder of files that are being received. */
export const STAGE_FOLDER = '.edgewise-sync'

/** The rules of this folder alone, which no workspace may change. */
export const RULES_FILE = '.edgewiseignore'

const OWN: ReadonlySet<string> = new Set([STATE_FILE, STAGE_FOLDER, RULES_FILE])

/** A copy of the workspace's version beside the local file, after both have changed. */
const COPY = /\.from-edgewise-\d+(?:\.[^./]*)?$/

/** Returns the name of the copy of a version: `a/b.txt` becomes `a/b.from-edgewise-12.txt`. */
export function nameCopy(name: string, version: number): string {
  const at = name.lastIndexOf('.')
  // A name that begins with a dot, such as `.profile`, has no ending.
  const hasEnding = at > name.lastIndexOf('/') + 1
  const [stem, ending] = hasEnding ? [name.slice(0, at), name.slice(at)] : [name, '']
  return `${stem}.from-edgewise-${version}${ending}`
}

/** Why a name is never kept in step, whatever the rules are; null if it may be. */
export function whyReserved(name: string): string | null {
  const segments = name.split('/')
  if (segments.some(isGit)) return 'it belongs to git'
  // A folder below may be in step with another workspace, whose address no agent of this one may set.
  if (segments.some((one) => OWN.has(fold(one)))) return 'it belongs to sync'
  return COPY.test(fold(name)) ? 'it is a copy of a conflict' : null
}

// What git itself takes for `.git`, because file systems of macOS and Windows do (CVE-2014-9390).
const IGNORABLE = /[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g

function isGit(segment: string): boolean {
  const [plain = ''] = segment.replace(IGNORABLE, '').toLowerCase().split(':')
  const name = plain.replace(/[. ]+$/, '')
  return name === '.git' || name === 'git~1'
}

/** The form in which names are equal on a disk that ignores case. */
export const fold = (name: string) => name.replace(IGNORABLE, '').normalize('NFC').toLowerCase()

const DEVICE = /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(?:\.|$)/i

/** Why a name cannot be one on this disk and in a workspace at once; null if it can. */
export function faultOfName(name: string, platform: string = process.platform): string | null {
  if (name === '') return 'it is empty'
  const path = resolvePath(`/${name}`)
  if (!path.ok) return path.error
  if (path.value !== `/${name}`)
    return path.value === `/${name.normalize('NFC')}`
      ? 'it is not in Unicode NFC'
      : 'it is no path inside the folder'
  if (platform !== 'win32') return null
  const isBad = (segment: string) =>
    /[<>:"|?*]/.test(segment) || /[. ]$/.test(segment) || DEVICE.test(segment)
  return name.split('/').some(isBad) ? 'Windows has no such names' : null
}

/** Returns the folders above a name, from the top. */
export function foldersOf(name: string): string[] {
  const segments = name.split('/').slice(0, -1)
  return segments.map((_, at) => segments.slice(0, at + 1).join('/'))
}
