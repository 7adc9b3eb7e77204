/**
 * What waits for the person, kept current by polling: the badge of the navigation, the title of the window, and
 * the page that the console opens on.
 *
 * It is polled while the window is visible, and in the background only where the person wants notifications. After
 * an error it is polled as rarely as in the background. `test/pages/console/waiting-failures.slow.test.ts` has the failures.
 *
 * @module
 */

import { computed, effect, signal } from '@preact/signals'
import { revision } from '../connect/connection.ts'
import { isSignedOut } from '../connect/http.ts'
import { suggestedUrl } from '../connect/target.ts'
import { basePath, workspace } from '../connect/workspace.ts'
import { linkTo } from '../shell/route.ts'
import { AnswerError } from '../ui/errors.ts'
import { onlyDraftOf } from './describe-waiting.ts'
import { sendAct } from '../owner/send-act.ts'
import type { DraftSummary, WaitingList } from '#core/owner/answers/drafts.ts'
import { CLIENT_INFO } from '../../mcp/client.ts'
import { notifiesPerson, notifyOf } from './notifications.ts'

const POLL_MS = 4_000
const RARE_POLL_MS = 60_000

/** What waits; null until it is known. */
export const waitingList = signal<WaitingList | null>(null)

/** Why it is not known; null if the last request succeeded. */
export const waitingError = signal<unknown>(null)

/** Number of changes, access requests and apps that wait. */
export const waitingCount = computed(() => waitingList.value?.waiting ?? 0)

/** Finds a draft that waits. */
export const findDraft = (id: string) => waitingList.value?.drafts.find((one) => one.id === id)

/**
 * The draft of callers without a session that call themselves what the console does: what it reads over MCP includes its
 * changes. Null if there is none.
 */
export const sharedDraft = computed(() => waitingList.value?.drafts.find(isOfConsole) ?? null)

const isOfConsole = ({ session, client }: DraftSummary) =>
  session === null && client === CLIENT_INFO.name

const round = signal(0)

/** Reads the list again at once. */
export const refreshWaiting = () => void round.value++

/** Takes a draft out of the list that the person has just decided, before the list is read again. */
export function dropDraft(id: string): void {
  const list = waitingList.peek()
  const gone = list?.drafts.find((draft) => draft.id === id)
  if (!list || !gone) return
  const drafts = list.drafts.filter((draft) => draft !== gone)
  waitingList.value = { ...list, drafts, waiting: list.waiting - gone.changes }
}

/** Keeps the list current from now on. Call it once. */
export function watchWaiting(): void {
  effect(() => {
    const base = workspace.value === null || isSignedOut.value ? null : basePath.value
    void revision.value
    void round.value
    return base === null ? forget() : poll(base)
  })
}

function forget(): void {
  waitingList.value = null
  waitingError.value = isSignedOut.peek() ? new AnswerError('Sign in first', 401) : null
}

/** Polls the list of a workspace; returns the function that stops it. */
function poll(base: string): () => void {
  const controller = new AbortController()
  const { signal } = controller
  let timer: ReturnType<typeof setTimeout> | undefined
  const next = async () => {
    clearTimeout(timer)
    const isVisible = document.visibilityState === 'visible'
    if (!isVisible && !notifiesPerson.peek()) return
    const isRead = await read(base, signal)
    // The window may have been shown or hidden meanwhile.
    if (!signal.aborted) timer = setTimeout(() => void next(), delay(isRead))
  }
  document.addEventListener('visibilitychange', () => void next(), { signal })
  void next()
  return () => {
    clearTimeout(timer)
    controller.abort()
  }
}

const delay = (isRead: boolean) =>
  isRead && document.visibilityState === 'visible' ? POLL_MS : RARE_POLL_MS

async function read(base: string, signal: AbortSignal): Promise<boolean> {
  try {
    const list = await sendAct(base, 'list_drafts', { signal })
    if (!signal.aborted) receive(list)
    return true
  } catch (error) {
    if (!signal.aborted) waitingError.value = error
    return false
  }
}

function receive(list: WaitingList): void {
  const before = waitingList.peek()
  waitingError.value = null
  // An equal list renders nothing again.
  if (JSON.stringify(before) !== JSON.stringify(list)) waitingList.value = list
  if (before === null) openFirst(list)
  else if (list.waiting > before.waiting) notifyOf(list)
}

let isOpened = false

/** Opens what waits, if the console has just been opened and the address names no page. */
function openFirst(list: WaitingList): void {
  if (isOpened) return
  isOpened = true
  if (list.drafts.length === 0 || suggestedUrl.peek() !== null || location.hash.length > 1) return
  const draft = onlyDraftOf(list)
  location.replace(linkTo(draft === null ? ['waiting'] : ['waiting', draft.id]))
}
