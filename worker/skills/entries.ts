/**
 * Skills as the protocol lists them: the entry of a skill, its prompt, and the folders of its files.
 *
 * Source: `io.modelcontextprotocol/skills`, sections Skill Entries and Directory Resources. A manifest is complete: it has
 * every file of the folder, those of a skill within it as well. `test/worker/skills/entries.test.ts` compares entries with
 * those that the SDK builds from the same files.
 *
 * @module
 */

import { isWithin, parsePath, relativeTo, type StorePath } from '#core/path.ts'
import { SKILL_FILE, skillUri } from '#core/skills/uri.ts'
import type { SealedFile } from '../approved/folder.ts'
import { FOLDER_MIME } from '../encoding/media-type.ts'
import type { ServedSkill } from './skills.ts'

/** The address of a skill, which is that of its `SKILL.md`. */
export const addressOf = ({ folder }: Pick<ServedSkill, 'folder'>): string =>
  skillUri(parsePath(`${folder.path}/${SKILL_FILE}`))

/** Returns the entry of a skill, with the digest and the size of each file. */
export const entryOf = (skill: ServedSkill) => ({
  uri: addressOf(skill),
  frontmatter: skill.frontmatter,
  resources: skill.folder.files.map(({ path, hash, size }) => ({
    uri: skillUri(path),
    digest: `sha256:${hash}`,
    size,
  })),
})

/** Describes a skill for `resources/list`. */
export const listedSkill = (skill: ServedSkill) => ({
  uri: addressOf(skill),
  name: skill.name,
  description: skill.frontmatter.description,
  mimeType: 'text/markdown',
})

/** Describes a skill for `prompts/list`. */
export const promptOf = ({ name, frontmatter }: ServedSkill) => ({
  name,
  title: `Skill: ${name}`,
  description: frontmatter.description,
})

/** Returns the direct children of a folder of a skill, in order of their names; null if it has no such folder. */
export function childrenOf({ folder }: ServedSkill, path: StorePath) {
  const below = folder.files.filter((file) => file.path !== path && isWithin(file.path, path))
  if (below.length === 0) return null
  const children = below.map((file) => childOf(file, path))
  return [...new Map(children.map((child) => [child.name, child])).values()].toSorted((a, b) =>
    a.name < b.name ? -1 : 1,
  )
}

/** The child of a folder that is a file, or that has it. */
function childOf(file: SealedFile, folder: StorePath) {
  const [name = ''] = relativeTo(file.path, folder).split('/')
  const path = parsePath(`${folder}/${name}`)
  const uri = skillUri(path)
  return path === file.path
    ? { uri, name, mimeType: file.mime, size: file.size }
    : { uri, name, mimeType: FOLDER_MIME }
}
