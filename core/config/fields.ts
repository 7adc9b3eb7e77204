/**
 * The configuration fields, each described once.
 *
 * From an entry follow the type and the default of the field, its parser, its JSON Schema
 * (`schema.ts`), its row in `docs/configuration.md`, whether a policy or a client may set it, and the
 * group of sentences in which the console describes it. What is left to write is its enforcement.
 * Names and meanings are those of the mcp4h proposals. `test/core/config.test.ts` has the table.
 *
 * @module
 */

import { ANYWHERE, approval, CALL_LIMIT, CONFIGURED, count, flag, passkey } from './field.ts'
import type { Field } from './field.ts'
import { IMPORT_HOSTS } from './hosts.ts'
import { ROOTS } from './roots.ts'

/** Every field, in the order of the schema. */
export const FIELDS = {
  roots: ROOTS,
  allow_escape: flag(false, true, CONFIGURED, {
    title: 'Allow paths outside the folders',
    description: 'Whether tools may also use paths outside all folders.',
    sentence: 'access',
  }),
  read_only: flag(false, false, ANYWHERE, {
    title: 'Read-only',
    description: 'Tools may read, and change nothing. A policy can only turn it on.',
    sentence: 'access',
  }),
  find_limit: count(200, CALL_LIMIT, {
    title: 'Results of find_files',
    description: 'Maximum number of entries that find_files returns.',
    sentence: 'output',
  }),
  search_max_bytes: count(17_000, CALL_LIMIT, {
    title: 'Output of search_files',
    description:
      'Maximum size in bytes of JSON; a result has its matches twice, as text and as data. A larger result loses its context first, then its lines.',
    sentence: 'output',
  }),
  search_summary_top: count(20, CALL_LIMIT, {
    title: 'Files in a search summary',
    description: 'Maximum number of files that a summary of search_files lists.',
    sentence: null,
  }),
  read_max_bytes: count(17_000, CALL_LIMIT, {
    title: 'Output of read_file',
    description:
      'Maximum size of the lines of one result, in bytes of JSON; a result has them twice, as text and as data.',
    sentence: 'output',
  }),
  read_max_line_bytes: count(12_800, CALL_LIMIT, {
    title: 'Length of a line',
    description: 'Maximum size of one line of any output in bytes.',
    sentence: null,
  }),
  preview_cache_size: count(100, CONFIGURED, {
    title: 'Previews kept',
    description:
      'Maximum number of previews kept for each principal. Beyond it, the least recently read one is dropped.',
    sentence: 'previews',
  }),
  preview_ttl_seconds: count(3_600, CONFIGURED, {
    title: 'Lifetime of a preview',
    description: 'How long a preview is kept, in seconds.',
    sentence: 'previews',
  }),
  history_versions: count(50, CONFIGURED, {
    title: 'Versions kept',
    description: 'Maximum number of versions of each file that can be restored.',
    sentence: 'history',
  }),
  approval: approval('none', ANYWHERE, {
    title: 'Approval',
    description:
      'The approval level for changes. A folder and a policy can only raise it. At review and confirm, the server holds changes until the owner approves them.',
    sentence: 'approval',
  }),
  passkey: passkey('confirm', CONFIGURED, {
    title: 'Passkey',
    description:
      'Once a passkey is registered: whether approving needs it for changes at confirm, for everything, or never. Unless it is none, loosening the rules needs it as well.',
    sentence: 'approval',
  }),
  draft_ttl_seconds: count(604_800, CONFIGURED, {
    title: 'Lifetime of a waiting change',
    description: 'How long a change waits for approval before it is turned down, in seconds.',
    sentence: 'approval',
  }),
  max_file_bytes: count(104_857_600, CONFIGURED, {
    title: 'Size of a file',
    description: 'Maximum size of one file in bytes.',
    sentence: 'sizes',
  }),
  max_workspace_bytes: count(10_737_418_240, CONFIGURED, {
    title: 'Size of the workspace',
    description: 'Maximum size of all files in bytes, without their history.',
    sentence: 'sizes',
  }),
  import_hosts: IMPORT_HOSTS,
}

type Fields = typeof FIELDS

/** A value for each field. In every number, 0 means "no limit". */
export type Values = { readonly [K in keyof Fields]: Fields[K]['default'] }

/** A complete configuration. */
export type Config = Values & {
  /** The flags that were met with it. Their folders hold beside `roots`. No document has them. */
  readonly flags?: Flags | undefined
  /** Limits that were set to their default, which is a ceiling for clients only then. No document has them. */
  readonly chosen?: readonly LimitName[]
}

/** The fields that flags set; each restricts the configuration. */
export type Flags = Partial<Values>

/** The name of a field. */
export type FieldName = keyof Fields

/** Whether a name is that of a field. */
export const isField = (name: string): name is FieldName => Object.hasOwn(FIELDS, name)

/** Returns a configuration with the stricter value of each field that flags set. */
export function restrictConfig(config: Config, flags: Flags): Config {
  const unrestricted: Config = { ...config, flags }
  return FIELD_NAMES.reduce((now, name) => restrictField(now, flags, name), unrestricted)
}

/** One entry for each name, so that a name and its value stay together. */
const TABLE: { readonly [K in FieldName]: Field<Values[K]> } = FIELDS

function restrictField<K extends FieldName>(config: Config, flags: Flags, name: K): Config {
  const value: Values[K] | undefined = flags[name]
  if (value === undefined) return config
  const { width, meet } = TABLE[name]
  if (meet) return { ...config, [name]: meet(config[name], value) }
  return width(value) < width(config[name]) ? { ...config, [name]: value } : config
}

/** Whether the value of a field restricts nothing. */
export const isWidest = <K extends FieldName>(name: K, values: Values): boolean =>
  TABLE[name].width(values[name]) === Infinity

/** The names of all fields. */
export const FIELD_NAMES: readonly FieldName[] = Object.keys(FIELDS).filter(isField)

/** The numeric limits of one call, which a policy may lower. */
export type LimitName = {
  [K in FieldName]: Fields[K] extends { default: number; schema: { scope: 'any' } } ? K : never
}[FieldName]

/** A value for each {@link LimitName}; 0 means "no limit". */
export type Limits = Pick<Config, LimitName>

/** The names of the numeric limits of one call. */
export const LIMITS: readonly LimitName[] = FIELD_NAMES.filter(
  (name): name is LimitName =>
    typeof FIELDS[name].default === 'number' && FIELDS[name].schema.scope === 'any',
)

/** Whether a field is a numeric limit of one call. */
export const isLimit = (name: FieldName): name is LimitName => LIMITS.some((one) => one === name)

/** A field that only a configuration may set. */
export type ConfiguredName = {
  [K in FieldName]: Fields[K]['schema']['scope'] extends 'configuration' ? K : never
}[FieldName]

/** The names of the fields that only a configuration may set. */
export const CONFIGURED_NAMES: readonly ConfiguredName[] = FIELD_NAMES.filter(
  (name): name is ConfiguredName => FIELDS[name].schema.scope === 'configuration',
)
