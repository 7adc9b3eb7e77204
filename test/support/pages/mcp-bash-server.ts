/**
 * A server that declares its apps as servers made with mcp-bash do: an app beside its tool, linked to it without a word
 * of the tool, one without a tool, and one of each of the six templates. The pages are ours.
 *
 * @module
 */

import type { templatePage } from '../../../packages/mcp-view/server.ts'
import { bundled, startSite, type Site } from './app-servers.ts'
import { startResourceServer, type AppResource, type EchoTool } from './resource-server.ts'

/** What `ui.meta.json` holds. */
interface UiManifest {
  readonly template: Parameters<typeof templatePage>[0]['template']
  readonly config: Readonly<Record<string, unknown>>
}

/** Where the official class is at the network of script files from which the sample loads it when it runs. */
const SDK = '/npm/@modelcontextprotocol/ext-apps/+esm'

const weatherPage = (
  cdn: string,
) => `<!doctype html><html lang="en"><meta charset="utf-8"><title>Weather</title>
<body><h1>Weather</h1><p id="now">Waits for the result</p><p id="host"></p><script type="module">
const show = (id, text) => (document.getElementById(id).textContent = text)
const { App } = await import('${cdn}${SDK}')
const app = new App({ name: 'weather', version: '1.0.0' })
app.ontoolinput = ({ arguments: { location } }) => show('host', 'for ' + location)
app.ontoolresult = ({ structuredContent: { location, temperature } }) => show('now', location + ': ' + temperature + '°')
await app.connect()
</script>`

const ALONE = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Dashboard</title><h1>Dashboard</h1>`

const CLOSED = { csp: {}, permissions: {}, prefersBorder: true }

/** What the manifest of the tool's app asks for. */
const weatherMeta = (cdn: string) => ({
  csp: { connectDomains: [cdn], resourceDomains: [cdn], frameDomains: [], baseUriDomains: [] },
  permissions: {},
  prefersBorder: true,
})

/** A template: its manifest, what its tool returns, and a text that its page then shows. */
type TemplateCase = readonly [manifest: UiManifest, result: object, shows: string]

export const TEMPLATES: Readonly<Record<string, TemplateCase>> = {
  form: [
    {
      template: 'form',
      config: {
        title: 'New contact',
        description: 'Fill it in',
        fields: [
          { name: 'name', type: 'text', label: 'Name', required: true, placeholder: 'Ada' },
          { name: 'kind', type: 'select', options: ['friend', 'work'], default: 'work' },
          { name: 'news', type: 'checkbox' },
        ],
        submitTool: 'echo',
        submitArgs: { list: 'all' },
        cancelable: true,
      },
    },
    {},
    'Fill it in',
  ],
  table: [
    {
      template: 'data-table',
      config: { title: 'Rates', columns: [{ key: 'name', label: 'Name', sortable: true }] },
    },
    { items: [{ name: 'Ada' }] },
    'Ada',
  ],
  progress: [
    { template: 'progress', config: { title: 'Build', showPercentage: true, cancelTool: 'echo' } },
    { message: 'Compiling', percent: 40 },
    'Compiling',
  ],
  diff: [
    {
      template: 'diff-viewer',
      config: { title: 'Changes', viewMode: 'unified', leftTitle: 'Old', rightTitle: 'New' },
    },
    { original: 'one\n', modified: 'two\n' },
    'two',
  ],
  tree: [
    { template: 'tree-view', config: { title: 'Files', expandLevel: 2, onSelectTool: 'echo' } },
    { id: 'r', label: 'Root', icon: 'folder', children: [{ id: 'c', label: 'Leaf' }] },
    'Leaf',
  ],
  board: [
    {
      template: 'kanban',
      config: { title: 'Tasks', columns: [{ id: 'todo', title: 'To Do' }], onMoveTool: 'echo' },
    },
    { cards: [{ id: '1', title: 'First card', column: 'todo', priority: 'high', tags: ['x'] }] },
    'First card',
  ],
}

const uriOf = (name: string) => `ui://sample/${name}`

/** The server, and the network of script files that its sample uses. */
export interface McpBashServer extends Site {
  readonly cdn: string
  /** The paths that were requested there. */
  readonly requested: readonly string[]
}

/** Starts the server. `makePage` fills a template. */
export async function startMcpBashServer(makePage: typeof templatePage): Promise<McpBashServer> {
  const requested: string[] = []
  const script = await bundled('ext-apps.ts')
  const cdn = await startSite(({ url = '' }, response) => {
    requested.push(url)
    response.writeHead(200, {
      'content-type': 'text/javascript; charset=utf-8',
      'access-control-allow-origin': '*',
    })
    response.end(script)
  })
  const server = await startResourceServer('sample', appsOf(cdn.url, makePage), toolsOf())
  const close = async () => void (await Promise.all([server.close(), cdn.close()]))
  return { url: server.url, cdn: cdn.url, requested, close }
}

function appsOf(cdn: string, makePage: typeof templatePage): Record<string, AppResource> {
  const templates = Object.entries(TEMPLATES).map(([name, [{ template, config }]]) => [
    uriOf(name),
    { text: makePage({ template, name, config }), ui: CLOSED },
  ])
  return {
    [uriOf('weather')]: { text: weatherPage(cdn), ui: weatherMeta(cdn) },
    [uriOf('standalone-dashboard')]: { text: ALONE, ui: CLOSED },
    ...Object.fromEntries(templates),
  }
}

function toolsOf(): EchoTool[] {
  const linked = (name: string, result: object): EchoTool => ({
    name,
    _meta: { ui: { resourceUri: uriOf(name), visibility: ['model', 'app'] } },
    result,
  })
  return [
    linked('weather', { location: 'Oslo', temperature: 7 }),
    ...Object.entries(TEMPLATES).map(([name, [, result]]) => linked(name, result)),
    { name: 'echo' },
  ]
}
