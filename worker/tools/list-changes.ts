/** `list_changes`: the recent changes, newest first. For views. @module */

import { ok } from '#core/result.ts'
import * as z from 'zod/mini'
import { path } from './lib/arguments.ts'
import { firstFitting } from './lib/first-fitting.ts'
import { shownChange, toShown } from './lib/shown-change.ts'
import { defineRead, readingFolder } from './lib/tool.ts'
import { MAX_ACTOR_LENGTH, MAX_LISTED_CHANGES } from './lib/limits.ts'

const time = z
  .optional(
    z.string().check(z.refine((text) => !Number.isNaN(Date.parse(text)), 'it is not a date')),
  )
  .check(z.describe('ISO 8601 date and time'))

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
      path: z
        .optional(path)
        .check(z.describe('Only changes of this file, or of anything in this folder')),
      actor: z
        .optional(z.string().check(z.maxLength(MAX_ACTOR_LENGTH)))
        .check(z.describe('Principal, session id or session name')),
      since: time,
      until: time,
      before: z
        .optional(z.int().check(z.minimum(1)))
        .check(z.describe('Only changes before this version')),
      applied: z._default(z.boolean(), false).check(z.describe('Only changes that do not wait')),
      limit: z.optional(z.int().check(z.minimum(1), z.maximum(MAX_LISTED_CHANGES))),
    }),
  output: () =>
    z.object({
      changes: z.array(shownChange),
      next: z.nullable(z.int()),
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
