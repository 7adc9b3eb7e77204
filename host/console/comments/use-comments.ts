/**
 * The threads of a draft or of an applied file, as the page has them, and what the owner does with them.
 * `test/host/console/comments.test.tsx` has the cases.
 *
 * @module
 */

import type { CommentThread } from '#core/owner/answers/comments.ts'
import { basePath } from '../connect/workspace.ts'
import { sendAct } from '../owner/send-act.ts'
import { describeError } from '../ui/errors.ts'
import { useLoad } from '../ui/load.ts'
import { showToast } from '../ui/toasts.tsx'

/** The lines of a new thread. */
export interface ChosenLines {
  readonly path: string
  readonly side: 'before' | 'after'
  readonly first: number
  readonly last: number
  /** Names the states that are shown. */
  readonly digest?: string | undefined
}

/** The comments on a page. */
export type Comments = ReturnType<typeof useComments>

/**
 * Loads the threads of a draft, or without one all that are open; again after each act, and where another state is shown.
 *
 * @param shown Names the state that is shown: the lines of threads are those of the state at that time, and a thread that
 *   moves would take a reply with it that is being typed.
 */
export function useComments(draft: string | null, shown: unknown) {
  const of = draft === null ? {} : { draft }
  const base = basePath.value
  const { value, error, reload } = useLoad(
    (signal) => sendAct(base, 'list_comments', { query: of, signal }),
    [base, draft, shown],
  )
  /** Sends an act. Resolves to whether the server has carried it out. */
  const act = async (send: () => Promise<unknown>): Promise<boolean> => {
    try {
      await send()
      reload()
      return true
    } catch (failure) {
      showToast(describeError(failure).message, { tone: 'danger' })
      return false
    }
  }
  const on = ({ id }: CommentThread) => ({ segments: { comment: id }, body: {} })
  return {
    threads: value?.threads ?? NONE,
    left: value?.left ?? 0,
    error,
    reload,
    add: (text: string, on?: ChosenLines) =>
      act(() => sendAct(base, 'add_comment', { body: { text, ...of, ...(on && { on }) } })),
    requestChanges: (text: string) =>
      act(() =>
        sendAct(base, 'request_changes', { segments: { draft: draft ?? '' }, body: { text } }),
      ),
    reply: ({ id }: CommentThread, text: string) =>
      act(() => sendAct(base, 'reply_to_comment', { segments: { comment: id }, body: { text } })),
    resolve: (thread: CommentThread) => act(() => sendAct(base, 'resolve_comment', on(thread))),
    reopen: (thread: CommentThread) => act(() => sendAct(base, 'reopen_comment', on(thread))),
    remove: (comment: string) =>
      act(() => sendAct(base, 'delete_comment', { segments: { comment } })),
  }
}

const NONE: readonly CommentThread[] = []
