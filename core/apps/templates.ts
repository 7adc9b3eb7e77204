/**
 * The six templates of apps, and their settings as `app.json` gives them in `config`.
 *
 * The server checks an app with these readers before a person approves it, and the page reads its
 * settings with the same ones. `docs/app-templates.md` describes each setting;
 * `test/core/apps/templates.test.ts` has the table.
 *
 * @module
 */

import { err, ok, type Result } from '../result.ts'
import { checkFieldDefault, readFieldDefault, readFieldOptions } from './fields.ts'
import { MAX_EXPAND_LEVEL } from './limits.ts'
import {
  count,
  flag,
  listOf,
  object,
  oneOf,
  placeOf,
  record,
  refuse,
  text,
  toolName,
  type Place,
  type Read,
  type SettingProblem,
} from './reader.ts'

export type { SettingProblem } from './reader.ts'

const FIELD_TYPES = [
  'text',
  'email',
  'password',
  'number',
  'textarea',
  'select',
  'checkbox',
] as const

const fieldMembers = {
  name: text(null),
  type: oneOf(FIELD_TYPES),
  label: text(''),
  required: flag(false),
  placeholder: text(''),
  default: readFieldDefault,
  options: readFieldOptions,
}

const readFieldMembers = object(fieldMembers)

/** A field of a form. */
export type FormField = ReturnType<typeof readFieldMembers>

const readField: Read<FormField> = (place) => {
  const field = readFieldMembers(place)
  if (field.type === 'select' && field.options.length === 0)
    refuse(placeOf(place, 'options'), 'Expected the options of a select')
  checkFieldDefault(place, field.type, field.default)
  return { ...field, label: field.label || field.name }
}

const readColumnMembers = object({ key: text(null), label: text(''), sortable: flag(false) })

/** A column of a table. */
export type TableColumn = ReturnType<typeof readColumnMembers>

const readColumn: Read<TableColumn> = (place) => {
  const column = readColumnMembers(place)
  return { ...column, label: column.label || column.key }
}

const readLaneMembers = object({ id: text(null), title: text('') })

/** A column of a board. */
export type BoardColumn = ReturnType<typeof readLaneMembers>

const readLane: Read<BoardColumn> = (place) => {
  const column = readLaneMembers(place)
  return { ...column, title: column.title || column.id }
}

/** Returns a reader of a list in which one member of the items has to be unique. */
function distinct<T>(read: Read<T>, key: string, keyOf: (item: T) => string): Read<readonly T[]> {
  return (place) => {
    const items = listOf(read)(place)
    const seen = new Set<string>()
    for (const [index, item] of items.entries()) {
      if (seen.has(keyOf(item)))
        refuse(placeOf(placeOf(place, index), key), `There are several items with this ${key}`)
      seen.add(keyOf(item))
    }
    return items
  }
}

const READERS = {
  form: object({
    title: text('Form'),
    description: text(''),
    fields: (place: Place) => {
      const fields = distinct(readField, 'name', ({ name }) => name)(place)
      if (fields.length === 0) refuse(place, 'Expected at least one field')
      return fields
    },
    submitTool: toolName,
    submitArgs: record,
    cancelable: flag(false),
  }),
  'data-table': object({
    title: text('Data'),
    columns: distinct(readColumn, 'key', ({ key }) => key),
  }),
  progress: object({
    title: text('Progress'),
    showPercentage: flag(true),
    showCurrentStep: flag(true),
    cancelTool: toolName,
    cancelConfirm: text('Are you sure you want to cancel?'),
  }),
  'diff-viewer': object({
    title: text('Diff Viewer'),
    viewMode: oneOf(['split', 'unified']),
    showLineNumbers: flag(true),
    syntaxHighlight: flag(true),
    leftTitle: text('Original'),
    rightTitle: text('Modified'),
  }),
  'tree-view': object({
    title: text('Tree View'),
    showIcons: flag(true),
    expandLevel: count(1, MAX_EXPAND_LEVEL),
    selectable: flag(false),
    onSelectTool: toolName,
  }),
  kanban: object({
    title: text('Kanban Board'),
    columns: distinct(readLane, 'id', ({ id }) => id),
    draggable: flag(true),
    onMoveTool: toolName,
    onCardClickTool: toolName,
  }),
} as const

/** The name of a template. */
export type TemplateName = keyof typeof READERS

/** The names of the templates, in the order in which the documentation has them. */
export const TEMPLATES = Object.keys(READERS).filter(isTemplate)

/** Whether a value is the name of a template. */
export function isTemplate(value: unknown): value is TemplateName {
  return typeof value === 'string' && Object.hasOwn(READERS, value)
}

/** The settings of one template. */
export type SettingsOf<T extends TemplateName> = ReturnType<(typeof READERS)[T]>

/** The settings of any template, by its name. */
export type TemplateSettings = {
  readonly [T in TemplateName]: { readonly template: T; readonly settings: SettingsOf<T> }
}[TemplateName]

/**
 * Reads the settings of a template. An absent `config` gives the defaults.
 *
 * @param template The untrusted name of the template.
 * @param config The untrusted settings.
 * @returns The settings, or all problems, with JSON pointers from the root of `app.json`.
 */
export function readTemplate(
  template: unknown,
  config: unknown,
): Result<TemplateSettings, readonly SettingProblem[]> {
  if (!isTemplate(template)) {
    const message = `Expected one of: ${TEMPLATES.join(', ')}`
    return err([{ pointer: '/template', message }])
  }
  const problems: SettingProblem[] = []
  const settings = READERS[template]({ value: config, pointer: '/config', problems })
  // The reader of a template returns its settings.
  return problems.length > 0 ? err(problems) : ok({ template, settings } as TemplateSettings)
}
