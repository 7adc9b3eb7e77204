/**
 * State of the review, without a page.
 *
 * Events of the host and actions of the user change it: events are handled here, actions in
 * `change-actions.ts`. Data that had no room in a result is read from the resource of its change.
 *
 * @module
 */

import type { JsonRecord } from '#core/json.ts'
import type { Bridge, ToolResult } from '../bridge.ts'
import {
  applyChange,
  errorText,
  previewChange,
  textBlocks,
  undoChange,
  type ActionContext,
} from './change-actions.ts'
import { addFiles, isWhole, parseChange, type Change } from './change.ts'
import { followDraft, type Fate } from './follow-draft.ts'
import { renderSentence } from './intent.tsx'
import { createStore, type Action, type ReviewState } from './store.ts'

const READ_MS = 60_000

/** Longest delay that timers support; browsers treat larger values as 0. */
const MAX_DELAY_MS = 2 ** 31 - 1

const ACTIONS: Readonly<Record<Action, (context: ActionContext) => Promise<void>>> = {
  apply: applyChange,
  preview: previewChange,
  undo: undoChange,
}

/** The state of a review and its actions. */
export class Session {
  readonly #bridge: Bridge
  readonly #store = createStore()
  #input: JsonRecord | null = null
  #expiry: ReturnType<typeof setTimeout> | undefined
  #unfollow = () => {}

  /** Subscribes to the events of the host. */
  constructor(bridge: Bridge) {
    this.#bridge = bridge
    bridge.on('partial', ({ arguments: args }) => this.#receiveInput(args, false))
    bridge.on('input', ({ arguments: args }) => this.#receiveInput(args, true))
    bridge.on('result', (result) => this.#receiveResult(result))
    bridge.on('cancelled', ({ reason = '' }) => this.#cancel(reason))
    bridge.on('teardown', () => {
      clearTimeout(this.#expiry)
      this.#unfollow()
    })
  }

  /** What the review shows. */
  get state(): ReviewState {
    return this.#store.state
  }

  /** Subscribes to changes of the state; returns a function that unsubscribes. */
  subscribe(listener: () => void): () => void {
    return this.#store.subscribe(listener)
  }

  /** Whether the host lets the view call tools. */
  get canCall(): boolean {
    return this.#bridge.host.capabilities.serverTools !== undefined
  }

  /** Whether the arguments are known as well, so that the call can be repeated. */
  get canRepeat(): boolean {
    return this.canCall && this.#input !== null
  }

  /** Runs an action on the change that is shown, unless one is running. */
  run(action: Action): Promise<void> {
    return ACTIONS[action]({
      bridge: this.#bridge,
      store: this.#store,
      input: () => this.#input ?? {},
      show: (change) => this.#show(change),
    })
  }

  /** Opens the page on which a person decides on the change. */
  async openDraft(): Promise<void> {
    const { state } = this
    const url = state.kind === 'change' ? state.change.draft?.url : null
    if (state.kind !== 'change' || !url || (await this.#bridge.openLink(url))) return
    this.#store.update(state.change.id, { error: `Open this page to decide: ${url}` })
  }

  #sentence(args: JsonRecord = this.#input ?? {}) {
    return renderSentence(this.#bridge.context, args)
  }

  #receiveInput(args: JsonRecord, complete: boolean): void {
    if (complete) this.#input = args
    const { kind } = this.state
    if (kind === 'waiting' || kind === 'pending')
      this.#store.set({ kind: 'pending', sentence: this.#sentence(args), complete })
  }

  #cancel(reason: string): void {
    const { state } = this
    if (state.kind !== 'waiting' && state.kind !== 'pending') return
    // The call's arguments may be incomplete, so only what is known is shown.
    const sentence = state.kind === 'pending' ? state.sentence : this.#sentence()
    this.#store.set({ kind: 'cancelled', sentence, reason })
  }

  #receiveResult(result: ToolResult): void {
    const { state } = this
    const change = parseChange(result)
    const failed = result.isError === true
    if (!change) {
      const texts = failed ? [errorText(result)] : textBlocks(result)
      return this.#store.set({ kind: 'text', sentence: this.#sentence(), texts, failed })
    }
    // A host may report a call of this view as well; the local state is newer.
    if (state.kind !== 'change' || state.change.id !== change.id) this.#show(change)
  }

  #show(change: Change): void {
    const { id, applied, version } = change
    const canRead = this.#bridge.host.capabilities.serverResources !== undefined
    const loading = !isWhole(change) && canRead
    const status = applied ? 'applied' : change.draft ? 'held' : 'previewed'
    const last = applied ? { id, version } : null
    this.#store.set({ kind: 'change', change, status, running: null, error: null, loading, last })
    if (loading) void this.#complete(change)
    this.#scheduleExpiry(change)
    this.#unfollow()
    if (status === 'held' && canRead)
      this.#unfollow = followDraft(this.#bridge, change, (fate) => this.#decide(id, fate))
  }

  /** Shows what became of a change that waited. */
  #decide(id: string, { status, note }: Fate): void {
    const error = note === '' ? null : `Note: ${note}`
    const last = status === 'applied' ? { id, version: null } : null
    this.#store.update(id, { status, error, last })
  }

  /** Reads what the result had no room for. */
  async #complete(change: Change): Promise<void> {
    const { id, review, linesLeftOut } = change
    const uri = `${review}.json`
    try {
      const { contents } = await this.#bridge.readResource(uri, { timeoutMs: READ_MS })
      const text = contents[0]?.text
      if (text !== undefined) this.#store.update(id, { change: addFiles(change, text) })
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      // If only some file names are missing, the existing hunks are still shown.
      if (linesLeftOut) this.#store.update(id, { error: `Cannot read the lines: ${reason}` })
    }
    this.#store.update(id, { loading: false })
  }

  /** Marks a preview as expired when the server drops it. */
  #scheduleExpiry({ id, applied, expires }: Change): void {
    clearTimeout(this.#expiry)
    if (applied || expires === null) return
    const expire = () => {
      const { state } = this
      const isOpen = state.kind === 'change' && state.running === null && state.status !== 'stale'
      if (isOpen) this.#store.update(id, { status: 'expired' })
    }
    const delay = Math.min(Math.max(expires - Date.now(), 0), MAX_DELAY_MS)
    this.#expiry = setTimeout(expire, delay)
  }
}
