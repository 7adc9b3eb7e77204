/** Every example, run against the product as its first lines say. @module */

import { globSync } from 'node:fs'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { removeFolder, temporaryFolder } from './e2e/folder.ts'
import { ROOT, run } from './e2e/run.ts'
import { startServer, type Server } from './e2e/server.ts'

const data = temporaryFolder()
let server: Server

beforeAll(async () => {
  server = await startServer(data)
  const { code, stderr } = await run('scripts/import.ts', 'worker', server.url)
  expect({ code, stderr }).toMatchObject({ code: 0 })
})

afterAll(async () => {
  await server.stop()
  removeFolder(data)
})

it.each(globSync('examples/*.ts', { cwd: ROOT }))('%s', async (example) => {
  expect(await run(example, `${server.url}/mcp`)).toMatchObject({ code: 0, stderr: '' })
})
