/** Helpers of tests that propose changes through tools and decide on them as the owner. @module */

import { hash } from 'node:crypto'
import { editsBetween } from '#core/diff/line-edits.ts'
import type { Outcome } from '#worker/tools/lib/tool-result.ts'
import type { Amendment } from '#worker/drafts/amend.ts'
import type { Draft } from '#worker/access/draft.ts'
import type { ProposedChange } from '#worker/drafts/review.ts'
import { digestOfUnits } from '#worker/drafts/units.ts'
import { TOOLS } from '#worker/tools/index.ts'
import type { TestContext } from './tool-context.ts'

/** The configuration under which every change waits. */
export const REVIEW = { approval: 'review' }

/** Calls a tool. A JSON-RPC error is thrown; a tool error is in the outcome. */
export async function outcomeOf(
  context: TestContext,
  name: string,
  args: unknown,
  meta?: Record<string, unknown>,
): Promise<Outcome> {
  const reply = await context.call(name, args, meta)
  if (reply.refused) throw new Error(reply.refused.message)
  return reply.outcome
}

/** The draft of the caller, which must be the only one. */
export function onlyDraft({ drafts }: Pick<TestContext, 'drafts'>): Draft {
  const [draft, ...others] = drafts.all()
  if (!draft || others.length > 0) throw new Error('Expected one draft')
  return draft
}

/** What the owner sees of the only draft. */
export const shown = (context: Pick<TestContext, 'drafts' | 'store'>) =>
  context.drafts.review(onlyDraft(context), async ({ changes, files, revision }) => ({
    changes,
    files: await files(),
    revision,
  }))

/** What the owner chooses of a draft; everything without both. */
export interface Choice {
  readonly changes?: readonly string[]
  readonly groups?: readonly number[]
  /** What the owner makes of proposed texts. */
  readonly amended?: readonly Amendment[]
}

/** The digest of whole groups, as a page that shows these changes names it: in the order of their first changes. */
export function digestOfGroups(
  changes: readonly ProposedChange[],
  groups: readonly number[],
): string {
  const shown = changes.filter(({ group, digest }) => digest && groups.includes(group))
  return digestOfUnits(
    shown.toSorted((a, b) => a.group - b.group).map(({ digest = '' }) => ({ digest })),
  )
}

/** The digest of a choice as the page has it: of whole groups, or of the changes up to the last chosen one. */
export async function digestOfChoice(
  { drafts }: Pick<TestContext, 'drafts'>,
  draft: Draft,
  { changes, groups }: Choice,
): Promise<string | undefined> {
  if (groups) return drafts.review(draft, (review) => digestOfGroups(review.changes, groups))
  const last = changes?.at(-1)
  if (last === undefined) return undefined
  return (await drafts.reviewChange(draft, last, ({ digest }) => digest)) ?? ''
}

/** Approves what the only draft shows now, or a part of it. */
export async function approveAll(
  context: Pick<TestContext, 'drafts' | 'store'>,
  choice: Choice = {},
) {
  const draft = onlyDraft(context)
  const { revision, files } = await shown(context)
  const digest = await digestOfChoice(context, draft, choice)
  const unseen = files.flatMap((file) => (file.unseen ? [file.path] : []))
  const request = { revision, digest, unseen, note: '', by: 'owner', ...choice }
  return context.drafts.approve(draft.name, request)
}

/** Turns down what the only draft shows now, or a part of it. */
export async function turnDownAll(
  context: Pick<TestContext, 'drafts' | 'store'>,
  choice: Choice = {},
) {
  const { name } = onlyDraft(context)
  const { revision } = await shown(context)
  return context.drafts.turnDown(name, { revision, note: '', by: 'owner', ...choice })
}

/** The tool `edit_file` alone, with a count of its plans. `before` gets the number of those before. */
export function watchEdits(before: (plans: number) => Promise<void> = async () => {}) {
  const edit = TOOLS.get('edit_file')
  if (edit?.kind !== 'change') throw new Error('Expected a tool that changes files')
  let planned = 0
  const plan: typeof edit.plan = async (...args) => {
    await before(planned++)
    return edit.plan(...args)
  }
  return { tools: new Map([['edit_file', { ...edit, plan }]]), count: () => planned }
}

/** The amendment that makes `text` of a proposed text. */
export const amendTo = (path: string, proposed: string, text: string): Amendment => ({
  path,
  edits: editsBetween(proposed, text),
  hash: hash('sha256', text, 'hex'),
})
