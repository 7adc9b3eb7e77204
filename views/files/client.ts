/**
 * Client of the server's tools and resources, called through the host.
 *
 * A tool error becomes a {@link ToolError} with its code and message; an error of the host stays a
 * `BridgeError`. The module keeps no data.
 *
 * @module
 */

import { uriOf } from '#core/file-uri.ts'
import { nameOf, parentOf, resolvePath, ROOT, type StorePath } from '#core/path.ts'
import {
  ASKS_CAPABILITY,
  CHANGE_META,
  errorDetails,
  PREVIEW_META,
  textForPerson,
} from '#core/wire.ts'
import type { Bridge, ToolResult } from '../bridge.ts'
import {
  parseBlocks,
  parseChange,
  parseChangedFiles,
  parseHistory,
  parseLines,
  parseMatches,
  parseNames,
  parsePage,
  parseRoots,
  parseToolError,
  type Change,
  type ChangedFiles,
  type Entry,
  type HistoryEntry,
  type LineRange,
  type Matches,
  type Page,
} from './tool-results.ts'

/** An error that a tool returned. Its message says what to do. */
export class ToolError extends Error {
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

/** A previewed or applied change. */
export interface ChangeResult {
  readonly change: Change
  /** The first text of the result. */
  readonly text: string
}

/** The contents of a resource: text or base64. */
export interface Content {
  readonly mimeType?: string
  readonly text?: string
  readonly blob?: string
}

/** The arguments of a tool call. */
export type Args = Record<string, unknown>

/** Page size of a folder listing: first page, later pages. */
export const PAGE = { first: 200, next: 1000 }

/** The calls that the view makes over its connection to the host. */
export class Client {
  readonly #bridge: Bridge
  #forwardsMeta: Promise<boolean> | undefined

  constructor(bridge: Bridge) {
    this.#bridge = bridge
  }

