/**
 * Files of an app, as the tool `open_{name}` returns them, and the exact text of one.
 *
 * Small texts are in the result. A larger one is read as a resource. If the host reads no resources, it is
 * read in parts by the app's `part_of_{name}`, whose parts are larger than those of `read_file`; that one is
 * left for files which are not data of the app. All parts have to be of one version.
 * `test/views/templates/page.test.ts` covers it.
 *
 * @module
 */

import { uriOf } from '#core/file-uri.ts'
import { own, recordOf, type JsonRecord } from '#core/json.ts'
import { resolvePath } from '#core/path.ts'
import { errorDetails, textForPerson } from '#core/wire.ts'
import type { Bridge, ToolResult } from '../../bridge.ts'
import { MAX_FILE_BYTES, MAX_FILE_PARTS } from '../limits.ts'

/** A file of an app. */
export interface AppFile {
  readonly path: string
  readonly version: number
  readonly mime: string
  readonly size: number
  /** Null if it was left out of the result. */
  readonly text: string | null
  readonly omitted: 'binary' | 'too_large' | null
}

/** What an app shows: files of the workspace, or the result of another tool. */
export type AppData =
  | {
      readonly kind: 'files'
      readonly files: readonly AppFile[]
      /** Whether the app has more files than these. */
      readonly isCut: boolean
    }
  | { readonly kind: 'value'; readonly value: unknown; readonly text: string }

/** Parses a tool result. */
export function parseData({ structuredContent, content }: ToolResult): AppData {
  const record = recordOf(structuredContent)
  const files = own(record, 'files')
  const parsed = Array.isArray(files) ? files.map(recordOf).flatMap(parseFile) : []
  if (Array.isArray(files) && parsed.length === files.length) {
    return { kind: 'files', files: parsed, isCut: own(record, 'truncated') === true }
  }
  const text = content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n')
  return { kind: 'value', value: structuredContent ?? parseText(text), text }
}

function parseFile(file: JsonRecord): AppFile[] {
  const { path, version, mime, size, text, omitted } = file
  if (typeof path !== 'string' || typeof version !== 'number') return []
  return [
    {
      path,
      version,
      mime: typeof mime === 'string' ? mime : '',
      size: typeof size === 'number' ? size : 0,
      text: typeof text === 'string' ? text : null,
      omitted: omitted === 'binary' || omitted === 'too_large' ? omitted : null,
    },
  ]
}

