/**
 * The activity page: all changes, newest first, by whom and when. An open change shows its diff and
 * can be undone. A workspace of this server also shows checkpoints, previews, downloads and refused calls.
 *
 * @module
 */

import { useRef } from 'preact/hooks'
import { Changes } from './change-list.tsx'
import { HistoryByDay } from './by-day.tsx'
import { Icon } from '../ui/icons.tsx'
import { Empty, PageHead } from '../ui/parts.tsx'
import { Segments } from '../ui/segments.tsx'
import { listApplied, removeDuplicates } from './changes.ts'
import { useHistory } from './history.ts'
import { connectionStatus, openConnection, revision } from '../connect/connection.ts'
import { linkTo, route, setQuery } from '../shell/route.ts'
import { features, usePolling } from '../connect/workspace.ts'
import { AuditIntegrity } from './audit-integrity.tsx'
import { ChangePage } from './change.tsx'
import { AuditLog } from './audit-log.tsx'
import { Checkpoints } from './checkpoint-list.tsx'
import { ComparisonPage } from './comparison.tsx'

/** Shows one change, a comparison with a checkpoint, or the history with its filters. */
export function Activity() {
  usePolling()
  const [, tool, id] = route.value.path
  if (tool === 'checkpoints' && id !== undefined) return <ComparisonPage key={id} id={id} />
  return tool !== undefined && id !== undefined ? (
    <ChangePage key={id} tool={tool} id={id} />
  ) : (
    <AllActivity />
  )
}

type Query = Readonly<Record<string, string>>

const PAGE_SIZE = 60

/** Outcomes as the address has them; done is the default. */
const OUTCOMES = [
  ['', 'Done'],
  ['proposed', 'Proposed'],
  ['previewed', 'Previewed'],
  ['downloaded', 'Downloaded'],
  ['refused', 'Refused'],
  ['all', 'All'],
] as const

function AllActivity() {
  const { query } = route.value
  const hasAuditLog = features.value.workspace
  const requested = hasAuditLog ? query['outcome'] : ''
  const [outcome] = OUTCOMES.find(([one]) => one === requested) ?? OUTCOMES[0]
  const filter = readFilter(query)
  return (
    <>
      <PageHead title="Activity">
        {hasAuditLog
          ? 'Changes, proposals, previews, downloads and refused calls, newest first. '
          : 'All changes, newest first. '}
        Open a change to see its diff or undo it.
      </PageHead>
      {hasAuditLog && <AuditIntegrity />}
      {hasAuditLog && <Checkpoints />}
      {hasAuditLog && (
        <div class="filters">
          <Segments
            label="Outcome"
            value={outcome}
            options={OUTCOMES}
            onChange={(next) => setQuery({ ...query, outcome: next })}
          />
        </div>
      )}
      <Filters query={query} />
      <Entries key={JSON.stringify([outcome, filter])} {...{ outcome, filter }} />
    </>
  )
}

interface EntriesProps {
  readonly outcome: string
  readonly filter: Query
}

/** Its key is the filter, so that none shows what another one has found. */
function Entries({ outcome, filter }: EntriesProps) {
  if (outcome === '') return <ChangeHistory filter={filter} />
  return <AuditLog filter={outcome === 'all' ? filter : { ...filter, outcome }} />
}

function ChangeHistory({ filter }: { readonly filter: Query }) {
  const history = useHistory(
    async (before, signal) => {
      const query = { ...filter, limit: PAGE_SIZE, ...(before !== null && { before }) }
      const { changes, next } = await listApplied(openConnection(), query, signal)
      return { items: changes, next }
    },
    [connectionStatus.value, revision.value, JSON.stringify(filter)],
  )
  const items = removeDuplicates(history.items)
  return (
    <HistoryByDay
      history={{ ...history, items }}
      nouns={['change', 'changes']}
      nothing={<Nothing isFiltered={Object.keys(filter).length > 0} />}
      list={(ofDay) => <Changes changes={ofDay} among={items} hasOlder={history.more !== null} />}
    />
  )
}

function readFilter({ path, actor, since, until }: Query): Query {
  return {
    ...(path && { path }),
    ...(actor && { actor }),
    ...(since && { since: new Date(since).toISOString() }),
    ...(until && { until: new Date(until).toISOString() }),
  }
}

function Filters({ query }: { readonly query: Query }) {
  const place = useRef<HTMLDivElement>(null)
  const common = (name: string) => ({
    value: query[name] ?? '',
    onChange: ({ currentTarget }: { readonly currentTarget: HTMLInputElement }) =>
      setQuery({ ...query, [name]: currentTarget.value }),
  })
  const field = (name: string, label: string, placeholder: string) => (
    <label class="field">
      <span class="label">{label}</span>
      <input type="text" placeholder={placeholder} {...common(name)} />
    </label>
  )
  const time = (name: string, label: string) => (
    <label class="field">
      <span class="label">{label}</span>
      <input type="datetime-local" {...common(name)} />
    </label>
  )
  const clear = () => {
    setQuery({ outcome: query['outcome'] })
    // The button is gone without filters.
    place.current?.querySelector('input')?.focus()
  }
  return (
    <div ref={place} class="filters" role="search" aria-label="Filter activity">
      {field('path', 'File or folder', '/docs')}
      {field('actor', 'Name or session', 'Docs agent')}
      {time('since', 'From')}
      {time('until', 'Until')}
      {Object.keys(readFilter(query)).length > 0 && (
        <button type="button" class="button quiet" onClick={clear}>
          <Icon name="cross" /> Clear the filters
        </button>
      )}
    </div>
  )
}

const Nothing = ({ isFiltered }: { readonly isFiltered: boolean }) =>
  isFiltered ? (
    <Empty icon="search" title="Nothing matches">
      No change matches the filters. A name has to match exactly.
    </Empty>
  ) : (
    <Empty
      icon="activity"
      title="No changes yet"
      actions={
        <a class="button" href={linkTo(['tools'])}>
          Try a tool
        </a>
      }
    >
      Changes made by you or an agent appear here.
    </Empty>
  )
