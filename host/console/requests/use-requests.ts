/**
 * Holds the access requests as they are shown, and sends decisions.
 *
 * A request keeps its place after it was decided or has gone, and new ones wait until the person asks for them.
 *
 * @module
 */

import { useRef, useState } from 'preact/hooks'
import { revision } from '../connect/connection.ts'
import type { NewRoot, WaitingRequest } from '#core/owner/answers/requests.ts'
import { sendAct } from '../owner/send-act.ts'
import { refreshWaiting, waitingList } from '../drafts/waiting-list.ts'
import { focusBeside } from '../ui/focus-beside.ts'
import { useHeld } from '../ui/held.ts'
import { useLoad } from '../ui/load.ts'

/** What the owner decides on a request: its body names how it is sent. */
export type Verdict =
  | { readonly for: 'call' | 'session' }
  | { readonly for: 'rules'; readonly roots: readonly NewRoot[] }
  | { readonly note: string }

/** A request with what became of it: decided here, gone, or null while it waits. */
export interface ShownRequest {
  readonly row: WaitingRequest
  readonly outcome: WaitingRequest['can'][number] | 'refused' | 'gone' | null
}

/** Loads the requests of a workspace, again whenever their number changes. */
export function useRequests(base: string) {
  const [error, setError] = useState<unknown>(null)
  const [isBusy, setBusy] = useState(false)
  const outcomes = useRef(new Map<string, ShownRequest['outcome']>())
  const listed = useLoad(
    (signal) => sendAct(base, 'list_requests', { signal }),
    [base, revision.value, waitingList.value?.requests],
  )
  // The oldest first.
  const shown = useHeld(listed.value?.requests.toReversed() ?? null, ({ id }) => id)
  const run = async (act: () => Promise<unknown>, done: () => void) => {
    if (isBusy) return
    setBusy(true)
    setError(null)
    try {
      await act()
      done()
    } catch (failure) {
      setError(failure)
    }
    setBusy(false)
    listed.reload()
    refreshWaiting()
  }
  const decide = (id: string, verdict: Verdict) => {
    const name = 'for' in verdict ? 'allow_access' : 'refuse_access'
    return run(
      () => sendAct(base, name, { segments: { request: id }, body: verdict }),
      () => outcomes.current.set(id, 'for' in verdict ? verdict.for : 'refused'),
    )
  }
  const takeBack = (id: string) =>
    run(
      () => sendAct(base, 'take_back_call', { segments: { request: id } }),
      () => focusBeside(`[data-allowed="${CSS.escape(id)}"]`, '[data-allowed]'),
    )
  return {
    requests: shown.map(({ row, isGone }): ShownRequest => {
      return { row, outcome: outcomes.current.get(row.id) ?? (isGone ? 'gone' : null) }
    }),
    allowed: listed.value?.allowed ?? [],
    isRead: listed.value !== null,
    error,
    loadError: listed.error,
    reload: listed.reload,
    isBusy,
    decide,
    takeBack,
  }
}