  /** Whether the host shows the preview of each change and asks. */
  get hostAsks(): boolean {
    return Object.hasOwn(this.#bridge.host.capabilities.experimental ?? {}, ASKS_CAPABILITY)
  }

  /** Lists the roots, the default one first. */
  async listRoots(): Promise<StorePath[]> {
    const { roots } = parseRoots(await this.#call('list_roots', {}))
    const sorted = roots.toSorted((a, b) => Number(b.default) - Number(a.default))
    return sorted.map(({ path }) => resolveIn(ROOT, path))
  }

  /** Lists one page of a folder, after a name; an empty name for the first page. */
  async listFolder(path: StorePath, after: string, limit: number): Promise<Page> {
    return parsePage(await this.#call('list_folder', { path, limit, ...(after && { after }) }))
  }

  /**
   * Returns one entry of a folder. The page starts after a prefix of the name, so it contains the
   * entry.
   */
  async findEntry(path: StorePath): Promise<Entry | null> {
    const name = nameOf(path)
    const prefix = name.replace(/.$/u, '')
    const after = /^\.{1,2}$/.test(prefix) ? '' : prefix
    const { entries } = await this.listFolder(parentOf(path), after, PAGE.next)
    return entries.find((entry) => entry.name === name) ?? null
  }

  /** Finds names by a glob. */
  async findFiles(root: StorePath, pattern: string, offset: number, signal: AbortSignal) {
    const args = { root, pattern, offset, glob: true, hidden: true }
    return parseNames(await this.#call('find_files', args, signal))
  }

  /** Finds lines by a regular expression. */
  async searchFiles(root: StorePath, pattern: string, signal: AbortSignal): Promise<Matches> {
    return parseMatches(await this.#call('search_files', { root, pattern, hidden: true }, signal))
  }

  /** Reads up to `limit` lines from a line number, counted from 1. */
  async readLines(path: StorePath, start_line: number, limit: number): Promise<LineRange> {
    return parseLines(await this.#call('read_file', { path, start_line, limit }))
  }

  /** Lists the changes of a file, or of everything in a folder. */
  async readHistory(path: StorePath, type: string): Promise<HistoryEntry[]> {
    const tool = type === 'folder' ? 'list_changes' : 'file_history'
    const { versions, changes } = parseHistory(await this.#call(tool, { path }))
    return [...versions, ...changes]
  }

  /** Returns the ids of the newest change below each folder, as one text. */
  async newestChanges(paths: readonly StorePath[]): Promise<string> {
    const calls = paths.map((path) => this.#call('list_changes', { path, limit: 1 }))
    return (await Promise.all(calls)).map((each) => parseHistory(each).changes[0]?.id).join()
  }

  /** Reads the resource of a file. */
  readContent(path: StorePath): Promise<Content> {
    return this.#read(uriOf(path))
  }

  /** Reads the beginning of a file: an image by its content, or lines. */
  async readFile(path: StorePath, start_line: number, limit: number) {
    const args = { path, start_line, limit }
    const result = throwIfError(await this.#bridge.callTool('read_file', args))
    const block = parseBlocks(result.content).find(({ type }) => type === 'image')
    const image: Content | null = block ? { mimeType: block.mimeType, blob: block.data } : null
    return { image, lines: parseLines(result.structuredContent) }
  }

  /** Reads the files of a change from the change's own resource. */
  async readChangedFiles({ tool, id }: HistoryEntry): Promise<ChangedFiles> {
    const { text = '{}' } = await this.#read(`ui://${tool}/${id}.json`)
    return parseChangedFiles(JSON.parse(text))
  }

  /** Previews a call; null if the host drops `_meta`, so that it cannot be previewed. */
  async preview(tool: string, args: Args): Promise<ChangeResult | null> {
    return (await this.#hostForwardsMeta()) ? this.#change(tool, args, { preview: true }) : null
  }

  /** Applies a change as previewed, or without a preview if there is no id. */
  apply(tool: string, args: Args, id?: string): Promise<ChangeResult> {
    return this.#change(tool, args, id === undefined ? {} : { [PREVIEW_META]: id })
  }

  async #call(tool: string, args: Args, signal?: AbortSignal): Promise<unknown> {
    const result = await this.#bridge.callTool(tool, args, signal ? { signal } : {})
    return throwIfError(result).structuredContent
  }

  async #change(tool: string, args: Args, meta: Args): Promise<ChangeResult> {
    const result = throwIfError(await this.#bridge.callTool(tool, args, { meta }))
    return { change: parseChange(result._meta?.[CHANGE_META]), text: firstText(result) }
  }

  async #read(uri: string): Promise<Content> {
    const { contents } = await this.#bridge.readResource(uri)
    return contents[0] ?? {}
  }

  /**
   * Reports whether the host forwards `_meta`. The server must reject the invalid value of the
   * probe; if it does not, `_meta` was dropped, and a preview request would apply the change.
   */
  #hostForwardsMeta(): Promise<boolean> {
    const probe = () => this.#bridge.callTool('list_roots', {}, { meta: { preview: 'probe' } })
    return (this.#forwardsMeta ??= probe().then(
      (result) => result.isError === true,
      () => true,
    ))
  }
}

function throwIfError(result: ToolResult): ToolResult {
  if (!result.isError) return result
  const details = parseToolError(errorDetails(result._meta, result.structuredContent))
  throw new ToolError(textForPerson(firstText(result), details.code), details)
}

const firstText = ({ content }: ToolResult) =>
  parseBlocks(content).find(({ text }) => text)?.text ?? 'The server gave no reason'

/**
 * Resolves a path that the server or the user gave, from a folder. An invalid path gives the
 * folder.
 */
export function resolveIn(folder: StorePath, text: string): StorePath {
  const path = resolvePath(text || '.', folder)
  return path.ok ? path.value : folder
}

export const errorMessage = (error: unknown) =>
  error instanceof Error ? error.message : String(error)
