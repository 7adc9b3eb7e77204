/**
 * State of an app: its data, what went wrong, and the calls that it makes.
 *
 * Data arrives as the tool result for which the host shows the page, and again from `open_{name}`
 * when a file has changed. A change is one call of a tool of the workspace, so that previews,
 * drafts, history and access hold. `test/views/templates/page.test.ts` covers it.
 *
 * @module
 */

import { isRecord, recordOf, type JsonRecord } from '#core/json.ts'
import { parentOf, resolvePath } from '#core/path.ts'
import { DRAFT_META, errorDetails } from '#core/wire.ts'
import type { Bridge, ToolResult } from '../bridge.ts'
import { dataFolders, type App } from './app.ts'
import {
  errorText,
  parseData,
  readFile,
  readText,
  type AppData,
  type AppFile,
} from './data/files.ts'

/** A message about the last action. */
export interface Notice {
  readonly text: string
  readonly kind: 'done' | 'waiting' | 'failed'
}

/** What became of a call. */
export interface Outcome extends Notice {
  /** The error code of the server; empty for none. */
  readonly code: string
}

/** What the page shows. */
export interface DashboardState {
  readonly phase: 'loading' | 'ready' | 'failed' | 'cancelled'
  readonly data: AppData | null
  /** Why there is no data, or no newer one. */
  readonly error: string
  readonly notice: Notice | null
  /** Counts what the page has received, so that components notice new data. */
  readonly received: number
}

/** Most folders that are watched for changes. */
const MAX_WATCHED = 5

/** The state of one app and its actions. */
export class Dashboard {
  readonly app: App
  readonly bridge: Bridge
  readonly #onChange: () => void
  #requests = 0
  #state: DashboardState = { phase: 'loading', data: null, error: '', notice: null, received: 0 }

  /**
   * Creates the state of an app.
   *
   * @param onChange Called when the page has to be rendered again.
   */
  constructor(app: App, bridge: Bridge, onChange: () => void) {
    this.app = app
    this.bridge = bridge
    this.#onChange = onChange
    bridge.on('result', (result) => {
      // An earlier request would put what it finds in the place of this.
      this.#requests++
      this.receive(result)
    })
    bridge.on('cancelled', ({ reason = '' }) =>
      this.#set({ phase: 'cancelled', error: reason || 'The call was cancelled' }),
    )
  }

  /** What the page shows. */
  get state(): DashboardState {
    return this.#state
  }

  /** Takes a tool result as the data. An error keeps the data that is shown. */
  receive(result: ToolResult): void {
    if (result.isError) return this.#set({ phase: 'failed', error: errorText(result) })
    const received = this.#state.received + 1
    this.#set({ phase: 'ready', data: parseData(result), error: '', received })
  }

  /** Reads the data again. The newest request wins, whichever response arrives first. */
  async refresh(): Promise<void> {
    if (!this.canCall || this.app.name === '') return
    const request = ++this.#requests
    try {
      const result = await this.bridge.callTool(`open_${this.app.name}`, {})
      if (request === this.#requests) this.receive(result)
    } catch (error) {
      if (request === this.#requests) this.#set({ phase: 'failed', error: messageOf(error) })
    }
  }

  /** Whether the host lets the page call tools. */
  get canCall(): boolean {
    return this.bridge.host.capabilities.serverTools !== undefined
  }

  /** Calls a tool and shows what became of it. */
  async act(tool: string, args: JsonRecord, done: string): Promise<Outcome> {
    const outcome = await this.#call(tool, args, done)
    this.notify(outcome)
    return outcome
  }

  async #call(tool: string, args: JsonRecord, done: string): Promise<Outcome> {
    try {
      return outcomeOf(await this.bridge.callTool(tool, args), done)
    } catch (error) {
      return { kind: 'failed', text: messageOf(error), code: '' }
    }
  }

  /** Shows a message; null removes it. */
  notify(notice: Notice | null): void {
    this.#set({ notice })
  }

  /** Returns the text of a file of the data. */
  text(file: AppFile, onPart?: (share: number) => void): Promise<string> {
    return readText({ bridge: this.bridge, tool: `part_of_${this.app.name}` }, file, onPart)
  }

  /** Reads a file that need not be part of the data; null if there is none. */
  read(path: string) {
    return readFile(this.bridge, path)
  }

  /** Returns a text that differs after each change of a folder that has data. */
  async newestChanges(): Promise<string> {
    const { data } = this.#state
    if (data?.kind !== 'files') return ''
    const found = data.files.map(({ path }) => folderOf(path))
    const folders = new Set(found.length > 0 ? found : dataFolders(this.app))
    const calls = [...folders].slice(0, MAX_WATCHED).map(async (path) => {
      const result = await this.bridge.callTool('list_changes', { path, limit: 1 })
      if (result.isError) throw new Error(errorText(result))
      const { changes } = recordOf(result.structuredContent)
      const newest: unknown = Array.isArray(changes) ? changes[0] : undefined
      return String(recordOf(newest)['id'])
    })
    return (await Promise.all(calls)).join()
  }

  #set(next: Partial<DashboardState>): void {
    this.#state = { ...this.#state, ...next }
    this.#onChange()
  }
}

function folderOf(path: string): string {
  const resolved = resolvePath(path)
  return resolved.ok ? parentOf(resolved.value) : '/'
}

/** Reads what became of a call: done, waiting for approval, or failed. */
export function outcomeOf(result: ToolResult, done: string): Outcome {
  if (result.isError) {
    const { code } = errorDetails(result._meta, result.structuredContent)
    return { kind: 'failed', text: errorText(result), code: typeof code === 'string' ? code : '' }
  }
  const { draft } = recordOf(result.structuredContent)
  const waits = typeof draft === 'string' || isRecord(draft) || isRecord(result._meta?.[DRAFT_META])
  return waits
    ? { kind: 'waiting', text: 'Waits for approval', code: '' }
    : { kind: 'done', text: done, code: '' }
}

/** Returns the message of an error. */
export const messageOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error)
