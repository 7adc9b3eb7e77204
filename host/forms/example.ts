/**
 * Makes an example value for a schema, to try a tool with: its required members, and optional ones for
 * which the author gives values (examples, a default, choices).
 *
 * What the author of a schema gives comes first. A value that would have to be guessed, such as one for
 * a pattern, is left out. The form's own validator judges the result, so that a form never starts with
 * an example that it refuses. `test/host/forms/example.test.ts` checks that with a second validator.
 *
 * @module
 */

import { isRecord, own, recordOf } from '#core/json.ts'
import { makeNumber, makeText } from './example-leaves.ts'
import { buildField, collectProblems } from './fields.ts'
import { readChoices } from './leaf-fields.ts'
import { formModel, MAX_STEPS } from './model.ts'
import {
  Budget,
  inferTypes,
  readItems,
  readVariants,
  removeNull,
  resolve,
  type Schema,
  type SchemaContext,
} from './schema.ts'
import type { FieldProblem, FormValue } from './types.ts'
import { checkList, readCount } from './validate.ts'

/** An example, with what it lacks to be valid. */
export interface Example {
  readonly value: FormValue
  /** Empty if the example is valid. */
  readonly problems: readonly FieldProblem[]
}

const MAX_DEPTH = 8
const MAX_ITEMS = 10
/** Most values of a list of examples or choices that are tried. */
const MAX_CANDIDATES = 20

/** Makes an example; its problems name the places for which there is none. */
export function createExample(schema: unknown): Example {
  const value = make(schema, { root: schema, budget: new Budget(MAX_STEPS) }, ROOT)
  if (value === undefined)
    return { value, problems: [{ pointer: '', message: 'No example can be made' }] }
  return { value: structuredClone(value), problems: formModel(schema, value).problems }
}

/** Where a value is made. */
interface Place {
  readonly depth: number
  /** Its number in a list whose items must differ; 0 elsewhere. */
  readonly nth: number
}

const ROOT: Place = { depth: 0, nth: 0 }

/** Keywords that the form does not check, so that a made value could break them. */
const UNCHECKED = [
  'not',
  'if',
  'dependentRequired',
  'dependentSchemas',
  'dependencies',
  'patternProperties',
  'propertyNames',
  'minProperties',
  'maxProperties',
  'contains',
  'unevaluatedItems',
  'unevaluatedProperties',
]

/** Returns a value; an object may lack members that have no example. Undefined if there is none. */
function make(schema: unknown, context: SchemaContext, place: Place): FormValue {
  if (place.depth > MAX_DEPTH || !context.budget.spend()) return undefined
  const { rest } = removeNull(resolve(schema, context), context)
  const given = listGiven(rest, context).filter((value) => fits(rest, value, context))
  if (given.length > 0) return given[place.nth % given.length]
  if (hasChoices(rest) || UNCHECKED.some((name) => Object.hasOwn(rest, name))) return undefined
  const variants = readVariants(rest, context)
  return variants ? makeVariant(rest, variants, context, place) : makeType(rest, context, place)
}

/** The values that the author of a schema gives, the constant first. */
function listGiven(schema: Schema, context: SchemaContext): readonly unknown[] {
  const { examples, example, default: standard } = schema
  const choices = readChoices(schema, context) ?? []
  if (Object.hasOwn(schema, 'const')) return choices.map(({ value }) => value)
  return [
    ...(Array.isArray(examples) ? examples : []).slice(0, MAX_CANDIDATES),
    example,
    standard,
    ...choices.slice(0, MAX_CANDIDATES).map(({ value }) => value),
  ].filter((value) => value !== undefined)
}

const hasChoices = (schema: Schema) =>
  Object.hasOwn(schema, 'const') || Object.hasOwn(schema, 'enum')

/**
 * Whether the form accepts a value, and also where it is more lenient: beside choices it checks nothing,
 * and an empty text has every format.
 */
function fits(schema: Schema, value: unknown, context: SchemaContext): boolean {
  if (value === '' && Object.hasOwn(schema, 'format')) return false
  const { const: _, enum: __, ...others } = schema
  return accepts(schema, value, context) && (!hasChoices(schema) || accepts(others, value, context))
}

const NONE_CHOSEN = new Map<string, number>()

function accepts(schema: Schema, value: unknown, context: SchemaContext): boolean {
  const position = { pointer: '', label: '', required: true, depth: 0 }
  const field = buildField(schema, value, position, { ...context, chosen: NONE_CHOSEN })
  // Without budget the form checks nothing.
  return collectProblems(field).next().done === true && context.budget.spend()
}

