/** The trail: what was previewed and refused too, beside what was done, and what decided it. @module */

import { useEffect, useState } from 'preact/hooks'
import { Entries } from '../parts/entries.tsx'
import { Icon } from '../parts/icons.tsx'
import { Empty, Fault, Waiting } from '../parts/parts.tsx'
import { actorQuery, readEntries, type AuditQuery, type Entry } from '../state/audit.ts'
import { slowly } from '../state/clock.ts'
import { byDay } from '../state/days.ts'
import { numbered } from '../state/format.ts'
import { touched } from '../state/link.ts'
import { useLoad } from '../state/load.ts'
import { api, base } from '../state/workspace.ts'

const PAGE = '60'

export function Trail({ filter }: { readonly filter: AuditQuery }) {
  const at = base.value
  const key = JSON.stringify([at, filter])
  const [older, setOlder] = useState<readonly Entry[]>([])
  const [next, setNext] = useState<number | null | undefined>(undefined)
  // A preview changes no version that could be watched, so it is asked for now and then.
  const { value, error, isLoading, reload } = useLoad(
    async (signal) => readEntries(at, await queryFor(filter), signal),
    [key, touched.value, older.length === 0 ? slowly.value : null],
  )
  useEffect(() => {
    setOlder([])
    setNext(undefined)
  }, [key, touched.value])
  const before = next === undefined ? (value?.next ?? null) : next
  const more = async () => {
    const page = await readEntries(at, { ...(await queryFor(filter)), before: String(before) })
    setOlder((shown) => [...shown, ...page.entries])
    setNext(page.next)
  }
  const entries = [...(value?.entries ?? []), ...older]
  return (
    <>
      {error ? <Fault error={error} retry={reload} /> : null}
      {!value && isLoading && <Waiting />}
      <p class="unseen" role="status">
        {value ? `${numbered(entries.length, 'entry', 'entries')} shown` : ''}
      </p>
      {value && entries.length === 0 && <Nothing outcome={filter['outcome']} />}
      {byDay(entries).map(([day, list]) => (
        <section key={day} class="card day">
          <h2>{day}</h2>
          <Entries entries={list} />
        </section>
      ))}
      {before !== null && entries.length > 0 && (
        <button type="button" class="button" onClick={() => void more()}>
          <Icon name="down" /> Older entries
        </button>
      )}
    </>
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
