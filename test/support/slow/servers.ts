/**
 * The two servers under test: the product as a person starts it, and the fixture in workerd.
 *
 * Both listen on free loopback ports and keep their data in temporary folders.
 *
 * @module
 */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createTestHarness } from 'wrangler'
import { ROOT } from '../e2e/run.ts'
import { startProduct as start } from '../e2e/server.ts'

export { NODE, ROOT } from '../e2e/run.ts'

export interface Started {
  /** Where MCP is spoken. */
  readonly url: string
  stop(): Promise<void>
}

export const temporary = () => mkdtempSync(join(tmpdir(), 'edgewise-'))

export async function startFixture(): Promise<Started> {
  const configPath = join(ROOT, 'test/fixture/wrangler.toml')
  const harness = createTestHarness({ workers: [{ configPath }] })
  const { url } = await harness.listen()
  return { url: new URL('/mcp', url).href, stop: () => harness.close() }
}

export async function startProduct(): Promise<Started> {
  const data = temporary()
  const { url, stop } = await start(data)
  return {
    url: `${url}/mcp`,
    async stop() {
      await stop()
      rmSync(data, { recursive: true, force: true })
    },
  }
}
