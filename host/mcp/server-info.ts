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
export const readCapabilities = (definition: JsonRecord) => recordOf(definition['capabilities'])

/** Whether the server declares a capability at all. */
export const hasCapability = (definition: JsonRecord, feature: string) =>
  isRecord(own(readCapabilities(definition), feature))

/** Whether a capability declares an option, such as `listChanged`. */
export const hasCapabilityOption = (definition: JsonRecord, feature: string, option: string) =>
  recordOf(own(readCapabilities(definition), feature))[option] === true

/**
 * Finds the configuration schema: at the top, as the reference implementation writes it, or among
 * the capabilities, as the proposal does.
 */
export function readConfigSchema(definition: JsonRecord): JsonSchema | null {
  const places = [definition['configSchema'], readCapabilities(definition)['configSchema']]
  return places.find(isRecord) ?? null
}

/** Whether a call may carry `_meta.policy`; servers declare it as `true`, `{}` or `{enabled: true}`. */
export function hasPolicySupport(definition: JsonRecord): boolean {
  const policy = own(recordOf(readCapabilities(definition)['experimental']), 'policy')
  return policy === true || (isRecord(policy) && policy['enabled'] !== false)
}
