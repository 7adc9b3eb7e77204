/**
 * The summary of a workspace for the notifier: how much waits for the owner now, from whom, and the page that shows it.
 * `test/worker/decisions/summary.test.ts` has the cases.
 *
 * @module
 */

import { claimedNameOf } from '../access/draft-owner.ts'
import type { Draft, DraftOwner } from '../access/draft.ts'
import { readSetting } from '../database/schema.ts'
import { MAX_NAMES, type Summary } from '../notifier/summary.ts'
import { ownerUrl } from '../waiting-url.ts'

/** What the summary is read from. */
export interface SummaryParts {
  readonly sql: SqlStorage
  /** The name of the workspace. */
  readonly name: string
  readonly inbox: {
    readonly count: () => Promise<{
      readonly waiting: number
      readonly requests: number
      readonly apps: number
      readonly skills: number
    }>
  }
  readonly drafts: { readonly all: () => readonly Draft[]; readonly countUnseen: () => number }
  readonly requests: { readonly waiting: () => readonly { readonly owner: DraftOwner }[] }
}

/** Sums up a workspace. `isNews` says that something began to wait. */
export async function summarize(parts: SummaryParts, isNews: boolean): Promise<Summary> {
  const { name, inbox, drafts, requests } = parts
  const { waiting, requests: asked, apps, skills } = await inbox.count()
  const open = drafts.all().toSorted((a, b) => b.touched - a.touched)
  const owners = [...open, ...requests.waiting()].map(({ owner }) => owner)
  return {
    workspace: name === '' ? 'default' : name,
    isNews,
    changes: waiting - asked - apps - skills,
    requests: asked,
    apps,
    skills,
    applied: drafts.countUnseen(),
    ...namesOf(owners),
    url: urlOf(parts, open, asked + apps + skills),
  }
}

/** Names each owner once, by the name that its card shows: that of its session, of its client, or of its principal. */
function namesOf(owners: readonly DraftOwner[]): Pick<Summary, 'from' | 'others'> {
  const names = [
    ...new Set(owners.map(({ label, key, principal }) => label ?? claimedNameOf(key) ?? principal)),
  ]
  const from = names.slice(0, MAX_NAMES)
  return { from, others: names.length - from.length }
}

/** A single draft is opened itself, if nothing else waits. */
function urlOf(
  { sql, name }: Pick<SummaryParts, 'sql' | 'name'>,
  open: readonly Draft[],
  others: number,
): string {
  const [only] = open
  const place = only && open.length === 1 && others === 0 ? [only.name] : []
  return ownerUrl(readSetting(sql, 'console'), name, ['waiting', ...place])
}
