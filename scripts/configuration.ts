/**
 * The generated sections of `docs/configuration.md`, from the entries of `core/config/fields.ts`.
 *
 * @module
 */

import { DEFAULT_CONFIG, readConfig } from '../core/config.ts'
import { MAX_PATTERN_TEXT, MAX_PATTERNS } from '../core/config/entries.ts'
import { FIELD_NAMES, FIELDS, isField } from '../core/config/fields.ts'
import { CONFIG_CODES } from '../core/config/problem.ts'
import { isRecord, recordOf, type JsonRecord } from '../core/json.ts'
import { SERVER_MAXIMUM } from '../worker/store/limits.ts'
import { table } from './markdown.ts'

const HEAD = ['Field', 'Type', 'Default', 'Bounds', 'May be set by', 'What it does']

/** One row for each field of a configuration. */
export function fieldsSection(): string {
  return table(
    HEAD,
    FIELD_NAMES.map((name) => row(name, FIELDS[name].schema)),
  )
}

/** One row for each field of an entry of `roots`, and the limits of all entries together. */
export function rootsSection(): string {
  const entry = recordOf(FIELDS.roots.schema['items'])
  const required = Array.isArray(entry['required']) ? entry['required'] : []
  const members = Object.entries(recordOf(entry['properties']))
  const rows = members.map(([name, schema]) =>
    row(name, recordOf(schema), required.includes(name) ? 'required' : undefined),
  )
  const [patterns, characters] = [MAX_PATTERNS, MAX_PATTERN_TEXT].map((n) => n.toLocaleString('en'))
  const limits = `All entries together have at most ${patterns} patterns, of ${characters} characters in all.`
  return `${table(HEAD, rows)}\n\n${limits}`
}

/** One row for each code of a problem. */
export function codesSection(): string {
  return table(
    ['Code', 'Meaning'],
    Object.entries(CONFIG_CODES).map(([code, meaning]) => [`\`${code}\``, meaning]),
  )
}

const EXAMPLE = {
  roots: [
    { path: '/notes', deny: ['private/**'], immutable: ['archive/**'], approval: 'confirm' },
    { path: '/code', allow: ['src/**', '*.md'], default: true },
  ],
  approval: 'review',
  find_limit: 100,
  history_versions: 20,
  max_file_bytes: 10_485_760,
}

/** An example, which has to be a valid configuration. */
export function configurationExample(): string {
  const read = readConfig(EXAMPLE, DEFAULT_CONFIG)
  if (!read.ok) throw new Error(`Cannot use the example: ${read.error[0].message}`)
  return `\`\`\`json\n${JSON.stringify(EXAMPLE, null, 2)}\n\`\`\``
}

function row(name: string, schema: JsonRecord, preset = defaultOf(schema)): string[] {
  const { description, title } = schema
  return [
    `\`${name}\``,
    typeOf(schema),
    preset,
    [...boundsOf(schema), ...maximumOf(name)].join('; ') || '–',
    settersOf(name, schema),
    `${String(title)}. ${String(description)}`,
  ]
}

function typeOf({ type, items }: JsonRecord): string {
  return type === 'array' && isRecord(items) ? `array of ${String(items['type'])}s` : String(type)
}

const defaultOf = ({ default: preset }: JsonRecord) => `\`${JSON.stringify(preset)}\``

function boundsOf(schema: JsonRecord): string[] {
  const { enum: values, items } = schema
  const texts = isRecord(items) && items['type'] === 'string' ? boundsOf(items) : []
  const least = numberIn(schema, 'minimum')
  return [
    ...(Array.isArray(values) ? [values.map((value) => `\`${String(value)}\``).join(', ')] : []),
    ...(least === null ? [] : [`at least ${least}`]),
    ...range(numberIn(schema, 'minItems'), numberIn(schema, 'maxItems'), 'entries'),
    ...range(numberIn(schema, 'minLength'), numberIn(schema, 'maxLength'), 'characters'),
    ...texts.map((text) => `each ${text}`),
  ]
}

function range(least: number | null, most: number | null, unit: string): string[] {
  if (most === null) return []
  return [`${least === null ? 'up to' : `${least} to`} ${most} ${unit}`]
}

function numberIn(schema: JsonRecord, name: string): number | null {
  const value = schema[name]
  return typeof value === 'number' ? value : null
}

const MAXIMA = new Map<string, number>(Object.entries(SERVER_MAXIMUM))

function maximumOf(name: string): string[] {
  const most = MAXIMA.get(name)
  return most === undefined ? [] : [`takes effect up to ${most.toLocaleString('en')}`]
}

/** A client may set `roots`, of which only a configuration says the default; other such fields are the owner's. */
function settersOf(name: string, { scope, audience }: JsonRecord): string {
  if (scope === 'configuration') return isField(name) ? 'owner' : 'owner, client'
  const policy = audience === 'human' ? 'policy of a person' : 'policy'
  return scope === 'policy' ? policy : `owner, client, ${policy}`
}
