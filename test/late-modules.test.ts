/** What a cold Worker must not load: libraries that only its late modules import. */

import { SUPPORTED_PROTOCOL_VERSIONS } from '@modelcontextprotocol/server'
import { globSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { LEGACY_PROTOCOLS } from '#core/wire.ts'

/** Libraries, with the modules that import more of them than types. */
const LATE: Readonly<Record<string, readonly string[]>> = {
  '@modelcontextprotocol/server': ['worker/mcp/sdk.ts'],
  agents: ['worker/mcp/sdk.ts'],
  yaml: ['worker/skills/frontmatter.ts'],
  re2js: ['worker/search/pattern.ts'],
  '@simplewebauthn/server': ['worker/passkeys/verify.ts'],
}

const STATEMENT = /^(?:import|export) (?!type )[^'"]*? from '([^']+)'/gm

function filesThatImport(isMeant: (source: string) => boolean): string[] {
  const files = globSync('worker/**/*.ts').map((file) => file.replaceAll('\\', '/'))
  return files.filter((file) =>
    [...readFileSync(file, 'utf8').matchAll(STATEMENT)].some(([, source = '']) => isMeant(source)),
  )
}

it.each(Object.entries(LATE))('%s is imported only by late modules', (library, modules) => {
  const files = filesThatImport((source) => source === library || source.startsWith(`${library}/`))
  expect(files.toSorted()).toEqual(modules.toSorted())
})

it('classic zod comes only with the SDK', () => {
  expect(filesThatImport((source) => source === 'zod' || source === 'zod/v4')).toEqual([])
  expect(filesThatImport((source) => source === 'zod/mini')).not.toEqual([])
})

it('names the revisions that the SDK knows', () => {
  expect(LEGACY_PROTOCOLS).toEqual(SUPPORTED_PROTOCOL_VERSIONS)
})
