/**
 * Files as MCP resources: lists in pages that stay correct while files change, content, and completion.
 *
 * A cursor is the last path of the page before, so nothing is skipped or listed twice, whatever is written,
 * moved or deleted in between.
 *
 * @module
 */

import {
  isWithin,
  nameOf,
  parsePath,
  relativeTo,
  resolvePath,
  ROOT,
  type StorePath,
} from '#core/path.ts'
import { FILE_SCHEME } from '#core/wire.ts'
import { ProtocolError, ResourceNotFoundError } from '@modelcontextprotocol/server'
import { INVALID_PARAMS } from '../access/metadata.ts'
import type { CallerWorkspace } from '../access/workspace.ts'
import { toBase64 } from '../base64.ts'
import type { Changes, Owner } from '../changes/changes.ts'
import { MAX_NAME_LENGTH, MAX_RESOURCE_BYTES, RESOURCE_PAGE } from '../limits.ts'
import type { FileEntry } from '../store/store.ts'
import { createStrictDecoder, wholeText } from '../text.ts'
import { pathOf, uriOf } from './uri.ts'
import { LISTED_VIEWS, viewNamed, type ReadView } from './views.ts'

/** The result of `resources/templates/list`. */
export const TEMPLATES = [
  {
    uriTemplate: `${FILE_SCHEME}/{+path}`,
    name: 'file',
    title: 'A file of the workspace',
    description: 'The path is relative to the top of the workspace',
  },
]

/** Values of one completion, as the protocol limits them. */
const COMPLETIONS = 100

/** The services that resources use beside the workspace. */
export interface ResourceParts {
  readonly changes: Changes
  readonly readView: ReadView
}

/** Serves the files, views and changes that one caller may read. */
export function createResources(
  { changes, readView }: ResourceParts,
  { store, access }: CallerWorkspace,
  owner: Owner,
) {
  /** Lists one page; the views come before the files, on the first page. */
  function list(cursor: string | undefined) {
    if (cursor !== undefined) return listFiles(readCursor(cursor))
    const page = listFiles(undefined, RESOURCE_PAGE - LISTED_VIEWS.length)
    return { ...page, resources: [...LISTED_VIEWS, ...page.resources] }
  }

  function listFiles(after?: StorePath, size = RESOURCE_PAGE) {
    const resources = []
    let last: StorePath | undefined
    for (const entry of store.walk(ROOT, after ? { after } : {})) {
      if (entry.type !== 'file') continue
      if (resources.length === size && last) return { resources, nextCursor: writeCursor(last) }
      resources.push(listing(entry, access.base))
      last = entry.path
    }
    return { resources }
  }

  async function read(uri: string) {
    if (uri.length > MAX_NAME_LENGTH)
      throw new ProtocolError(INVALID_PARAMS, `A URI may have ${MAX_NAME_LENGTH} characters`)
    const view = viewNamed(uri)
    if (view) return { contents: [await readView(view)] }
    if (uri.startsWith('ui://')) return readChange(uri)
    const path = pathOf(uri)
    const entry = path ? store.stat(path) : null
    if (entry?.type !== 'file') throw new ResourceNotFoundError(uri)
    if (entry.size > MAX_RESOURCE_BYTES) {
      const detail = `${uri} has ${entry.size} bytes and a resource may have ${MAX_RESOURCE_BYTES}`
      throw new ProtocolError(INVALID_PARAMS, `${detail}. Get it from /files${entry.path}`)
    }
    const bytes = await store.bytes(entry)
    const text = wholeText(bytes)
    const content = text === null ? { blob: toBase64(bytes) } : { text }
    return { contents: [{ uri, mimeType: entry.mime, ...content }] }
  }

  async function readChange(uri: string) {
    const found = await changes.read(uri, { access, owner, store })
    if (!found) throw new ResourceNotFoundError(uri)
    return { contents: [{ uri, ...found }] }
  }

  /**
   * Completes a path with the children whose names begin with the text. Folders end in a slash, to be
   * completed further.
   */
  function complete(text: string) {
    const slash = text.lastIndexOf('/')
    const folder = resolvePath(`/${text.slice(0, slash + 1)}`)
    const start = resolvePath(`/${text}`)
    if (!folder.ok || !start.ok) return { values: [], hasMore: false }
    const name = slash === text.length - 1 ? '' : nameOf(start.value)
    const exact = name === '' ? null : store.stat(start.value)
    const rest = store.list(folder.value, {
      limit: COMPLETIONS + 1,
      ...(name !== '' && { after: start.value }),
    })
    const found = [...(exact ? [exact] : []), ...rest]
      .filter((entry) => nameOf(entry.path).startsWith(name))
      .map((entry) => relativeTo(entry.path, ROOT) + (entry.type === 'folder' ? '/' : ''))
    return { values: found.slice(0, COMPLETIONS), hasMore: found.length > COMPLETIONS }
  }

  return { list, read, complete }
}

/** The resources of one caller. */
export type Resources = ReturnType<typeof createResources>

function listing(file: FileEntry, root: StorePath) {
  return {
    uri: uriOf(file.path),
    name: isWithin(file.path, root) ? relativeTo(file.path, root) : file.path,
    mimeType: file.mime,
    size: file.size,
    annotations: { lastModified: new Date(file.mtime).toISOString() },
  }
}

function writeCursor(path: StorePath): string {
  return toBase64(new TextEncoder().encode(path))
}

function readCursor(cursor: string): StorePath {
  try {
    const bytes = Uint8Array.from(atob(cursor), (char) => char.charCodeAt(0))
    return parsePath(createStrictDecoder().decode(bytes))
  } catch {
    throw new ProtocolError(INVALID_PARAMS, 'The cursor was not made by this server')
  }
}
