/** `list_changes`: the recent changes, newest first. For views. @module */

import { ok } from '#core/result.ts'
import * as z from 'zod'
import { path } from './lib/arguments.ts'
import { firstFitting } from './lib/first-fitting.ts'
import { shownChange, toShown } from './lib/shown-change.ts'
import { defineRead, readingFolder } from './lib/tool.ts'
import { MAX_ACTOR_LENGTH, MAX_LISTED_CHANGES } from './lib/limits.ts'

const time = z
  .string()
  .refine((text) => !Number.isNaN(Date.parse(text)), 'it is not a date')
  .optional()
  .describe('ISO 8601 date and time')

/** Lists the changes that the caller may see, by path, actor and time. */
export const listChanges = defineRead({
  name: 'list_changes',
  title: 'List changes',
  description: 'List the changes of the workspace, newest first.',
  intent: 'List changes [of {path}] [by {actor}]',
  approval: 'none',
  appOnly: true,
  input: () =>
    z.strictObject({
      path: path.optional().describe('Only changes of this file, or of anything in this folder'),
      actor: z
        .string()
        .max(MAX_ACTOR_LENGTH)
        .optional()
        .describe('Principal, session id or session name'),
      since: time,
      until: time,
      before: z.int().min(1).optional().describe('Only changes before this version'),
      applied: z.boolean().default(false).describe('Only changes that do not wait'),
      limit: z.int().min(1).max(MAX_LISTED_CHANGES).optional(),
    }),
  output: () =>
    z.object({
      changes: z.array(shownChange),
      next: z.int().nullable(),
    }),

  touches: (input) => [readingFolder(input.path ?? '.')],

  async read(query, [place], { store, draft }) {
    const { before, actor, since, until, applied } = query
    const found = store.listChanges({
      limit: query.limit ?? DEFAULT_PAGE,
      before,
      actor,
      applied,
      since: since === undefined ? undefined : Date.parse(since),
      until: until === undefined ? undefined : Date.parse(until),
      path: query.path === undefined ? undefined : place,
    })
    const all = found.changes.map((record) => toShown(record, draft))
    const changes = query.limit === undefined ? firstFitting(all, writeLine) : all
    const next = changes.length < all.length ? (changes.at(-1)?.version ?? null) : found.next
    const text = changes.map(writeLine).join('\n')
    return ok({ text: text || 'No changes', structured: { changes, next } })
  },
})

/** Changes of a page, if its caller does not say how many it wants. */
const DEFAULT_PAGE = 50

const writeLine = ({ at, actor, intent }: z.infer<typeof shownChange>) =>
  `${at}  ${actor}: ${intent}`
