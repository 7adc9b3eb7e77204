/**
 * What a server says of itself in its first answer, read with the tolerance that the mcp4h proposals
 * need: the same fact has been seen in several places and shapes.
 *
 * @module
 */

import { isRecord, own, recordOf, type JsonRecord } from '#core/json.ts'
import type { JsonSchema } from './types.ts'

export const capabilitiesIn = (definition: JsonRecord) => recordOf(definition['capabilities'])

/** Whether the server has a feature at all. */
export const offers = (definition: JsonRecord, feature: string) =>
  isRecord(own(capabilitiesIn(definition), feature))

/** Whether it says so where a feature changes. */
export const offersTo = (definition: JsonRecord, feature: string, what: string) =>
  recordOf(own(capabilitiesIn(definition), feature))[what] === true

/** At the top, as the reference writes it, or among the capabilities, as the proposal says. */
export function configSchemaIn(definition: JsonRecord): JsonSchema | null {
  const places = [definition['configSchema'], capabilitiesIn(definition)['configSchema']]
  return places.find(isRecord) ?? null
}

/** `true`, `{}` and `{enabled: true}` have all been seen. */
export function supportsPolicyIn(definition: JsonRecord): boolean {
  const policy = own(recordOf(capabilitiesIn(definition)['experimental']), 'policy')
  return policy === true || (isRecord(policy) && policy['enabled'] !== false)
}
