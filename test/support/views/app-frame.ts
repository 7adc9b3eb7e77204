/**
 * An app in a frame of an official host, with files in memory that its tools read and edit.
 *
 * @module
 */

import type {
  McpUiHostCapabilities,
  McpUiHostContext,
} from '@modelcontextprotocol/ext-apps/app-bridge'
import type { CallToolRequest, CallToolResult } from '@modelcontextprotocol/client'
import axe from 'axe-core'
import { hostV2, openFrame, until, windowOf, type OfficialHost } from './host-frame.ts'
import { refusal } from './review-frame.ts'

type Params = CallToolRequest['params']

/** An app as the server puts it into the page. */
export interface AppSetup {
  readonly template: string
  readonly config?: unknown
  readonly title?: string
  readonly description?: string
  readonly data?: readonly string[]
  readonly write?: readonly string[]
  /** The files of the app; null opens the page without a result. */
  readonly files?: Record<string, string> | null
  /** Files whose text is left out of the result, as that of large files. */
  readonly omitted?: readonly string[]
  readonly capabilities?: McpUiHostCapabilities
  readonly context?: McpUiHostContext
  readonly width?: number
  readonly connect?: typeof hostV2
  /** Answers a call before the tools in memory do; null leaves it to them. */
  readonly call?: (params: Params) => CallToolResult | Promise<CallToolResult> | null
}

export interface AppFrame {
  readonly host: OfficialHost
  readonly document: Document
  readonly frame: HTMLIFrameElement
  readonly calls: Params[]
  readonly files: Map<string, { text: string; version: number }>
  /** Downloads that the host was asked for. */
  readonly downloads: unknown[]
  text(): string
  query<T extends HTMLElement = HTMLElement>(selector: string): T
  all<T extends HTMLElement = HTMLElement>(selector: string): T[]
  button(name: string): HTMLElement
  type(selector: string, text: string): void
  press(key: string, init?: KeyboardEventInit): void
  untilText(text: string): Promise<void>
  /** Returns the axe violations. */
  faults(): Promise<string[]>
}

const ALL: McpUiHostCapabilities = { serverTools: {}, serverResources: {}, downloadFile: {} }

const page = (app: object) => `<!doctype html><html lang="en"><title>App</title>
<link rel="stylesheet" href="/views/templates/style.css"><main id="view"></main>
<script type="application/json" id="app">${JSON.stringify(app).replaceAll('<', '\\u003c')}</script>
<script type="module" src="/bundled/views/templates/main.ts"></script></html>`

export async function openApp(setup: AppSetup): Promise<AppFrame> {
  const { template, config, title = 'Example', description, data = [], write = [] } = setup
  const frame = await openFrame('<!doctype html>')
  frame.style.width = `${setup.width ?? 1_000}px`
  const connect = setup.connect ?? hostV2
  const host = await connect(windowOf(frame), {
    capabilities: setup.capabilities ?? ALL,
    context: setup.context ?? {},
  })
  const files = new Map(
    Object.entries(setup.files ?? {}).map(([path, text]) => [path, { text, version: 1 }]),
  )
  const calls: Params[] = []
  const downloads: unknown[] = []
  const tools = createTools(files, setup.omitted ?? [])
  host.oncalltool = async (params) => {
    calls.push(params)
    return (await setup.call?.(params)) ?? tools(params)
  }
  host.onreadresource = async ({ uri }) => {
    const file = files.get(decodeURIComponent(uri.replace('file:///', '')))
    if (!file) throw new Error(`There is no ${uri}`)
    return { contents: [{ uri, text: file.text }] }
  }
  host.ondownloadfile = async (params) => {
    downloads.push(params)
    return {}
  }
  let ready = false
  host.oninitialized = () => (ready = true)
  frame.srcdoc = page({ name: 'example', title, description, template, config, write, data })
  await until(() => ready)
  // The frame has a page by now.
  const document = frame.contentDocument as Document
  await until(() => document.querySelector('#view')?.textContent !== '')
  if (setup.files) await host.sendToolResult(tools({ name: 'open_example', arguments: {} }))
  return createDriver({ host, document, frame, calls, files, downloads })
}

type Parts = Pick<AppFrame, 'host' | 'document' | 'frame' | 'calls' | 'files' | 'downloads'>

