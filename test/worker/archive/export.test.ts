/** Changes during an export: no file is missing from the archive because it was moved, or came to a path before. */

import { ROOT } from '#core/path.ts'
import { exportArchive } from '#worker/archive/export.ts'
import { unpackTar } from 'modern-tar'
import { expect, it } from 'vitest'
import { withFaults, type FaultyWorkspace } from '../../support/worker/faulty-storage.ts'
import { withToolContext } from '../../support/worker/tool-context.ts'
import { END, entry, file, join } from '../../support/worker/raw-tar.ts'
import { ENVELOPE, modernRequest } from '../../support/worker/client.ts'

/** More than waits for a reader who does not read, and then more entries than are listed together. */
const LARGE = Array.from({ length: 10 }, (_, at) => file(`l/${at}`, `${at}`.repeat(1_000_000)))
const SMALL = Array.from({ length: 500 }, (_, at) => file(`m/${at}`))

async function call({ fetch }: FaultyWorkspace, name: string, args: object): Promise<void> {
  const request = modernRequest('tools/call', { name, arguments: args, _meta: ENVELOPE })
  expect(await (await fetch('/mcp', request)).json()).not.toMatchObject({
    result: { isError: true },
  })
}

/** The names and texts of an export, during which something is done after its first bytes were read. */
async function exportDuring(work: (faulty: FaultyWorkspace) => Promise<void>) {
  return withFaults(async (faulty) => {
    const body = join(...LARGE, ...SMALL, file('z/last', 'old'), END)
    await (await faulty.fetch('/import', { method: 'POST', body })).text()
    const { body: archive } = await faulty.fetch('/export')
    const reader = archive?.getReader()
    const pieces = [(await reader?.read())?.value ?? new Uint8Array()]
    await work(faulty)
    for (let read = await reader?.read(); read && !read.done; read = await reader?.read())
      pieces.push(read.value)
    const entries = await unpackTar(join(...pieces), { strict: true })
    const text = new TextDecoder()
    return entries.map(({ header: { name }, data }) => [name, text.decode(data).slice(0, 9)])
  })
}

const withoutOthers = (entries: string[][]) =>
  entries.filter(([name = '']) => !name.startsWith('l/') && !name.startsWith('m/'))

it('has what is moved to a path that was read before', async () => {
  const found = await exportDuring((faulty) => call(faulty, 'move_file', { from: '/z', to: '/a' }))
  expect(withoutOthers(found)).toEqual([
    ['a/', ''],
    ['a/last', 'old'],
  ])
})

it('has each new state once, and the old one of a file that was read before', async () => {
  const found = await exportDuring(async (faulty) => {
    await call(faulty, 'write_file', { path: '/z/last', content: 'new' })
    await call(faulty, 'write_file', { path: '/l/0', content: 'new' })
  })
  expect(withoutOthers(found)).toEqual([
    ['z/', ''],
    ['z/last', 'new'],
  ])
  expect(found.filter(([name]) => name === 'l/0')).toEqual([
    ['l/0', '000000000'],
    ['l/0', 'new'],
  ])
})

it('has the mode of each file as it was imported, and a plain file where the archive had none', () =>
  withFaults(async ({ fetch }) => {
    const modes = { run: 0o755, 'group-only': 0o654, text: 0o644, none: 0 }
    const files = Object.entries(modes).map(([name, mode]) => entry({ name, mode }, 'x'))
    const link = entry({ name: 'z-link', type: '1', link: 'run', mode: 0o755 })
    const send = (...parts: Uint8Array[]) =>
      fetch('/import', { method: 'POST', body: join(...parts, END) })
    await send(...files, link)
    await send(entry({ name: 'run', mode: 0 }, 'y'))
    const archive = await (await fetch('/export')).arrayBuffer()
    const entries = await unpackTar(new Uint8Array(archive), { strict: true })
    expect(entries.map(({ header }) => [header.name, header.mode])).toEqual([
      ['group-only', 0o644],
      ['none', 0o644],
      ['run', 0o755],
      ['text', 0o644],
      ['z-link', 0o755],
    ])
  }))

it.each([
  [2, 'ends'],
  [3, 'breaks off'],
])('where two changes are kept and %i are made, it %s', (count, ending) =>
  withToolContext({}, async ({ owner, write }) => {
    await write({ '/a': 'old' })
    const archive = exportArchive(owner.store, { folder: ROOT, format: 'tar', most: 2 })
    for (let at = 0; at < count; at++) await write({ [`/${at}`]: 'new' })
    const read = new Response(archive).arrayBuffer()
    if (ending === 'ends') await expect(read).resolves.toBeDefined()
    else await expect(read).rejects.toThrow('more than 2 entries changed meanwhile')
  }),
)
