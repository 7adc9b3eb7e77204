/**
 * Builds a form from a JSON Schema: fields and their problems from a schema and a value.
 *
 * It supports the parts of drafts 07 and 2020-12 that tools use, and edits the rest as JSON, so
 * that every schema has a form and every value is kept. Time is bounded for any input.
 * `test/host/forms/model.test.ts` checks these properties.
 *
 * @module
 */

import { recordOf, type JsonRecord } from '#core/json.ts'
import { createDefault, optionalDefaults } from './defaults.ts'
import { buildField, collectProblems } from './fields.ts'
import { Budget } from './schema.ts'
import type { FormModel, FormValue, Pointer } from './types.ts'

/** Limit on schemas and fields visited for one form. */
export const MAX_STEPS = 20_000
const MAX_PROBLEMS = 500

/** Options of {@link formModel}. */
export interface ModelOptions {
  /** Label of the whole form, if the schema has no title. */
  readonly label?: string
  /** Variants that the user has chosen, by pointer. */
  readonly chosen?: ReadonlyMap<Pointer, number>
}

const NONE_CHOSEN: ReadonlyMap<Pointer, number> = new Map()

/** Builds the fields of a form and collects their problems. */
export function formModel(
  schema: unknown,
  value: FormValue,
  { label = 'Value', chosen = NONE_CHOSEN }: ModelOptions = {},
): FormModel {
  const position = { pointer: '', label, required: true, depth: 0 }
  const build = { root: schema, budget: new Budget(MAX_STEPS), chosen }
  const root = buildField(schema, value, position, build)
  const problems = [...collectProblems(root)].slice(0, MAX_PROBLEMS)
  return { root, problems, valid: problems.length === 0 }
}

/**
 * Returns the initial arguments of a tool: its initial value, and the optional arguments that have a default. Views of
 * many servers draw what they were sent, and do not know the defaults.
 */
export function startArguments(schema: unknown): JsonRecord {
  const context = { root: schema, budget: new Budget(MAX_STEPS) }
  const optional = optionalDefaults(schema, context)
  return structuredClone({ ...optional, ...recordOf(createDefault(schema, context)) })
}

/** Returns an initial value; members that the schema leaves open stay unset. */
export function startValue(schema: unknown): FormValue {
  return structuredClone(createDefault(schema, { root: schema, budget: new Budget(MAX_STEPS) }))
}
