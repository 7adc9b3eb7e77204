/**
 * What the form of a new app holds, and how its fields and the text of `app.json` follow each other.
 *
 * The fields write the text. Once the person has edited the text, a field changes only its own members,
 * so that no edit is lost; another template writes all of it again.
 * `test/host/console/app-form.test.ts` has the table.
 *
 * @module
 */

import { isAppName } from '#core/apps/name.ts'
import { starterFiles, type StarterFile } from '#core/apps/starters.ts'
import type { TemplateName } from '#core/apps/templates.ts'
import { isRecord, type JsonRecord } from '#core/json.ts'

/** The fields of the form. */
export interface AppFields {
  readonly template: TemplateName
  readonly name: string
  /** A path or pattern; empty for sample data. */
  readonly data: string
  /** Null while the title follows the name. */
  readonly title: string | null
}

/** The form of a new app. */
export interface AppForm extends AppFields {
  /** The text of `app.json`. */
  readonly text: string
  /** The text as the fields wrote it last. */
  readonly generated: string
  /** Sample data of the fields. */
  readonly samples: readonly StarterFile[]
  /** What is wrong with the path or pattern; null if nothing is. */
  readonly dataProblem: string | null
}

/** The name with which an app is previewed until it has one. */
const NO_NAME = 'new-app'

/** Returns the name of the app, or one to preview it with. */
export const previewName = ({ name }: Pick<AppFields, 'name'>): string =>
  isAppName(name) ? name : NO_NAME

/** Fills the form for the first time. */
export function startForm(fields: AppFields): AppForm {
  const empty = { text: '', generated: '', samples: [], dataProblem: null }
  const form = changeFields({ ...fields, ...empty }, {})
  if (form.dataProblem === null) return form
  // A link with a path that cannot be used still shows the template.
  return { ...changeFields({ ...form, data: '' }, {}), ...fields, dataProblem: form.dataProblem }
}

/** Changes fields, and the text of `app.json` with them. */
export function changeFields(form: AppForm, part: Partial<AppFields>): AppForm {
  const next = { ...form, ...part }
  const { template, data } = next
  const made = starterFiles({ template, name: previewName(next), data: data.trim() || undefined })
  if (!made.ok) {
    const problem = made.error.find(({ field }) => field === 'data')
    return { ...next, dataProblem: problem?.message ?? null }
  }
  const [manifest, ...samples] = made.value
  const generated = withTitle(manifest?.text ?? '', next.title)
  const isKept = isEdited(form) && next.template === form.template
  const text = isKept ? carryOver(form, generated) : generated
  return { ...next, text, generated, samples, dataProblem: null }
}

/** Whether the text was edited by hand. */
export const isEdited = ({ text, generated }: AppForm): boolean => text !== generated

/** Returns the title in the text; the one of the field if the text is not JSON. */
export function titleOf({ text, title }: AppForm): string {
  const found = parse(text)?.['title']
  return typeof found === 'string' ? found : (title ?? '')
}

/** Members of `app.json` that fields write. */
const OF_FIELDS = ['title', 'data', 'write']

/** Carries what the fields change over to an edited text; one that is not JSON stays as it is. */
function carryOver({ text, generated }: AppForm, next: string): string {
  const [edited, before, after] = [text, generated, next].map(parse)
  if (!edited || !before || !after) return text
  const changed = OF_FIELDS.filter(
    (key) => JSON.stringify(before[key]) !== JSON.stringify(after[key]),
  )
  if (changed.length === 0) return text
  return print({ ...edited, ...Object.fromEntries(changed.map((key) => [key, after[key]])) })
}

function withTitle(text: string, title: string | null): string {
  const manifest = parse(text)
  return manifest && title !== null ? print({ ...manifest, title }) : text
}

const print = (manifest: JsonRecord) => `${JSON.stringify(manifest, null, 2)}\n`

function parse(text: string): JsonRecord | null {
  try {
    const value: unknown = JSON.parse(text)
    return isRecord(value) ? value : null
  } catch {
    return null
  }
}
