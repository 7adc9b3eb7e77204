/**
 * The list of the apps or skills on the page of what waits: a card for each, and its decisions.
 *
 * `test/host/console/app-approvals.test.tsx` covers it.
 *
 * @module
 */

import type { VNode } from 'preact'
import { useState } from 'preact/hooks'
import { UnseenQuestion } from '../drafts/unseen.tsx'
import { refreshWaiting } from '../drafts/waiting-list.ts'
import { formatCount } from '../ui/format.ts'
import { useHeld } from '../ui/held.ts'
import type { Loaded } from '../ui/load.ts'
import { Fault, Note } from '../ui/parts.tsx'
import type { FolderActs, ShownFolder } from './acts.ts'
import { unseenIn, type CardProps, type FolderAnswer } from './folder-card.tsx'

/** The folders that are listed, and how many more there are. */
export interface ListedFolders<Row> {
  readonly left: number
  readonly rows: readonly Row[]
}

/** What a list shows of each folder. */
export type ListCardProps<Row> = Pick<CardProps, 'base' | 'isBusy' | 'isGone' | 'decide'> & {
  readonly row: Row
}

interface ListProps<Row> {
  readonly base: string
  readonly title: string
  readonly acts: FolderActs
  readonly listed: Loaded<ListedFolders<Row>>
  readonly card: (props: ListCardProps<Row>) => VNode
}

/** Lists the folders; nothing without any. */
export function FolderList<Row extends ShownFolder>(props: ListProps<Row>) {
  const { base, title, acts, listed, card } = props
  const { error, isBusy, decideOn } = useDecisions(base, acts, listed.reload)
  // A folder of other files is another one, so that the card of the files that were shown keeps its place.
  const rows = useHeld(listed.value?.rows ?? null, ({ name, revision }) => `${name} ${revision}`)
  const left = listed.value?.left ?? 0
  if (rows.length === 0 && left === 0 && !listed.error && !error) return null
  const noun = `${acts.noun}s`
  return (
    <section class="folderapprovals" aria-labelledby={`${acts.noun}-approvals`}>
      <h2 id={`${acts.noun}-approvals`}>{title}</h2>
      {error ? <Fault what="Cannot decide" error={error} /> : null}
      {listed.error ? (
        <Fault what={`Cannot read the ${noun}`} error={listed.error} retry={listed.reload} />
      ) : null}
      <ul>
        {rows.map(({ row, isGone }) => (
          <li key={`${row.name} ${row.revision}`}>
            {card({ base, row, isGone, isBusy, decide: decideOn(row) })}
          </li>
        ))}
      </ul>
      {left > 0 && (
        <Note title={`${formatCount(left, 'more folder')} of ${noun} not listed.`}>
          Decide on the {noun} above or delete their folders to see more.
        </Note>
      )}
      <UnseenQuestion />
    </section>
  )
}

/** Sends decisions, one at a time, and reads what waits again. */
export function useDecisions(base: string, acts: FolderActs, reload: () => void) {
  const [error, setError] = useState<unknown>(null)
  const [isBusy, setIsBusy] = useState(false)
  const decideOn = (row: ShownFolder) => (what: FolderAnswer) => {
    setIsBusy(true)
    setError(null)
    send(base, acts, row, what)
      .catch(setError)
      .finally(() => {
        setIsBusy(false)
        reload()
        refreshWaiting()
      })
  }
  return { error, isBusy, decideOn }
}

function send(base: string, acts: FolderActs, row: ShownFolder, what: FolderAnswer) {
  const { name, revision } = row
  if (what === 'withdraw') return acts.withdraw(base, name)
  if (what === 'turn-down') return acts.turnDown(base, name, { revision })
  const unseen = unseenIn(row)
  return acts.approve(base, name, { revision, ...(unseen.length > 0 && { unseen }) })
}
