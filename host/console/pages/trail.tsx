/** The audit trail: previewed, downloaded and refused calls too, with their reasons. @module */

import { Days } from '../parts/days.tsx'
import { Entries } from '../parts/entries.tsx'
import { Empty } from '../parts/parts.tsx'
import { actorQuery, readEntries, type AuditQuery } from '../state/audit.ts'
import { slowly } from '../state/clock.ts'
import { useHistory } from '../state/history.ts'
import { touched } from '../state/link.ts'
import { api, base } from '../state/workspace.ts'

const PAGE = '60'

/** Shows audit entries by day. */
export function Trail({ filter }: { readonly filter: AuditQuery }) {
  const at = base.value
  // A preview does not change the version, so the list is polled.
  const history = useHistory(
    async (before, signal) => {
      const query = { ...(await queryFor(filter)), ...(before !== null && { before: `${before}` }) }
      const { entries, next } = await readEntries(at, query, signal)
      return { items: entries, next }
    },
    [JSON.stringify([at, filter]), touched.value],
    slowly.value,
  )
  return (
    <Days
      history={history}
      nouns={['entry', 'entries']}
      nothing={<Nothing outcome={filter['outcome']} />}
      list={(ofDay) => <Entries entries={ofDay} />}
    />
  )
}

async function queryFor({ actor, ...filter }: AuditQuery): Promise<AuditQuery> {
  const from = api.peek()
  const who = actor && from ? await actorQuery(actor, from) : {}
  return { ...filter, ...who, limit: PAGE }
}

const NOTHING: Readonly<Record<string, string>> = {
  refused: 'Nothing was refused',
  previewed: 'Nothing was previewed',
}

const Nothing = ({ outcome }: { readonly outcome: string | undefined }) => (
  <Empty icon="search" title={NOTHING[outcome ?? ''] ?? 'Nothing matches'}>
    {outcome === 'refused'
      ? 'When a rule keeps somebody from something, it stands here, with the rule.'
      : 'What agents only look at, and what rules keep from them, stands here beside what was done.'}
  </Empty>
)
