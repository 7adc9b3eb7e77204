/**
 * Builds fields from a schema and a value, and collects their problems.
 *
 * This module chooses the kind of field. It also builds the fields that have fields inside (list,
 * object, variant), because these build any kind of field again; `leaf-fields.ts` has the others.
 * A value that does not fit its field is shown as JSON, with its problem.
 *
 * @module
 */

import { isRecord, own, recordOf } from '#core/json.ts'
import { createDefault, createItem } from './defaults.ts'
import {
  buildBase,
  buildBoolean,
  buildChoice,
  buildJson,
  buildNumber,
  buildText,
  formatValue,
  readChoices,
  toText,
  toWords,
  type Position,
} from './leaf-fields.ts'
import {
  inferTypes,
  readItems,
  readVariants,
  removeNull,
  resolve,
  TYPE_NAMES,
  type Schema,
  type SchemaContext,
} from './schema.ts'
import type { ExtraRow, Field, FieldProblem, Pointer } from './types.ts'
import { checkList, readCount } from './validate.ts'
import { appendStep } from './value.ts'

/** Fields nested deeper than this are edited as JSON. */
const MAX_DEPTH = 12

/** Lists longer than this are edited as JSON. */
const MAX_ITEMS = 500

/** What the fields of one form share. */
export interface FormBuild extends SchemaContext {
  /** Variants that the user has chosen, by pointer. */
  readonly chosen: ReadonlyMap<Pointer, number>
}

/** Builds a field and the fields inside it. */
export function buildField(
  schema: unknown,
  value: unknown,
  position: Position,
  build: FormBuild,
): Field {
  const { rest, nullable } = removeNull(resolve(schema, build), build)
  if (value === null && nullable) {
    const empty = buildKind(rest, undefined, { ...position, required: false }, build)
    const { required } = position
    return { ...empty, required, nullable, value: null, isSet: true, problems: [] }
  }
  return { ...buildKind(rest, value, position, build), nullable }
}

function buildKind(schema: Schema, value: unknown, position: Position, build: FormBuild): Field {
  if (position.depth > MAX_DEPTH || !build.budget.spend()) return buildJson(schema, value, position)
  const choices = readChoices(schema, build)
  if (choices) return buildChoice(schema, choices, value, position)
  const variants = readVariants(schema, build) ?? []
  const [only] = variants
  if (only && variants.length === 1) return buildKind(only, value, position, build)
  if (only) return buildVariant(schema, variants, value, position, build)
  return buildType(schema, value, position, build)
}

function buildType(schema: Schema, value: unknown, position: Position, build: FormBuild): Field {
  switch (inferTypes(schema)[0] ?? '') {
    case 'string':
      return buildText(schema, value, position)
    case 'number':
    case 'integer':
      return buildNumber(schema, value, position)
    case 'boolean':
      return buildBoolean(schema, value, position)
    case 'array':
      return buildList(schema, value, position, build)
    case 'object':
      return buildObject(schema, value, position, build)
    default:
      return buildJson(schema, value, position)
  }
}

/**
 * Builds a list field, or a field of choices if the schema lists the possible items and each occurs
 * once.
 */
function buildList(schema: Schema, value: unknown, position: Position, build: FormBuild): Field {
  if (value !== undefined && !Array.isArray(value))
    return buildJson(schema, value, position, 'Must be a list')
  const values: readonly unknown[] = value ?? []
  if (values.length > MAX_ITEMS) return buildJson(schema, value, position)
  const { first, each } = readItems(schema)
  const choices = schema['uniqueItems'] === true ? readChoices(resolve(each, build), build) : null
  const problems = checkList(schema, values)
  if (choices && first.length === 0)
    return { ...buildBase(schema, value, position, problems), kind: 'choices', choices }

  const maxItems = readCount(schema, 'maxItems')
  const isOpen = each !== false || values.length < first.length
  return {
    ...buildBase(schema, value, position, problems),
    kind: 'list',
    items: values.map((item, index) =>
      buildField(first[index] ?? each, item, positionOfItem(position, index), build),
    ),
    minItems: readCount(schema, 'minItems') ?? 0,
    maxItems,
    fixed: Math.min(first.length, values.length),
    canAdd: isOpen && (maxItems === null || values.length < maxItems),
    start: isOpen ? createItem(first[values.length] ?? each, build) : null,
  }
}

const positionOfItem = ({ pointer, depth }: Position, index: number): Position => ({
  pointer: appendStep(pointer, index),
  label: `Entry ${index + 1}`,
  required: true,
  depth: depth + 1,
})

