/** The version that handshakes name is the one in `package.json`. */

import { readFileSync } from 'node:fs'
import { VERSION } from '#core/version.ts'
import { expect, it } from 'vitest'

it('is that of package.json', () => {
  const manifest: unknown = JSON.parse(readFileSync('package.json', 'utf8'))
  expect(manifest).toMatchObject({ version: VERSION })
})
