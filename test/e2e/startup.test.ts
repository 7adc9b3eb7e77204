/** `npm start` prints who has access and what to do next, and in one sentence why it cannot start. */

import { randomBytes } from 'node:crypto'
import { chmodSync, globSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { freePort } from '../../scripts/port.ts'
import { removeFolder, scratch, temporaryFolder } from '../support/e2e/folder.ts'
import { Person } from '../support/e2e/person.ts'
import type { Running } from '../support/e2e/running.ts'
import { runWith } from '../support/e2e/run.ts'
import { startProduct } from '../support/e2e/server.ts'

const data = temporaryFolder()
afterAll(() => removeFolder(data))

describe('the first of several starts at the same time', () => {
  const WITHOUT_OWNER = {
    EDGEWISE_OWNER_SECRET: '',
    EDGEWISE_WEBHOOK: 'http://127.0.0.1:9/',
    EDGEWISE_WEBHOOK_SECRET: `whsec_${randomBytes(32).toString('base64')}`,
  }
  let starts: PromiseSettledResult<Running>[] = []
  const started = () =>
    starts.flatMap((start) => (start.status === 'fulfilled' ? [start.value] : []))
  const first = () => {
    const [running] = started()
    if (!running) throw new Error('No start succeeded')
    return running
  }

  beforeAll(async () => {
    chmodSync(data, 0o755)
    starts = await Promise.allSettled([1, 2].map(() => startProduct(data, WITHOUT_OWNER)))
  })

  it('has the data folder alone', () => {
    expect(started()).toHaveLength(1)
    for (const start of starts)
      if (start.status === 'rejected')
        expect(String(start.reason)).toMatch(/: (process \d+|another process) is using it\. Stop/)
  })

  it('limits access to this machine, without an owner', () =>
    expect(first().stdout()).toContain('Access    this machine only, without sign-in'))

  it('prints the next steps', () => expect(first().stdout()).toContain('Next:'))

  it('serves with a webhook', async () =>
    expect((await fetch(`${first().url}/status`)).status).toBe(200))

  it('has files that only its user can read, also where others can read the folder', async () => {
    await put(`${first().url}/files/kept.txt`)
    await put(`${first().url}/files/large.txt`, 'x'.repeat(300_000))
    const all = globSync('{do,r2,kv,cache}{,/**}', { cwd: data })
    expect(all.length).toBeGreaterThan(4)
    const open = all.filter((name) => (statSync(join(data, name)).mode & 0o077) !== 0)
    expect(open).toEqual([])
  })

  it('frees the folder and the port once its process was killed', async () => {
    process.kill(Number(readFileSync(join(data, 'pid'), 'utf8')), 'SIGKILL')
    await first().stop()
    await expect.poll(() => answers(first().url)).toBe(false)
  })
})

describe('the next start, with an owner', () => {
  const SECRET = 'a long secret of the owner'
  let next: Running
  beforeAll(async () => void (next = await startProduct(data, { EDGEWISE_OWNER_SECRET: SECRET })))
  afterAll(async () => expect(await next.stop()).toBe(0))

  it('requires sign-in, and does not print the secret', () => {
    expect(next.stdout()).toContain('Access    requires sign-in')
    expect(next.stdout() + next.complaints()).not.toContain('a long secret')
  })

  it('prints no next steps', () => expect(next.stdout()).not.toContain('Next:'))

  it('has what the killed process stored', async () => {
    const owner = new Person(SECRET)
    await owner.signIn(next.url)
    expect(await (await owner.visit(`${next.url}/files/kept.txt`)).text()).toBe('kept')
  })
})

const put = (url: string, body = 'kept') =>
  fetch(url, { method: 'PUT', body, headers: { 'content-type': 'text/plain' } })

const answers = (url: string) =>
  fetch(`${url}/healthz`).then(
    ({ ok }) => ok,
    () => false,
  )

/** Which variables are invalid, and the sentence of each: `test/worker/api/configured.test.ts`. */
it('reports an invalid variable without its value, and ends', async () => {
  const given = { PORT: String(await freePort()), EDGEWISE_DATA: scratch() }
  const EDGEWISE_WEBHOOK = 'http://receiver.example/secret'
  const ended = await runWith({ ...given, EDGEWISE_WEBHOOK }, 'scripts/start.ts')
  expect({ ...ended, stderr: '' }).toEqual({ code: 1, stdout: '', stderr: '' })
  expect(ended.stderr).toMatch(/^Cannot use EDGEWISE_WEBHOOK: .*\n$/)
  expect(ended.stderr).not.toContain('receiver.example')
})
