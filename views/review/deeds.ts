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
import { changeOf, type Change } from './change.ts'
import type { Scene, Shown, Work } from './stage.ts'

/** What the actions need. */
export interface DeedParts {
  readonly bridge: Bridge
  readonly scene: Scene
  /** Returns the arguments of the call that is shown. */
  readonly input: () => JsonRecord
  /** Shows another change. */
  readonly show: (change: Change) => void
}

/** Creates the actions of a session. */
export function createDeeds({ bridge, scene, input, show }: DeedParts) {
  /** Runs one action at a time, for the change that is shown. */
  async function work(
    kind: Work,
    call: (shown: Shown) => Promise<ToolResult>,
    done: (shown: Shown, result: ToolResult) => void,
  ): Promise<void> {
    const { stage } = scene
    if (stage.kind !== 'change' || stage.work !== null) return
    const { id } = stage.change
    scene.update(id, { work: kind, problem: null })
    try {
      const result = await call(stage)
      scene.update(id, { work: null })
      done(stage, result)
    } catch (error) {
      scene.update(id, { work: null, problem: wordsOf(error) })
    }
  }

  /** Applies the change exactly as previewed. */
  const apply = () =>
    work(
      'apply',
      ({ change }) => {
        const meta = { [PREVIEW_META]: change.id }
        return bridge.callTool(change.tool, input(), { meta })
      },
      ({ change }, result) => {
        if (result.isError) return refuse(change, result)
        const made = changeOf(result)
        if (made) show(made)
        else scene.update(change.id, { status: 'applied' })
        tellModel(`The person looked at the preview and applied it: ${change.intent}`)
      },
    )

  function refuse({ id }: Change, result: ToolResult): void {
    const stale = codeIn(result) === 'PREVIEW_STALE'
    scene.update(id, stale ? { status: 'stale' } : { status: 'failed', problem: wordsIn(result) })
  }

  /** Previews the call again. */
  const preview = () =>
    work(
      'preview',
      ({ change }) => bridge.callTool(change.tool, input(), { meta: { preview: true } }),
      ({ change }, result) => {
        const anew = result.isError ? null : changeOf(result)
        if (anew) show(anew)
        else scene.update(change.id, { status: 'failed', problem: wordsIn(result) })
      },
    )

  /** Undoes the last change: the change itself, or its undo. */
  const undo = () =>
    work(
      'undo',
      ({ last }) => bridge.callTool('undo_change', { id: last?.id ?? '' }),
      ({ change, status }, result) => {
        if (result.isError) return scene.update(change.id, { problem: wordsIn(result) })
        const back = changeOf(result)
        const next = status === 'undone' ? 'applied' : 'undone'
        const last = back && { id: back.id, version: back.version }
        scene.update(change.id, { status: next, last })
        tellModel(
          next === 'undone'
            ? `The person undid this change, so the files are as before it: ${change.intent}`
            : `The person made this change again: ${change.intent}`,
        )
      },
    )

  /** Informs the model, whose knowledge of the files would be out of date otherwise. */
  function tellModel(text: string): void {
    if (bridge.host.capabilities.updateModelContext === undefined) return
    void bridge.updateModelContext({ content: [{ type: 'text', text }] })
  }

  return { apply, preview, undo }
}

/** Returns the text blocks of a result. */
export function textsOf({ content }: ToolResult): string[] {
  return content.flatMap((block) => (block.type === 'text' ? [block.text] : []))
}

const codeIn = ({ _meta, structuredContent }: ToolResult) =>
  errorDetails(_meta, structuredContent)['code']

/** Returns the message of a tool error. */
export function wordsIn(result: ToolResult): string {
  const text = textForPerson(textsOf(result).join('\n'), codeIn(result))
  return text || 'The server gave no reason'
}

function wordsOf(error: unknown): string {
  if (error instanceof BridgeError && error.code === CODES.timeout)
    return 'There was no answer in time, so it is not known whether this was done'
  return error instanceof Error ? error.message : String(error)
}
