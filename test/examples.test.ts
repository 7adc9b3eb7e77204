/** Every example, run against the product as its first lines say. @module */

import { globSync } from 'node:fs'
import { beforeAll, expect, it } from 'vitest'
import { ROOT, run } from './e2e/run.ts'
import { useServer } from './e2e/server.ts'

const server = useServer()

beforeAll(async () => {
  const { code, stderr } = await run('scripts/import.ts', 'worker', server.url)
  expect({ code, stderr }).toMatchObject({ code: 0 })
})

it.each(globSync('examples/*.ts', { cwd: ROOT }))('%s', async (example) => {
  expect(await run(example, `${server.url}/mcp`)).toMatchObject({ code: 0, stderr: '' })
})
