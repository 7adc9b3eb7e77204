/**
 * Filters a server's schema for a form by the marks that `core/policy/form.ts` defines.
 *
 * @module
 */

import { filterSchema, type Json } from '#core/policy/form.ts'

/** Returns the part of a schema that a configuration form may offer; null if nothing is left. */
export const configurationSchema = (schema: unknown) =>
  filterSchema(jsonOf(schema), 'configuration')

/**
 * Returns the part of a schema that a policy form may offer to a user or a model; no member is
 * required.
 */
export function policySchema(schema: unknown, requester: 'human' | 'llm' = 'human'): Json {
  return filterSchema(jsonOf(schema), 'policy', requester)
}

/** Round-trips through JSON, so that schemas built in code become plain JSON. */
function jsonOf(schema: unknown): Json {
  try {
    const json: Json = JSON.parse(JSON.stringify(schema ?? null))
    return json
  } catch {
    return null
  }
}