/** Older servers send JSON as text. */
function parseText(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Returns the message of a tool result with `isError`. */
export function errorText(result: ToolResult): string {
  const block = result.content.find((each) => each.type === 'text')
  const { code } = errorDetails(result._meta, result.structuredContent)
  const text = block?.type === 'text' ? block.text : ''
  return textForPerson(text, code) || 'The server gave no reason'
}

/** Where the data of an app is read. */
export interface DataSource {
  readonly bridge: Bridge
  /** The tool that reads files of the app in parts. */
  readonly tool: string
}

/** Returns the exact text of a file; the part callback reports how much has been read. */
export async function readText(
  { bridge, tool }: DataSource,
  file: AppFile,
  onPart: (share: number) => void = () => {},
): Promise<string> {
  const { path, size, text, omitted } = file
  if (text !== null) return text
  if (omitted === 'binary') throw new Error(`Cannot show ${path}: it is not text`)
  if (size > MAX_FILE_BYTES)
    throw new Error(`Cannot show ${path}: it is larger than ${MAX_FILE_BYTES} bytes`)
  const resource = bridge.host.capabilities.serverResources
    ? await readResource(bridge, path)
    : null
  return (
    resource ??
    (await readTexts({ bridge, tool }, file, onPart)) ??
    decode(await readParts(bridge, file, onPart), path)
  )
}

/** Returns the text of a file of the data; null if the tool of the app does not give it. */
async function readTexts(
  { bridge, tool }: DataSource,
  { path, version }: AppFile,
  onPart: (share: number) => void,
): Promise<string | null> {
  const texts: string[] = []
  let seen: unknown = null
  for (let offset = 0; texts.length < MAX_FILE_PARTS;) {
    // A host may not know the tool: then `read_file` is left.
    const result = await bridge.callTool(tool, { file: path, offset }).catch(() => null)
    const part = recordOf(result?.structuredContent)
    const { text, next_offset: next, size } = part
    if (result?.isError || typeof text !== 'string') return null
    seen ??= part['version']
    if (part['version'] !== seen || Number(seen) < version)
      throw new Error(`${path} changed while it was read`)
    texts.push(text)
    if (typeof next !== 'number' || next <= offset) return texts.join('')
    offset = next
    onPart(offset / Math.max(Number(size), offset))
  }
  throw new Error(`Cannot show ${path}: it is too large`)
}

/** Returns the text of a file's resource; null if the host or the server does not give it. */
async function readResource(bridge: Bridge, path: string): Promise<string | null> {
  const resolved = resolvePath(path)
  if (!resolved.ok) return null
  const { contents } = await bridge
    .readResource(uriOf(resolved.value))
    .catch(() => ({ contents: [] }))
  const [content] = contents
  return content?.text ?? null
}

/** Parts that are requested at the same time. */
const CONCURRENT = 6

interface Part {
  readonly bytes: Uint8Array
  readonly version: number
  readonly size: number
}

async function readParts(
  bridge: Bridge,
  { path, version }: Pick<AppFile, 'path' | 'version'>,
  onPart: (share: number) => void,
): Promise<Uint8Array> {
  const first = await readPart(bridge, path, 0)
  const step = first.bytes.length
  const count = step === 0 ? 1 : Math.ceil(first.size / step)
  if (count > MAX_FILE_PARTS) throw new Error(`Cannot show ${path}: it is too large`)
  const whole = new Uint8Array(first.size)
  whole.set(first.bytes)
  let next = 1
  let done = 1
  const work = async () => {
    while (next < count) {
      const offset = next++ * step
      const part = await readPart(bridge, path, offset)
      if (part.version !== first.version) throw new Error(`${path} changed while it was read`)
      whole.set(part.bytes.subarray(0, whole.length - offset), offset)
      onPart(++done / count)
    }
  }
  await Promise.all(Array.from({ length: CONCURRENT }, work))
  if (version !== 0 && first.version < version) throw new Error(`${path} changed while it was read`)
  return whole
}

async function readPart(bridge: Bridge, path: string, offset: number): Promise<Part> {
  const args = { path, encoding: 'base64', offset }
  const result = await bridge.callTool('read_file', args)
  if (result.isError) throw new Error(errorText(result))
  const { content_base64: content, version, size } = recordOf(result.structuredContent)
  if (typeof content !== 'string') throw new Error(`Cannot read ${path}`)
  return {
    bytes: Uint8Array.from(atob(content), (char) => char.charCodeAt(0)),
    version: typeof version === 'number' ? version : 0,
    size: typeof size === 'number' ? Math.min(size, MAX_FILE_BYTES) : 0,
  }
}

function decode(bytes: Uint8Array, path: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new Error(`Cannot show ${path}: it is not text`)
  }
}

/** Reads one file by its path; null if there is none. */
export async function readFile(bridge: Bridge, path: string): Promise<FileText | null> {
  const result = await bridge.callTool('read_file', { path, encoding: 'base64', offset: 0 })
  if (result.isError) {
    const { code } = errorDetails(result._meta, result.structuredContent)
    if (code === 'FILE_NOT_FOUND') return null
    throw new Error(errorText(result))
  }
  const { version } = recordOf(result.structuredContent)
  if (typeof version !== 'number') throw new Error(`Cannot read ${path}`)
  const bytes = await readParts(bridge, { path, version }, () => {})
  return { path, version, text: decode(bytes, path) }
}

/** The text of a file at a version. */
export interface FileText {
  readonly path: string
  readonly version: number
  readonly text: string
}
