/**
 * The activity page: all changes, newest first, by whom and when. An open change shows its diff and
 * can be undone. A workspace of this server also shows checkpoints, previews, downloads and refused calls.
 *
 * @module
 */

import { Changes } from './change-list.tsx'
import { HistoryByDay } from './by-day.tsx'
import { Icon } from '../ui/icons.tsx'
import { Empty, PageHead } from '../ui/parts.tsx'
import { Segments } from '../ui/segments.tsx'
import { listChanges, removeDuplicates } from './changes.ts'
import { useHistory } from './history.ts'
import { connectionStatus, openConnection, revision } from '../connect/connection.ts'
import { linkTo, route, setQuery } from '../shell/route.ts'
import { features, usePolling } from '../connect/workspace.ts'
import { AuditIntegrity } from './audit-integrity.tsx'
import { ChangePage } from './change.tsx'
import { AuditTrail } from './audit-trail.tsx'
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
  const hasTrail = features.value.workspace
  const requested = hasTrail ? query['outcome'] : ''
  const [outcome] = OUTCOMES.find(([one]) => one === requested) ?? OUTCOMES[0]
  const filter = readFilter(query)
  return (
    <>
      <PageHead title="Activity">
        {hasTrail
          ? 'Changes, proposals, previews, downloads and refused calls, newest first. '
          : 'All changes, newest first. '}
        Open a change to see its diff or undo it.
      </PageHead>
      {hasTrail && <AuditIntegrity />}
      {hasTrail && <Checkpoints />}
      {hasTrail && (
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
      {outcome === '' ? (
        <ChangeHistory filter={filter} />
      ) : (
        <AuditTrail key={outcome} filter={outcome === 'all' ? filter : { ...filter, outcome }} />
      )}
    </>
  )
}

function ChangeHistory({ filter }: { readonly filter: Query }) {
  const history = useHistory(
    async (before, signal) => {
      const query = { ...filter, limit: PAGE_SIZE, ...(before !== null && { before }) }
      const { changes, next } = await listChanges(openConnection(), query, signal)
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
      list={(ofDay) => <Changes changes={ofDay} among={items} />}
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
  return (
    <div class="filters" role="search" aria-label="Filter activity">
      {field('path', 'File or folder', '/docs')}
      {field('actor', 'Name or session', 'Docs agent')}
      {time('since', 'From')}
      {time('until', 'Until')}
      {Object.keys(readFilter(query)).length > 0 && (
        <button
          type="button"
          class="button quiet"
          onClick={() => setQuery({ outcome: query['outcome'] })}
        >
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
