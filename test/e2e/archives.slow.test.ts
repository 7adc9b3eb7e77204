/** `/import` and `/export`: archives as others make them, whole, broken and hostile. @module */

import { packTar, type TarEntry } from 'modern-tar'
import { chmodSync, linkSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { contentsOf, expectSame, fetched, scratch, tar, unpacked } from '../support/e2e/folder.ts'
import { createFiles } from '../support/e2e/files.ts'
import { ask } from '../support/e2e/raw-http.ts'
import { useServer } from '../support/e2e/server.ts'

const server = useServer()
const { put, read, get } = createFiles(server)

interface Report {
  files: number
  folders: number
  bytes: number
  skipped: number
  reasons: { name: string; reason: string }[]
  error?: string
}

async function send(archive: Uint8Array<ArrayBuffer>, to: string, status = 200): Promise<Report> {
  const url = `${server.url}/import?to=${encodeURIComponent(to)}`
  const response = await ask(url, { method: 'POST', body: archive })
  const text = await response.text()
  expect(response.status, text).toBe(status)
  const report: Report = JSON.parse(text)
  return report
}

const exported = async (from: string) =>
  unpacked(await fetched(`${server.url}/export?from=${encodeURIComponent(from)}`))

/** A file's entry as a sender may write it. */
function entry(name: string, body = name, header: Partial<TarEntry['header']> = {}): TarEntry {
  return { header: { name, size: body.length, type: 'file', ...header }, body }
}

/** Small and large files, an executable one, and a folder of its own. */
function sampleFolder(): string {
  const folder = scratch()
  mkdirSync(join(folder, 'sub/empty'), { recursive: true })
  for (let i = 0; i < 700; i++) writeFileSync(join(folder, 'sub', `${i}.txt`), `${i}\n`.repeat(i))
  for (const name of ['large', 'larger'])
    writeFileSync(join(folder, name), Buffer.alloc(name.length * 100_000, name))
  chmodSync(join(folder, 'large'), 0o755)
  return folder
}

it('imports a file with two names as two files', async () => {
  const folder = scratch()
  writeFileSync(join(folder, 'a.txt'), 'content')
  linkSync(join(folder, 'a.txt'), join(folder, 'hard.txt'))
  const report = await send(new Uint8Array(tar(['-cf', '-', '-C', folder, '.'])), '/two-names')
  expect(report).toMatchObject({ files: 2, bytes: 14, skipped: 0 })
  expectSame(await exported('/two-names'), contentsOf(folder))
})

it('imports archives of the system’s tar and gzip', async () => {
  const folder = sampleFolder()
  const input = contentsOf(folder)
  const archive = tar(['-czf', '-', '-C', folder, '.'])
  const report = await send(new Uint8Array(archive), '/gz')
  expect(report).toMatchObject({ files: 702, folders: 2, skipped: 0 })
  expectSame(await exported('/gz'), input)
})

it('exports a folder with paths relative to it, and no sibling', async () => {
  await put('/out/in/a.txt', 'a')
  await put('/out/inside.txt', 'b')
  const names = (await exported('/out/in')).map(({ name }) => name)
  expect(names).toEqual(['a.txt'])
  expect((await ask(`${server.url}/export?from=/out/no`)).status).toBe(404)
})

/** An archive without the empty blocks that end it. */
function endless(archive: Buffer): Buffer {
  let end = archive.length
  while (archive[end - 1] === 0) end--
  return archive.subarray(0, Math.ceil(end / 512) * 512)
}

it.each([0.01, 0.3, 0.7, 1])(
  'reports exactly what it imported when an archive ends at %d',
  async (share) => {
    const folder = sampleFolder()
    const input = new Map(contentsOf(folder).map(({ name, bytes }) => [name, bytes]))
    const archive = endless(tar(['-cf', '-', '-C', folder, '.']))
    const to = `/broken/${share}`
    await put(`${to}/before`, 'x')
    const report = await send(new Uint8Array(archive.subarray(0, archive.length * share)), to, 422)
    expect(report.error).toBeTypeOf('string')
    const files = (await exported(to)).filter(({ name }) => !/\/$|^before$/.test(name))
    expect(files.length).toBe(report.files)
    for (const { name, bytes } of files) expect(input.get(name)?.equals(bytes), name).toBe(true)
    if (share === 1) expect(report.files).toBe(702)
  },
)

it('refuses a file that is no archive', async () => {
  expect(await send(new TextEncoder().encode('no archive'.repeat(100)), '/no', 422)).toMatchObject({
    files: 0,
    error: expect.any(String),
  })
  const halfGzip = gzipSync(Buffer.alloc(10_000, 'x')).subarray(0, 20)
  expect(await send(new Uint8Array(halfGzip), '/no', 422)).toMatchObject({ files: 0 })
  expect((await get('/no')).status).toBe(404)
})

it('imports an empty archive', async () => {
  expect(await send(new Uint8Array(1024), '/nothing')).toMatchObject({ files: 0, folders: 0 })
})

it('never writes outside, and lists skipped entries', async () => {
  const special = ['symlink', 'link', 'fifo', 'character-device'] as const
  const archive = await packTar([
    entry('../up'),
    entry('sub/../../up'),
    entry('/absolute'),
    entry('./dot'),
    entry('back\\slash'),
    ...special.map((type) => ({ header: { name: type, size: 0, type, linkname: '/etc/passwd' } })),
    entry('good'),
  ])
  const report = await send(archive, '/into')
  expect(report).toMatchObject({ files: 3, skipped: 7 })
  expect(report.reasons.map(({ name }) => name)).toEqual([
    '../up',
    'sub/../../up',
    'back\\slash',
    ...special,
  ])
  expect((await exported('/into')).map(({ name }) => name)).toEqual(['absolute', 'dot', 'good'])
  expect((await get('/up')).status).toBe(404)
})

it('skips entries that conflict with existing ones, and imports the rest', async () => {
  await put('/mixed/file', 'x')
  await put('/mixed/folder/x', 'x')
  const archive = await packTar([entry('a'), entry('file/below'), entry('folder'), entry('z')])
  const report = await send(archive, '/mixed')
  expect(report).toMatchObject({ files: 2, bytes: 2, skipped: 2 })
  expect(report.reasons.map(({ name }) => name)).toEqual(['file/below', 'folder'])
  expect(await read('/mixed/file')).toBe('x')
  expect(await read('/mixed/z')).toBe('z')
})

it('does not follow links in an archive', async () => {
  const folder = scratch()
  symlinkSync('/etc', join(folder, 'etc'))
  writeFileSync(join(folder, 'file'), 'x')
  const report = await send(new Uint8Array(tar(['-cf', '-', '-C', folder, '.'])), '/links')
  expect(report).toMatchObject({ files: 1, skipped: 1 })
})

it('can be imported again after a client hung up', async () => {
  const folder = sampleFolder()
  const archive = tar(['-cf', '-', '-C', folder, '.'])
  const hangUp = new AbortController()
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(archive.subarray(0, archive.length / 2)),
    pull: () => new Promise((resolve) => setTimeout(resolve, 200)).then(() => hangUp.abort()),
  })
  const request = { method: 'POST', body, duplex: 'half', signal: hangUp.signal } as const
  await expect(ask(`${server.url}/import?to=/again`, request)).rejects.toThrow('aborted')
  await send(new Uint8Array(archive), '/again')
  expectSame(await exported('/again'), contentsOf(folder))
})

it('keeps everything after a restart', async () => {
  const tag = (await put('/kept/a', 'a')).headers.get('etag')
  await put('/kept/large', new Uint8Array(300_000).fill(7))
  await put('/kept/folder/of/its/own', 'x')
  const before = await exported('/kept')
  await server.restart()
  expectSame(await exported('/kept'), before)
  expect((await get('/kept/a')).headers.get('etag')).toBe(tag)
  const later = (await put('/kept/a', 'b')).headers.get('etag')
  expect(Number(later?.replaceAll('"', ''))).toBeGreaterThan(Number(tag?.replaceAll('"', '')))
})
