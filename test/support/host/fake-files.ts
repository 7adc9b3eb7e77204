/**
 * A workspace for tests of the console's files: `/files` and the tools that change files, over a map of bytes. It keeps
 * the rules that the pages depend on: versions, entity tags, `if_version`, edits that have to occur once.
 *
 * @module
 */

import { isRecord, recordOf, type JsonRecord } from '#core/json.ts'
import { CHANGE_META, PREVIEW_META } from '#core/wire.ts'
import { connectionStatus, tools } from '#host/console/connect/connection.ts'
import { parseCallResult, parseTools, textOf } from '#host/mcp/parse.ts'
import type { CallToolResult } from '#host/mcp/types.ts'
import { vi } from 'vitest'
import { fakeConnection } from './fake-connection.ts'

interface StoredFile {
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly version: number
}

/** A call that changed something, or tried to. */
export interface FileCall {
  readonly tool: string
  readonly args: JsonRecord
}

export interface FakeFiles {
  /** Writes a file as another client does. */
  put(path: string, content: string | Uint8Array<ArrayBuffer>): void
  remove(path: string): void
  textOf(path: string): string | null
  /** The calls that were no previews, in their order. */
  readonly calls: FileCall[]
  /** Called before the next call is applied. */
  beforeNext: (() => void) | null
}

const META = { 'dev.edgewise/tool': { preview: true, humanInTheLoopHint: 'review', scopes: [] } }
const NAMES = ['edit_file', 'write_file', 'move_file', 'delete_file', 'create_folder', 'read_file']

/** Replaces `fetch` and the connection; `vi.unstubAllGlobals()` and {@link disconnect} end it. */
export function fakeFiles(files: Readonly<Record<string, string | Uint8Array<ArrayBuffer>>>) {
  const store = new Map<string, StoredFile>()
  const folders = new Set<string>()
  let version = 0
  const fake: FakeFiles = {
    put(path, content) {
      const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content
      store.set(path, { bytes, version: ++version })
    },
    remove: (path) => void store.delete(path),
    textOf: (path) => {
      const file = store.get(path)
      return file ? new TextDecoder('utf-8', { ignoreBOM: true }).decode(file.bytes) : null
    },
    calls: [],
    beforeNext: null,
  }
  for (const [path, content] of Object.entries(files)) fake.put(path, content)
  vi.stubGlobal('fetch', async (url: string, init: RequestInit = {}) => serve(url, init))
  connect()
  return fake

  function serve(address: string, { method = 'GET' }: RequestInit): Response {
    const url = new URL(address, location.href)
    if (url.pathname === '/status')
      return Response.json({ version, files: store.size, folders: 0, bytes: 0, unindexed: 0 })
    if (!url.pathname.startsWith('/files')) return Response.json({ threads: [], left: 0 })
    const path = decodeURIComponent(url.pathname.slice('/files'.length)) || '/'
    const file = store.get(path)
    if (!file && !isFolder(path)) return Response.json({ message: 'Not found' }, { status: 404 })
    if (!file) return Response.json({ entries: entriesOf(path), next: null })
    const headers = {
      etag: `"${file.version}"`,
      'content-length': String(file.bytes.length),
      'last-modified': new Date(0).toUTCString(),
    }
    return new Response(method === 'HEAD' ? null : file.bytes, { headers })
  }

  function isFolder(path: string): boolean {
    const below = path === '/' ? '/' : `${path}/`
    return (
      path === '/' || folders.has(path) || [...store.keys()].some((one) => one.startsWith(below))
    )
  }

  function entriesOf(folder: string) {
    const below = folder === '/' ? '/' : `${folder}/`
    const names = [...store.keys(), ...folders].flatMap((path) =>
      path.startsWith(below) ? (path.slice(below.length).split('/', 1)[0] ?? []) : [],
    )
    return [...new Set(names)].toSorted().map((name) => {
      const file = store.get(below + name)
      return file
        ? { name, type: 'file', version: file.version, mtime: 0, size: file.bytes.length }
        : { name, type: 'folder', version: 1, mtime: 0 }
    })
  }

  function connect(): void {
    const { items } = parseTools({ tools: NAMES.map((name) => ({ name, _meta: META })) })
    tools.value = items
    const connection = fakeConnection({
      tools: items,
      call: async (name, args, { meta = {} } = {}) => respond(name, args, meta),
      readResource: async () => [],
    })
    connectionStatus.value = { state: 'ready', connection }
  }

  function respond(tool: string, args: JsonRecord, meta: JsonRecord): CallToolResult {
    if (tool === 'read_file') return failure('BINARY_FILE', 'It is not text')
    const isPreview = meta['preview'] === true
    if (!isPreview) {
      fake.beforeNext?.()
      fake.beforeNext = null
      fake.calls.push({ tool, args })
      if (meta[PREVIEW_META] !== 'p') throw new Error('It was not previewed')
    }
    const problem = change(tool, args, !isPreview)
    if (problem !== null) return failure(problem, 'It cannot be done')
    const change_ = {
      id: isPreview ? 'p' : 'c',
      tool,
      intent: 'Change',
      applied: !isPreview,
      version,
    }
    return parseCallResult({ content: [], _meta: { [CHANGE_META]: change_ } })
  }

  function change(tool: string, args: JsonRecord, applies: boolean): string | null {
    const path = String(args['path'] ?? args['from'])
    const file = store.get(path)
    const wanted = args['if_version']
    if (tool === 'edit_file' && !file) return 'FILE_NOT_FOUND'
    if (wanted !== undefined && wanted !== (file?.version ?? 0)) return 'VERSION_CONFLICT'
    if (tool === 'create_folder') return applies ? (folders.add(path), null) : null
    if (tool === 'delete_file') return applies ? (fake.remove(path), null) : null
    if (tool === 'move_file') return move(path, String(args['to']), applies)
    const content =
      tool === 'edit_file' ? edit(fake.textOf(path) ?? '', args['edits']) : bytesOf(args)
    if (content === null) return 'FIND_NOT_FOUND'
    if (applies) fake.put(path, content)
    return null
  }

  function move(from: string, to: string, applies: boolean): string | null {
    if (store.has(to)) return 'EXISTS'
    if (!applies) return null
    for (const [path, file] of [...store]) {
      if (path !== from && !path.startsWith(`${from}/`)) continue
      store.delete(path)
      store.set(to + path.slice(from.length), { ...file, version: ++version })
    }
    return null
  }
}

/** Ends the connection. */
export function disconnect(): void {
  connectionStatus.value = { state: 'connecting' }
  tools.value = []
}

const failure = (code: string, text: string) =>
  parseCallResult({
    isError: true,
    content: [{ type: 'text', text }],
    structuredContent: { error: { code } },
    _meta: { 'dev.edgewise/error': { code } },
  })

/** Makes edits on lines that end with `\n`, and gives all of them the ending of the first. */
function edit(text: string, edits: unknown): string | null {
  const ending = text.includes('\r\n') ? '\r\n' : '\n'
  let running = text.replaceAll('\r\n', '\n')
  for (const one of Array.isArray(edits) ? edits.filter(isRecord) : []) {
    const { find, replace } = recordOf(one)
    const parts = running.split(String(find))
    if (parts.length !== 2) return null
    running = parts.join(String(replace))
  }
  return running.replaceAll('\n', ending)
}

function bytesOf(args: JsonRecord): Uint8Array<ArrayBuffer> {
  const base64 = args['content_base64']
  if (typeof base64 !== 'string') return new TextEncoder().encode(textOf(args['content']))
  return Uint8Array.from(atob(base64), (one) => one.charCodeAt(0))
}
