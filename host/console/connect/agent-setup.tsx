/** Shows how to connect an agent: the address and snippets for each client. @module */

import { useState } from 'preact/hooks'
import { Snippet } from '../ui/copy.tsx'
import { Tabs } from '../ui/tabs.tsx'
import { linkTo } from '../shell/route.ts'
import { target } from './target.ts'
import { features } from './workspace.ts'

/** Shows the setup for the current server. */
export function AgentSetup() {
  const { url } = target.value
  const [chosen, choose] = useState('claude')
  return (
    <>
      <header>
        <h2 id="setup" tabIndex={-1}>
          Connect an agent
        </h2>
      </header>
      <Snippet text={url} label="Address of this server" />
      <div class="setuptabs">
        <Tabs
          label="Client"
          chosen={chosen}
          onChoose={choose}
          tabs={listSetups(url).map(({ id, label, before, text }) => ({
            id,
            label,
            body: () => (
              <div class="stack tight">
                <p class="small faint">{before}</p>
                <Snippet text={text} label={`For ${label}`} />
              </div>
            ),
          }))}
        />
      </div>
      {features.value.workspace && (
        <p class="small faint">
          An agent at this address may do everything that the rules allow. To restrict an agent,{' '}
          <a href={linkTo(['sessions'], { do: 'new' })}>make a session link</a>.
        </p>
      )}
    </>
  )
}

interface Setup {
  readonly id: string
  readonly label: string
  readonly before: string
  readonly text: string
}

/** Returns the snippets to paste, by client. */
export function listSetups(url: string): Setup[] {
  const json = (value: unknown) => JSON.stringify(value, null, 2)
  return [
    {
      id: 'claude',
      label: 'Claude',
      before:
        'Claude Code, in a terminal. In the app: Settings, Connectors, Add custom connector, with the address above.',
      text: `claude mcp add --transport http edgewise ${url}`,
    },
    {
      id: 'vscode',
      label: 'VS Code',
      before: 'In .vscode/mcp.json of your project.',
      text: json({ servers: { edgewise: { type: 'http', url } } }),
    },
    {
      id: 'cursor',
      label: 'Cursor',
      before: 'In .cursor/mcp.json of your project, or in your home folder.',
      text: json({ mcpServers: { edgewise: { url } } }),
    },
    {
      id: 'sdk',
      label: 'SDK',
      before: 'In TypeScript, with npm install @modelcontextprotocol/client.',
      text: SDK.replace('URL_HERE', () => JSON.stringify(url)),
    },
  ]
}

const SDK = `import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'

const client = new Client({ name: 'my-agent', version: '1.0.0' })
await client.connect(new StreamableHTTPClientTransport(new URL(URL_HERE)))
console.log(await client.callTool({ name: 'find_files', arguments: {} }))
`
