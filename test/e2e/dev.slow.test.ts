/**
 * `npm run dev` and a bare `wrangler dev` serve what `npm start` serves: the console, files and tools, and the modules
 * that are loaded late.
 */

import { recordOf } from '#core/json.ts'
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { globSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { freePort } from '../../scripts/port.ts'
import { removeFolder, temporaryFolder } from '../support/e2e/folder.ts'
import { NODE, ROOT, runWith } from '../support/e2e/run.ts'

describe.each([
  ['npm run dev', 'scripts/dev.ts', []],
  ['wrangler dev', 'node_modules/wrangler/bin/wrangler.js', ['dev']],
])('%s', (_name, program, command) => {
  const state = temporaryFolder()
  let child: ChildProcess
  let url: string

  beforeAll(async () => {
    const port = await freePort()
    url = `http://localhost:${port}`
    const args = [join(ROOT, program), ...command, '--port', `${port}`, '--persist-to', state]
    // A group of its own: wrangler starts workerd, and all of them have to end.
    child = spawn(NODE, args, { cwd: ROOT, stdio: 'ignore', detached: true })
    const isServed = () =>
      fetch(url).then(
        ({ ok }) => ok,
        () => false,
      )
    await vi.waitUntil(isServed, { timeout: 90_000, interval: 200 })
  }, 120_000)

  afterAll(async () => {
    const ended = once(child, 'exit')
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGINT')
    await ended
    removeFolder(state)
  })

  it('serves the console', async () => {
    expect(await (await fetch(url)).text()).toContain('<title>Edgewise</title>')
    expect((await fetch(`${url}/console.js`)).status).toBe(200)
  })

  it('keeps files, and searches them with a regular expression', async () => {
    const put = await fetch(`${url}/files/a.txt`, { method: 'PUT', body: 'hello\n' })
    expect(put.status).toBe(201)
    const body = JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'search_files', arguments: { pattern: 'h[ae]l+o' } },
    })
    const headers = {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    }
    const answer = await fetch(`${url}/mcp`, { method: 'POST', headers, body })
    expect(answer.status, await answer.clone().text()).toBe(200)
    const text = await answer.text()
    const data = text.startsWith('{') ? text : (/^data: (.*)$/m.exec(text)?.[1] ?? '')
    const { structuredContent } = recordOf(recordOf(JSON.parse(data))['result'])
    expect(structuredContent).toMatchObject({ total_matches: 1 })
  })
})

describe('npm run dev with variables', () => {
  const temporary = temporaryFolder()
  const secret = `it's a "secret" of $HOME ${'#'} 1`
  let child: ChildProcess
  let url: string

  beforeAll(async () => {
    const port = await freePort()
    url = `http://localhost:${port}`
    const args = [join(ROOT, 'scripts/dev.ts'), '--port', `${port}`, '--persist-to', temporary]
    const env = { ...process.env, EDGEWISE_OWNER_SECRET: secret, TMPDIR: temporary }
    child = spawn(NODE, args, { cwd: ROOT, stdio: ['ignore', 'pipe', 'ignore'], env })
    child.stdout?.resume()
    await vi.waitUntil(() => answers(url), { timeout: 90_000, interval: 200 })
  }, 120_000)

  afterAll(() => removeFolder(temporary))

  const files = () => globSync('edgewise-dev-*/*', { cwd: temporary })

  it('requires sign-in with the secret of the owner', async () => {
    expect((await fetch(`${url}/status`)).status).toBe(401)
    const signIn = (text: string) =>
      fetch(`${url}/signin`, {
        method: 'POST',
        redirect: 'manual',
        headers: { origin: url },
        body: new URLSearchParams({ secret: text, to: '/' }),
      })
    expect((await signIn('wrong')).status).toBe(401)
    expect((await signIn(secret)).status).toBe(303)
  })

  it('has no explorer of its storage, which pages of other ports could use without signing in', async () => {
    for (const path of [
      '',
      '/api',
      '/api/workers/durable_objects/namespaces',
      '/api/d1/database',
    ]) {
      const headers = { origin: 'http://localhost:1' }
      const answer = await fetch(`${url}/cdn-cgi/local/explorer${path}`, {
        headers,
        redirect: 'manual',
      })
      expect([401, 403, 303], path).toContain(answer.status)
    }
  })

  it('passes them in a file that only its user can read', () => {
    const [file = ''] = files()
    expect(files()).toHaveLength(1)
    expect(statSync(join(temporary, file)).mode & 0o777).toBe(0o600)
  })

  // Its output is also that of the children, so that it ends with the last of them.
  it('leaves neither a process nor the file when it is killed', async () => {
    const ended = once(child, 'close')
    child.kill('SIGKILL')
    await ended
    await expect.poll(() => answers(url)).toBe(false)
    await expect.poll(files).toEqual([])
  })
})

const answers = (url: string) =>
  fetch(`${url}/healthz`).then(
    ({ ok }) => ok,
    () => false,
  )

it.each([['0.0.0.0'], ['192.0.2.1'], ['::']])('does not serve %s without an owner', async (ip) => {
  const { code, stderr } = await runWith({}, 'scripts/dev.ts', '--ip', ip)
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr:
      'Cannot serve other machines: any program there could read and write. Set EDGEWISE_OWNER_SECRET, or leave out --ip\n',
  })
})

it.each([
  ['.dev.vars.test-other', 'EDGEWISE_OWNER_SECRET=secret', []],
  ['.dev.vars.test-empty', 'EDGEWISE_OWNER_SECRET=""', ['--env', 'test-empty']],
  ['.dev.vars.test-note', 'EDGEWISE_OWNER_SECRET=# your secret here', ['--env', 'test-note']],
  [
    '.dev.vars.test-last',
    'EDGEWISE_OWNER_SECRET=abc\nEDGEWISE_OWNER_SECRET=',
    ['--env', 'test-last'],
  ],
])('does not take %s for an owner where it sets none', async (name, line, args) => {
  const file = join(ROOT, name)
  try {
    writeFileSync(file, `${line}\n`)
    const { code, stderr } = await runWith({}, 'scripts/dev.ts', '--ip', '192.0.2.1', ...args)
    expect(code).toBe(1)
    expect(stderr).toMatch(/^Cannot serve other machines/)
  } finally {
    rmSync(file, { force: true })
  }
})

it('refuses a variable that it cannot pass on', async () => {
  const EDGEWISE_OWNER_SECRET = 'ends with a \\'
  expect(await runWith({ EDGEWISE_OWNER_SECRET }, 'scripts/dev.ts')).toEqual({
    code: 1,
    stdout: '',
    stderr:
      'Cannot pass the variable EDGEWISE_OWNER_SECRET to wrangler: it ends with a backslash or has every kind of quote. Change it, or use npm start\n',
  })
})

it('uses PORT', async () => {
  const { code, stderr } = await runWith({ PORT: 'x' }, 'scripts/dev.ts')
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr: 'Cannot use PORT=x: a port is a number from 1 to 65535. Use such a number\n',
  })
})
