/** The log of an app's events. @module */

import { useState } from 'preact/hooks'
import { recordOf } from '#core/json.ts'
import { formatMoment } from '../ui/format.ts'

interface AppEvent {
  readonly id: number
  readonly at: number
  readonly type: string
  readonly text: string
}

/** Most events in an app's log. */
const MAX_EVENTS = 200

/** Most characters of one event. */
const MAX_EVENT_LENGTH = 2_000

const EVENT_LABELS: Readonly<Record<string, string>> = {
  'mcp-error': 'reported an error',
  'mcp-open-link': 'asked to open a link',
  'mcp-message': 'sent a message',
  'mcp-model-context': 'updated the model context',
  'mcp-download': 'offered a download',
  'mcp-display-mode': 'changed its size',
  'mcp-log': 'logged',
  'mcp-call': 'called a tool',
  'mcp-teardown-request': 'asked to close',
}

let last = 0

/** Holds the events of an app; returns them with the function that adds one. */
export function useEventLog() {
  const [events, setEvents] = useState<readonly AppEvent[]>([])
  const record = ({ type, detail }: CustomEvent) => {
    const { respondWith: _, ...rest } = recordOf(detail)
    const text = (JSON.stringify(rest) ?? '').slice(0, MAX_EVENT_LENGTH)
    const entry = { id: ++last, at: Date.now(), type, text }
    setEvents((before) => [...before.slice(1 - MAX_EVENTS), entry])
  }
  return { events, record }
}

/** Shows the events of an app, newest first. */
export function EventLog({ events }: { readonly events: readonly AppEvent[] }) {
  return (
    <details class="eventlog" open={events.length > 0}>
      <summary>Events ({events.length})</summary>
      {events.length === 0 ? (
        <p class="faint small">Messages, calls, links and logs of this app appear here.</p>
      ) : (
        <ol class="lines small" tabIndex={0} aria-label="Events of the app">
          {events.toReversed().map(({ id, at, type, text }) => (
            <li key={id}>
              <time dateTime={new Date(at).toISOString()} title={formatMoment(at)}>
                {new Date(at).toLocaleTimeString()}
              </time>{' '}
              <strong>{Object.hasOwn(EVENT_LABELS, type) ? EVENT_LABELS[type] : type}</strong>{' '}
              <code>{text}</code>
            </li>
          ))}
        </ol>
      )}
    </details>
  )
}
