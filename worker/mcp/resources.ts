/**
 * Files as MCP resources: lists in pages that stay correct while files change, content, and completion.
 *
 * A cursor is the last path of the page before, so nothing is skipped or listed twice, whatever is written,
 * moved or deleted in between.
 *
 * @module
 */

import { pathOf, uriOf } from '#core/file-uri.ts'
import {
  isWithin,
  nameOf,
  parsePath,
  relativeTo,
  resolvePath,
  ROOT,
  type StorePath,
} from '#core/path.ts'
import { COMMENTS_URI, DRAFT_URI, FILE_SCHEME, SKILL_SCHEME } from '#core/wire.ts'
import { INVALID_PARAMS } from '../access/metadata.ts'
import type { CallerWorkspace } from '../access/workspace.ts'
import { toBase64 } from '../encoding/base64.ts'
import type { Changes } from '../changes/changes.ts'
import { describeResource } from '../tools/lib/draft-status.ts'
import { describeComments } from '../tools/lib/shown-comment.ts'
import { MAX_RESOURCE_BYTES, RESOURCE_PAGE } from '../limits.ts'
import type { Caller } from '../access/caller.ts'
import type { FileEntry } from '../store/store.ts'
import { shownType } from '../access/shown-type.ts'
import { createStrictDecoder, exactText } from '../texts/text.ts'
import { invalidCursor, McpError, resourceNotFound } from './mcp-error.ts'
import { LISTED_VIEWS, viewNamed, type ReadView } from '../views.ts'
import type { AppPages } from '../apps/pages.ts'
import type { SkillViews } from '../skills/view.ts'

/** The result of `resources/templates/list`. */
export const TEMPLATES = [
  {
    uriTemplate: `${FILE_SCHEME}/{+path}`,
    name: 'file',
    title: 'A file of the workspace',
    description: 'The path is relative to the top of the workspace',
  },
]

/** The draft of the reader, as `resources/list` shows it. */
const LISTED_DRAFT = {
  uri: DRAFT_URI,
  name: 'draft',
  title: 'Draft',
  description: 'Your changes that wait for approval, and what was decided',
  mimeType: 'application/json',
}

/** The comments of the reader, as `resources/list` shows them. */
const LISTED_COMMENTS = {
  uri: COMMENTS_URI,
  name: 'comments',
  title: 'Comments',
  description: 'Comments of the user on your draft, and on files that you may read',
  mimeType: 'application/json',
}

/** Values of one completion, as the protocol limits them. */
const MAX_COMPLETIONS = 100

/** The services that resources use beside the workspace. */
export interface ResourceParts {
  readonly changes: Changes
  readonly readView: ReadView
  readonly apps: Pick<AppPages, 'list' | 'read'>
  readonly skills: SkillViews
}

/** The services of resources, with the workspace of one caller. */
interface ResourceContext extends ResourceParts {
  readonly store: CallerWorkspace['store']
  readonly access: CallerWorkspace['access']
  readonly draft: CallerWorkspace['draft']
  readonly comments: CallerWorkspace['comments']
  readonly owner: Pick<Caller, 'principal' | 'session' | 'budget' | 'base'>
}

/** Serves the files, views and changes that one caller may read. */
export function createResources(
  parts: ResourceParts,
  { store, access, draft, comments }: CallerWorkspace,
  owner: ResourceContext['owner'],
) {
  const context: ResourceContext = { ...parts, store, access, draft, comments, owner }
  return {
    list: (cursor: string | undefined) => list(context, cursor),
    read: (uri: string) => read(context, uri),
    complete: (text: string) => complete(context, text),
  }
}

/** Lists one page; the views and the draft come before the files, on the first page. */
function list(context: ResourceContext, cursor: string | undefined) {
  if (cursor !== undefined) return listFiles(context, readCursor(cursor))
  const { apps, skills, access } = context
  const views = [...LISTED_VIEWS, ...apps.list(access), ...skills.resources(access)]
  const own = canChange(access) ? [LISTED_DRAFT, LISTED_COMMENTS] : [LISTED_COMMENTS]
  const first = [...views, ...own]
  const page = listFiles(context, undefined, RESOURCE_PAGE - first.length)
  return { ...page, resources: [...first, ...page.resources] }
}

/** Whether a caller can have a draft. One that no longer can may still read what became of its own. */
const canChange = (access: CallerWorkspace['access']) =>
  access.hasScope('write') && !access.readOnly

function listFiles(context: ResourceContext, after?: StorePath, size = RESOURCE_PAGE) {
  const resources = []
  let last: StorePath | undefined
  for (const entry of context.store.walk(ROOT, after ? { after } : {})) {
    if (entry.type !== 'file') continue
    if (resources.length === size && last) return { resources, nextCursor: writeCursor(last) }
    resources.push(listing(entry, context.access.base))
    last = entry.path
  }
  return { resources }
}

