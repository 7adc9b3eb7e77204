/**
 * The view of a tool's result, with the conversation and the log of what the app did.
 *
 * @module
 */

import { useState } from 'preact/hooks'
import type { JsonRecord } from '#core/json.ts'
import type { Tool } from '../../mcp/types.ts'
import type { McpView } from '../../view/element.ts'
import { openConnection } from '../connect/connection.ts'
import { ConversationPane } from '../conversation/pane.tsx'
import { chosenHost, ShowAs } from '../emulation/show-as.tsx'
import { AppTools } from './app-tools.tsx'
import { EventLog, useEventLog } from './event-log.tsx'
import { View } from './view.tsx'

interface Props {
  readonly tool: Tool
  readonly input: JsonRecord
  /** The result as received. */
  readonly result: JsonRecord
}

/** Shows the result of a tool in its view, until the app asks to be closed. */
export function ResultView({ tool, input, result }: Props) {
  const { events, record } = useEventLog()
  const [view, setView] = useState<McpView | null>(null)
  const [isClosed, setClosed] = useState(false)
  const host = chosenHost()
  const handleEvent = (event: CustomEvent) => {
    if (event.type === 'mcp-state') return
    record(event)
    if (event.type === 'mcp-teardown-request') setClosed(true)
  }
  return (
    <div class="stack">
      {host && <ShowAs />}
      {isClosed ? (
        <p class="row">
          The app closed itself.
          <button type="button" class="button small" onClick={() => setClosed(false)}>
            Open it again
          </button>
        </p>
      ) : (
        <View
          tool={tool}
          input={input}
          result={result}
          name={tool.title}
          modes={['inline', 'fullscreen', 'pip']}
          as={host}
          onEvent={handleEvent}
          onElement={setView}
        />
      )}
      <AppTools view={view} app={tool.title} />
      <ConversationPane server={openConnection().url} />
      {events.length > 0 && <EventLog events={events} />}
    </div>
  )
}
