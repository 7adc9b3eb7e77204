/**
 * The activity page: all changes, newest first, by whom and when. An open change shows its diff and
 * can be undone. A workspace of this server also shows what was previewed, downloaded and refused.
 *
 * @module
 */

import { Changes } from '../parts/changes.tsx'
import { Days } from '../parts/days.tsx'
import { Icon } from '../parts/icons.tsx'
import { Empty, PageHead } from '../parts/parts.tsx'
import { Segments } from '../parts/segments.tsx'
import { listChanges, once } from '../state/changes.ts'
import { useHistory } from '../state/history.ts'
import { link, openConnection, touched } from '../state/link.ts'
import { linkTo, route, setQuery } from '../state/route.ts'
import { useWatch } from '../state/watch.ts'
import { offers } from '../state/workspace.ts'
import { Chain } from './chain.tsx'
import { ChangePage } from './change.tsx'
import { Trail } from './trail.tsx'

/** Shows one change, or the history with its filters. */
export function Activity() {
  useWatch()
  const [, tool, id] = route.value.path
  return tool !== undefined && id !== undefined ? (
    <ChangePage key={id} tool={tool} id={id} />
  ) : (
    <All />
  )
}

type Query = Readonly<Record<string, string>>

const PAGE = 60

/** Outcomes as the address has them; done is the default. */
const OUTCOMES = [
  ['', 'Done'],
  ['previewed', 'Previewed'],
  ['downloaded', 'Downloaded'],
  ['refused', 'Refused'],
  ['all', 'Everything'],
] as const

function All() {
  const { query } = route.value
  const hasTrail = offers.value.workspace
  const asked = hasTrail ? query['outcome'] : ''
  const [outcome] = OUTCOMES.find(([one]) => one === asked) ?? OUTCOMES[0]
  const filter = filterOf(query)
  return (
    <>
      <PageHead title="Activity">
        {hasTrail
          ? 'What was done here, and what was only previewed or refused, newest first. '
          : 'Everything that was done here, newest first. '}
        Open a change to see its difference, or undo it.
      </PageHead>
      {hasTrail && <Chain />}
      {hasTrail && (
        <div class="filters">
          <Segments
            label="What became of it"
            value={outcome}
            options={OUTCOMES}
            onChange={(next) => setQuery({ ...query, outcome: next })}
          />
        </div>
      )}
      <Filters query={query} />
      {outcome === '' ? (
        <Done filter={filter} />
      ) : (
        <Trail key={outcome} filter={outcome === 'all' ? filter : { ...filter, outcome }} />
      )}
    </>
  )
}

function Done({ filter }: { readonly filter: Query }) {
  const history = useHistory(
    async (before, signal) => {
      const query = { ...filter, limit: PAGE, ...(before !== null && { before }) }
      const { changes, next } = await listChanges(openConnection(), query, signal)
      return { items: changes, next }
    },
    [link.value, touched.value, JSON.stringify(filter)],
  )
  const items = once(history.items)
  return (
    <Days
      history={{ ...history, items }}
      nouns={['change', 'changes']}
      nothing={<Nothing isFiltered={Object.keys(filter).length > 0} />}
      list={(ofDay) => <Changes changes={ofDay} among={items} />}
    />
  )
}

function filterOf({ path, actor, since, until }: Query): Query {
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
      {field('actor', 'Who: a name or a session', 'Docs agent')}
      {time('since', 'From')}
      {time('until', 'Until')}
      {Object.keys(filterOf(query)).length > 0 && (
        <button
          type="button"
          class="button quiet"
          onClick={() => setQuery({ outcome: query['outcome'] })}
        >
          <Icon name="cross" /> Show all
        </button>
      )}
    </div>
  )
}

const Nothing = ({ isFiltered }: { readonly isFiltered: boolean }) =>
  isFiltered ? (
    <Empty icon="search" title="Nothing matches">
      Nothing was done there, by them, or at that time. A name has to be given exactly.
    </Empty>
  ) : (
    <Empty
      icon="activity"
      title="Nothing was done yet"
      actions={
        <a class="button" href={linkTo(['tools'])}>
          Try a tool
        </a>
      }
    >
      As soon as an agent, or you, change something, it stands here.
    </Empty>
  )
