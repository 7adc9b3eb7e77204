/** `docs/clients.md`, rendered from the recorded runs. @module */

import { readFileSync } from 'node:fs'
import { formatAs, table, writeFormatted } from '../../scripts/markdown.ts'
import { inProject } from '../../scripts/settings.ts'
import { findKnown, KNOWN } from './known-failures.ts'
import type { Row } from './run.ts'
import { KINDS } from './clients.ts'
import type { Cells } from './session.ts'
import type { ToolTokens } from './tokens.ts'

export const DOCUMENT = inProject('docs/clients.md')

/** A row with its record; undefined where the drive broke off. */
export interface Recorded extends Row {
  readonly cells: Cells | undefined
}

const OPENING = `# Clients

\`npm run test:slow\` runs third-party clients against the built product over HTTP, each at the version that
\`test/clients/package-lock.json\` pins. Agents run with a scripted model, and the test checks what that model
receives. \`node test/clients/report.ts --write\` writes this page, and a test compares it with the last run.

- **list**: the tools for models are listed, and no app-only tool.
- **write**, **edit**, **move**, **delete**: reported as a success, with the new version, without addresses of
  views. Each uses the version of the result before, so it also checks that the model received the right one.
- **read**: numbered lines and the version arrive.
- **refused read**, **conflict**: the message of the error and its code arrive.
- **image**: arrives as an image. **long answer**: cut below 48,000 characters, and says how to **go on**.
- **resources**: listed and read; – if the client does not support them.
`

const VIEWS = `## Views in third-party hosts

In Chromium. **files view**, **review view**: shown for a result, with its content. **undo**: pressed in the
view, and done by the server. **refused undo**: the view shows the reason.`

const PAGES = `## Third-party agents and polyfills beside webmcp.js

In Chromium, on a page that has the product's tools. **list**: the tools are found. **read**: the result arrives.
**refused read**: the message arrives. **write**: the person is asked, and it is done when allowed.
**denied write**: not done, and the result says so.`

const HOST_HEADING = '## Command-line hosts'

const HOSTS = `${HOST_HEADING}

Each step is one run of the program with the scripted model. The programs are large, so they run only on Linux and
after \`npm ci --prefix test/clients/hosts --ignore-scripts\`; otherwise the last results are kept.`

const END = '## Known problems of clients'

/** The table of hosts, or its previous text where they did not run. */
function hosts(rows: readonly Recorded[]): string {
  if (rows.some(({ kind }) => kind === 'hosts')) return `${HOSTS}\n\n${part(rows, 'hosts')}`
  const text = readFileSync(DOCUMENT, 'utf8')
  return text.slice(text.indexOf(HOST_HEADING), text.indexOf(COST_HEADING)).trim()
}

const COST_HEADING = '## What the tools cost a model'

const TOKENS = `${COST_HEADING}

Tokens of name, description and input schema of each tool, as the GPT-4o family counts them, for a client that
shows no views.`

/** When tools for views alone reached every model, with descriptions twice as long. */
const BEFORE = { tools: 17, tokens: 2_716 }

function cost(tools: readonly ToolTokens[]): string {
  const sum = tools.reduce((all, { tokens }) => all + tokens, 0)
  const rows = [
    ...tools.map(({ name, tokens }) => [`\`${name}\``, String(tokens)]),
    [`**all ${tools.length}**`, `**${sum}**`],
    [`before: ${BEFORE.tools} tools`, String(BEFORE.tokens)],
  ]
  return `${TOKENS}\n\n${table(['Tool', 'Tokens'], rows)}`
}

export function render(rows: readonly Recorded[], tools: readonly ToolTokens[]): Promise<string> {
  const notes = KNOWN.map(({ why }, index) => `${index + 1}. ${why}`)
  const tables = [
    OPENING,
    part(rows, 'model'),
    VIEWS,
    part(rows, 'views'),
    PAGES,
    part(rows, 'pages'),
    hosts(rows),
    cost(tools),
  ]
  const text = [...tables, END, notes.join('\n')].join('\n\n')
  return formatAs(DOCUMENT, `${text}\n`)
}

function part(rows: readonly Recorded[], wanted: Row['kind']): string {
  const steps: readonly string[] = KINDS[wanted]
  const body = rows
    .filter(({ kind }) => kind === wanted)
    .map(({ title, version, mode, file, cells }) => [
      title,
      version,
      mode,
      ...steps.map((step) => mark({ file, mode }, step, cells)),
    ])
  return table(['Client', 'Version', 'Mode', ...steps], body)
}

function mark(row: Pick<Row, 'file' | 'mode'>, step: string, cells: Cells | undefined): string {
  const cell = cells === undefined ? 'broke off' : cells[step]
  if (cell === undefined) return '–'
  if (cell === null) return '✓'
  const known = findKnown(row, step)
  return known ? `✗ (${KNOWN.indexOf(known) + 1})` : '✗'
}

export const write = async (rows: readonly Recorded[], tools: readonly ToolTokens[]) =>
  writeFormatted(DOCUMENT, await render(rows, tools))
