/**
 * The review in a frame of an official host, with a server of one file.
 *
 * The server responds as the Worker does: the diffs are computed by the same code.
 *
 * @module
 */

import { diffTexts } from '#core/diff/hunks.ts'
import { printUnified, type FileDiff } from '#core/diff/unified.ts'
import { ERROR_META } from '#core/wire.ts'
import type {
  McpUiHostCapabilities,
  McpUiHostContext,
} from '@modelcontextprotocol/ext-apps/app-bridge'
import type { CallToolRequest, CallToolResult } from '@modelcontextprotocol/client'
import { expect } from 'vitest'
import { hostV2, openFrame, until, windowOf, type OfficialHost } from './host-frame.ts'

const PAGE = `<!doctype html><html lang="en"><title>Review</title>
<link rel="stylesheet" href="/views/review/style.css"><main id="view"></main>
<script type="module" src="/bundled/views/review/main.ts"></script></html>`

const ALL: McpUiHostCapabilities = {
  serverTools: {},
  serverResources: {},
  downloadFile: {},
  updateModelContext: { text: {} },
}

export interface Review {
  readonly host: OfficialHost
  readonly frame: HTMLIFrameElement
  readonly document: Document
  /** Calls that the view has made, in order. */
  readonly calls: CallToolRequest['params'][]
  /** The visible text of the page. */
  text(): string
  /** An element by its accessible name, when it has come. */
  button(name: string | RegExp): Promise<HTMLElement>
  has(name: string | RegExp): boolean
  press(key: string): void
}

export interface ReviewSetup {
  readonly capabilities?: McpUiHostCapabilities
  readonly context?: McpUiHostContext
  readonly width?: number
  readonly connect?: typeof hostV2
  readonly call?: (params: CallToolRequest['params']) => CallToolResult | Promise<CallToolResult>
  readonly read?: (uri: string) => string | null
}

export async function openReview(setup: ReviewSetup = {}): Promise<Review> {
  const { capabilities = ALL, context = {}, connect = hostV2, call, read } = setup
  const frame = await openFrame('<!doctype html>')
  frame.style.width = `${setup.width ?? 1_000}px`
  const host = await connect(windowOf(frame), { capabilities, context })
  const calls: CallToolRequest['params'][] = []
  host.oncalltool = async (params) => {
    calls.push(params)
    return call ? call(params) : refusal('NO_SUCH_TOOL', 'There is no such tool')
  }
  host.onreadresource = async ({ uri }) => {
    const text = read?.(uri) ?? null
    if (text === null) throw new Error(`There is no ${uri}`)
    return { contents: [{ uri, text }] }
  }
  let ready = false
  host.oninitialized = () => (ready = true)
  frame.srcdoc = PAGE
  await until(() => ready)
  // The frame has a page by now.
  const document = frame.contentDocument as Document
  await until(() => document.querySelector('#view')?.textContent !== '')

  const named = (name: string | RegExp) =>
    [...document.querySelectorAll<HTMLElement>('button, label')].find((element) => {
      const own = element.getAttribute('aria-label') ?? element.textContent
      return typeof name === 'string' ? own.trim() === name : name.test(own)
    })
  return {
    host,
    frame,
    document,
    calls,
    text: () => document.querySelector<HTMLElement>('#view')?.innerText ?? '',
    async button(name) {
      await until(() => named(name) !== undefined)
      // An early click may be meant for the previous button, and is ignored.
      await new Promise((resolve) => setTimeout(resolve, 550))
      const found = named(name)
      if (!found) throw new Error(`There is no ${name} any more`)
      return found
    },
    has: (name) => named(name) !== undefined,
    press(key) {
      const target = document.activeElement ?? document.body
      const { KeyboardEvent } = windowOf(frame) as Window & typeof globalThis
      target.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }))
    },
  }
}

export interface ChangeSetup {
  readonly id?: string
  readonly tool?: string
  readonly intent?: string
  readonly applied?: boolean
  readonly basis?: number
  readonly version?: number
  readonly expires?: string
  readonly files: readonly FileDiff[]
  readonly more?: number
  readonly leaveOut?: boolean
}

/** A file that was edited. */
export function edited(path: string, before: string, after: string): FileDiff {
  return { from: path, to: path, binary: false, hunks: diffTexts(before, after).hunks }
}

/** The result of a call that made or would make a change. */
export function resultWith(setup: ChangeSetup): CallToolResult {
  const { id = 'change-1', tool = 'edit_file', applied = false, files, more = 0 } = setup
  const lines = files.flatMap(({ hunks }) => hunks.flatMap((hunk) => hunk.lines))
  const count = (kind: string) => lines.filter((line) => line.kind === kind).length
  const hunks = files.flatMap((file) =>
    file.hunks.map((hunk) => ({ path: file.to ?? file.from, ...hunk })),
  )
  const change = {
    id,
    tool,
    paths: files.map(({ from, to }) => to ?? from),
    basis: setup.basis ?? 4,
    version: applied ? (setup.version ?? 5) : null,
    intent: setup.intent ?? 'Edit /notes/a.md',
    applied,
    expires_at: setup.expires ?? (applied ? null : new Date(Date.now() + 3_600_000).toISOString()),
    review: `ui://${tool}/${id}`,
    diff: `ui://${tool}/${id}.diff`,
    ...(setup.leaveOut ? { hunks: [], hunks_left_out: true } : { hunks }),
    stats: {
      added: count('insert'),
      removed: count('delete'),
      hunks: hunks.length,
      files: files.length + more,
    },
  }
  return {
    content: [{ type: 'text', text: 'Edited notes/a.md in 1 place' }],
    _meta: { ...(!applied && { preview: true }), 'dev.edgewise/change': change },
  }
}

/** Returns the contents of the `.json` and `.diff` resources of a change. */
export function resourcesOf(files: readonly FileDiff[], more = 0) {
  return (uri: string) =>
    uri.endsWith('.diff') ? printUnified(files) : JSON.stringify({ files, more })
}

export function refusal(code: string, text: string): CallToolResult {
  const content = [{ type: 'text' as const, text: `${text} [${code}]` }]
  return { isError: true, content, _meta: { [ERROR_META]: { code } } }
}

/** Waits until the page shows a text. */
export async function untilText(review: Review, wanted: string | RegExp): Promise<void> {
  const shows = () =>
    typeof wanted === 'string' ? review.text().includes(wanted) : wanted.test(review.text())
  await until(shows).catch(() => expect(review.text()).toMatch(wanted))
}
