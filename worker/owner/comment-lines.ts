/**
 * The lines that the owner comments on: in an applied file, or in the states that the review of a draft shows. What is
 * quoted is read here and never sent by the page. `test/worker/comments/comments.test.ts` has the cases.
 *
 * @module
 */

import { quoteLines } from '#core/diff/follow-lines.ts'
import { resolvePath, type StorePath } from '#core/path.ts'
import { err, ok, type Result } from '#core/result.ts'
import * as z from 'zod/mini'
import type { CommentAnchor } from '../access/comment.ts'
import type { Draft } from '../access/draft.ts'
import type { FileView } from '../access/file-view.ts'
import { fileOf } from '../changes/describe.ts'
import { MAX_FOLLOWED_BYTES, MAX_QUOTE_LENGTH } from '../comments/limits.ts'
import type { NewThread } from '../comments/table.ts'
import type { Problem } from '../errors/problem.ts'
import type { FileEntry } from '../store/store.ts'
import { documentOf } from '../changes/shown-diff.ts'
import { comparedText } from '../texts/text.ts'
import type { OwnerServices } from './act.ts'
import * as fields from './fields.ts'

const line = z.int().check(z.minimum(1))

/** The lines of a comment. */
export const Lines = z.strictObject({
  path: fields.text,
  side: z._default(z.enum(['before', 'after']), 'after'),
  first: line,
  last: line,
  /** Names the states of the path in the draft that were shown. */
  digest: z.optional(fields.id),
  /** Names that of an applied file. */
  version: z.optional(z.int()),
})

type On = z.infer<typeof Lines>

/** Builds a thread on lines, or on a draft as a whole. */
export const threadOn = (
  draft: Draft | null,
  anchor: CommentAnchor | null,
  isRequest: boolean,
): NewThread => ({
  ...{ draft: draft?.name ?? null, reader: draft?.owner.key ?? null, anchor, isRequest },
})

/** Builds a thread on lines as they are now, if they are those that were shown. */
export async function threadOnLines(
  on: On,
  draft: Draft | null,
  services: OwnerServices,
): Promise<Result<NewThread, Problem>> {
  const path = resolvePath(on.path)
  if (!path.ok) return err({ reason: 'bad_path', text: on.path, detail: path.error })
  const anchor = draft
    ? await services.drafts.review(draft, ({ file, digestAt }) =>
        on.digest === undefined || on.digest === digestAt(path.value)
          ? anchorOf(path.value, on, file(path.value, on.side), services)
          : err<Problem>({ reason: 'draft_changed', draft: draft.name }),
      )
    : await anchorInWorkspace(path.value, on, services)
  return anchor.ok ? ok(threadOn(draft, anchor.value, false)) : anchor
}

async function anchorInWorkspace(
  path: StorePath,
  on: On,
  services: OwnerServices,
): Promise<Result<CommentAnchor, Problem>> {
  const file = fileOf(services.openWhole().store.stat(path))
  if (file && on.version !== undefined && on.version !== file.version)
    return err({ reason: 'changed_meanwhile', path })
  return anchorOf(path, { ...on, side: 'after' }, file, services)
}

async function anchorOf(
  path: StorePath,
  { side, first, last }: On,
  file: FileEntry | null,
  { openWhole }: OwnerServices,
): Promise<Result<CommentAnchor, Problem>> {
  if (!file) return err({ reason: 'not_found', path })
  const { size, mime, blob } = file
  const text = await readCommented(file, openWhole().store)
  if (text === null)
    return size > MAX_FOLLOWED_BYTES
      ? err({ reason: 'too_large', path, size, limit: MAX_FOLLOWED_BYTES })
      : err({ reason: 'is_binary', path, mime, size })
  const lines = { first, last }
  // As readers see the text.
  const quote = quoteLines(text.replace(/^\ufeff/, ''), lines)
  if (quote === null) return err({ reason: 'no_lines', path, first, last })
  const isCut = quote.length > MAX_QUOTE_LENGTH
  return ok({ path, side, blob, lines, quote: cutQuote(quote), isCut })
}

/** The limit is that of a text: the size of a document says nothing of its text. */
async function readCommented(
  file: FileEntry,
  store: Pick<FileView, 'bytes' | 'documentText'>,
): Promise<string | null> {
  const text = file.size > MAX_FOLLOWED_BYTES ? null : comparedText(await store.bytes(file))
  const found = text ?? documentOf(await store.documentText(file))
  return found && found.text.length <= MAX_FOLLOWED_BYTES ? found.text : null
}

const cutQuote = (quote: string) => quote.slice(0, MAX_QUOTE_LENGTH).toWellFormed()
