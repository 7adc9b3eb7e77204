/**
 * The configuration schema of the current server: what it announced in the handshake (mcp4h), or else
 * what its origin serves at `/.well-known/mcp-config`, for a server that refuses clients without a
 * configuration and so announces nothing.
 *
 * It outlasts a failed connection, so that a configuration that the server refuses can be corrected.
 * `test/pages/console/configuration.test.ts` covers it.
 *
 * @module
 */

import { signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { isRecord } from '#core/json.ts'
import type { ConnectionProblem } from '../../mcp/errors.ts'
import type { JsonSchema } from '../../mcp/types.ts'
import { target } from './target.ts'

const WELL_KNOWN = '/.well-known/mcp-config'

/** Longest schema that is read from there, in UTF-16 code units. */
const MAX_SCHEMA_LENGTH = 200_000

/** The schema that was found last, with the URL of its server. */
const found = signal<{ readonly url: string; readonly schema: JsonSchema } | null>(null)

/** Keeps the schema that a server announced in the handshake. */
export function noteConfigSchema(url: string, schema: JsonSchema | null): void {
  found.value = schema && { url, schema }
}

/** Returns the schema of the current server; looks for it if the server refuses the connection. */
export function useConfigSchema(problem: ConnectionProblem | null): JsonSchema | null {
  const { url } = target.value
  const known = found.value?.url === url ? found.value.schema : null
  const isRefused = problem?.kind === 'protocol' || problem?.kind === 'configuration'
  useEffect(() => {
    if (isRefused && !known) void lookUp(url)
  }, [isRefused, url])
  return known
}

async function lookUp(url: string): Promise<void> {
  const schema = await fetchSchema(new URL(WELL_KNOWN, url)).catch(() => null)
  if (isRecord(schema) && target.peek().url === url) noteConfigSchema(url, schema)
}

/** Fetches the schema, without the cookies that the browser has for that origin. */
async function fetchSchema(from: URL): Promise<unknown> {
  const answer = await fetch(from, { credentials: 'omit' })
  const text = answer.ok ? await answer.text() : ''
  return text.length > MAX_SCHEMA_LENGTH ? null : JSON.parse(text)
}
