/**
 * The fields of the rules in sections, each a form of its own over its part of the configuration: folders, approval,
 * and the limits, which are folded.
 *
 * @module
 */

import { useRef } from 'preact/hooks'
import { recordOf, type JsonRecord } from '#core/json.ts'
import { AnswerError } from '../ui/errors.ts'
import { SchemaForm } from '../../forms/schema-form.tsx'

/** The id of the message to which a refused field refers. */
export const REFUSAL = 'config-refusal'

type SectionId = 'config' | 'approval' | 'limits'

interface Section {
  /** The prefix of the ids of its fields. */
  readonly id: SectionId
  readonly title: string
  /** Its fields; null for all that no other section names. */
  readonly names: readonly string[] | null
}

const SECTIONS: readonly Section[] = [
  { id: 'config', title: 'Access', names: ['roots', 'allow_escape', 'read_only'] },
  { id: 'approval', title: 'Approval', names: ['approval', 'passkey', 'draft_ttl_seconds'] },
  { id: 'limits', title: 'Limits', names: null },
]

const NAMED = SECTIONS.flatMap(({ names }) => names ?? [])

const owns = ({ names }: Section, name: string) =>
  names ? names.includes(name) : !NAMED.includes(name)

interface Props {
  readonly schema: unknown
  readonly value: JsonRecord
  /** Called with the whole configuration, and whether all sections are valid. */
  readonly onChange: (value: JsonRecord, isValid: boolean) => void
}

export function RuleSections({ schema, value, onChange }: Props) {
  const valid = useRef(new Map<SectionId, boolean>())
  const change = (section: Section) => (next: unknown, isValid: boolean) => {
    valid.current.set(section.id, isValid)
    const others = pick(value, (name) => !owns(section, name))
    onChange({ ...others, ...recordOf(next) }, ![...valid.current.values()].includes(false))
  }
  const show = (section: Section) => (
    <SchemaForm
      schema={schemaOf(section, schema)}
      value={pick(value, (name) => owns(section, name))}
      idPrefix={section.id}
      label={`${section.title}: rules`}
      onChange={change(section)}
    />
  )
  return SECTIONS.map((section) =>
    section.names ? (
      <section key={section.id} class="rulesection">
        <h2>{section.title}</h2>
        {show(section)}
      </section>
    ) : (
      <details key={section.id} class="rulesection">
        <summary>{section.title}</summary>
        {show(section)}
      </details>
    ),
  )
}

/** The part of the schema for a section. Members that it does not name are with the limits. */
function schemaOf(section: Section, schema: unknown): JsonRecord {
  const whole = recordOf(schema)
  const all = recordOf(whole['properties'])
  const { names } = section
  if (!names) return { ...whole, properties: pick(all, (name) => owns(section, name)) }
  const properties = Object.fromEntries(
    names.flatMap((name) => (all[name] ? [[name, all[name]]] : [])),
  )
  return { ...whole, properties, additionalProperties: false }
}

const pick = (record: JsonRecord, isPicked: (name: string) => boolean): JsonRecord =>
  Object.fromEntries(Object.entries(record).filter(([name]) => isPicked(name)))

/** Marks the fields that the server refused. The first one is marked last, so that it has the focus. */
export function markFields(problem: unknown): void {
  if (!(problem instanceof AnswerError)) return
  for (const { pointer } of problem.fields.toReversed()) markInvalid(pointer)
}

/**
 * Marks a field as invalid, with the refusal as its description, and focuses it. If the form has no such
 * field, the nearest enclosing one is used.
 */
function markInvalid(pointer: string): void {
  for (let place = pointer; place !== ''; place = place.slice(0, place.lastIndexOf('/'))) {
    const id = `-input${place.replaceAll('/', ':')}`
    const field = SECTIONS.map((section) => document.getElementById(section.id + id)).find(Boolean)
    if (!field) continue
    for (const folded of document.querySelectorAll('details'))
      folded.open ||= folded.contains(field)
    field.setAttribute('aria-invalid', 'true')
    field.setAttribute('aria-describedby', REFUSAL)
    field.focus()
    return
  }
}