async function read(context: ResourceContext, uri: string) {
  if (uri === DRAFT_URI) return readDraft(context)
  if (uri === COMMENTS_URI) return readComments(context)
  const view = viewNamed(uri)
  if (view) return { contents: [await context.readView(view)] }
  if (uri.startsWith('ui://')) return readApp(context, uri)
  if (uri.startsWith(SKILL_SCHEME)) return readSkill(context, uri)
  const path = pathOf(uri)
  const entry = path ? context.store.stat(path) : null
  if (entry?.type !== 'file') throw resourceNotFound(uri)
  if (entry.size > MAX_RESOURCE_BYTES) {
    const detail = `Cannot read ${uri}: it has ${entry.size} bytes, and the limit is ${MAX_RESOURCE_BYTES} bytes`
    throw new McpError(INVALID_PARAMS, `${detail}. Get it from /files${entry.path}`)
  }
  const bytes = await context.store.bytes(entry)
  const text = exactText(bytes)
  const content = text === null ? { blob: toBase64(bytes) } : { text }
  const shown = { uri, mimeType: shownType(entry, bytes), ...content }
  return { contents: [shown, ...(text === null ? await readDocument(context, entry, uri) : [])] }
}

/** Returns the text of a document, which follows its bytes. */
async function readDocument({ store }: ResourceContext, file: FileEntry, uri: string) {
  const found = await store.documentText(file)
  return found?.ok ? [{ uri, mimeType: 'text/plain', text: found.value.text }] : []
}

/** Reads the draft of the reader: the structured content of `draft_status`, and which changes were decided. */
function readDraft({ draft, owner }: ResourceContext) {
  const text = JSON.stringify(describeResource(draft.status(), owner.base))
  return { contents: [{ uri: DRAFT_URI, mimeType: 'application/json', text }] }
}

/** Reads the comments that the reader may read and that are not resolved. */
async function readComments({ comments }: ResourceContext) {
  const text = JSON.stringify(describeComments(await comments.open()))
  return { contents: [{ uri: COMMENTS_URI, mimeType: 'application/json', text }] }
}

/** Reads the page of an app, or else a change: no tool that makes changes has the name of a workspace's app. */
async function readApp(context: ResourceContext, uri: string) {
  const app = await context.apps.read(uri, context.access)
  return app ? { contents: [app] } : readChange(context, uri)
}

async function readSkill({ skills, access }: ResourceContext, uri: string) {
  const content = await skills.read(uri, access)
  if (!content) throw resourceNotFound(uri)
  return { contents: [content] }
}

async function readChange(context: ResourceContext, uri: string) {
  const found = await context.changes.read(uri, context)
  if (!found) throw resourceNotFound(uri)
  return { contents: [{ uri, ...found }] }
}

/**
 * Completes a path with the children whose names begin with the text. Folders end in a slash, to be
 * completed further.
 */
function complete(context: ResourceContext, text: string) {
  const slash = text.lastIndexOf('/')
  const folder = resolvePath(`/${text.slice(0, slash + 1)}`)
  const name = text.slice(slash + 1).normalize('NFC')
  // `.` and `..` begin names, too, and a space is the first character that can follow.
  const start = resolvePath(`/${text}${/^\.\.?$/.test(name) ? ' ' : ''}`)
  if (!folder.ok || !start.ok) return { values: [], hasMore: false }
  const exact = name === '' ? null : context.store.stat(start.value)
  const rest = context.store.list(folder.value, {
    limit: MAX_COMPLETIONS + 1,
    ...(name !== '' && { after: start.value }),
  })
  const found = [...(exact ? [exact] : []), ...rest]
    .filter((entry) => nameOf(entry.path).startsWith(name))
    .map((entry) => relativeTo(entry.path, ROOT) + (entry.type === 'folder' ? '/' : ''))
  return { values: found.slice(0, MAX_COMPLETIONS), hasMore: found.length > MAX_COMPLETIONS }
}

/** The resources of one caller. */
export type Resources = ReturnType<typeof createResources>

/** Describes a file as lists do; its name is its path below `root`. */
export function listing(file: FileEntry, root: StorePath) {
  return {
    uri: uriOf(file.path),
    name: isWithin(file.path, root) ? relativeTo(file.path, root) : file.path,
    mimeType: file.mime,
    size: file.size,
    annotations: { lastModified: new Date(file.mtime).toISOString() },
  }
}

/** Writes a cursor after a path. */
export function writeCursor(path: StorePath): string {
  return toBase64(new TextEncoder().encode(path))
}

/** Parses a cursor. Throws an {@link McpError} if this server did not write it. */
export function readCursor(cursor: string): StorePath {
  try {
    const bytes = Uint8Array.from(atob(cursor), (char) => char.charCodeAt(0))
    return parsePath(createStrictDecoder().decode(bytes))
  } catch {
    throw invalidCursor()
  }
}