/** Makes a value of the first variant that has one; of `oneOf`, exactly one variant may accept it. */
function makeVariant(
  schema: Schema,
  variants: readonly Schema[],
  context: SchemaContext,
  place: Place,
): FormValue {
  const isExclusive = Object.hasOwn(schema, 'oneOf')
  if (isExclusive && Object.hasOwn(schema, 'anyOf')) return undefined
  for (const variant of variants) {
    const value = make(variant, context, { ...place, depth: place.depth + 1 })
    if (value === undefined || !fits(variant, value, context)) continue
    const count = variants.filter((each) => fits(each, value, context)).length
    if (!isExclusive || count === 1) return value
  }
  return undefined
}

function makeType(schema: Schema, context: SchemaContext, place: Place): FormValue {
  const types = inferTypes(schema)
  switch (types[0] ?? '') {
    case 'object':
      return makeObject(schema, context, place)
    case 'array':
      return makeList(schema, context, place)
    case 'string':
      return ifFits(schema, makeText(schema, place.nth), context)
    case 'number':
    case 'integer':
      return makeNumber(schema, { isInteger: !types.includes('number'), nth: place.nth })
    case 'boolean':
      return place.nth % 2 === 1
    case 'null':
      return null
    default:
      return isOpen(schema) ? 'example' : undefined
  }
}

const ifFits = (schema: Schema, value: FormValue, context: SchemaContext) =>
  value !== undefined && fits(schema, value, context) ? value : undefined

/** Whether a schema without a type only describes, and restricts nothing. */
const isOpen = (schema: Schema) => Object.keys(schema).every((name) => ANNOTATIONS.has(name))

const ANNOTATIONS = new Set([
  '$anchor',
  '$comment',
  '$defs',
  '$id',
  '$schema',
  'definitions',
  'deprecated',
  'description',
  'nullable',
  'readOnly',
  'title',
  'writeOnly',
])

/** Makes an object; a required member without an example is left out, for the validator to name. */
function makeObject(schema: Schema, context: SchemaContext, { depth }: Place): FormValue {
  const properties = recordOf(schema['properties'])
  const required = requiredOf(schema)
  const inner = { depth: depth + 1, nth: 0 }
  const names = new Set([...Object.keys(properties), ...required])
  const members = [...names].map((name) => {
    const member = own(properties, name) ?? schema['additionalProperties'] ?? {}
    const isRequired = required.has(name)
    if (!isRequired && !isGiven(member, context)) return [name, undefined] as const
    const value = make(member, context, inner)
    const isKept = isRequired || fits(resolve(member, context), value, context)
    return [name, isKept ? value : undefined] as const
  })
  return Object.fromEntries(members.filter(([, value]) => value !== undefined))
}

const requiredOf = ({ required }: Schema) =>
  new Set(Array.isArray(required) ? required.filter((name) => typeof name === 'string') : [])

const GIVEN = ['const', 'default', 'enum', 'example', 'examples']

/**
 * Whether an optional member is filled in: the author gives values for it. Bounds and formats do not
 * count, because a number such as an expected version changes what a call does.
 */
function isGiven(member: unknown, context: SchemaContext): boolean {
  const schema = removeNull(resolve(member, context), context).rest
  if (schema['readOnly'] === true || schema['deprecated'] === true) return false
  return GIVEN.some((name) => Object.hasOwn(schema, name))
}

/** Makes a list of one item, or of as many as it needs. */
function makeList(schema: Schema, context: SchemaContext, { depth }: Place): FormValue {
  const { first, each } = readItems(schema)
  const min = readCount(schema, 'minItems') ?? 0
  const max = readCount(schema, 'maxItems') ?? MAX_ITEMS
  const count = Math.min(Math.max(min, first.length, 1), max)
  if (count > MAX_ITEMS || count < min) return undefined
  const isSet = schema['uniqueItems'] === true
  const items: unknown[] = []
  for (let index = 0; index < count; index++) {
    const item = first[index] ?? each
    const value = make(item, context, { depth: depth + 1, nth: isSet ? index : 0 })
    if (value === undefined || !fitsItem(item, value, context)) break
    items.push(value)
  }
  return checkList(schema, items).length === 0 ? items : undefined
}

const fitsItem = (item: unknown, value: unknown, context: SchemaContext) =>
  !isRecord(item) || fits(resolve(item, context), value, context)
