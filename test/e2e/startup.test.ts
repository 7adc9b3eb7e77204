/** `npm start` prints who has access and what to do next, and in one sentence why it cannot start. */

import { chmodSync, globSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { freePort } from '../../scripts/port.ts'
import { scratch } from '../support/e2e/folder.ts'
import { runWith } from '../support/e2e/run.ts'
import { startProduct, useProgram } from '../support/e2e/server.ts'

describe('without an owner', () => {
  const server = useProgram({ EDGEWISE_OWNER_SECRET: '' })
  it('access is limited to this machine', () =>
    expect(server.stdout()).toContain('Access    this machine only, without sign-in'))

  it('prints the next steps on the first start only', async () => {
    expect(server.stdout()).toContain('Next:')
    await server.restart()
    expect(server.stdout()).not.toContain('Next:')
  })
})

describe('with an owner', () => {
  const server = useProgram({ EDGEWISE_OWNER_SECRET: 'a long secret of the owner' })
  it('sign-in is required, and the secret is not printed', () => {
    expect(server.stdout()).toContain('Access    requires sign-in')
    expect(server.stdout()).not.toContain('a long secret')
  })
})

describe('a data folder', () => {
  it('is used by one process, also where several start at the same time', async () => {
    const data = scratch()
    const starts = await Promise.allSettled([1, 2, 3].map(() => startProduct(data)))
    const started = starts.filter((start) => start.status === 'fulfilled')
    for (const { value } of started) expect(await value.stop()).toBe(0)
    expect(started).toHaveLength(1)
    for (const start of starts)
      if (start.status === 'rejected')
        expect(String(start.reason)).toMatch(/: (process \d+|another process) is using it\. Stop/)
  })

  it('has files that only its user can read, also where others can read the folder', async () => {
    const data = scratch()
    chmodSync(data, 0o755)
    const running = await startProduct(data)
    await put(`${running.url}/files/kept.txt`)
    await put(`${running.url}/files/large.txt`, 'x'.repeat(300_000))
    const all = globSync('{do,r2,kv,cache}{,/**}', { cwd: data })
    expect(all.length).toBeGreaterThan(4)
    const open = all.filter((name) => (statSync(join(data, name)).mode & 0o077) !== 0)
    expect(open).toEqual([])
    expect(await running.stop()).toBe(0)
  })

  it('is free once its process was killed, and so is the port', async () => {
    const data = scratch()
    const killed = await startProduct(data)
    await put(`${killed.url}/files/kept.txt`)
    process.kill(Number(readFileSync(join(data, 'pid'), 'utf8')), 'SIGKILL')
    await killed.stop()
    await expect.poll(() => answers(killed.url)).toBe(false)
    const next = await startProduct(data)
    expect(await (await fetch(`${next.url}/files/kept.txt`)).text()).toBe('kept')
    expect(await next.stop()).toBe(0)
  })
})

const put = (url: string, body = 'kept') =>
  fetch(url, { method: 'PUT', body, headers: { 'content-type': 'text/plain' } })

const answers = (url: string) =>
  fetch(`${url}/healthz`).then(
    ({ ok }) => ok,
    () => false,
  )

it.each([
  [
    { EDGEWISE_CONFIG: '{"aproval":"review"}' },
    'Cannot use EDGEWISE_CONFIG: unknown config key: aproval. Set it to a valid configuration.\n',
  ],
  [
    { EDGEWISE_ACCESS: 'foo' },
    'Cannot use EDGEWISE_ACCESS: it is no domain and audience. Set it to both, with a space between.\n',
  ],
  [
    { EDGEWISE_ORIGINS: 'localhost:5173' },
    'Cannot use EDGEWISE_ORIGINS: a name in it is no origin. Write each as https://site.example.\n',
  ],
])('reports an invalid variable, and ends: %j', async (variables, stderr) => {
  const PORT = String(await freePort())
  const given: Record<string, string> = { PORT, EDGEWISE_DATA: scratch(), ...variables }
  expect(await runWith(given, 'scripts/start.ts')).toEqual({ code: 1, stdout: '', stderr })
})
