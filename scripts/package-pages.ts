/**
 * The generated sections of `docs/mcp-view.md` and `docs/webmcp.md`: tables of the published types, and examples.
 *
 * `test/e2e/packages.slow.test.ts` runs or compiles each example.
 *
 * @module
 */

import { readFileSync } from 'node:fs'
import { readReference, type Reference } from './published-types.ts'
import { inProject } from './settings.ts'

type Section = () => string

/** Shows a file. */
function sourceSection(file: string): Section {
  const language = file.slice(file.lastIndexOf('.') + 1)
  return () => `\`\`\`${language}\n${readFileSync(inProject(file), 'utf8').trim()}\n\`\`\``
}

/** Shows a part of the published types of a package. */
const published =
  (file: string, part: (reference: Reference) => string): Section =>
  () =>
    part(readReference(`packages/${file}`))

const VIEW = 'mcp-view/types/mcp-view.d.ts'
const BRIDGE = 'mcp-view/types/bridge.d.ts'
const WEBMCP = 'webmcp/types/webmcp.d.ts'

/** The sections of each page, by the name in their marks. */
export const PACKAGE_PAGES: Readonly<Record<string, Readonly<Record<string, Section>>>> = {
  'docs/mcp-view.md': {
    example: sourceSection('packages/mcp-view/examples/view.html'),
    react: sourceSection('packages/mcp-view/examples/view.tsx'),
    app: sourceSection('packages/mcp-view/examples/app.html'),
    attributes: published(VIEW, (types) => types.attributes('McpView')),
    properties: published(VIEW, (types) => types.properties('McpView')),
    methods: published(VIEW, (types) => types.methods('McpView')),
    events: published(VIEW, (types) => types.events('ViewEvents')),
    server: published(VIEW, (types) => types.source('ViewServer', 'ResourceMeta', 'ErrorCode')),
    'bridge-methods': published(BRIDGE, (types) => types.methods('Bridge')),
    'bridge-events': published(BRIDGE, (types) => types.source('BridgeEvents')),
  },
  'docs/webmcp.md': {
    example: sourceSection('packages/webmcp/examples/tools.html'),
    agent: sourceSection('packages/webmcp/examples/agent.ts'),
    react: sourceSection('packages/webmcp/examples/tools.tsx'),
    'react-exports': published('webmcp/types/webmcp-react.d.ts', (types) => types.exports()),
    'react-options': published('webmcp/types/webmcp-react.d.ts', (types) =>
      types.properties('UseToolOptions'),
    ),
    'add-tool': sourceSection('packages/webmcp/examples/use-tool.ts'),
    exports: published(WEBMCP, (types) => types.exports()),
    core: published('webmcp/types/webmcp-core.d.ts', (types) => types.exports()),
    forms: published('webmcp/types/webmcp-forms.d.ts', (types) => types.exports()),
    options: published(WEBMCP, (types) => types.properties('GateOptions')),
    remote: published(WEBMCP, (types) => types.properties('ConnectOptions')),
    tool: published(WEBMCP, (types) => types.properties('ModelContextTool', 'PageTool')),
    annotations: published(WEBMCP, (types) =>
      types.properties('ToolAnnotations', 'PageToolAnnotations'),
    ),
    approver: published(WEBMCP, (types) => types.source('Choice', 'ApprovalRequest', 'Approver')),
  },
}
