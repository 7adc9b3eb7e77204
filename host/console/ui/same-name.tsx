/**
 * Tells agents apart that have one name. An agent chooses its name, so where several agents of the lists on a page have
 * the same, each card adds its session, whose id the server has made, and since when it waits.
 *
 * Rows of these lists are held (`held.ts`), so no card grows unless the person asks for new ones.
 * `test/host/console/same-name.test.tsx` has the cases.
 *
 * @module
 */

import { computed, signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { visiblePieces } from '#core/visible.ts'
import { nameActor } from '../activity/changes.ts'
import { formatMoment } from './format.ts'

/** A row that names an agent. */
export interface NamedRow {
  /** As it is shown. */
  readonly actor: string
  readonly principal: string
  readonly session: string | null
  readonly label: string | null
  readonly client: string | null
  /** When it began to wait. */
  readonly opened: number
}

type Names = readonly (readonly [name: string, agent: string])[]

const lists = signal<ReadonlyMap<string, Names>>(new Map())

const shared = computed((): ReadonlySet<string> => {
  const agents = new Map<string, string>()
  const several = new Set<string>()
  for (const [name, agent] of [...lists.value.values()].flat())
    if (agents.has(name) && agents.get(name) !== agent) several.add(name)
    else agents.set(name, agent)
  return several
})

/** Counts the names of a list while it is shown. */
export function useNames(list: string, rows: readonly NamedRow[]): void {
  const names: Names = rows.map((row) => [fold(row), agentOf(row)])
  useEffect(() => setNames(list, names), [list, JSON.stringify(names)])
  useEffect(() => () => setNames(list, []), [list])
}

const setNames = (list: string, names: Names) =>
  void (lists.value = new Map(lists.peek()).set(list, names))

const agentOf = ({ session, principal }: NamedRow) => session ?? principal

/** What a person reads of a name: case, spaces, and characters that are not seen do not make it another one. */
function fold({ actor: text, ...facts }: NamedRow): string {
  const words = [nameActor({ text, ...facts }).name, facts.client ?? ''].map((name) => {
    const seen = visiblePieces(name).filter((piece) => typeof piece === 'string')
    return seen.join('').normalize('NFKC').toLowerCase().replaceAll(/\s+/g, ' ').trim()
  })
  return JSON.stringify(words)
}

/** Characters of an id that are shown, as of a commit. */
export const SHORT_ID = 8

/** Shows what tells an agent from another one of the same name; nothing if there is no other one. */
export function SameName({ row }: { readonly row: NamedRow }) {
  if (!shared.value.has(fold(row))) return null
  const { session, opened } = row
  return (
    <span class="samename">
      Another agent has the same name. This one{' '}
      {session === null ? (
        'has no session'
      ) : (
        <>
          has the session <code>{session.slice(0, SHORT_ID)}</code>
        </>
      )}{' '}
      and waits since {formatMoment(opened)}.
    </span>
  )
}
