/** Comments of the owner, as the console sends them, and as agents read them. @module */

import { recordOf } from '#core/json.ts'
import { parsePath } from '#core/path.ts'
import { OWNER_MADE } from '#worker/access/session.ts'
import { createComments, type Writer } from '#worker/comments/comments.ts'
import type { NewThread } from '#worker/comments/table.ts'
import { COMMENTS_URI } from '#core/wire.ts'
import { openTables } from '#worker/store/open/opening.ts'
import type { freshWorkspace } from './client.ts'
import { listOf, read, show, type Workspace } from './held-draft.ts'
import { FROM_OWN_PAGE } from './requests.ts'

type Client = ReturnType<typeof freshWorkspace>

/** Sends an act on comments from a page of this origin. */
export async function sendAct(
  { fetch }: Pick<Client, 'fetch'>,
  path: string,
  body: object | null = {},
  method = 'POST',
) {
  const init = { method, headers: FROM_OWN_PAGE, ...(body && { body: JSON.stringify(body) }) }
  const answer = await fetch(path, init)
  const text = await answer.text()
  return { status: answer.status, ...recordOf(text === '' ? {} : JSON.parse(text)) }
}

/** Comments on lines of an applied file. Returns the id of the thread. */
export async function commentOn(
  workspace: Client,
  path: string,
  [first, last = first]: readonly [number, number?],
  text = 'Why?',
): Promise<string> {
  const made = await sendAct(workspace, '/comments', { text, on: { path, first, last } })
  return String(recordOf(made)['id'])
}

/** Comments on lines of the only draft, or on all of it. */
export async function commentOnDraft(
  workspace: Workspace,
  text: string,
  on?: Readonly<Record<string, unknown>>,
): Promise<string> {
  const { path } = await show(workspace)
  const draft = path.slice('/drafts/'.length)
  const made = await sendAct(workspace, '/comments', { text, draft, ...(on && { on }) })
  return String(recordOf(made)['id'])
}

/** Lists threads as the console has them. */
export async function threadsOf(workspace: Workspace, query = '') {
  return listOf(recordOf(await read(workspace, `/comments${query}`))['threads'])
}

/** The resource of comments, as a client reads it. */
export async function readComments({ send }: Pick<Client, 'send'>) {
  const { result } = await send('resources/read', { uri: COMMENTS_URI })
  const [content] = listOf(result?.['contents'])
  const { comments, left_out } = recordOf(JSON.parse(String(content?.['text'])))
  return { comments: listOf(comments), left: left_out }
}

/** The comments in `draft_status`. */
export async function statusComments({ call }: Pick<Client, 'call'>) {
  const { result } = await call('draft_status', {})
  return listOf(result?.structuredContent['comments'])
}

/** The owner, as the writer of a comment. */
export const OWNER: Writer = {
  by: { isAgent: false, principal: 'owner', email: null, session: null, label: null },
  budget: OWNER_MADE,
}

/** An agent, as the writer of a reply. */
export const agentOf = (budget: string, session = budget): Writer => ({
  by: { isAgent: true, principal: budget, email: null, session, label: session },
  budget,
})

/** Opens the comments of an object without files. */
export function openTestComments(storage: DurableObjectStorage) {
  openTables(storage)
  return createComments({
    ...{ sql: storage.sql, wakeAt: () => {}, commented: () => {} },
    store: { stat: () => null, blobText: () => Promise.resolve(null), history: () => [] },
  })
}

/** A thread on a line of a file, or in a draft on its file or as a whole. */
export const threadOn = (path: string | null, draft: string | null = null): NewThread => ({
  ...{ draft, reader: draft === null ? null : `owner of ${draft}`, isRequest: false },
  anchor:
    path === null
      ? null
      : {
          ...{ path: parsePath(path), side: 'after', blob: 1, lines: { first: 1, last: 1 } },
          ...{ quote: 'x', isCut: false },
        },
})