function createDriver(parts: Parts): AppFrame {
  const { document, frame } = parts
  const window = windowOf(frame) as Window & typeof globalThis & { axe?: typeof axe }
  const query = <T extends HTMLElement = HTMLElement>(selector: string): T => {
    const found = document.querySelector<T>(selector)
    if (!found) throw new Error(`There is no ${selector}`)
    return found
  }
  const all = <T extends HTMLElement = HTMLElement>(selector: string) => [
    ...document.querySelectorAll<T>(selector),
  ]
  const text = () => query('#view').innerText
  return {
    ...parts,
    query,
    all,
    text,
    button(name) {
      const found = all('button').find((each) => each.textContent.trim() === name)
      if (!found) throw new Error(`There is no button ${name}`)
      return found
    },
    type(selector, value) {
      const input = query<HTMLInputElement>(selector)
      input.value = value
      input.dispatchEvent(new window.Event('input', { bubbles: true }))
      input.dispatchEvent(new window.Event('change', { bubbles: true }))
    },
    press(key, init = {}) {
      const target = document.activeElement ?? document.body
      const options = { key, bubbles: true, cancelable: true, ...init }
      target.dispatchEvent(new window.KeyboardEvent('keydown', options))
    },
    async untilText(wanted) {
      await until(() => text().includes(wanted)).catch(() => {
        throw new Error(`The page does not show ${wanted}, but:\n${text()}`)
      })
    },
    async faults() {
      if (!window.axe) {
        const script = document.createElement('script')
        script.textContent = axe.source
        document.head.append(script)
      }
      const runOnly = ['wcag2a', 'wcag2aa', 'wcag21aa', 'best-practice']
      const results = await window.axe?.run({ runOnly, resultTypes: ['violations'] })
      return (results?.violations ?? []).map(
        ({ id, nodes }) =>
          `${id}: ${nodes.map(({ html, failureSummary }) => `${html} ${failureSummary}`).join()}`,
      )
    },
  }
}

type Files = AppFrame['files']

/** The tools of the workspace, as far as templates call them. */
function createTools(files: Files, omitted: readonly string[]) {
  return ({ name, arguments: args = {} }: Params): CallToolResult => {
    if (name === 'part_of_example') return partResult(files, args)
    if (name === 'open_example') return openResult(files, omitted)
    if (name === 'list_changes') return structured({ changes: [{ id: versions(files) }] })
    const path = String(args['path'])
    const file = files.get(path)
    if (name === 'read_file')
      return file ? readResult(path, file, Number(args['offset'] ?? 0)) : missing(path)
    if (name !== 'edit_file' && name !== 'write_file') return refusal('NO_SUCH_TOOL', 'No tool')
    if ((file?.version ?? 0) !== args['if_version']) return refusal('VERSION_CONFLICT', 'Changed')
    const next = name === 'write_file' ? String(args['content']) : edit(file?.text ?? '', args)
    if (next === null) return refusal('FIND_NOT_FOUND', 'The text is not there')
    files.set(path, { text: next, version: (file?.version ?? 0) + 1 })
    return structured({ path, version: (file?.version ?? 0) + 1 })
  }
}

const missing = (path: string) => refusal('FILE_NOT_FOUND', `There is no ${path}`)

const versions = (files: Files) => [...files.values()].map(({ version }) => version).join()

export function structured(structuredContent: Record<string, unknown>): CallToolResult {
  return { content: [{ type: 'text', text: 'ok' }], structuredContent }
}

export function openResult(files: Files, omitted: readonly string[] = []): CallToolResult {
  const list = [...files].map(([path, { text, version }]) => ({
    path,
    version,
    mime: 'text/plain',
    size: new TextEncoder().encode(text).length,
    ...(omitted.includes(path) ? { omitted: 'too_large' } : { text }),
  }))
  return structured({ app: 'example', version: 1, files: list, left_out: 0 })
}

/** Characters of one part of a file that `part_of_example` returns; the texts of tests are ASCII. */
const TEXT_PART = 500_000

function partResult(files: Files, { file: path, offset }: Record<string, unknown>): CallToolResult {
  const found = files.get(String(path))
  if (!found) return missing(String(path))
  const { text, version } = found
  const from = Number(offset)
  const to = from + TEXT_PART
  const part = { path, version, size: text.length, text: text.slice(from, to) }
  const more = to < text.length ? { next_offset: to } : {}
  return structured({ ...part, ...more })
}

/** Bytes of one part of `read_file`. */
const PART = 30_000

function readResult(
  path: string,
  { text, version }: { text: string; version: number },
  offset: number,
): CallToolResult {
  const bytes = new TextEncoder().encode(text)
  const part = bytes.subarray(offset, offset + PART)
  const content_base64 = btoa(Array.from(part, (byte) => String.fromCharCode(byte)).join(''))
  return structured({ path, version, size: bytes.length, content_base64, offset })
}

function edit(text: string, args: Record<string, unknown>): string | null {
  const [first] = args['edits'] as { find: string; replace: string }[]
  if (!first || text.split(first.find).length !== 2) return null
  return text.replace(first.find, () => first.replace)
}
