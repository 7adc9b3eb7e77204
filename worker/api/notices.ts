/**
 * `/notices`: applied changes of which the owner is notified, until they were seen.
 * `test/worker/drafts/notified.test.ts` has the cases.
 *
 * @module
 */

import * as z from 'zod'
import { NO_DRAFT } from '../access/draft-view.ts'
import type { Drafts } from '../drafts/drafts.ts'
import { NOTIFIED_PAGE } from '../drafts/notified.ts'
import { codeOf, sentence } from '../errors/problem.ts'
import { readArguments } from '../tools/lib/arguments.ts'
import { toShown } from '../tools/lib/shown-change.ts'
import { refuse } from './files.ts'
import { notAllowed, readSentJson } from './json.ts'

const Seen = z.strictObject({
  versions: z.array(z.int().min(0)).max(NOTIFIED_PAGE),
  dropped: z.int().min(0).default(0),
})

/** Serves `/notices`: GET lists them, POST removes those that were shown. */
export async function serveNotices(
  request: Request,
  { drafts }: { readonly drafts: Pick<Drafts, 'unseen' | 'seen'> },
): Promise<Response> {
  const { method } = request
  if (method !== 'GET' && method !== 'HEAD' && method !== 'POST')
    return notAllowed('GET, HEAD, POST')
  if (method === 'POST') {
    const body = await readSentJson(request)
    if (!body.ok) return body.error
    const read = readArguments(Seen, body.value)
    if (!read.ok) return refuse(400, codeOf(read.error), sentence(read.error))
    drafts.seen(read.value)
  }
  const { changes, ...counts } = drafts.unseen()
  return Response.json({
    ...counts,
    changes: changes.map((record) => toShown(record, NO_DRAFT)),
  })
}
