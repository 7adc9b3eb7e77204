/**
 * The programs that connect to a server of MCP, with the steps for each: the page "Connect an agent" shows them, and
 * `docs/connect.md` lists them. `test/host/console/programs.test.ts` has the cases.
 *
 * @module
 */

/** One step: what to do, and what to paste or to open. */
export interface Step {
  readonly text: string
  /** A command or a file to copy. */
  readonly code?: string
  /** A link that does the step by itself. */
  readonly install?: string
}

/** A program that agents run in. */
export interface Program {
  readonly id: string
  readonly label: string
  /** The page of its documentation that the steps follow. */
  readonly docs: string
  /** Whether it connects from the servers of its maker, which reach only addresses with https. */
  readonly isHosted: boolean
  /** Returns the steps for a server at a URL, which the program lists by `name`. */
  readonly steps: (url: string, name: string) => readonly Step[]
}

const json = (value: unknown) => JSON.stringify(value, null, 2)

/** All programs, in the order in which they are offered. */
export const PROGRAMS: readonly Program[] = [
  {
    id: 'claude-code',
    label: 'Claude Code',
    docs: 'https://code.claude.com/docs/en/mcp',
    isHosted: false,
    steps: (url, name) => [
      {
        text: 'Run this in a terminal. Without --scope user, it is for the current project only.',
        code: `claude mcp add --transport http --scope user ${name} ${url}`,
      },
      { text: 'Where the server requires a sign-in, type /mcp in Claude Code and authenticate.' },
    ],
  },
  {
    id: 'claude',
    label: 'Claude',
    docs: 'https://support.claude.com/en/articles/11175166',
    isHosted: true,
    steps: (url) => [
      { text: 'In Claude on the web or on the desktop, open Settings, then Connectors.' },
      { text: 'Choose Add custom connector, and paste this address.', code: url },
      { text: 'Choose Connect, and sign in.' },
    ],
  },
  {
    id: 'chatgpt',
    label: 'ChatGPT',
    docs: 'https://developers.openai.com/apps-sdk/deploy/connect-chatgpt',
    isHosted: true,
    steps: (url) => [
      {
        text: 'In ChatGPT on the web, open Settings, then Apps & Connectors, then Advanced settings, and turn on Developer mode.',
      },
      { text: 'Choose Create, and paste this address.', code: url },
      { text: 'In a new chat, choose the connector under Developer mode.' },
    ],
  },
  {
    id: 'vscode',
    label: 'VS Code',
    docs: 'https://code.visualstudio.com/docs/copilot/customization/mcp-servers',
    isHosted: false,
    steps: (url, name) => [
      {
        text: 'Install it with one press.',
        install: `vscode:mcp/install?${encodeURIComponent(JSON.stringify({ name, type: 'http', url }))}`,
      },
      {
        text: 'Or save this as .vscode/mcp.json in your project.',
        code: json({ servers: { [name]: { type: 'http', url } } }),
      },
    ],
  },
  {
    id: 'cursor',
    label: 'Cursor',
    docs: 'https://cursor.com/docs/context/mcp',
    isHosted: false,
    steps: (url, name) => [
      {
        text: 'Install it with one press.',
        install: `cursor://anysphere.cursor-deeplink/mcp/install?name=${encodeURIComponent(name)}&config=${encodeURIComponent(toBase64(JSON.stringify({ url })))}`,
      },
      {
        text: 'Or save this as .cursor/mcp.json in your project, or in your home folder for all projects.',
        code: json({ mcpServers: { [name]: { url } } }),
      },
    ],
  },
  {
    id: 'codex',
    label: 'Codex',
    docs: 'https://developers.openai.com/codex/mcp',
    isHosted: false,
    steps: (url, name) => [
      {
        text: 'Run this in a terminal. The program, its app and its extension share the setting.',
        code: `codex mcp add ${name} --url ${url}`,
      },
      { text: 'Where the server requires a sign-in:', code: `codex mcp login ${name}` },
    ],
  },
  {
    id: 'gemini',
    label: 'Gemini CLI',
    docs: 'https://geminicli.com/docs/tools/mcp-server',
    isHosted: false,
    steps: (url, name) => [
      {
        text: 'Run this in a terminal. Without --scope user, it is for the current project only.',
        code: `gemini mcp add --transport http --scope user ${name} ${url}`,
      },
    ],
  },
  {
    id: 'windsurf',
    label: 'Windsurf',
    docs: 'https://docs.windsurf.com/windsurf/cascade/mcp',
    isHosted: false,
    steps: (url, name) => [
      {
        text: 'Add this to ~/.codeium/windsurf/mcp_config.json, and press refresh in the list of MCP servers.',
        code: json({ mcpServers: { [name]: { serverUrl: url } } }),
      },
    ],
  },
  {
    id: 'zed',
    label: 'Zed',
    docs: 'https://zed.dev/docs/ai/mcp',
    isHosted: false,
    steps: (url, name) => [
      {
        text: 'Run “zed: open settings file” from the command palette, and add this.',
        code: json({ context_servers: { [name]: { url } } }),
      },
    ],
  },
  {
    id: 'sdk',
    label: 'Your own program',
    docs: 'https://ts.sdk.modelcontextprotocol.io',
    isHosted: false,
    steps: (url) => [
      { text: 'Install the client.', code: 'npm install @modelcontextprotocol/client' },
      { text: 'Connect, and call a tool.', code: SDK.replace('URL_HERE', () => json(url)) },
    ],
  },
]

const SDK = `import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'

const client = new Client({ name: 'my-agent', version: '1.0.0' })
await client.connect(new StreamableHTTPClientTransport(new URL(URL_HERE)))
console.log(await client.callTool({ name: 'find_files', arguments: {} }))
`

/** The name of the server in the lists of programs, if it has no other one. */
export const SERVER_NAME = 'edgewise'

const MAX_NAME_LENGTH = 40

/** Returns the name for a link: letters, digits and hyphens, which every program and every shell takes as they are. */
export function nameForLink(label: string): string {
  const words = label.toLowerCase().match(/[a-z0-9]+/g) ?? []
  return [SERVER_NAME, ...words].join('-').slice(0, MAX_NAME_LENGTH).replace(/-$/, '')
}

/** Whether a program that runs on the servers of its maker can reach a URL. */
export function isPublic(url: string): boolean {
  const { protocol, hostname } = new URL(url)
  return protocol === 'https:' && !/^(localhost|127\.|\[::1\]|.*\.localhost$)/.test(hostname)
}

const toBase64 = (text: string) => btoa(String.fromCharCode(...new TextEncoder().encode(text)))
