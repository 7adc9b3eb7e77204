/**
 * Fields in the bodies of the owner's acts, each with a budget, so that no act stores or compares more than a page
 * needs. `test/worker/owner/serve.test.ts` has their edges.
 *
 * @module
 */

import * as z from 'zod/mini'
import { MAX_NOTE_LENGTH } from '../drafts/limits.ts'

/** Maximum number of characters of an id, a digest or a revision. */
const MAX_ID_LENGTH = 100

/** Maximum number of characters of a path, a scope or a sentence. */
const MAX_TEXT_LENGTH = 2_000

/** An id, a digest or a revision. */
export const id = z.string().check(z.maxLength(MAX_ID_LENGTH))

/** A path, a scope or a sentence. */
export const text = z.string().check(z.maxLength(MAX_TEXT_LENGTH))

/** What the owner writes to the agent. */
export const note = z._default(z.string().check(z.maxLength(MAX_NOTE_LENGTH)), '')

/** A list with at most `most` items. */
export const listOf = <T extends z.ZodMiniType>(item: T, most: number) =>
  z.array(item).check(z.maxLength(most))
