/**
 * Activity: everything that was done, newest first, by whom and when; one change opened shows its
 * difference and can be undone. The own workspace also tells what was previewed and refused.
 *
 * @module
 */

import { useEffect, useState } from 'preact/hooks'
import { Changes } from '../parts/changes.tsx'
import { Icon } from '../parts/icons.tsx'
import { Empty, Fault, PageHead, Waiting } from '../parts/parts.tsx'
import { Segments } from '../parts/segments.tsx'
import { listChanges, type Change } from '../state/changes.ts'
import { byDay } from '../state/days.ts'
import { numbered } from '../state/format.ts'
import { link, openConnection, touched } from '../state/link.ts'
import { useLoad } from '../state/load.ts'
import { linkTo, route, setQuery } from '../state/route.ts'
import { useWatch } from '../state/watch.ts'
import { offers } from '../state/workspace.ts'
import { Chain } from './chain.tsx'
import { ChangePage } from './change.tsx'
import { Trail } from './trail.tsx'

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

/** What became of a call, as the address has it. What was done is what people come for. */
const OUTCOMES = [
  ['', 'Done'],
  ['previewed', 'Previewed'],
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
  const [older, setOlder] = useState<readonly Change[]>([])
  const [next, setNext] = useState<number | null | undefined>(undefined)
  const key = JSON.stringify(filter)
  const { value, error, isLoading, reload } = useLoad(
    (signal) => listChanges(openConnection(), { ...filter, limit: PAGE }, signal),
    [link.value, touched.value, key],
  )
  useEffect(() => {
    setOlder([])
    setNext(undefined)
  }, [key, touched.value])
  const before = next === undefined ? (value?.next ?? null) : next
  const more = async () => {
    if (before === null) return
    const page = await listChanges(openConnection(), { ...filter, limit: PAGE, before })
    setOlder((shown) => [...shown, ...page.changes])
    setNext(page.next)
  }
  const changes = [...(value?.changes ?? []), ...older]
  return (
    <>
      {error ? <Fault error={error} retry={reload} /> : null}
      {!value && isLoading && <Waiting />}
      <p class="unseen" role="status">
        {value ? `${numbered(changes.length, 'change')} shown` : ''}
      </p>
      {value && changes.length === 0 && <Nothing isFiltered={Object.keys(filter).length > 0} />}
      {byDay(once(changes)).map(([day, list]) => (
        <section key={day} class="card day">
          <h2>{day}</h2>
          <Changes changes={list} among={changes} />
        </section>
      ))}
      {before !== null && changes.length > 0 && (
        <button type="button" class="button" onClick={() => void more()}>
          <Icon name="down" /> Older changes
        </button>
      )}
    </>
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

/** An import is written in batches that share an id, and is shown once. */
function once(changes: readonly Change[]): readonly Change[] {
  const seen = new Set<string>()
  return changes.filter(({ id }) => !seen.has(id) && seen.add(id))
}
