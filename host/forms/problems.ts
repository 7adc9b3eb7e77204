/** What is wrong in a field and in those below it. @module */

import type { Field, FieldProblem } from './types.ts'

/** Everything that is wrong in a field and below it. */
export function* problemsIn(field: Field): Generator<FieldProblem> {
  const { pointer, problems } = field
  for (const message of problems) yield { pointer, message }
  for (const each of fieldsBelow(field)) yield* problemsIn(each)
}

export function fieldsBelow(field: Field): readonly Field[] {
  if (field.value === null) return []
  if (field.kind === 'list') return field.items
  if (field.kind === 'variant') return [field.field]
  if (field.kind !== 'object') return []
  return [...field.fields, ...(field.extra?.rows ?? []).map((row) => row.field)]
}
