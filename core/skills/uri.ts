/**
 * Addresses of skills: `skill://{name}/{path}`, percent-encoded, for a file or a folder of the skill.
 *
 * `test/core/skills/uri.test.ts` has the table.
 *
 * @module
 */

import { uriOf } from '../file-uri.ts'
import { parsePath, relativeTo, resolvePath, type StorePath } from '../path.ts'
import { SKILL_SCHEME } from '../wire.ts'

/** The folder of all skills. */
export const SKILLS_FOLDER = parsePath('/.skills')

/** The file that every skill has. */
export const SKILL_FILE = 'SKILL.md'

/** Returns the address of a file or folder of a skill. `path` is below {@link SKILLS_FOLDER}. */
export const skillUri = (path: StorePath): string =>
  SKILL_SCHEME + uriOf(path).slice(uriOf(SKILLS_FOLDER).length + 1)

/**
 * Returns the path of an address, which is below {@link SKILLS_FOLDER}; null for every other URI. No segment may leave
 * its folder, in any spelling.
 */
export function pathOfSkill(uri: string): StorePath | null {
  if (!uri.startsWith(SKILL_SCHEME)) return null
  const segments = uri.slice(SKILL_SCHEME.length).split('/').map(decode)
  if (segments.some((segment) => segment === null || !isName(segment))) return null
  const path = resolvePath(`${SKILLS_FOLDER}/${segments.join('/')}`)
  return path.ok ? path.value : null
}

/** The name of the skill that a path below {@link SKILLS_FOLDER} belongs to. */
export const skillOf = (path: StorePath): string =>
  relativeTo(path, SKILLS_FOLDER).split('/')[0] ?? ''

function decode(segment: string): string | null {
  try {
    return decodeURIComponent(segment)
  } catch {
    return null
  }
}

const isName = (segment: string) => !['', '.', '..'].includes(segment) && !segment.includes('/')
