/**
 * The reference pages that follow from the code: `docs/errors.md` from the tables of codes, and `docs/tools.md`
 * from the tools, with results that `test/worker/tools/examples.test.ts` compares with the product.
 *
 * @module
 */

import { readFileSync } from 'node:fs'
import { z } from 'zod'
import {
  ARGUMENT_CODES,
  HTTP_CODES,
  POLYFILL_NAMES,
  RESULT_CODES,
  RPC_CODES,
  VIEW_CODES,
  type ErrorCode,
  type ErrorCodes,
} from '../worker/errors/codes.ts'
import { codeOf, sentence, statusOf, type Problem } from '../worker/errors/problem.ts'
import { PROBLEM_DOCS } from '../worker/errors/problem-docs.ts'
import { describeTool } from '../worker/mcp/server-info.ts'
import { TOOLS } from '../worker/tools/index.ts'
import type { Tool } from '../worker/tools/lib/tool.ts'
import { table } from './markdown.ts'
import { inProject } from './settings.ts'
import { factsOf } from './tool-facts.ts'

/** The section of each table of `docs/errors.md`. */
export const ERROR_SECTIONS = {
  problems: problemsSection,
  arguments: () => codesTable(ARGUMENT_CODES),
  results: () => codesTable(RESULT_CODES),
  http: () => codesTable(HTTP_CODES),
  rpc: () => codesTable(RPC_CODES),
  view: () => codesTable(VIEW_CODES),
  polyfill: () => codesTable(POLYFILL_NAMES),
}

function problemsSection(): string {
  const rows = Object.values(PROBLEM_DOCS).flatMap(({ meaning, examples }) =>
    examples.map((problem: Problem) => [
      code(codeOf(problem)),
      String(statusOf(problem)),
      meaning,
      oneLine(sentence(problem)),
    ]),
  )
  const sorted = rows.toSorted(([a = ''], [b = '']) => (a < b ? -1 : a > b ? 1 : 0))
  return table(['Code', 'HTTP', 'Meaning', 'Example'], sorted)
}

function codesTable(codes: ErrorCodes): string {
  const entries: readonly (readonly [string, ErrorCode])[] = Object.entries(codes)
  const hasStatus = entries.some(([, { status }]) => status !== undefined)
  const head = ['Code', ...(hasStatus ? ['HTTP'] : []), 'Meaning', 'What to do']
  const rows = entries.map(([name, { status = '', meaning, advice }]) => [
    code(name),
    ...(hasStatus ? [status] : []),
    meaning,
    advice,
  ])
  return table(head, rows)
}

const code = (text: string) => `\`${text}\``

/** A table cell has one line, and no markup of its own. */
const oneLine = (text: string) => text.replaceAll('\n', ' ').replaceAll('<', '&lt;')

const results = z.record(
  z.string(),
  z.object({ arguments: z.unknown(), text: z.string(), structured: z.unknown().optional() }),
)

/** Describes every tool: for models first, then those for views. */
export function toolsSection(): string {
  const file = inProject('test/support/worker/tool-examples.json')
  const known = results.parse(JSON.parse(readFileSync(file, 'utf8')))
  return [...TOOLS.values()].map((tool) => toolSection(tool, known)).join('\n\n')
}

function toolSection(tool: Tool, known: z.infer<typeof results>): string {
  const { inputSchema, outputSchema } = describeTool(tool, false)
  const fields = fieldsOf(plain(inputSchema))
  const given = fieldsOf(plain(outputSchema ?? {}))
  return [
    `## \`${tool.name}\``,
    `**${tool.title}.** ${tool.description}`,
    describeFacts(tool),
    fields.length > 0
      ? table(['Argument', 'Type', 'Default', 'Meaning'], fields)
      : 'It has no arguments.',
    given.length > 0
      ? `Structured content:\n\n${table(['Field', 'Type', 'Meaning'], given.map(resultRow))}`
      : '',
    `Errors: ${errorsOf(tool).map(code).join(', ') || 'none'}.`,
    exampleOf(tool.name, known),
  ]
    .filter((part) => part !== '')
    .join('\n\n')
}

const plain = (schema: unknown): Schema => JSON.parse(JSON.stringify(schema))

const resultRow = ([name = '', type = '', , meaning = '']: readonly string[]) => [
  name.replace(' (required)', ''),
  type,
  meaning,
]

