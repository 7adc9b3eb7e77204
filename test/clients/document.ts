/** `docs/clients.md`, out of what the judge has recorded. @module */

import { readFileSync } from 'node:fs'
import { formatted, writeFormatted } from '../../scripts/formatted.ts'
import { table } from '../../scripts/markdown.ts'
import { inProject } from '../../scripts/settings.ts'
import { findKnown, KNOWN } from './known.ts'
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

Clients that others wrote drive the built product over HTTP in \`npm run test:slow\`, each at the version
that \`test/clients/package-lock.json\` pins. Where a client brings an agent, a model that follows a script
answers it, and what that model is handed is what is judged. This file is written by
\`node test/clients/report.ts --write\`, and a test holds it to the last run.

- **list**: the tools for models are there, and none of those that are for views alone.
- **write**, **edit**, **move**, **delete**: shown as a success, with the new version, without addresses of
  views. Each names the version that the model was handed before, so it also proves that this was right.
- **read**: numbered lines and the version.
- **refused read**, **conflict**: the sentence of the error and its code.
- **image**: the image as an image. **long answer**: cut below 48,000 characters, with the way to **go on**.
- **resources**: listed and read; – where a client has none.
`

const VIEWS = `## Views in hosts of others

In Chromium. **files view**, **review view**: drawn for a result, with what is in it. **undo**: pressed in the
view, done by the server. **refused undo**: the view says why.`

const PAGES = `## Agents and polyfills of others beside webmcp.js

In Chromium, on a page that has the product's tools. **list**: the tools are found. **read**: answered.
**refused read**: the sentence arrives. **write**: asked of the person, and done when it is allowed.
**denied write**: not done, and said so.`

const HOST_HEADING = '## Command-line hosts'

const HOSTS = `${HOST_HEADING}

Each step is one run of the program, with the model that follows the script. They are large, so they run only
where \`npm ci --prefix test/clients/hosts --ignore-scripts\` has been run, on Linux; otherwise the last record
is kept.`

const END = '## What is not ours'

/** The hosts, or what the file says of them where they did not run. */
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
  return formatted(DOCUMENT, `${text}\n`)
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
