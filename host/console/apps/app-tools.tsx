/**
 * The tools that an app itself offers: listed under names with a prefix, so that none looks like a tool
 * of the server, and called with a form. A tool that does not say it only reads is confirmed first.
 *
 * @module
 */

import { quoteName } from '#core/quote.ts'
import { visible } from '#core/visible.ts'
import { useEffect, useState } from 'preact/hooks'
import { recordOf, type JsonRecord } from '#core/json.ts'
import { startArguments } from '../../forms/model.ts'
import { SchemaForm } from '../../forms/schema-form.tsx'
import { parseCallResult, parseTools } from '../../mcp/parse.ts'
import { intentOf } from '../../mcp/tool-facts.ts'
import type { CallToolResult, Tool } from '../../mcp/types.ts'
import type { McpView } from '../../view/element.ts'
import { askToConfirm } from '../questions/queue.ts'
import { Blocks } from '../tools/blocks.tsx'
import { DecisionButton } from '../ui/decision-button.tsx'
import { Icon } from '../ui/icons.tsx'
import { Fault } from '../ui/parts.tsx'
import { Visible } from '../ui/visible.tsx'

interface Props {
  readonly view: McpView | null
  /** The app's name. */
  readonly app: string
}

/** Shows the tools of an app; nothing if it offers none. */
export function AppTools({ view, app }: Props) {
  const tools = useAppTools(view)
  if (!view || tools.length === 0) return null
  return (
    <details class="eventlog" open data-testid="app-tools">
      <summary>Tools of this app ({tools.length})</summary>
      <div class="stack">
        {tools.map((tool) => (
          <AppTool key={tool.name} tool={tool} view={view} app={app} />
        ))}
      </div>
    </details>
  )
}

function useAppTools(view: McpView | null): readonly Tool[] {
  const [tools, setTools] = useState<readonly Tool[]>([])
  useEffect(() => {
    if (!view) return setTools([])
    const controller = new AbortController()
    const { signal } = controller
    const load = async () => {
      const listed = view.state === 'ready' ? await view.callApp('tools/list') : {}
      if (!signal.aborted) setTools(parseTools(recordOf(listed)).items)
    }
    // An app without tools, or one that fails to list them, offers none.
    const reload = () => void load().catch(() => setTools([]))
    view.addEventListener('mcp-state', reload, { signal })
    view.addEventListener('mcp-app-tools', reload, { signal })
    reload()
    return () => controller.abort()
  }, [view])
  return tools
}

interface AppToolProps extends Props {
  readonly tool: Tool
  readonly view: McpView
}

function AppTool({ tool, view, app }: AppToolProps) {
  const [args, setArgs] = useState<JsonRecord>(() => startArguments(tool.inputSchema))
  const [isValid, setValid] = useState(true)
  const [end, setEnd] = useState<{ result?: CallToolResult; error?: unknown }>({})
  const run = async () => {
    if (!(await isConfirmed(tool, app, args))) return
    try {
      const raw = await view.callApp('tools/call', { name: tool.name, arguments: args })
      setEnd({ result: parseCallResult(recordOf(raw)) })
    } catch (error) {
      setEnd({ error })
    }
  }
  const change = (value: unknown, valid: boolean) => {
    setArgs(recordOf(value))
    setValid(valid)
  }
  return (
    <section class="card stack" aria-label={visible(tool.title)} data-testid="app-tool">
      <p>
        <strong>
          <Visible text={tool.title} />
        </strong>{' '}
        <code>
          <Visible text={prefixedName(app, tool)} />
        </code>
      </p>
      <SchemaForm
        schema={tool.inputSchema}
        value={args}
        idPrefix={`app-${tool.name}`}
        label="Arguments"
        onChange={change}
      />
      <div class="row">
        <DecisionButton shown={tool.name} look="small" isOff={!isValid} onDecide={() => void run()}>
          <Icon name="play" /> Run
        </DecisionButton>
      </div>
      {end.error ? <Fault what="The app did not run it" error={end.error} /> : null}
      {end.result && <Blocks blocks={end.result.content} />}
    </section>
  )
}

/** Names a tool of an app as a host lists it beside the tools of servers. */
const prefixedName = (app: string, { name }: Tool) =>
  `app.${app.toLowerCase().replace(/[^a-z0-9]+/g, '_')}.${name}`

/** Asks before a call, unless the app says that the tool only reads. */
async function isConfirmed(tool: Tool, app: string, args: JsonRecord): Promise<boolean> {
  if (tool.annotations['readOnlyHint'] === true) return true
  return askToConfirm({
    title: 'Run this tool of the app?',
    text: `${quoteName(app)} runs ${quoteName(tool.title)} itself. It does not say that the tool only reads.`,
    subject: {
      call: { tool: prefixedName(app, tool), args, meta: {} },
      ...{ title: tool.title, intent: intentOf(tool, args) },
    },
    yes: 'Run the tool',
  })
}
