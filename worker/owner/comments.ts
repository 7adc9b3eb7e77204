/**
 * `/comments`: what the owner writes on lines of files and on drafts, and what agents replied. Only pages of this origin
 * write. `test/worker/comments/comments.test.ts` has the cases.
 *
 * @module
 */

import { describeActor } from '#core/actor.ts'
import { quoteName, quoteValue } from '#core/quote.ts'
import { resolvePath } from '#core/path.ts'
import { ok, type Result } from '#core/result.ts'
import * as z from 'zod/mini'
import type {
  Comment,
  CommentAnchor,
  CommentAuthor,
  FollowedThread,
  ThreadHead,
} from '../access/comment.ts'
import { fileOf } from '../changes/describe.ts'
import { MAX_COMMENT_LENGTH, MAX_LISTED_THREADS } from '../comments/limits.ts'
import type { Problem } from '../errors/problem.ts'
import { problem, refuse } from '../errors/respond.ts'
import { OWNER_MADE } from '../access/session.ts'
import type { NewThread } from '../comments/table.ts'
import {
  defineOwnerAct,
  defineOwnerActWith,
  type Asked,
  type OwnerAct,
  type OwnerServices,
} from './act.ts'
import { Lines, threadOn, threadOnLines } from './comment-lines.ts'
import * as fields from './fields.ts'

const commentText = z.string().check(z.trim(), z.minLength(1), z.maxLength(MAX_COMMENT_LENGTH))

/** A new thread: on lines of a file, or on a draft as a whole. */
const NewComment = z.strictObject({
  text: commentText,
  draft: z.optional(fields.id),
  on: z.optional(Lines),
})

type NewComment = z.infer<typeof NewComment>

const Text = z.strictObject({ text: commentText })

/** The owner's comments. */
export const COMMENT_ACTS: readonly OwnerAct[] = [
  defineOwnerAct('list_comments', list),
  defineOwnerActWith('add_comment', { input: NewComment, run: add }),
  defineOwnerActWith('request_changes', {
    input: Text,
    run(asked, services) {
      const name = asked.segment('draft')
      const draft = services.drafts.named(name)
      if (!draft) return problem({ reason: 'no_draft', draft: name })
      return begin(asked, services, ok(threadOn(draft, null, true)))
    },
  }),
  defineOwnerActWith('reply_to_comment', { input: Text, run: reply }),
  defineOwnerAct('resolve_comment', (asked, services) => setResolved(asked, services, true)),
  defineOwnerAct('reopen_comment', (asked, services) => setResolved(asked, services, false)),
  defineOwnerAct('delete_comment', remove),
]

/** `draft` or `path` lists all threads of one; without both, all that are open. */
async function list(
  { query, answer }: Asked<'list_comments'>,
  services: OwnerServices,
): Promise<Response> {
  const { comments } = services
  const [draft, text] = [query.get('draft'), query.get('path')]
  const path = text === null ? null : resolvePath(text)
  if (path && !path.ok) return problem({ reason: 'bad_path', text: text ?? '', detail: path.error })
  const all =
    draft !== null ? comments.ofDraft(draft) : path ? comments.ofPath(path.value) : comments.open()
  const offset = Math.max(0, Number.parseInt(query.get('offset') ?? '0', 10) || 0)
  const page = all.slice(offset, offset + MAX_LISTED_THREADS)
  const threads = await follow(page, draft, services)
  return answer({ threads, left: Math.max(0, all.length - offset - page.length) })
}

/** Reads threads with the lines that they are about now; those of one draft, in the states that its review shows. */
async function follow(
  heads: readonly ThreadHead[],
  name: string | null,
  services: OwnerServices,
): Promise<ReturnType<typeof shownThread>[]> {
  const { comments, drafts, openWhole } = services
  const { store } = openWhole()
  const inWorkspace = ({ path }: Pick<CommentAnchor, 'path'>) => fileOf(store.stat(path))
  const draft = name === null ? null : drafts.named(name)
  const followed =
    draft && heads.length > 0
      ? await drafts.review(draft, ({ file }) =>
          comments.follow(heads, ({ path, side }) => file(path, side)),
        )
      : await comments.follow(heads, inWorkspace)
  return followed.map((thread) => shownThread(thread, services))
}

function shownThread(thread: FollowedThread, services: OwnerServices) {
  const { id, draft, anchor, lines, isRequest, resolved, closed, comments } = thread
  return {
    ...{ id, draft, path: anchor?.path ?? null, side: anchor?.side ?? ('after' as const) },
    ...{ first: lines?.first ?? null, last: lines?.last ?? null, quote: anchor?.quote ?? '' },
    ...{ request: isRequest, resolved, closed },
    comments: comments.map((comment) => shownComment(comment, services)),
  }
}

