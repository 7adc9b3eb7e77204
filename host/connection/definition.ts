/**
 * Reads capabilities and the configuration schema from a server's first result.
 *
 * Servers write the members of the mcp4h proposals in several places and shapes; all known ones are
 * accepted.
 *
 * @module
 */

import { isRecord, own, recordOf, type JsonRecord } from '#core/json.ts'
import type { JsonSchema } from './types.ts'

/** Returns the capabilities; empty if the server sends none. */
export const capabilitiesIn = (definition: JsonRecord) => recordOf(definition['capabilities'])

/** Whether the server declares a capability at all. */
export const offers = (definition: JsonRecord, feature: string) =>
  isRecord(own(capabilitiesIn(definition), feature))

/** Whether a capability declares an option, such as `listChanged`. */
export const offersTo = (definition: JsonRecord, feature: string, what: string) =>
  recordOf(own(capabilitiesIn(definition), feature))[what] === true

/**
 * Finds the configuration schema: at the top, as the reference implementation writes it, or among
 * the capabilities, as the proposal says.
 */
export function configSchemaIn(definition: JsonRecord): JsonSchema | null {
  const places = [definition['configSchema'], capabilitiesIn(definition)['configSchema']]
  return places.find(isRecord) ?? null
}

/** Whether a call may carry `_meta.policy`; servers declare it as `true`, `{}` or `{enabled: true}`. */
export function supportsPolicyIn(definition: JsonRecord): boolean {
  const policy = own(recordOf(capabilitiesIn(definition)['experimental']), 'policy')
  return policy === true || (isRecord(policy) && policy['enabled'] !== false)
}
