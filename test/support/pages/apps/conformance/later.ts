/**
 * Checks that need an action of a person: a cancelled call, a changed context, the end.
 *
 * @module
 */

import {
  fields,
  holds,
  pass,
  pause,
  shown,
  type Clause,
  type Outcome,
  type Run,
} from './outcome.ts'

export interface Later {
  readonly id: string
  readonly clause: Clause
  readonly title: string
  /** The action that the person who tests a host has to take. */
  readonly wanted: string
}

export const LATER: readonly Later[] = [
  {
    id: 'lifecycle/tool-cancelled',
    clause: 'MUST',
    title: 'A cancelled call is reported with its reason',
    wanted: 'cancel the call',
  },
  {
    id: 'context/context-changed',
    clause: 'MAY',
    title: 'A change of the context is reported',
    wanted: 'change the theme',
  },
  {
    id: 'lifecycle/teardown-notify',
    clause: 'MUST',
    title: 'The end is announced by a request',
    wanted: 'close the view',
  },
  {
    id: 'lifecycle/teardown-await',
    clause: 'SHOULD',
    title: 'The host waits for the answer; meanwhile this page can still save its state',
    wanted: 'close the view',
  },
]

/** How long this page takes to end. */
const FAREWELL_MS = 300

/** Waits for all of it. `settle` puts an outcome into the table, `save` sends the table. */
export function awaitLater(
  { wire }: Run,
  settle: (id: string, outcome: Outcome) => void,
  save: () => Promise<unknown>,
): void {
  wire.on('ui/notifications/tool-cancelled', async (params) => {
    settle('lifecycle/tool-cancelled', holds(typeof params['reason'] === 'string', shown(params)))
    await save()
  })
  wire.on('ui/resource-teardown', async (params, message) => {
    settle('lifecycle/teardown-notify', holds('id' in message, shown(params)))
    await pause(FAREWELL_MS)
    settle('lifecycle/teardown-await', pass(`still here after ${FAREWELL_MS} ms`))
    await save()
  })
}

/** A context as it is after a change. */
export function merged(context: object, change: unknown): Readonly<Record<string, unknown>> {
  return { ...context, ...fields(change) }
}
