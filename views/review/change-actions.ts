/**
 * Actions on a change: apply, preview again, undo.
 *
 * Each is one call over the view's own connection, because previews are bound to it. If a call
 * fails, the change stays on the screen with the reason.
 *
 * @module
 */

import type { JsonRecord } from '#core/json.ts'
import { errorDetails, PREVIEW_META, textForPerson } from '#core/wire.ts'
import { BridgeError, type Bridge, type ToolResult } from '../bridge.ts'
import { CODES } from '../bridge/error.ts'
import { parseChange, type Change } from './change.ts'
import type { Action, ShownChange, Store } from './store.ts'

/** What the actions work on. */
export interface ActionContext {
  readonly bridge: Bridge
  readonly store: Store
  /** Returns the arguments of the call that is shown. */
  readonly input: () => JsonRecord
  /** Shows another change. */
  readonly show: (change: Change) => void
}

/** Applies the change exactly as previewed. */
export const applyChange = (context: ActionContext) =>
  runAction(context, 'apply', async ({ change }) => {
    const { bridge, input, store, show } = context
    const meta = { [PREVIEW_META]: change.id }
    const result = await bridge.callTool(change.tool, input(), { meta })
    if (result.isError) return showRefusal(store, change, result)
    const applied = parseChange(result)
    if (applied) show(applied)
    else store.update(change.id, { status: 'applied' })
    informModel(bridge, `The user reviewed the preview and applied it: ${change.intent}`)
  })

/** Previews the call again. */
export const previewChange = (context: ActionContext) =>
  runAction(context, 'preview', async ({ change }) => {
    const { bridge, input, store, show } = context
    const result = await bridge.callTool(change.tool, input(), { meta: { preview: true } })
    const fresh = result.isError ? null : parseChange(result)
    if (fresh) show(fresh)
    else store.update(change.id, { status: 'failed', error: errorText(result) })
  })

/** Undoes the last change: the change itself, or its undo. */
export const undoChange = (context: ActionContext) =>
  runAction(context, 'undo', async ({ change, status, last: undone }) => {
    const { bridge, store } = context
    const result = await bridge.callTool('undo_change', { id: undone?.id ?? '' })
    if (result.isError) return store.update(change.id, { error: errorText(result) })
    const undo = parseChange(result)
    const isRedo = status === 'undone'
    const last = undo && { id: undo.id, version: undo.version }
    store.update(change.id, { status: isRedo ? 'applied' : 'undone', last })
    const text = isRedo
      ? 'The user redid this change'
      : 'The user undid this change, so the files are as they were before it'
    informModel(bridge, `${text}: ${change.intent}`)
  })

/** Runs one action at a time, for the change that is shown. */
async function runAction(
  { store }: ActionContext,
  running: Action,
  run: (shown: ShownChange) => Promise<void>,
): Promise<void> {
  const { state } = store
  if (state.kind !== 'change' || state.running !== null) return
  const { id } = state.change
  store.update(id, { running, error: null })
  try {
    await run(state)
  } catch (error) {
    store.update(id, { error: failureText(error) })
  } finally {
    store.update(id, { running: null })
  }
}

function showRefusal(store: Store, { id }: Change, result: ToolResult): void {
  const isStale = errorCode(result) === 'PREVIEW_STALE'
  store.update(id, isStale ? { status: 'stale' } : { status: 'failed', error: errorText(result) })
}

/** Informs the model, whose knowledge of the files would be out of date otherwise. */
function informModel(bridge: Bridge, text: string): void {
  if (bridge.host.capabilities.updateModelContext === undefined) return
  void bridge.updateModelContext({ content: [{ type: 'text', text }] })
}

/** Returns the text blocks of a result. */
export function textBlocks({ content }: ToolResult): string[] {
  return content.flatMap((block) => (block.type === 'text' ? [block.text] : []))
}

const errorCode = ({ _meta, structuredContent }: ToolResult) =>
  errorDetails(_meta, structuredContent)['code']

/** Returns the message of a tool error. */
export function errorText(result: ToolResult): string {
  const text = textForPerson(textBlocks(result).join('\n'), errorCode(result))
  return text || 'The server gave no reason'
}

function failureText(error: unknown): string {
  if (error instanceof BridgeError && error.code === CODES.timeout)
    return 'The host did not respond in time. It is unknown whether the call ran'
  return error instanceof Error ? error.message : String(error)
}