/** Builds an object field: the members that the schema describes, then the others of the value. */
function buildObject(schema: Schema, value: unknown, position: Position, build: FormBuild): Field {
  if (value !== undefined && !isRecord(value))
    return buildJson(schema, value, position, 'Must be an object')
  const required: readonly unknown[] = Array.isArray(schema['required']) ? schema['required'] : []
  const known = readMembers(schema, required)
  const values = value ?? {}
  // An optional object without a value has no fields, so that a recursive schema ends.
  const isOpen = value !== undefined || position.required
  const fields = Object.entries(isOpen ? known : {}).map(([name, member]) =>
    buildField(
      member,
      own(values, name),
      positionOfMember(position, name, required.includes(name)),
      build,
    ),
  )
  const more = schema['additionalProperties']
  const rows = Object.entries(values)
    .filter(([name]) => !Object.hasOwn(known, name))
    .map(([name, member]) => buildRow(name, member, more, { position, build }))
  const canAdd =
    more === true || isRecord(more) || (more !== false && fields.length === 0 && isOpen)
  return {
    ...buildBase(schema, value, position),
    kind: 'object',
    fields,
    extra:
      canAdd || rows.length > 0 ? { rows, canAdd, start: createItem(more ?? {}, build) } : null,
    start: createDefault(schema, build) ?? {},
  }
}

/** Returns the described members, and the required ones that have no description. */
function readMembers({ properties, additionalProperties }: Schema, required: readonly unknown[]) {
  const described = recordOf(properties)
  const others = required
    .filter((name) => typeof name === 'string')
    .filter((name) => !Object.hasOwn(described, name))
    .map((name) => [name, additionalProperties ?? {}] as const)
  return Object.fromEntries([...Object.entries(described), ...others])
}

const positionOfMember = (
  { pointer, depth }: Position,
  name: string,
  required: boolean,
): Position => ({
  pointer: appendStep(pointer, name),
  label: toWords(name),
  required,
  depth: depth + 1,
})

/** Builds the row of a member that the schema does not name, and may not allow. */
function buildRow(
  name: string,
  value: unknown,
  schema: unknown,
  { position, build }: { position: Position; build: FormBuild },
): ExtraRow {
  const inner = { ...positionOfMember(position, name, false), label: `Value of ${name}` }
  if (schema !== false) return { name, field: buildField(schema ?? {}, value, inner, build) }
  const field = buildField({}, value, inner, build)
  return {
    name,
    field: { ...field, problems: [...field.problems, 'No member of this name is allowed'] },
  }
}

/** Builds a field of several schemas; the user's choice decides which one, or else the value. */
function buildVariant(
  schema: Schema,
  variants: readonly Schema[],
  value: unknown,
  position: Position,
  build: FormBuild,
): Field {
  const inner = { ...position, depth: position.depth + 1 }
  const fields = variants.map((variant) => buildField(variant, value, inner, build))
  const chosen = build.chosen.get(position.pointer) ?? findBest(fields)
  const field = fields[chosen] ?? fields[0]
  if (!field) return buildJson(schema, value, position)
  const names = variants.map((variant, index) => ({
    label: nameVariant(variant, index),
    description: toText(variant['description']),
    start: createDefault(variant, build),
  }))
  return {
    ...buildBase(schema, value, position),
    problems: [],
    kind: 'variant',
    variants: names,
    chosen: Math.min(chosen, fields.length - 1),
    field: { ...field, label: names[chosen]?.label ?? field.label },
  }
}

/** Returns the index of the variant with the fewest problems; the first of equal ones. */
function findBest(fields: readonly Field[]): number {
  const counts = fields.map((field) => [...collectProblems(field)].length)
  return counts.indexOf(Math.min(...counts))
}

function nameVariant(variant: Schema, index: number): string {
  const title = toText(variant['title'])
  if (title !== '') return title
  const { properties } = variant
  // A member with a constant value tells the variants apart.
  const constant = isRecord(properties)
    ? Object.values(properties).find((member) => isRecord(member) && 'const' in member)
    : undefined
  if (isRecord(constant)) return formatValue(constant['const'])
  const type = inferTypes(variant)[0]
  return (type && TYPE_NAMES.get(type)) ?? `Choice ${index + 1}`
}

/** Yields all problems of a field and of the fields inside it. */
export function* collectProblems(field: Field): Generator<FieldProblem> {
  const { pointer, problems } = field
  for (const message of problems) yield { pointer, message }
  for (const each of innerFields(field)) yield* collectProblems(each)
}

/** Returns the fields directly inside a field. */
export function innerFields(field: Field): readonly Field[] {
  if (field.value === null) return []
  if (field.kind === 'list') return field.items
  if (field.kind === 'variant') return [field.field]
  if (field.kind !== 'object') return []
  return [...field.fields, ...(field.extra?.rows ?? []).map((row) => row.field)]
}
