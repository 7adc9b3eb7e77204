/**
 * Forms out of JSON Schema: schema and value in, fields and what is wrong with them out.
 *
 * It understands the part of drafts 07 and 2020-12 that tools use, and shows the rest as JSON, so
 * that every schema has a form and every value keeps its place in it. Time is bounded, whatever
 * somebody sends. `test/host/forms-model.test.ts` holds it to the laws.
 *
 * @module
 */

import { createFields } from './field.ts'
import { problemsIn } from './problems.ts'
import { Budget } from './schema.ts'
import { startOf } from './start.ts'
import type { FormModel, FormValue, Pointer } from './types.ts'

/** Schemas and fields that are looked at for one form. */
const MAX_STEPS = 20_000
const MAX_PROBLEMS = 500

export interface ModelOptions {
  /** What the whole is called, where the schema gives it no title. */
  readonly label?: string
  /** Variants that somebody has chosen, by place. */
  readonly chosen?: ReadonlyMap<Pointer, number>
}

const NOTHING: ReadonlyMap<Pointer, number> = new Map()

export function formModel(
  schema: unknown,
  value: FormValue,
  { label = 'Value', chosen = NOTHING }: ModelOptions = {},
): FormModel {
  const field = createFields({ root: schema, budget: new Budget(MAX_STEPS) }, chosen)
  const place = { pointer: '', label, required: true, depth: 0 }
  const root = field(schema, value, place)
  const problems = [...problemsIn(root)].slice(0, MAX_PROBLEMS)
  return { root, problems, valid: problems.length === 0 }
}

/** A value to start from. What the schema leaves open stays open. */
export function startValue(schema: unknown): FormValue {
  return structuredClone(startOf(schema, { root: schema, budget: new Budget(MAX_STEPS) }))
}
