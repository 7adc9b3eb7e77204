/**
 * The flags of `npm start`: those of the program, and one for each configuration field, made from the table of fields.
 * Tested by `test/flags.test.ts`.
 *
 * @module
 */

import { isRecord, recordOf, type JsonRecord } from '../core/json.ts'
import { HOST_SETTING_NAMES, HOST_SETTINGS } from '../core/apps/host-settings.ts'
import { DEFAULT_CONFIG } from '../core/config.ts'
import { FIELD_NAMES, FIELDS, isWidest, type FieldName } from '../core/config/fields.ts'

/** A flag: how it is written, what it is, and the field that it restricts. */
export interface Flag {
  readonly name: string
  /** What is written after it, for the help; null for a flag that is given or not. */
  readonly value: string | null
  readonly what: string
  /** A value that it can have. */
  readonly example: string
  /** Whether it can be given more than once. */
  readonly isList: boolean
  /** The field that it restricts; null for one of the program. */
  readonly field: FieldName | null
  /** For a list, the member of each folder; null for the folders themselves. */
  readonly list: string | null
}

const OF_PROGRAM = { isList: false, field: null, list: null } as const
const SWITCH = { ...OF_PROGRAM, value: null, example: '' } as const

/** The flags of the program itself. */
const PROGRAM: readonly Flag[] = [
  {
    ...OF_PROGRAM,
    name: 'port',
    value: '<number>',
    what: 'Port on this machine. Otherwise PORT, or 8787',
    example: '9000',
  },
  {
    ...OF_PROGRAM,
    name: 'data',
    value: '<folder>',
    what: 'Folder of this machine for the data. Otherwise EDGEWISE_DATA, or .edgewise',
    example: './data',
  },
  {
    ...OF_PROGRAM,
    name: 'sandbox-port',
    value: '<number>',
    what: 'A second port, where apps run. Otherwise the other name of this machine at the same port',
    example: '9001',
  },
  { ...SWITCH, name: 'open', what: 'Open the console in the browser' },
  { ...SWITCH, name: 'help', what: 'Print this help' },
  { ...SWITCH, name: 'print-config-schema', what: 'Print the configuration schema' },
]

/** The most that a person can set in the console, as a host of apps. */
const APP_HOST: readonly Flag[] = HOST_SETTING_NAMES.map((name) => ({
  ...OF_PROGRAM,
  name: name.replaceAll('_', '-'),
  value: '<number>',
  what: `${HOST_SETTINGS[name].title}, from ${HOST_SETTINGS[name].least} to ${HOST_SETTINGS[name].most}`,
  example: String(HOST_SETTINGS[name].default),
}))

export const FLAGS: readonly Flag[] = [...PROGRAM, ...APP_HOST, ...FIELD_NAMES.flatMap(flagsOf)]

function flagsOf(field: FieldName): Flag[] {
  const { schema } = FIELDS[field]
  if (field === 'roots') return folderFlags(recordOf(recordOf(schema['items'])['properties']))
  const isSwitch = schema['type'] === 'boolean'
  const isNot = isSwitch && isWidest(field, { ...DEFAULT_CONFIG, [field]: true })
  const name = `${isNot ? 'no-' : ''}${field.replaceAll('_', '-')}`
  const isList = schema['type'] === 'array'
  const value = isSwitch ? null : isList ? '<hosts>' : choices(schema) || '<number>'
  const what = `${isNot ? 'Off: ' : ''}${titleOf(schema)}`
  return [
    {
      ...OF_PROGRAM,
      name,
      value,
      what,
      example: isList ? 'files.example.com' : exampleOf(schema),
      field,
    },
  ]
}

/** A folder, and each list of patterns that a folder may have. */
function folderFlags(members: JsonRecord): Flag[] {
  const lists = Object.entries(members).filter(([, schema]) => recordOf(schema)['type'] === 'array')
  return [
    {
      name: 'root',
      value: '<folder>',
      what: 'Folder of the workspace that tools may use',
      example: '/notes',
      isList: true,
      field: 'roots',
      list: null,
    },
    ...lists.map(([list, schema]): Flag => {
      const what = `${titleOf(recordOf(schema))} in each --root`
      const example = "'private/**'"
      return { name: list, value: '<pattern>', what, example, isList: true, field: 'roots', list }
    }),
  ]
}

function titleOf(schema: JsonRecord): string {
  return String(schema['title'])
}

function choices({ enum: values }: JsonRecord): string {
  return Array.isArray(values) ? values.join('|') : ''
}

/** The value in the middle of a list, or the default. */
function exampleOf({ enum: values, default: preset }: JsonRecord): string {
  const middle: unknown = Array.isArray(values) ? values[values.length >> 1] : preset
  return isRecord(middle) ? '' : String(middle)
}
