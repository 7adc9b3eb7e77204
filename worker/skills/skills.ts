/**
 * The skills of a workspace: folders `/.skills/{name}` with `SKILL.md` that the owner has approved.
 *
 * `worker/approved/` has what an approval is and when it holds: a skill that changed waits again, and is not served
 * meanwhile. `test/worker/skills/skills.test.ts` has the cases.
 *
 * @module
 */

import { parsePath, type StorePath } from '#core/path.ts'
import { isSkillName, MAX_SKILL_NAME } from '#core/skills/name.ts'
import { SKILL_FILE, SKILLS_FOLDER } from '#core/skills/uri.ts'
import { shownType } from '../access/shown-type.ts'
import type { ReadStore } from '../access/workspace.ts'
import {
  createApproved,
  type Approved,
  type ApprovedParts,
  type Review,
} from '../approved/approved.ts'
import {
  hashOf,
  openBroken,
  sealFolder,
  type Place,
  type SealedFile,
  type SealedFolder,
} from '../approved/folder.ts'
import type { ApprovedKind } from '../approved/kind.ts'
import { listMadeFolders, type MadePlace } from '../approved/made-folders.ts'
import {
  MAX_SKILL_BYTES,
  MAX_SKILL_FILES,
  MAX_SKILL_FOLDERS,
  MAX_SKILL_FOLDERS_LOOKED_AT,
  MAX_SKILLS,
  MAX_SKILLS_ENTRIES,
} from './limits.ts'
import { readManifest, type SkillFrontmatter, type SkillManifest } from './manifest.ts'

/** A skill that is served: approved, and unchanged since. */
export interface ServedSkill {
  readonly name: string
  readonly frontmatter: SkillFrontmatter
  /** Its folder, with all of its files. */
  readonly folder: SealedFolder
}

/** The folder of a skill, as the owner sees it. */
export type SkillReview = Review<SkillManifest>

/** The skills of one workspace. */
export type Skills = ReturnType<typeof createSkills>

/** Returns the path of the folder of a skill, whose name is checked. */
export const folderOf = (name: string): StorePath => parsePath(`${SKILLS_FOLDER}/${name}`)

/** Opens the skills of a workspace. */
export function createSkills(parts: ApprovedParts) {
  // Every list of every caller needs them, and their files are the same until the version grows.
  let kept: { readonly version: number; readonly skills: readonly ServedSkill[] } | null = null
  const changed: ApprovedParts['changed'] = (folders) => {
    kept = null
    parts.changed(folders)
  }
  const approved = createApproved<SkillManifest>({ ...parts, changed }, SKILLS)
  const served = (): readonly ServedSkill[] => {
    const version = parts.version()
    if (kept?.version !== version) kept = { version, skills: openServed(approved, parts.files()) }
    return kept.skills
  }
  return {
    ...approved,
    /** The skills that are served, in order of their names. */
    served,
    /** Finds a skill that is served, or null. */
    find: (name: string): ServedSkill | null => served().find((one) => one.name === name) ?? null,
    /** Reads a file of a skill that is served. */
    read: (file: SealedFile) => readFile(parts.files(), file),
  }
}

function openServed(approved: Approved<SkillManifest>, files: ReadStore): ServedSkill[] {
  const skills = approved.served().flatMap(({ name, manifest: { frontmatter } }) => {
    const folder = readFolder(files, name)
    return folder ? [{ name, frontmatter, folder }] : []
  })
  return skills.toSorted((a, b) => (a.name < b.name ? -1 : 1))
}

/** Content is never rewritten in place, so what has the hash now is what is read. */
async function readFile(files: ReadStore, { path, hash }: SealedFile) {
  const entry = files.stat(path)
  if (entry?.type !== 'file' || hashOf(files, entry) !== hash) return null
  const bytes = await files.bytes(entry)
  return { bytes, mime: shownType(entry, bytes) }
}

const LIMITS: Place['limits'] = {
  files: MAX_SKILL_FILES,
  folders: MAX_SKILL_FOLDERS,
  bytes: MAX_SKILL_BYTES,
}

const folderNamed = (name: string): Place => ({ name, path: folderOf(name), limits: LIMITS })

/** Whether a folder is that of a skill, also of one that has too much. */
const isSkill = (files: ReadStore, name: string): boolean =>
  isSkillName(name) && files.stat(parsePath(`${folderOf(name)}/${SKILL_FILE}`))?.type === 'file'

function readFolder(files: ReadStore, name: string): SealedFolder | null {
  return isSkill(files, name) ? sealFolder(files, folderNamed(name)) : null
}

/** Where the folders of skills are; the names are those that `isSkillName` accepts. */
export const MADE_SKILLS: MadePlace = {
  above: SKILLS_FOLDER,
  isName: `length(name) <= ${MAX_SKILL_NAME} AND name GLOB '[a-z0-9]*' AND name GLOB '*[a-z0-9]'
  AND name NOT GLOB '*[^a-z0-9-]*' AND name NOT GLOB '*--*'`,
}

/** The errors of a decision on a skill. */
export const SKILL_PROBLEMS: ApprovedKind<SkillManifest>['problems'] = {
  missing: (skill) => ({ reason: 'no_skill', skill }),
  changed: (skill) => ({ reason: 'skill_changed', skill }),
  invalid: (skill) => ({ reason: 'skill_invalid', skill }),
  unseen: (skill, paths) => ({ reason: 'skill_unseen', skill, paths }),
}

const SKILLS: ApprovedKind<SkillManifest> = {
  table: 'skills',
  folderOf,
  readFolder,
  readManifest,
  findFolder: (files, name, isKept) =>
    readFolder(files, name) ??
    (isKept || isSkill(files, name) ? openBroken(files, folderNamed(name)) : null),
  listMade: (sql, _, limit) => listMadeFolders(sql, limit, MADE_SKILLS),
  isListed: isSkill,
  most: { listed: MAX_SKILLS, lookedAt: MAX_SKILL_FOLDERS_LOOKED_AT, entries: MAX_SKILLS_ENTRIES },
  broken: {
    pointer: '',
    message: `is not in a folder of at most ${MAX_SKILL_FILES} files, ${MAX_SKILL_FOLDERS} folders and ${MAX_SKILL_BYTES} bytes`,
  },
  problems: SKILL_PROBLEMS,
}