function describeFacts(tool: Tool): string {
  const scopes = { read: ['read'], change: tool.reads ? ['write', 'read'] : ['write'], act: [] }
  const facts = [
    tool.appOnly ? 'only for views (MCP Apps), hidden from models' : '',
    `approval level \`${tool.approval}\``,
    scopes[tool.kind].length > 0 ? `needs ${scopes[tool.kind].map(code).join(' and ')}` : '',
    tool.kind === 'change' ? 'has a preview' : '',
    tool.destructive ? 'destructive' : '',
    (tool.idempotent ?? tool.kind === 'read') ? 'idempotent' : '',
  ]
  const text = facts.filter((fact) => fact !== '').join('; ')
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}. Intent: \`${tool.intentText}\`.`
}

/** A JSON Schema, as far as the tables show it. */
interface Schema {
  readonly type?: string
  readonly description?: string
  readonly default?: unknown
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly minimum?: number
  readonly maximum?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly minItems?: number
  readonly maxItems?: number
}

/** Rows of a schema: name, type, default, meaning; those of an inner object follow with a dotted name. */
function fieldsOf(schema: Schema, above = ''): string[][] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    const isRequired = schema.required?.includes(name) === true && field.default === undefined
    const own = [
      `${code(above + name)}${isRequired && above === '' ? ' (required)' : ''}`,
      typeOf(field),
      field.default === undefined ? '' : code(JSON.stringify(field.default)),
      field.description ?? '',
    ]
    const inner = field.items ?? field
    const mark = field.items ? '[].' : '.'
    return [own, ...fieldsOf(inner, `${above}${name}${mark}`)]
  })
}

function typeOf(schema: Schema): string {
  if (schema.anyOf) return schema.anyOf.map(typeOf).join(' or ')
  if (schema.enum) return schema.enum.map((value) => code(JSON.stringify(value))).join(', ')
  if (schema.const !== undefined) return code(JSON.stringify(schema.const))
  if (schema.type === 'array') return `list of ${typeOf(schema.items ?? {})}${boundsOf(schema)}`
  return `${schema.type ?? 'any'}${boundsOf(schema)}`
}

function boundsOf(schema: Schema): string {
  const low = schema.minimum ?? schema.minLength ?? schema.minItems
  const high = schema.maximum ?? schema.maxLength ?? schema.maxItems
  const bounds = [
    low === undefined || Math.abs(low) === Number.MAX_SAFE_INTEGER ? '' : `≥ ${low}`,
    high === undefined || high === Number.MAX_SAFE_INTEGER ? '' : `≤ ${high}`,
  ].filter((bound) => bound !== '')
  return bounds.length > 0 ? ` (${bounds.join(', ')})` : ''
}

const OF_PATHS: readonly Problem['reason'][] = [
  'bad_path',
  'outside_root',
  'insufficient_scope',
  'blocked',
]
const OF_CHANGES: readonly Problem['reason'][] = [
  'immutable',
  'read_only',
  'access_changed',
  'preview_stale',
  'draft_full',
  'changed_meanwhile',
  'file_too_large',
  'workspace_full',
  'storage_full',
]

/** What a tool may refuse, with the codes that it shares with others. */
function errorsOf({ name, kind }: Tool): string[] {
  const { refusals, argumentCodes = [], hasPaths } = factsOf(name)
  const shared = [...(hasPaths ? OF_PATHS : []), ...(kind === 'change' ? OF_CHANGES : [])]
  const codes = [...refusals, ...shared].flatMap((reason) =>
    PROBLEM_DOCS[reason].examples.map((problem: Problem) => codeOf(problem)),
  )
  return [...new Set([...codes, ...argumentCodes])].toSorted()
}

function exampleOf(name: string, known: z.infer<typeof results>): string {
  const result = known[name]
  if (!result) throw new Error(`Cannot document ${name}: record its example`)
  const asked = JSON.stringify({ name, arguments: result.arguments }, null, 2)
  const structured = JSON.stringify(result.structured, null, 2)
  return `\`\`\`json\n${asked}\n\`\`\`\n\n\`\`\`text\n${result.text}\n\`\`\`${
    result.structured === undefined ? '' : `\n\n\`\`\`json\n${structured}\n\`\`\``
  }`
}
