/**
 * Server: the tools and resources that the browser works with, called through the host.
 *
 * What the server refuses becomes a {@link Refusal} with its code and its words; what the host
 * refuses stays the bridge's own error. Nothing here keeps anything.
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

/** The server's no. Its words say what to do. */
export class Refusal extends Error {
  readonly code: string
  /** The version that a conflict is about; 0 for none. */
  readonly version: number
  constructor(message: string, { code, version }: { code: string; version: number }) {
    super(message)
    this.code = code
    this.version = version
  }
}

/** A change that would be made, or was, and what the tool says of it. */
export interface Outcome {
  readonly change: Change
  readonly said: string
}

export interface Content {
  readonly mimeType?: string
  readonly text?: string
  readonly blob?: string
}

export type Args = Record<string, unknown>
export type Server = ReturnType<typeof createServer>

/** Entries of the first page of a folder, and of each later one. */
export const PAGE = { first: 200, next: 1000 }

export function createServer(bridge: Bridge) {
  async function call(tool: string, args: Args, signal?: AbortSignal): Promise<unknown> {
    const result = await bridge.callTool(tool, args, signal ? { signal } : {})
    return checked(result).structuredContent
  }

  async function change(tool: string, args: Args, meta: Args): Promise<Outcome> {
    const result = checked(await bridge.callTool(tool, args, { meta }))
    return { change: readChange(result._meta?.[CHANGE_META]), said: saidOf(result) }
  }

  /** The folders that may be used, the default one first. */
  async function roots(): Promise<StorePath[]> {
    const found = readRoots(await call('list_roots', {})).roots
    const order = found.toSorted((a, b) => Number(b.default) - Number(a.default))
    return order.map(({ path }) => pathIn(ROOT, path))
  }

  const list = async (path: StorePath, after: string, limit: number) =>
    readPage(await call('list_folder', { path, limit, ...(after && { after }) }))

  /** One entry of a folder. The page that holds it begins after all but its name's last letter. */
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

  /** The changes of a file, or of everything in a folder. */
  async function history(path: StorePath, type: string): Promise<Past[]> {
    const told = await call(type === 'folder' ? 'list_changes' : 'file_history', { path })
    const { versions, changes } = readHistory(told)
    return [...versions, ...changes]
  }

  /** The newest change below each folder, in one text. */
  async function newest(paths: readonly StorePath[]): Promise<string> {
    const told = paths.map((path) => call('list_changes', { path, limit: 1 }))
    return (await Promise.all(told)).map((one) => readHistory(one).changes[0]?.id).join()
  }

  async function read(uri: string): Promise<Content> {
    const { contents } = await bridge.readResource(uri)
    return contents[0] ?? {}
  }

  /** An image, as the tool for models gives it, for hosts that read no resources. */
  async function image(path: StorePath): Promise<Content> {
    const { content } = checked(await bridge.callTool('read_file', { path }))
    const block = readBlocks(content).find(({ type }) => type === 'image')
    return { mimeType: block?.mimeType ?? '', blob: block?.data ?? '' }
  }

  /** What a change did, from the change's own resource. */
  async function shown({ tool, id }: Past) {
    const { text = '{}' } = await read(`ui://${tool}/${id}.json`)
    return readShown(JSON.parse(text))
  }

  let honoured: Promise<boolean> | undefined

  /**
   * Whether the host hands on what stands in `_meta`. A term that cannot be meant has to be refused;
   * where it is not, a preview would be no preview.
   */
  function honoursTerms(): Promise<boolean> {
    const probe = () => bridge.callTool('list_roots', {}, { meta: { preview: 'probe' } })
    return (honoured ??= probe().then(
      (result) => result.isError === true,
      () => true,
    ))
  }

  /** What a call would do; null where the host cannot ask for that. */
  async function preview(tool: string, args: Args): Promise<Outcome | null> {
    return (await honoursTerms()) ? change(tool, args, { preview: true }) : null
  }

  /** Makes the change that a preview showed. */
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

/** A path that a server names, from a folder. What is none is the folder itself. */
export function pathIn(folder: StorePath, text: string): StorePath {
  const path = resolvePath(text || '.', folder)
  return path.ok ? path.value : folder
}

export const uriOf = (path: StorePath) =>
  FILE_SCHEME + path.split('/').map(encodeURIComponent).join('/')

/** The words of what was thrown. */
export const wordsOf = (error: unknown) => (error instanceof Error ? error.message : String(error))