function shownComment({ id, text, by, at }: Comment, { sessions }: OwnerServices) {
  const client = by.session === null ? undefined : sessions.namesOf(by.session)?.client
  const actor = describeActor({ ...by, client })
  return { id, text, agent: by.isAgent, actor, email: by.email, at }
}

/** Answers with a thread as it is now. */
async function answerThread(
  { answer }: Pick<Asked<'add_comment'>, 'answer'>,
  services: OwnerServices,
  id: string,
): Promise<Response> {
  const head = services.comments.threadOf(id)
  const [thread] = head ? await follow([head], head.draft, services) : []
  return thread ? answer(thread) : problem({ reason: 'no_comment', comment: id })
}

async function add(
  asked: Asked<'add_comment', NewComment>,
  services: OwnerServices,
): Promise<Response> {
  const { draft: name, on } = asked.input
  const draft = name === undefined ? null : services.drafts.named(name)
  if (name !== undefined && !draft) return problem({ reason: 'no_draft', draft: name })
  if (on) return begin(asked, services, await threadOnLines(on, draft, services))
  if (!draft) return refuse(400, 'MISSING_PLACE', MISSING)
  return begin(asked, services, ok(threadOn(draft, null, false)))
}

const MISSING =
  'Cannot comment: `on` and `draft` are missing. Name the lines of a file, or a draft.'

type Writes = Asked<'add_comment', { readonly text: string }>

async function begin(
  asked: Pick<Writes, 'input' | 'decider' | 'note' | 'answer'>,
  services: OwnerServices,
  thread: Result<NewThread, Problem>,
): Promise<Response> {
  if (!thread.ok) return problem(thread.error)
  const { input, note } = asked
  // Its lines were read meanwhile.
  const { draft, anchor, isRequest } = thread.value
  if (draft !== null && !services.drafts.named(draft)) return problem({ reason: 'no_draft', draft })
  const begun = services.comments.begin(thread.value, input.text, writerOf(asked))
  if (!begun.ok) return problem(begun.error)
  const where = anchor ? quoteValue(anchor.path) : `draft ${draft}`
  const what = isRequest ? 'Request changes to' : 'Comment on'
  const tool = isRequest ? 'request_changes' : 'add_comment'
  note({ tool, intent: `${what} ${where}: ${quoteName(input.text)}`, ...about(anchor, input) })
  return answerThread(asked, services, begun.value)
}

/** What the audit log has of an act on a thread. */
const about = (anchor: CommentAnchor | null, request: unknown) => ({
  request,
  paths: anchor ? [anchor.path] : [],
})

function writerOf({ decider: { actor } }: Pick<Writes, 'decider'>) {
  const { principal, email = null } = actor
  const by: CommentAuthor = { isAgent: false, principal, email, session: null, label: null }
  return { by, budget: OWNER_MADE }
}

async function reply(
  asked: Asked<'reply_to_comment', z.infer<typeof Text>>,
  services: OwnerServices,
): Promise<Response> {
  const { input, segment, note } = asked
  const comment = segment('comment')
  const thread = services.comments.threadOf(comment)
  if (!thread) return problem({ reason: 'no_comment', comment })
  const replied = services.comments.reply(thread, input.text, writerOf(asked))
  if (!replied.ok) return problem(replied.error)
  const intent = `Reply to a comment: ${quoteName(input.text)}`
  note({ tool: 'reply_to_comment', intent, ...about(thread.anchor, input) })
  return answerThread(asked, services, thread.id)
}

function setResolved(
  { segment, note, answer }: Asked<'resolve_comment' | 'reopen_comment'>,
  { comments }: OwnerServices,
  isResolved: boolean,
): Response {
  const comment = segment('comment')
  const thread = comments.threadOf(comment)
  if (!thread) return problem({ reason: 'no_comment', comment })
  comments.setResolved(thread, isResolved)
  const tool = isResolved ? 'resolve_comment' : 'reopen_comment'
  note({
    tool,
    intent: isResolved ? 'Resolve a comment' : 'Reopen a comment',
    ...about(thread.anchor, comment),
  })
  return answer(null)
}

/** Deletes a comment of the owner; with the first one of a thread, its replies. */
function remove(
  { segment, note, answer }: Asked<'delete_comment'>,
  { comments }: OwnerServices,
): Response {
  const comment = segment('comment')
  const head = comments.threadOf(comment)
  const own = head && comments.withComments(head).comments.find(({ id }) => id === comment)
  if (!head || !own || own.by.isAgent) return problem({ reason: 'no_comment', comment })
  comments.remove(head, comment)
  note({ tool: 'delete_comment', intent: 'Delete a comment', ...about(head.anchor, comment) })
  return answer(null)
}
