/**
 * Results of the Skills extension, and of prompts: what one caller has, in pages.
 *
 * `resources/directory/read` serves the folders of skills, and those of files. A cursor is the last name of the page
 * before, so nothing is skipped or listed twice, whatever is approved in between. An address that is none of the caller's
 * has the error of one that does not exist. `test/worker/skills/skills.test.ts` has the cases.
 *
 * @module
 */

import * as z from 'zod/mini'
import { pathOf, uriOf } from '#core/file-uri.ts'
import { nameOf, parentOf, parsePath, relativeTo, type StorePath } from '#core/path.ts'
import { SKILLS_FOLDER } from '#core/skills/uri.ts'
import { SKILL_SCHEME } from '#core/wire.ts'
import { INVALID_PARAMS } from '../access/metadata.ts'
import type { CallerWorkspace } from '../access/workspace.ts'
import { FOLDER_MIME } from '../encoding/media-type.ts'
import { RESOURCE_PAGE } from '../limits.ts'
import { folderOf } from '../skills/skills.ts'
import type { Page, SkillViews } from '../skills/view.ts'
import type { Entry } from '../store/store.ts'
import { invalidCursor, McpError } from './mcp-error.ts'
import { listing, readCursor, writeCursor } from './resources.ts'

const META = { _meta: z.optional(z.record(z.string(), z.unknown())) }
const CURSOR = { cursor: z.optional(z.string()) }

/** The params of `skills/list`, `skills/get` and `resources/directory/read`. */
export const ListParams = z.looseObject({ ...META, ...CURSOR })
export const GetParams = z.looseObject({ ...META, uri: z.string() })
export const DirectoryParams = z.looseObject({ ...META, ...CURSOR, uri: z.string() })

type Reader = Pick<CallerWorkspace, 'access' | 'store'>

/** The skills of one caller, as results. */
export function createSkillResults(skills: SkillViews, { access, store }: Reader) {
  return {
    list: (cursor: string | undefined) => {
      const { items, ...rest } = skills.list(access, nameAfter(cursor))
      return { skills: [...items], ...cursorOf(rest) }
    },
    get: (uri: string) => {
      const skill = skills.get(uri, access)
      if (!skill) throw new McpError(INVALID_PARAMS, `No skill is served at ${uri}`)
      return { skill }
    },
    prompts: (cursor: string | undefined) => {
      const { items, ...rest } = skills.prompts(access, nameAfter(cursor))
      return { prompts: [...items], ...cursorOf(rest) }
    },
    prompt: async (name: string) => {
      const prompt = await skills.prompt(name, access)
      if (!prompt) throw new McpError(INVALID_PARAMS, `Unknown prompt: ${name}`)
      return prompt
    },
    directory: ({
      uri,
      cursor,
    }: {
      readonly uri: string
      readonly cursor?: string | undefined
    }) => {
      const after = cursor === undefined ? undefined : readCursor(cursor)
      const page = uri.startsWith(SKILL_SCHEME)
        ? childrenOfSkill(skills.directory(uri, access), after)
        : childrenOfFolder(store, pathOf(uri), after)
      if (!page) throw new McpError(INVALID_PARAMS, `${uri} is not a directory resource`)
      return page
    },
  }
}

/** The name after which a page begins. A cursor is that of a path, as cursors of files are. */
function nameAfter(cursor: string | undefined): string {
  if (cursor === undefined) return ''
  const path = readCursor(cursor)
  if (parentOf(path) !== SKILLS_FOLDER) throw invalidCursor()
  return relativeTo(path, SKILLS_FOLDER)
}

const cursorOf = ({ next }: Omit<Page<unknown>, 'items'>) =>
  next === undefined ? {} : { nextCursor: writeCursor(folderOf(next)) }

/** A page of the children of a folder of a skill. */
function childrenOfSkill(children: ReturnType<SkillViews['directory']>, after?: StorePath) {
  if (!children) return null
  const rest = children.filter(({ name }) => after === undefined || name > nameOf(after))
  return pageOf(rest.slice(0, RESOURCE_PAGE + 1), ({ name }) => parsePath(`/${name}`))
}

/** A page of the children of a folder of the workspace, as the caller sees it with its draft. */
function childrenOfFolder(store: Reader['store'], folder: StorePath | null, after?: StorePath) {
  const entry = folder && store.stat(folder)
  if (!folder || entry?.type !== 'folder') return null
  if (after !== undefined && parentOf(after) !== folder) throw invalidCursor()
  const page = { limit: RESOURCE_PAGE + 1, ...(after && { after }) }
  return pageOf(store.list(folder, page).map(describe), ({ path }) => path)
}

function describe(entry: Entry) {
  const { path } = entry
  const resource =
    entry.type === 'file'
      ? listing(entry, parentOf(path))
      : { uri: uriOf(path), name: nameOf(path), mimeType: FOLDER_MIME }
  return { ...resource, path }
}

function pageOf<T extends object>(resources: readonly T[], pathOfChild: (child: T) => StorePath) {
  const page = resources.slice(0, RESOURCE_PAGE)
  const last = page.at(-1)
  return resources.length > page.length && last
    ? { resources: page, nextCursor: writeCursor(pathOfChild(last)) }
    : { resources: page }
}
