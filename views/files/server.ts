/**
 * Client of the server's tools and resources, called through the host.
 *
 * A tool error becomes a {@link Refusal} with its code and message; an error of the host stays a
 * `BridgeError`. The module keeps no data.
 *
 * @module
 */

import { nameOf, parentOf, resolvePath, ROOT, type StorePath } from '#core/path.ts'
import { CHANGE_META, errorDetails, FILE_SCHEME, PREVIEW_META, textForPerson } from '#core/wire.ts'
import type { Bridge, ToolResult } from '../bridge.ts'
import {
  readBlocks,
  readChange,
  readFound,
  readHistory,
  readMatches,
  readPage,
  readPart,
  readRefusal,
  readRoots,
  readShown,
  type Change,
  type Entry,
  type Past,
} from './answers.ts'

/** A tool error. Its message says what to do. */
export class Refusal extends Error {
  /** An error code of the server, such as `VERSION_CONFLICT`; empty if there is none. */
  readonly code: string
  /** The current version of the file in a conflict; 0 for none. */
  readonly version: number
  constructor(message: string, { code, version }: { code: string; version: number }) {
    super(message)
    this.code = code
    this.version = version
  }
}

/** A previewed or applied change, and the tool's text about it. */
export interface Outcome {
  readonly change: Change
  /** The first text of the result. */
  readonly said: string
}

/** The contents of a resource: text or base64. */
export interface Content {
  readonly mimeType?: string
  readonly text?: string
  readonly blob?: string
}

/** The arguments of a tool call. */
export type Args = Record<string, unknown>
/** The calls that the view makes. */
export type Server = ReturnType<typeof createServer>

/** Page size of a folder listing: first page, later pages. */
export const PAGE = { first: 200, next: 1000 }

/** Creates the client over a connection to the host. */
export function createServer(bridge: Bridge) {
  async function call(tool: string, args: Args, signal?: AbortSignal): Promise<unknown> {
    const result = await bridge.callTool(tool, args, signal ? { signal } : {})
    return checked(result).structuredContent
  }

  async function change(tool: string, args: Args, meta: Args): Promise<Outcome> {
    const result = checked(await bridge.callTool(tool, args, { meta }))
    return { change: readChange(result._meta?.[CHANGE_META]), said: saidOf(result) }
  }

  /** Lists the roots, the default one first. */
  async function roots(): Promise<StorePath[]> {
    const found = readRoots(await call('list_roots', {})).roots
    const order = found.toSorted((a, b) => Number(b.default) - Number(a.default))
    return order.map(({ path }) => pathIn(ROOT, path))
  }

  const list = async (path: StorePath, after: string, limit: number) =>
    readPage(await call('list_folder', { path, limit, ...(after && { after }) }))

  /**
   * Returns one entry of a folder. The page starts after a prefix of the name, so it contains the
   * entry.
   */
  async function stat(path: StorePath): Promise<Entry | null> {
    const name = nameOf(path)
    const before = name.replace(/.$/u, '')
    const page = await list(parentOf(path), /^\.{1,2}$/.test(before) ? '' : before, PAGE.next)
    return page.entries.find((entry) => entry.name === name) ?? null
  }

  async function find(root: StorePath, pattern: string, offset: number, signal: AbortSignal) {
    const args = { root, pattern, offset, glob: true, hidden: true }
    return readFound(await call('find_files', args, signal))
  }

  const search = async (root: StorePath, pattern: string, signal: AbortSignal) =>
    readMatches(await call('search_files', { root, pattern, hidden: true }, signal))

  const lines = async (path: StorePath, start_line: number, limit: number) =>
    readPart(await call('read_file', { path, start_line, limit }))

  /** Lists the changes of a file, or of everything in a folder. */
  async function history(path: StorePath, type: string): Promise<Past[]> {
    const told = await call(type === 'folder' ? 'list_changes' : 'file_history', { path })
    const { versions, changes } = readHistory(told)
    return [...versions, ...changes]
  }

  /** Returns the ids of the newest change below each folder, as one text. */
  async function newest(paths: readonly StorePath[]): Promise<string> {
    const told = paths.map((path) => call('list_changes', { path, limit: 1 }))
    return (await Promise.all(told)).map((one) => readHistory(one).changes[0]?.id).join()
  }

  async function read(uri: string): Promise<Content> {
    const { contents } = await bridge.readResource(uri)
    return contents[0] ?? {}
  }

  /** Reads an image through the tool for models, for hosts that read no resources. */
  async function image(path: StorePath): Promise<Content> {
    const { content } = checked(await bridge.callTool('read_file', { path }))
    const block = readBlocks(content).find(({ type }) => type === 'image')
    return { mimeType: block?.mimeType ?? '', blob: block?.data ?? '' }
  }

  /** Reads the files of a change from the change's own resource. */
  async function shown({ tool, id }: Past) {
    const { text = '{}' } = await read(`ui://${tool}/${id}.json`)
    return readShown(JSON.parse(text))
  }

  let honoured: Promise<boolean> | undefined

  /**
   * Reports whether the host forwards `_meta`. The server must reject the invalid value of the
   * probe; if it does not, `_meta` was dropped, and a preview request would apply the change.
   */
  function honoursTerms(): Promise<boolean> {
    const probe = () => bridge.callTool('list_roots', {}, { meta: { preview: 'probe' } })
    return (honoured ??= probe().then(
      (result) => result.isError === true,
      () => true,
    ))
  }

  /** Previews a call; null if the host drops `_meta`, so that it cannot be previewed. */
  async function preview(tool: string, args: Args): Promise<Outcome | null> {
    return (await honoursTerms()) ? change(tool, args, { preview: true }) : null
  }

  /** Applies a change as previewed, or without a preview if there is no id. */
  const apply = (tool: string, args: Args, id?: string) =>
    change(tool, args, id === undefined ? {} : { [PREVIEW_META]: id })

  const content = (path: StorePath) => read(uriOf(path))
  return {
    roots,
    list,
    stat,
    find,
    search,
    lines,
    history,
    newest,
    content,
    image,
    shown,
    preview,
    apply,
  }
}

function checked(result: ToolResult): ToolResult {
  if (!result.isError) return result
  const details = readRefusal(errorDetails(result._meta, result.structuredContent))
  throw new Refusal(textForPerson(saidOf(result), details.code), details)
}

const saidOf = ({ content }: ToolResult) =>
  readBlocks(content).find(({ text }) => text)?.text ?? 'The server gave no reason'

/**
 * Resolves a path that the server or the user gave, from a folder. An invalid path gives the
 * folder.
 */
export function pathIn(folder: StorePath, text: string): StorePath {
  const path = resolvePath(text || '.', folder)
  return path.ok ? path.value : folder
}

/** Returns the resource URI of a file. */
export const uriOf = (path: StorePath) =>
  FILE_SCHEME + path.split('/').map(encodeURIComponent).join('/')

/** Returns the message of an error. */
export const wordsOf = (error: unknown) => (error instanceof Error ? error.message : String(error))
