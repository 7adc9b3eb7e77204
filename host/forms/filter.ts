/**
 * What a form may offer to whom: the marks of a configuration schema, applied by `core/policy/form.ts`.
 *
 * @module
 */

import { filterSchema, type Json } from '#core/policy/form.ts'

/** What a configuration form may offer; null when nothing is left. */
export const configurationSchema = (schema: unknown) =>
  filterSchema(jsonOf(schema), 'configuration')

/** What a policy form may offer to whoever fills it in; nothing in it must be set. */
export function policySchema(schema: unknown, requester: 'human' | 'llm' = 'human'): Json {
  return filterSchema(jsonOf(schema), 'policy', requester)
}

/** A schema came as JSON. What is none, because somebody built it, becomes some. */
function jsonOf(schema: unknown): Json {
  try {
    const json: Json = JSON.parse(JSON.stringify(schema ?? null))
    return json
  } catch {
    return null
  }
}
