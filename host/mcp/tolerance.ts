/**
 * Reads what servers of the mcp4h proposals write in another form than MCP does, before the SDK refuses it: an
 * experimental capability that is `true` (`{ "policy": true }`), where MCP requires an object.
 *
 * `test/host/mcp/tolerance.test.ts` has the forms.
 *
 * @module
 */

import { isRecord, recordOf, type JsonRecord } from '#core/json.ts'

/** A message in the form of MCP, and what was read as what. */
export interface TolerantMessage<T> {
  readonly message: T
  /** Empty if nothing was converted. */
  readonly notes: readonly string[]
}

/** Converts the experimental capabilities of a handshake's result. Other messages stay the same object. */
export function readTolerantly<T extends object>(message: T): TolerantMessage<T> {
  const { result } = recordOf(message)
  const experimental = recordOf(recordOf(recordOf(result)['capabilities'])['experimental'])
  const others = Object.entries(experimental).filter(([, value]) => !isRecord(value))
  if (others.length === 0) return { message, notes: [] }
  const read = { ...experimental, ...Object.fromEntries(others.map(([name]) => [name, {}])) }
  for (const [name, value] of others) if (value !== true) Reflect.deleteProperty(read, name)
  return { message: withExperimental(message, recordOf(result), read), notes: others.map(noteOf) }
}

const noteOf = ([name, value]: readonly [name: string, value: unknown]) =>
  value === true
    ? `experimental.${name}: true is read as {}`
    : `experimental.${name} is ignored: it is not an object`

function withExperimental<T extends object>(
  message: T,
  result: JsonRecord,
  experimental: JsonRecord,
): T {
  const capabilities = { ...recordOf(result['capabilities']), experimental }
  return { ...message, result: { ...result, capabilities } }
}
