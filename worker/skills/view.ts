/**
 * The skills that one caller has: their entries, files, folders and prompts.
 *
 * A caller has a skill if it may read its folder and every file of it, because the manifest names them all. Files are
 * those of the workspace, never those of the caller's draft. `test/worker/skills/access.test.ts` has the cases.
 *
 * @module
 */

import type { StorePath } from '#core/path.ts'
import { pathOfSkill, skillOf } from '#core/skills/uri.ts'
import type { Access } from '../access/access.ts'
import { toBase64 } from '../encoding/base64.ts'
import { exactText } from '../texts/text.ts'
import { addressOf, childrenOf, entryOf, listedSkill, promptOf } from './entries.ts'
import { instructionsOf } from './instructions.ts'
import { MAX_SKILLS_PAGE_BYTES, SKILLS_PAGE } from './limits.ts'
import type { ServedSkill, Skills } from './skills.ts'

type Reader = Pick<Access, 'canRead'>

/** The skills that are served, and their files. */
export type SkillSource = Pick<Skills, 'served' | 'find' | 'read'>

/** A page of a list; `next` is the name after which the next one begins. */
export interface Page<T> {
  readonly items: readonly T[]
  readonly next?: string
}

/** The skills of one workspace, as callers have them. */
export type SkillViews = ReturnType<typeof createSkillViews>

/** Serves the skills of a workspace to its callers. */
export function createSkillViews(skills: SkillSource) {
  const seen = (access: Reader) => skills.served().filter((skill) => isSeen(skill, access))
  const at = (uri: string, access: Reader) => findAt(skills, uri, access)
  return {
    /** A page of entries after a name. An entry is never split. */
    list: (access: Reader, after = '') => pageOf(seen(access), after, entryOf),
    /** A page of prompts after a name. */
    prompts: (access: Reader, after = '') => pageOf(seen(access), after, promptOf),
    /** The skills as `resources/list` shows them. */
    resources: (access: Reader) => seen(access).map(listedSkill),
    /** The entry of the skill whose `SKILL.md` has an address, or null. */
    get: (uri: string, access: Reader) => {
      const found = at(uri, access)
      return found && addressOf(found.skill) === uri ? entryOf(found.skill) : null
    },
    /** The content of the file at an address, or null. */
    read: async (uri: string, access: Reader) => {
      const found = at(uri, access)
      return found && contentAt(skills, found, uri)
    },
    /** The direct children of the folder at an address, or null. */
    directory: (uri: string, access: Reader) => {
      const found = at(uri, access)
      return found && childrenOf(found.skill, found.path)
    },
    /** The prompt of a skill, or null. */
    prompt: async (name: string, access: Reader) => {
      const skill = skills.find(name)
      return skill && isSeen(skill, access) ? promptText(skills, skill) : null
    },
    /** What the instructions of the server say; empty without skills. */
    instructions: (access: Reader) => instructionsOf(seen(access).map(({ name }) => name)),
  }
}

/** Whether a caller has a skill. */
export const isSeen = ({ folder }: Pick<ServedSkill, 'folder'>, access: Reader): boolean =>
  access.canRead(folder.path) && folder.files.every(({ path }) => access.canRead(path))

interface Found {
  readonly skill: ServedSkill
  readonly path: StorePath
}

function findAt(skills: SkillSource, uri: string, access: Reader): Found | null {
  const path = pathOfSkill(uri)
  const skill = path && skills.find(skillOf(path))
  return path && skill && isSeen(skill, access) ? { skill, path } : null
}

async function contentAt(skills: SkillSource, { skill, path }: Found, uri: string) {
  const file = skill.folder.files.find((one) => one.path === path)
  const read = file ? await skills.read(file) : null
  if (!read) return null
  const text = exactText(read.bytes)
  const content = text === null ? { blob: toBase64(read.bytes) } : { text }
  return { uri, mimeType: read.mime, ...content }
}

/** A host without the extension gives the model the text, and its files by the paths that the tools take. */
async function promptText(skills: SkillSource, skill: ServedSkill) {
  const uri = addressOf(skill)
  const found = pathOfSkill(uri)
  const content = found && (await contentAt(skills, { skill, path: found }, uri))
  if (!content || !('text' in content)) return null
  const text = `Follow this skill. Its files are in ${skill.folder.path}.\n\n${content.text}`
  return {
    description: skill.frontmatter.description,
    messages: [{ role: 'user' as const, content: { type: 'text' as const, text } }],
  }
}

/** Takes the skills after a name, as many as one page has room for, and at least one. */
function pageOf<T>(
  skills: readonly ServedSkill[],
  after: string,
  convert: (skill: ServedSkill) => T,
): Page<T> {
  const items: T[] = []
  let bytes = 0
  let last = ''
  for (const skill of skills.filter(({ name }) => name > after)) {
    const item = convert(skill)
    bytes += JSON.stringify(item).length
    if (items.length > 0 && (items.length === SKILLS_PAGE || bytes > MAX_SKILLS_PAGE_BYTES))
      return { items, next: last }
    items.push(item)
    last = skill.name
  }
  return { items }
}
