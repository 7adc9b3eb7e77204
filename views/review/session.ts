/**
 * The session: what the review knows, without a page.
 *
 * Host and person both move it on: the host by what it tells, which is here, the person by what they
 * do (`deeds.ts`). What a result had no room for is read from the resource of its change.
 *
 * @module
 */

import type { JsonRecord } from '#core/json.ts'
import type { Bridge, ToolResult } from '../bridge.ts'
import { changeOf, isWhole, withFacts, type Change } from './change.ts'
import { createDeeds, textsOf, wordsIn } from './deeds.ts'
import { intentOf } from './intent.ts'
import { createScene } from './stage.ts'

export type Session = ReturnType<typeof createSession>

const READ_MS = 60_000

/** Browsers take a longer delay for none. */
const MOST_DELAY = 2 ** 31 - 1

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
    // What was being written may never have become whole.
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
    // A host may tell of a call that we made as well; what we know of it is newer.
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
      // Where only the names of some files are missing, what is there is worth showing.
      const why = error instanceof Error ? error.message : String(error)
      const problem = linesLeftOut ? `The lines could not be read: ${why}` : null
      scene.update(id, { loading: false, ...(problem !== null && { problem }) })
    }
  }

  /** A preview is kept for a while only. */
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
    /** The host lets the view call tools. */
    canCall: serverTools !== undefined,
    /** The arguments are known as well, so the call can be made again. */
    get canRepeat() {
      return serverTools !== undefined && input !== null
    },
    ...createDeeds({ bridge, scene, input: () => input ?? {}, show }),
  }
}
