/** `draft_status`: what waits for approval, and what was decided. @module */

import * as z from 'zod/mini'
import { ok } from '#core/result.ts'
import { DRAFT_URI } from '#core/wire.ts'
import type { DraftStatus } from '../access/draft-view.ts'
import { MAX_LISTED_CONFLICTS, MAX_WAIT_SECONDS } from '../drafts/limits.ts'
import type { Decision, Conflict } from '../access/draft.ts'
import {
  describeDecision,
  describeStatus,
  describeWaiting,
  quoteReason,
} from './lib/draft-status.ts'
import type { AccessRequest } from '../access/access-request.ts'
import { describeRequest } from './lib/request-status.ts'
import { firstFitting } from './lib/first-fitting.ts'
import { describeThread, toShownThread } from './lib/shown-comment.ts'
import { defineRead, type ToolContext } from './lib/tool.ts'
import { MAX_NEWS_BYTES } from '../limits.ts'
import { MAX_LISTED_BYTES } from './lib/limits.ts'

const amended = () =>
  z
    .optional(
      z.array(
        z.object({
          path: z.string(),
          diff: z.optional(z.string()),
          cut: z.optional(z.literal(true)),
        }),
      ),
    )
    .check(z.describe('Files that the user amended: from what you proposed to what was approved'))

/** Reports the caller's draft. It can wait for the next decision. */
export const draftStatus = defineRead({
  name: 'draft_status',
  title: 'Draft status',
  description:
    'Report which of your changes wait for approval, and what was decided. With wait_seconds, wait for a decision.',
  intent: 'Check which changes wait for approval',
  approval: 'none',
  idempotent: true,
  cancellable: true,
  input: () =>
    z.strictObject({
      wait_seconds: z.optional(z.number().check(z.minimum(0), z.maximum(MAX_WAIT_SECONDS))),
    }),
  output: () =>
    z.object({
      draft: z.nullable(
        z.object({
          id: z.string(),
          state: z.string(),
          changes: z.int(),
          url: z.optional(z.string()),
          reason: z
            .optional(z.string())
            .check(z.describe('The reason that you gave with respond_to_review')),
        }),
      ),
      conflicts: z
        .optional(
          z.array(
            z.object({ id: z.string(), intent: z.string(), code: z.string(), message: z.string() }),
          ),
        )
        .check(z.describe('Changes that no longer fit the files and cannot be approved')),
      decisions: z.array(
        z.object({
          draft: z.string(),
          outcome: z.string(),
          note: z.string(),
          changes: z.int(),
          paths: z.array(z.string()),
          at: z.string(),
          amended: amended(),
        }),
      ),
      comments: z
        .optional(z.array(shownThread()))
        .check(z.describe('Comments of the user on the draft that are not resolved')),
      comments_left_out: z.optional(z.int()),
      requests: z.array(
        z.object({
          id: z.string(),
          tool: z.string(),
          intent: z.string(),
          scopes: z.array(z.string()),
          state: z.string(),
          allowed_for: z
            .optional(z.string())
            .check(z.describe('Set if it was allowed: call, session or rules')),
          note: z.string(),
        }),
      ),
    }),
  touches: () => [],

  async read({ wait_seconds = 0 }, _places, { draft, comments, signal, base }) {
    if (wait_seconds > 0 && isWaiting(draft.status()))
      await draft.nextDecision(wait_seconds * 1000, signal)
    const all = draft.status()
    const { open, reason } = all
    const decisions = firstFitting(all.decisions.map(shortDecision), describeDecision, MAX_PART)
    const requests = firstFitting(all.requests.map(shortRequest), describeRequest, MAX_PART)
    const status = { open, reason, decisions, requests }
    const failed = (await draft.conflicts())
      .slice(0, MAX_LISTED_CONFLICTS)
      .map(({ id, intent, code, message }) => ({ id, intent, code, message }))
    const conflicts = firstFitting(failed, describeConflict, MAX_PART)
    const commented = await listComments(comments)
    const isCut =
      decisions.length < all.decisions.length ||
      decisions.some(
        ({ amended }, at) => amended && amended.length < (all.decisions[at]?.amended?.length ?? 0),
      ) ||
      requests.length < all.requests.length ||
      requests.some(({ scopes }, at) => scopes.length < (all.requests[at]?.scopes.length ?? 0))
    const waiting = open
      ? `${describeWaiting(open)}.${quoteReason(reason)}`
      : 'No change waits for approval.'
    const lines = [
      waiting,
      ...commented.lines,
      ...conflicts.map(describeConflict),
      ...decisions.map(describeDecision),
      ...all.requests.slice(0, requests.length).map(describeRequest),
      ...(isCut ? [`(the resource ${DRAFT_URI} has all of them)`] : []),
    ]
    const structured = {
      ...describeStatus(status, base),
      ...commented.structured,
      ...(conflicts.length > 0 && { conflicts }),
    }
    return ok({ text: lines.join('\n'), structured })
  },
})

/** Bytes of conflicts, of comments, of decisions and of requests: the news is in the same result. */
const MAX_PART = (MAX_LISTED_BYTES - MAX_NEWS_BYTES) / 4

/** The comments that fit, the newest first, with how many were left out. */
async function listComments(comments: ToolContext['comments']) {
  const { threads, left } = await comments.ofDraft()
  const all = threads.map((thread) => toShownThread(thread))
  const shown = firstFitting(all, describeThread, MAX_PART)
  const more = left + all.length - shown.length
  const note = `(${more} more ${more === 1 ? 'comment' : 'comments'}; resolved ones are not listed)`
  return {
    lines: [...shown.map(describeThread), ...(more > 0 ? [note] : [])],
    structured: {
      ...(shown.length > 0 && { comments: shown }),
      ...(more > 0 && { comments_left_out: more }),
    },
  }
}

const shownThread = () =>
  z.object({
    id: z.string(),
    text: z.string(),
    at: z.string(),
    path: z.optional(z.string()),
    first_line: z.optional(z.int()),
    last_line: z.optional(z.int()),
    outdated: z.optional(z.boolean()),
    quote: z.optional(z.string()),
    replies: z.optional(z.array(z.object({ by: z.string(), text: z.string() }))),
  })

/** A list of paths or scopes that leaves room for other items; the resource of the draft has all of them. */
const firstNames = <T extends string>(names: readonly T[]) =>
  firstFitting(names, (name) => name, MAX_PART / 2)

const shortDecision = (one: Decision): Decision => ({
  ...one,
  ids: [],
  paths: firstNames(one.paths),
  ...(one.amended && {
    amended: firstFitting(one.amended, ({ path, diff }) => path + diff, MAX_PART / 4),
  }),
})

const shortRequest = (one: AccessRequest): AccessRequest => ({
  ...one,
  paths: [],
  scopes: firstNames(one.scopes),
})

const describeConflict = ({ intent, code, message }: Omit<Conflict, 'paths'>) =>
  `No longer fits and cannot be approved: ${intent}. ${message} [${code}]`

const isWaiting = ({ open, requests }: DraftStatus) =>
  open !== null || requests.some(({ state }) => state === 'waiting')
