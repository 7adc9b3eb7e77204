/** An open app, with a log of its events. @module */

import { useRef, useState } from 'preact/hooks'
import { isRecord, recordOf } from '#core/json.ts'
import type { McpView } from '../../view/types.ts'
import { Icon } from '../parts/icons.tsx'
import { Badge } from '../parts/parts.tsx'
import { View } from '../parts/view.tsx'
import { moment } from '../state/format.ts'
import { openAsked } from '../state/open-link.ts'

/** An app that is open. */
export interface OpenApp {
  readonly key: number
  readonly uri: string
  readonly title: string
}

interface Told {
  readonly id: number
  readonly at: number
  readonly type: string
  readonly text: string
}

/** Most events in an app's log. */
const MOST = 200

/** Most characters of one event. */
const LONGEST = 2_000

const WORDS: Readonly<Record<string, string>> = {
  'mcp-error': 'went wrong',
  'mcp-open-link': 'asked to open a link',
  'mcp-message': 'said to the conversation',
  'mcp-model-context': 'told the model',
  'mcp-download': 'offered a download',
  'mcp-display-mode': 'changed its size',
  'mcp-log': 'logged',
  'mcp-call': 'called',
  'mcp-teardown-request': 'asked to be closed',
}

/** Shows an app with its log and the buttons to reload and close it. */
export function AppWindow({
  app,
  onClose,
}: {
  readonly app: OpenApp
  readonly onClose: () => void
}) {
  const view = useRef<McpView | null>(null)
  const [state, setState] = useState('loading')
  const [told, setTold] = useState<readonly Told[]>([])
  const heard = (event: CustomEvent) => {
    const detail: unknown = event.detail
    if (event.type === 'mcp-state') return setState(stateOf(detail))
    note(setTold, event.type, detail)
    if (event.type === 'mcp-open-link') openAsked(event, app.title)
    else if (ACCEPTED.has(event.type)) accept(detail)
    else if (event.type === 'mcp-teardown-request') onClose()
  }
  return (
    <section class="card window" aria-label={app.title}>
      <header>
        <h2>{app.title}</h2>
        <div class="row">
          <Badge tone={state === 'ready' ? 'success' : state === 'failed' ? 'danger' : 'plain'}>
            {state}
          </Badge>
          <button
            type="button"
            class="button quiet small"
            onClick={() => void view.current?.reload()}
          >
            <Icon name="refresh" /> Reload
          </button>
          <button type="button" class="button quiet small" onClick={onClose}>
            <Icon name="cross" /> Close
          </button>
        </div>
      </header>
      <View
        uri={app.uri}
        name={app.title}
        modes={['inline', 'fullscreen', 'pip']}
        onEvent={heard}
        onElement={(element) => (view.current = element)}
      />
      <Doings told={told} />
    </section>
  )
}

/** Events that are answered with yes, though the console only logs them. */
const ACCEPTED = new Set(['mcp-message', 'mcp-model-context'])

function accept(detail: unknown): void {
  if (isRecord(detail) && typeof detail['respondWith'] === 'function')
    detail['respondWith'](Promise.resolve(true))
}

function stateOf(detail: unknown): string {
  const state = isRecord(detail) ? detail['state'] : null
  return typeof state === 'string' ? state : 'unknown'
}

let last = 0

function note(
  setTold: (update: (before: readonly Told[]) => readonly Told[]) => void,
  type: string,
  detail: unknown,
): void {
  const { respondWith: _, ...rest } = recordOf(detail)
  const text = (JSON.stringify(rest) ?? '').slice(0, LONGEST)
  const entry = { id: ++last, at: Date.now(), type, text }
  setTold((before) => [...before.slice(1 - MOST), entry])
}

function Doings({ told }: { readonly told: readonly Told[] }) {
  return (
    <details class="doings" open={told.length > 0}>
      <summary>What it did ({told.length})</summary>
      {told.length === 0 ? (
        <p class="faint small">Messages, calls, links and logs of this app appear here.</p>
      ) : (
        <ol class="lines small" tabIndex={0} aria-label="What the app did">
          {told.toReversed().map(({ id, at, type, text }) => (
            <li key={id}>
              <time dateTime={new Date(at).toISOString()} title={moment(at)}>
                {new Date(at).toLocaleTimeString()}
              </time>{' '}
              <strong>{WORDS[type] ?? type}</strong> <code>{text}</code>
            </li>
          ))}
        </ol>
      )}
    </details>
  )
}
