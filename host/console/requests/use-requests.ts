/**
 * Holds the access requests as they are shown, and sends decisions.
 *
 * A request keeps its place after it was decided or has gone, and new ones wait until the person asks for them.
 *
 * @module
 */

import { useRef, useState } from 'preact/hooks'
import { revision } from '../connect/connection.ts'
import { getJsonWithList, readRefusal } from '../connect/http.ts'
import { fetchWithPasskey } from '../passkeys/fetch-with-passkey.ts'
import { CONSOLE_HEADER } from '../../mcp/address.ts'
import { refreshWaiting, waitingList } from '../drafts/waiting-list.ts'
import { focusBeside } from '../ui/focus-beside.ts'
import { useHeld } from '../ui/held.ts'
import { useLoad } from '../ui/load.ts'
import {
  parseRequests,
  type AccessRequestRow,
  type AllowedFor,
  type NewRoot,
  type RequestLists,
} from './parse.ts'

/** What the owner decides on a request: its body names how it is sent. */
export type Verdict =
  | { readonly for: 'call' | 'session' }
  | { readonly for: 'rules'; readonly roots: readonly NewRoot[] }
  | { readonly note: string }

/** A request with what became of it: decided here, gone, or null while it waits. */
export interface ShownRequest {
  readonly row: AccessRequestRow
  readonly outcome: AllowedFor | 'refused' | 'gone' | null
}

const NOTHING: RequestLists = { waiting: [], allowed: [] }

/** Loads the requests of a workspace, again whenever their number changes. */
export function useRequests(base: string) {
  const [error, setError] = useState<unknown>(null)
  const [isBusy, setBusy] = useState(false)
  const outcomes = useRef(new Map<string, ShownRequest['outcome']>())
  const listed = useLoad(
    async (signal) => parseRequests(await getJsonWithList(`${base}/requests`, 'requests', signal)),
    [base, revision.value, waitingList.value?.requests],
  )
  const shown = useHeld(listed.value?.waiting ?? null, ({ id }) => id)
  const send = async (path: string, init: RequestInit, done: () => void) => {
    if (isBusy) return
    setBusy(true)
    setError(null)
    try {
      await sendOwn(`${base}${path}`, init)
      done()
    } catch (failure) {
      setError(failure)
    }
    setBusy(false)
    listed.reload()
    refreshWaiting()
  }
  const decide = (id: string, verdict: Verdict) => {
    const what = 'for' in verdict ? 'allow' : 'refuse'
    const init = { method: 'POST', body: JSON.stringify(verdict) }
    return send(`/requests/${encodeURIComponent(id)}/${what}`, init, () =>
      outcomes.current.set(id, 'for' in verdict ? verdict.for : 'refused'),
    )
  }
  const takeBack = (id: string) =>
    send(`/requests/${encodeURIComponent(id)}`, { method: 'DELETE' }, () =>
      focusBeside(`[data-allowed="${CSS.escape(id)}"]`, '[data-allowed]'),
    )
  return {
    requests: shown.map(({ row, isGone }): ShownRequest => {
      return { row, outcome: outcomes.current.get(row.id) ?? (isGone ? 'gone' : null) }
    }),
    allowed: (listed.value ?? NOTHING).allowed,
    isRead: listed.value !== null,
    ...{ error, loadError: listed.error, reload: listed.reload, isBusy, decide, takeBack },
  }
}

async function sendOwn(url: string, init: RequestInit): Promise<void> {
  const headers = { 'content-type': 'application/json', ...CONSOLE_HEADER }
  const answer = await fetchWithPasskey(url, { ...init, headers })
  if (!answer.ok) throw await readRefusal(answer)
}
