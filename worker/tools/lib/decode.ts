/**
 * What models and frameworks send in place of the form that a schema wants, where its meaning is certain.
 *
 * Null is absent, and so is an empty text where none makes sense; JSON text is what it says; one value is a list of
 * one. What is valid as sent is never changed, and what gives or restricts access is taken as sent. The published
 * schemas do not show any of this. `test/worker/tools/decode.test.ts` tries each form in each argument of each tool.
 *
 * @module
 */

import { isRecord, type JsonRecord } from '#core/json.ts'
import * as z from 'zod/mini'
import { nestsTooDeep } from '../../encoding/json-depth.ts'

/** Arguments that give or restrict access, wherever they are: a guess could mean more than its sender wants. */
const ACCESS: ReadonlySet<string> = new Set(['policy', 'scopes', 'approval', 'ttl_seconds'])

/** Arguments in which an empty text is not the same as none. */
const MAY_BE_EMPTY: ReadonlySet<string> = new Set([
  ...ACCESS,
  'if_version',
  'content',
  'content_base64',
])

/** Elements of a list beyond which none is decoded: no schema wants so many. */
const MAX_ELEMENTS = 1_000

/** Returns arguments without those that count as absent. */
export function withoutAbsent(schema: z.ZodMiniType, args: unknown): unknown {
  if (args === null || args === undefined) return {}
  if (!isRecord(args) || !Object.values(args).some((value) => value === null || value === ''))
    return args
  const shape = schema instanceof z.ZodMiniObject ? schema.shape : {}
  const given = Object.entries(args).filter(
    ([name, value]) => !Object.hasOwn(shape, name) || !isAbsent(name, value, shape[name]),
  )
  return Object.fromEntries(given)
}

function isAbsent(name: string, value: unknown, schema: unknown): boolean {
  if (value === null) return true
  return value === '' && !MAY_BE_EMPTY.has(name) && isOptional(schema)
}

const isOptional = (schema: unknown) =>
  schema instanceof z.ZodMiniOptional || schema instanceof z.ZodMiniDefault

/** Returns a value in the form that a schema wants; as it is if there is none. */
export function decode(schema: unknown, value: unknown): unknown {
  if (!(schema instanceof z.ZodMiniType) || accepts(schema, value)) return value
  const forms = formsOf(unwrapOptional(schema), value)
  return forms.find((form) => accepts(schema, form)) ?? forms[0] ?? value
}

const accepts = (schema: z.ZodMiniType, value: unknown) => schema.safeParse(value).success

/** Returns the schema inside of optional ones. */
export function unwrapOptional(schema: unknown): unknown {
  return schema instanceof z.ZodMiniOptional || schema instanceof z.ZodMiniDefault
    ? unwrapOptional(schema.def.innerType)
    : schema
}

/** The values that a value may stand for, the most likely one first. */
function formsOf(schema: unknown, value: unknown): unknown[] {
  const parsed = typeof value === 'string' ? parseJson(value) : undefined
  if (schema instanceof z.ZodMiniObject)
    return [value, parsed].filter(isRecord).map((one) => decodeMembers(schema, one))
  if (schema instanceof z.ZodMiniArray) return listsOf(schema, value, parsed)
  if (schema instanceof z.ZodMiniUnion)
    return schema.def.options.flatMap((one) => formsOf(one, value))
  if (schema instanceof z.ZodMiniNumber) return typeof parsed === 'number' ? [parsed] : []
  if (schema instanceof z.ZodMiniBoolean) return typeof parsed === 'boolean' ? [parsed] : []
  return []
}

function decodeMembers({ shape }: z.ZodMiniObject, record: JsonRecord): JsonRecord {
  const decoded = Object.entries(record).map(([name, value]) => [
    name,
    Object.hasOwn(shape, name) && !ACCESS.has(name) ? decode(shape[name], value) : value,
  ])
  return Object.fromEntries(decoded)
}

/** A list as sent or as JSON text, also as the text of its only element; then a list of one. */
function listsOf({ def: { element } }: z.ZodMiniArray, value: unknown, parsed: unknown): unknown[] {
  const only = Array.isArray(value) && value.length === 1 ? value[0] : undefined
  const inner = typeof only === 'string' ? parseJson(only) : undefined
  const lists = [parsed, inner, value].filter((one) => Array.isArray(one))
  const tooLong = lists.find(({ length }) => length > MAX_ELEMENTS)
  if (tooLong) return [tooLong]
  const decoded = [...lists, [value]].map((list) => list.map((one) => decode(element, one)))
  // A list with too many or too few elements is not one text.
  const meant = decoded.find((list) => list.every((one) => acceptsOne(element, one)))
  return meant ? [meant] : decoded
}

const acceptsOne = (schema: unknown, value: unknown) =>
  schema instanceof z.ZodMiniType && accepts(schema, value)

/** Returns what a text says as JSON; undefined if it is none, or too deep to be meant. */
function parseJson(text: string): unknown {
  if (nestsTooDeep(text)) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
