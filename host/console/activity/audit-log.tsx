/** The audit log: previewed, downloaded and refused calls too, with their reasons. @module */

import { HistoryByDay } from './by-day.tsx'
import { AuditEntries } from './audit-list.tsx'
import { Empty } from '../ui/parts.tsx'
import { readEntries, type AuditQuery } from './audit.ts'
import { coarseNow } from '../ui/clock.ts'
import { useHistory } from './history.ts'
import { revision } from '../connect/connection.ts'
import { basePath } from '../connect/workspace.ts'

const PAGE = '60'

/** Shows audit entries by day. */
export function AuditLog({ filter }: { readonly filter: AuditQuery }) {
  const at = basePath.value
  // A preview does not change the version, so the list is polled.
  const history = useHistory(
    async (before, signal) => {
      const query = {
        ...filter,
        limit: PAGE,
        ...(before !== null && { before: `${before}` }),
      }
      const { entries, next } = await readEntries(at, query, signal)
      return { items: entries, next }
    },
    [JSON.stringify([at, filter]), revision.value],
    coarseNow.value,
  )
  return (
    <HistoryByDay
      history={history}
      nouns={['entry', 'entries']}
      nothing={<Nothing outcome={filter['outcome']} />}
      list={(ofDay) => <AuditEntries entries={ofDay} among={history.items} />}
    />
  )
}

const EMPTY_TITLES: Readonly<Record<string, string>> = {
  refused: 'No refused calls',
  previewed: 'No previews',
  proposed: 'No proposed changes',
}

const Nothing = ({ outcome }: { readonly outcome: string | undefined }) => (
  <Empty icon="search" title={EMPTY_TITLES[outcome ?? ''] ?? 'Nothing matches'}>
    {outcome === 'refused'
      ? 'Refused calls appear here with the rule that refused them.'
      : 'Changes, proposals, previews, downloads and refused calls appear here.'}
  </Empty>
)
