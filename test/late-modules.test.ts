/** What a cold Worker must not load: libraries that only its late modules import. */

import { SUPPORTED_PROTOCOL_VERSIONS } from '@modelcontextprotocol/server'
import { globSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { LEGACY_PROTOCOLS } from '#core/wire.ts'

/** Libraries, with the modules that import more of them than types. */
const LATE: Readonly<Record<string, readonly string[]>> = {
  '@modelcontextprotocol/server': ['worker/mcp/sdk.ts'],
  agents: ['worker/mcp/sdk.ts'],
  re2js: ['worker/search/pattern.ts'],
  '@simplewebauthn/server': ['worker/passkeys/verify.ts'],
}

const STATEMENT = /^(?:import|export) (?!type )[^'"]*? from '([^']+)'/gm

function valuesFrom(library: string): string[] {
  const files = globSync('worker/**/*.ts').map((file) => file.replaceAll('\\', '/'))
  return files.filter((file) =>
    [...readFileSync(file, 'utf8').matchAll(STATEMENT)].some(
      ([, source = '']) => source === library || source.startsWith(`${library}/`),
    ),
  )
}

it.each(Object.entries(LATE))('%s is imported only by late modules', (library, modules) => {
  expect(valuesFrom(library).toSorted()).toEqual(modules.toSorted())
})

it('names the revisions that the SDK knows', () => {
  expect(LEGACY_PROTOCOLS).toEqual(SUPPORTED_PROTOCOL_VERSIONS)
})
