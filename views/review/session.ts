/**
 * State of the review, without a page.
 *
 * Events of the host and actions of the user change it: events are handled here, actions in
 * `deeds.ts`. Data that had no room in a result is read from the resource of its change.
 *
 * @module
 */

import type { JsonRecord } from '#core/json.ts'
import type { Bridge, ToolResult } from '../bridge.ts'
import { changeOf, isWhole, withFacts, type Change } from './change.ts'
import { createDeeds, textsOf, wordsIn } from './deeds.ts'
import { intentOf } from './intent.ts'
import { createScene } from './stage.ts'

/** The state of a review and its actions. */
export type Session = ReturnType<typeof createSession>

const READ_MS = 60_000

/** Longest delay that timers support; browsers treat larger values as 0. */
const MOST_DELAY = 2 ** 31 - 1

/** Creates the session of a view; it subscribes to the events of the host. */
export function createSession(bridge: Bridge) {
  const { serverTools, serverResources } = bridge.host.capabilities
  const scene = createScene()
  let input: JsonRecord | null = null
  let expiry: ReturnType<typeof setTimeout> | undefined
  const sentence = (args: JsonRecord = input ?? {}) => intentOf(bridge.context, args)

  function write(args: JsonRecord, complete: boolean): void {
    if (complete) input = args
    const { kind } = scene.stage
    if (kind === 'waiting' || kind === 'writing')
      scene.move({ kind: 'writing', sentence: sentence(args), complete })
  }

  function cancel(reason: string): void {
    const { stage } = scene
    // The call's arguments may be incomplete, so only what is known is shown.
    if (stage.kind === 'writing')
      scene.move({ kind: 'cancelled', sentence: stage.sentence, reason })
    else if (stage.kind === 'waiting')
      scene.move({ kind: 'cancelled', sentence: sentence(), reason })
  }

  function receive(result: ToolResult): void {
    const { stage } = scene
    const change = changeOf(result)
    const failed = result.isError === true
    if (!change) {
      const texts = failed ? [wordsIn(result)] : textsOf(result)
      return scene.move({ kind: 'answer', sentence: sentence(), texts, failed })
    }
    // A host may report a call of this view as well; the local state is newer.
    if (stage.kind !== 'change' || stage.change.id !== change.id) show(change)
  }

  function show(change: Change): void {
    const { id, applied, version } = change
    const loading = !isWhole(change) && serverResources !== undefined
    const status = applied ? 'applied' : 'previewed'
    const last = applied ? { id, version } : null
    scene.move({ kind: 'change', change, status, work: null, problem: null, loading, last })
    if (loading) void complete(change)
    expire(change)
  }

  async function complete(change: Change): Promise<void> {
    const { id, review, linesLeftOut } = change
    try {
      const { contents } = await bridge.readResource(`${review}.json`, { timeoutMs: READ_MS })
      const text = contents[0]?.text
      scene.update(id, {
        loading: false,
        ...(text !== undefined && { change: withFacts(change, text) }),
      })
    } catch (error) {
      // If only some file names are missing, the existing hunks are still shown.
      const why = error instanceof Error ? error.message : String(error)
      const problem = linesLeftOut ? `The lines could not be read: ${why}` : null
      scene.update(id, { loading: false, ...(problem !== null && { problem }) })
    }
  }

  /** Marks a preview as expired when the server drops it. */
  function expire({ id, applied, expires }: Change): void {
    clearTimeout(expiry)
    if (applied || expires === null) return
    const over = () => {
      const { stage } = scene
      const isOpen = stage.kind === 'change' && stage.work === null && stage.status !== 'stale'
      if (isOpen) scene.update(id, { status: 'expired' })
    }
    expiry = setTimeout(over, Math.min(Math.max(expires - Date.now(), 0), MOST_DELAY))
  }

  bridge.on('partial', ({ arguments: args }) => write(args, false))
  bridge.on('input', ({ arguments: args }) => write(args, true))
  bridge.on('result', receive)
  bridge.on('cancelled', ({ reason = '' }) => cancel(reason))
  bridge.on('teardown', () => clearTimeout(expiry))

  return {
    get stage() {
      return scene.stage
    },
    watch: (listener: () => void) => scene.watch(listener),
    /** Whether the host lets the view call tools. */
    canCall: serverTools !== undefined,
    /** Whether the arguments are known as well, so that the call can be repeated. */
    get canRepeat() {
      return serverTools !== undefined && input !== null
    },
    ...createDeeds({ bridge, scene, input: () => input ?? {}, show }),
  }
}
