/** Every example against the product, and `npm run example`. @module */

import { globSync } from 'node:fs'
import { beforeAll, describe, expect, it } from 'vitest'
import { ROOT, run, runWith } from './support/e2e/run.ts'
import { useServer } from './support/e2e/server.ts'

const server = useServer()

beforeAll(async () => {
  const { code, stderr } = await run('scripts/import.ts', 'worker', server.url)
  expect({ code, stderr }).toMatchObject({ code: 0 })
})

it.each(globSync('examples/*.ts', { cwd: ROOT }))('%s', async (example) => {
  expect(await run(example, `${server.url}/mcp`)).toMatchObject({ code: 0, stderr: '' })
})

it('previews and applies in a workspace with a name', async () => {
  const ended = await run('examples/preview-then-apply.ts', `${server.url}/w/other/mcp`)
  expect(ended).toMatchObject({ code: 0, stderr: '' })
})

describe('npm run example', () => {
  it('runs an example against a server of its own', async () => {
    const { code, stdout } = await run('scripts/example.ts', 'workspace-tour')
    expect({ code, stdout }).toMatchObject({ code: 0, stdout: expect.stringContaining('modern') })
  })

  it('uses the server at PORT', async () => {
    const { port } = new URL(server.url)
    const { code, stderr } = await runWith({ PORT: port }, 'scripts/example.ts', 'first-steps')
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(await (await fetch(`${server.url}/files/first-steps.md`)).text()).toBe('Hello, world\n')
  })

  it('lists the examples when the name is missing or unknown', async () => {
    for (const args of [[], ['../scripts/build']]) {
      const { code, stderr } = await run('scripts/example.ts', ...args)
      expect({ code, stderr }).toMatchObject({
        code: 1,
        stderr: expect.stringContaining('sub-agent'),
      })
    }
  })
})
