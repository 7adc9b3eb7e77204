/**
 * Deeds: what the person does with a change. Each is one call over the view's own connection, because
 * a preview is bound to it, and one that fails leaves the change on the screen, with the reason.
 *
 * @module
 */

import type { JsonRecord } from '#core/json.ts'
import { errorDetails, PREVIEW_META, textForPerson } from '#core/wire.ts'
import { BridgeError, type Bridge, type ToolResult } from '../bridge.ts'
import { CODES } from '../bridge/error.ts'
import { changeOf, type Change } from './change.ts'
import type { Scene, Shown, Work } from './stage.ts'

export interface DeedParts {
  readonly bridge: Bridge
  readonly scene: Scene
  /** The arguments of the call that is shown. */
  readonly input: () => JsonRecord
  /** Shows another change. */
  readonly show: (change: Change) => void
}

export function createDeeds({ bridge, scene, input, show }: DeedParts) {
  /** One at a time, on behalf of the change that is shown. */
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

  /** Makes the change that was shown, exactly as it was shown. */
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

  /** Shows anew what the call would do. */
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

  /** Takes back what was done last: the change, or the undoing of it. */
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

  /** The model has not seen what the person did here, and would go on from what it believes. */
  function tellModel(text: string): void {
    if (bridge.host.capabilities.updateModelContext === undefined) return
    void bridge.updateModelContext({ content: [{ type: 'text', text }] })
  }

  return { apply, preview, undo }
}

export function textsOf({ content }: ToolResult): string[] {
  return content.flatMap((block) => (block.type === 'text' ? [block.text] : []))
}

const codeIn = ({ _meta, structuredContent }: ToolResult) =>
  errorDetails(_meta, structuredContent)['code']

/** What a tool error says to a person. */
export function wordsIn(result: ToolResult): string {
  const text = textForPerson(textsOf(result).join('\n'), codeIn(result))
  return text || 'The server gave no reason'
}

function wordsOf(error: unknown): string {
  if (error instanceof BridgeError && error.code === CODES.timeout)
    return 'There was no answer in time, so it is not known whether this was done'
  return error instanceof Error ? error.message : String(error)
}
