/** The package `edgewise`, packed and used in an empty folder, as `npx edgewise` runs it. */

import { once } from 'node:events'
import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import type { ChildProcess } from 'node:child_process'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { freePort } from '../../scripts/port.ts'
import { removeFolder, temporaryFolder } from '../support/e2e/folder.ts'
import {
  installProgram,
  interrupt,
  type InstalledProgram,
} from '../support/e2e/installed-program.ts'

const folder = temporaryFolder()
let program: InstalledProgram

beforeAll(async () => void (program = await installProgram(folder)), 120_000)
afterAll(() => removeFolder(folder))

async function run(args: readonly string[], env: NodeJS.ProcessEnv = {}) {
  const child = program.spawn(args, env)
  const exit = once(child, 'exit')
  const [stdout, stderr] = await Promise.all([read(child.stdout), read(child.stderr)])
  await exit
  return { code: child.exitCode, stdout, stderr }
}

const read = (stream: ChildProcess['stdout']) => (stream ? text(stream) : '')

describe('what is packed', () => {
  it('is the program, what was built, its license, and nothing else', () => {
    const places = new Set(program.files.map((name) => name.split('/').slice(0, 2).join('/')))
    const files = ['LICENSE', 'README.md', 'package.json', 'wrangler.toml']
    expect([...places].toSorted()).toEqual(
      [...files, 'bin', 'dist'].map((name) => `package/${name}`).toSorted(),
    )
    expect(program.files.filter((name) => /\.(?:tsx?|map)$|\/test/.test(name))).toEqual(
      program.files.filter((name) => name.endsWith('.d.ts')),
    )
  })

  it('imports only Node and what its manifest names', () => {
    const manifest: { dependencies: object; engines: object } = JSON.parse(
      readFileSync(join(program.unpacked, 'package.json'), 'utf8'),
    )
    const imports = globSync('bin/*.mjs', { cwd: program.unpacked }).flatMap((file) => {
      const code = readFileSync(join(program.unpacked, file), 'utf8')
      return [...code.matchAll(/(?:\bfrom ?|\bimport\(|^import )["']([^."'\n][^"'\n]*)["']/gm)]
    })
    const packages = imports.map(([, name = '']) => name).filter((name) => !/^node:/.test(name))
    expect([...new Set(packages)]).toEqual(Object.keys(manifest.dependencies))
  })

  it('has the licenses of what is in it', () => {
    const licenses = readFileSync(join(program.unpacked, 'LICENSE'), 'utf8')
    for (const name of ['hono', 'preact', 'zod', 'modern-tar', '@modelcontextprotocol/server'])
      expect(licenses).toContain(`This package contains ${name}:`)
  })
})

describe('the program', () => {
  it('lists its commands', async () => {
    const { code, stdout, stderr } = await run([])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toContain('npx edgewise <command>')
    for (const name of ['start', 'import', 'sync', 'pull', 'push', 'new-app', 'passkeys'])
      expect(stdout).toMatch(new RegExp(`^ {2}${name} `, 'm'))
  })

  it('tells its version', async () =>
    expect((await run(['--version'])).stdout).toMatch(/^\d+\.\d+\.\d+\n$/))

  it('names the nearest command', async () => {
    const { code, stderr } = await run(['strat'])
    expect(code).toBe(1)
    expect(stderr).toContain('The nearest is start; see npx edgewise help')
  })

  it('names its commands in help and errors, and no script of the project', async () => {
    const help = await Promise.all(
      ['start', 'import', 'sync', 'pull', 'new-app', 'passkeys'].map((name) =>
        run([name, '--help']),
      ),
    )
    for (const { stdout } of help) {
      expect(stdout).toContain('npx edgewise ')
      expect(stdout).not.toContain('npm ')
    }
    const port = String(await freePort())
    const { stderr } = await run(['import', '.'], { PORT: port })
    expect(stderr).toContain('Start the server with npx edgewise start')
  })

  it('says which Node it needs', async () => {
    const old = `data:text/javascript,Object.defineProperty(process.versions,'node',{value:'20.20.2'})`
    const { code, stderr } = await run(['start'], { NODE_OPTIONS: `--import=${old}` })
    expect(code).toBe(1)
    expect(stderr).toContain('Cannot run Edgewise with Node 20.20.2: it needs 22.13 or newer')
  })
})

describe('npx edgewise start', () => {
  let server: ChildProcess
  let url = ''
  let printed = ''

  beforeAll(async () => {
    const port = String(await freePort())
    url = `http://localhost:${port}`
    server = program.spawn(['start'], { PORT: port })
    const ready = Promise.withResolvers<void>()
    server.stdout?.on('data', (chunk: Buffer) => {
      printed += chunk.toString()
      if (printed.includes('Stop with')) ready.resolve()
    })
    server.once('exit', () => ready.reject(new Error(printed)))
    await ready.promise
  }, 60_000)

  afterAll(() => interrupt(server))

  it('serves the console, MCP and files, with the data in the folder', async () => {
    const page = await (await fetch(url)).text()
    expect(page).toContain('/console.js')
    expect((await fetch(`${url}/console.js`)).status).toBe(200)
    const body = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }
    const headers = {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    }
    const listed = await fetch(`${url}/mcp`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    })
    expect(await listed.text()).toContain('write_file')
    expect(existsSync(join(folder, '.edgewise/do'))).toBe(true)
  })

  it('names the next steps as its own commands', () => {
    expect(printed).toContain(`Data      ${join(folder, '.edgewise')}`)
    expect(printed).toContain('npx edgewise import ./folder')
    expect(printed).not.toContain('npm ')
  })

  it('imports a folder, by a path from where it is run', async () => {
    mkdirSync(join(folder, 'notes'))
    writeFileSync(join(folder, 'notes/a.md'), 'a note')
    const { code, stdout } = await run(['import', './notes', url, '--to', '/notes'])
    expect({ code, stdout }).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^Imported 1 file/),
    })
    expect(await (await fetch(`${url}/files/notes/a.md`)).text()).toBe('a note')
  })

  it('receives a folder', async () => {
    mkdirSync(join(folder, 'received'))
    const { code, stderr } = await run(['pull', './received', url, '--to', '/notes'])
    expect({ code, stderr }).toMatchObject({ code: 0 })
    expect(readFileSync(join(folder, 'received/a.md'), 'utf8')).toBe('a note')
  })

  it('makes an app', async () => {
    const { code, stdout } = await run(['new-app', 'kanban', 'board', url])
    expect(code).toBe(0)
    expect(stdout).toContain('Made the app board')
  })

  it('ends with Ctrl+C', async () => {
    await interrupt(server)
    await expect.poll(() => fetch(url).catch(() => null), { timeout: 30_000 }).toBe(null)
  })
})
