/** Names of files and of workspaces, and the allowed hosts and origins. @module */

import { describe, expect, it } from 'vitest'
import { createFiles } from '../support/e2e/files.ts'
import { ask, sendHead } from '../support/e2e/raw-http.ts'
import { useServer } from '../support/e2e/server.ts'

const server = useServer()
const { at, get, list, put, read } = createFiles(server)

describe('a name', () => {
  it.each(['a b', 'ünï-日本-👋', '100%', "#?&=+;:@!$'()*,", '"quoted"', '.hidden', '%41'])(
    'may be %s',
    async (name) => {
      const path = `/names/${encodeURIComponent(name)}`
      expect((await put(path, name)).status).toBe(201)
      expect(await read(path)).toBe(name)
      const { entries } = await list('/names')
      expect(entries.map((entry) => entry.name)).toContain(name)
    },
  )

  it('is the same in both spellings of Unicode', async () => {
    await put('/names/cafe\u0301', 'one')
    expect(await read('/names/caf\u00e9')).toBe('one')
  })

  it('never leaves the workspace, and is refused with an invalid character', async () => {
    await put('/names/..%2f..%2fup', 'up')
    expect(await read('/up')).toBe('up')
    for (const name of ['a%00b', 'a%0ab', 'a%5cb', 'x'.repeat(1_100)]) {
      const response = await put(`/names/${name}`, 'x')
      expect(response.status, name).toBe(400)
      expect(await response.json()).toMatchObject({ code: 'INVALID_PATH' })
    }
  })
})

describe('a workspace', () => {
  it('cannot read another one', async () => {
    const url = (workspace: string) => `${server.url}/w/${workspace}/files/shared/a`
    expect((await ask(url('one'), { method: 'PUT', body: 'one' })).status).toBe(201)
    expect((await ask(url('two'))).status).toBe(404)
    expect((await get('/shared/a')).status).toBe(404)
    expect(await (await ask(url('one'))).text()).toBe('one')
    expect((await ask(url('two'), { method: 'PUT', body: 'two' })).status).toBe(201)
    expect(await (await ask(url('one'))).text()).toBe('one')
    expect((await ask(`${server.url}/w/default/files/`)).status).toBe(200)
    expect((await ask(url('Not_A_Name'))).status).toBe(404)
  })

  it('serves this machine and its own pages only', async () => {
    const strange = { origin: 'https://evil.example' }
    expect((await get('/', strange)).status).toBe(403)
    expect((await put('/evil', 'x', strange)).status).toBe(403)
    const { status } = await sendHead(at('/'), 'GET', { host: 'evil.example' })
    expect(status).toBe(403)
    expect((await get('/evil')).status).toBe(404)
  })
})
