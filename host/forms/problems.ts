/** Collects the problems of a field and of the fields below it. @module */

import type { Field, FieldProblem } from './types.ts'

/** Yields all problems of a field and of the fields below it. */
export function* problemsIn(field: Field): Generator<FieldProblem> {
  const { pointer, problems } = field
  for (const message of problems) yield { pointer, message }
  for (const each of fieldsBelow(field)) yield* problemsIn(each)
}

/** Returns the direct children of a field. */
export function fieldsBelow(field: Field): readonly Field[] {
  if (field.value === null) return []
  if (field.kind === 'list') return field.items
  if (field.kind === 'variant') return [field.field]
  if (field.kind !== 'object') return []
  return [...field.fields, ...(field.extra?.rows ?? []).map((row) => row.field)]
}
