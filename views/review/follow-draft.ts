/**
 * Follows a change that waits for approval, until a person has decided.
 *
 * The draft is read again while the page is visible, less and less often, and the change itself only after the draft
 * has changed. After a failure it stops: a host may ask the user about every read. `test/views/review/held.test.ts`
 * covers it.
 *
 * @module
 */

import { isRecord, recordOf, type JsonRecord } from '#core/json.ts'
import { DRAFT_URI } from '#core/wire.ts'
import { toList } from '../bridge/parse.ts'
import type { Bridge } from '../bridge.ts'
import type { Change } from './change.ts'

/** What became of a change; `note` is what the person wrote, or empty. */
export interface Fate {
  readonly status: 'applied' | 'refused'
  readonly note: string
}

const MIN_INTERVAL_MS = 2_000
const MAX_INTERVAL_MS = 60_000
const GROWTH = 1.2

/** Most reads of the draft, which take about three hours. */
const MAX_READS = 200

/** Follows a change. Returns a function that stops. */
export function followDraft(
  bridge: Bridge,
  change: Change,
  decided: (fate: Fate) => void,
): () => void {
  let timer = 0
  let interval = MIN_INTERVAL_MS
  let reads = 0
  let last: string | null = null

  async function look(): Promise<void> {
    if (!document.hidden) {
      reads++
      interval = Math.min(interval * GROWTH, MAX_INTERVAL_MS)
      const status = await readText(bridge, DRAFT_URI)
      const fate = status === last ? null : await findFate(bridge, change, status)
      if (fate) return decided(fate)
      last = status
    }
    schedule()
  }

  function schedule(): void {
    if (reads < MAX_READS) timer = setTimeout(() => void look().catch(() => {}), interval)
  }

  schedule()
  return () => {
    reads = MAX_READS
    clearTimeout(timer)
  }
}

/** Returns what became of a change, or null while it waits. One that was turned down cannot be read any more. */
async function findFate(bridge: Bridge, change: Change, status: string): Promise<Fate | null> {
  const facts = await readText(bridge, `${change.review}.json`).catch(() => null)
  if (facts !== null)
    return recordOf(JSON.parse(facts))['applied'] === true ? { status: 'applied', note: '' } : null
  const decision = findDecision(change, status)
  return decision ? { status: 'refused', note: String(decision['note']) } : null
}

/** Finds the decision that turned a change down, newest first. A long one lists only some of its changes. */
function findDecision({ id, draft }: Change, status: string): JsonRecord | undefined {
  const decisions = toList(recordOf(JSON.parse(status))['decisions'])
    .filter(isRecord)
    .filter((one) => one['draft'] === draft?.id && one['outcome'] !== 'approved')
  const listed = ({ ids }: JsonRecord) => toList(ids)
  return (
    decisions.find((one) => listed(one).includes(id)) ??
    decisions.find((one) => Number(one['changes']) > listed(one).length)
  )
}

async function readText(bridge: Bridge, uri: string): Promise<string> {
  const { contents } = await bridge.readResource(uri)
  return contents[0]?.text ?? ''
}
