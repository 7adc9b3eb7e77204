/** The list of logged messages, and one message in full. @module */

import type { LogEntry } from '../../records/types.ts'
import { Icon } from '../ui/icons.tsx'
import { Json } from '../ui/json.tsx'
import { formatBytes } from '../ui/format.ts'
import { linkTo } from '../shell/route.ts'

/** Lists messages. */
export function List({
  entries,
  open,
}: {
  readonly entries: readonly LogEntry[]
  readonly open: number | undefined
}) {
  return (
    <ol class="log" aria-label="Messages">
      {entries.map((entry) => (
        <li key={entry.id} class={entry.id === open ? 'open' : ''}>
          <a
            href={linkTo(['log', String(entry.id)])}
            aria-current={entry.id === open ? 'true' : undefined}
          >
            <Line entry={entry} />
          </a>
        </li>
      ))}
    </ol>
  )
}

function Line({ entry }: { readonly entry: LogEntry }) {
  const { direction, method, about, at, duration, isError, kind, bytes: size } = entry
  return (
    <>
      <span class={`way ${direction}`} title={direction}>
        <Icon name={direction === 'sent' ? 'up' : 'down'} />
        <span class="unseen">{direction}</span>
      </span>
      <span class="what">
        <strong class={isError ? 'bad' : ''}>{method || kind}</strong>{' '}
        <span class="faint">{about}</span>
        {isError && <span class="unseen"> error</span>}
      </span>
      <small class="numbers faint">
        {duration === null || direction === 'sent' ? '' : `${Math.round(duration)} ms · `}
        {formatBytes(size)} · {new Date(at).toLocaleTimeString()}
      </small>
    </>
  )
}

/** Shows one message, with a link to its request or response. */
export function Detail({ entry }: { readonly entry: LogEntry }) {
  const { pair, kind, method, message } = entry
  return (
    <section class="card" aria-label="Message">
      <header>
        <h2>
          {method} {kind}
        </h2>
        {pair !== null && (
          <a href={linkTo(['log', String(pair)])}>
            {kind === 'request' ? 'See the response' : 'See the request'}
          </a>
        )}
      </header>
      <Json value={message} label="Message content" />
    </section>
  )
}
