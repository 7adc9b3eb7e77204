/** Every example against the product, and `npm run example`. @module */

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { globSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { freePort } from '../scripts/port.ts'
import { runExample } from '../scripts/example.ts'
import { scratch } from './support/e2e/folder.ts'
import { NODE, ROOT, run, runWith } from './support/e2e/run.ts'
import { runHere } from './support/e2e/run-here.ts'
import { useServer } from './support/e2e/server.ts'

const server = useServer()

beforeAll(async () => {
  const { code, stderr } = await run('scripts/import.ts', 'views', server.url)
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

  it('reports that there is no server at PORT', async () => {
    const PORT = `${await freePort()}`
    expect(await runHere(runExample, ['first-steps'], { PORT })).toEqual({
      code: 1,
      stdout: '',
      stderr: `Cannot reach http://localhost:${PORT}: no server is listening there. Start the server there, or unset PORT\n`,
    })
  })

  it('ends its server and removes its data when it is ended', async () => {
    const folder = scratch()
    const env = { ...process.env, TMPDIR: folder }
    const child = spawn(NODE, ['scripts/example.ts', 'workspace-tour'], { cwd: ROOT, env })
    const ended = once(child, 'exit')
    const data = () => readdirSync(folder).filter((name) => name.startsWith('edgewise-example-'))
    await expect.poll(data).toHaveLength(1)
    await expect.poll(() => readdirSync(join(folder, ...data()))).toContain('pid')
    child.kill('SIGTERM')
    await ended
    expect(data()).toEqual([])
  })

  it('lists the examples when the name is missing or unknown', async () => {
    for (const args of [[], ['../scripts/build']]) {
      const { code, stderr } = await runHere(runExample, args)
      expect({ code, stderr }).toMatchObject({
        code: 1,
        stderr: expect.stringContaining('sub-agent'),
      })
    }
  })
})
