/** Exported zip archives: their names, contents, times and permissions, as a reader of the directory finds them. */

import { toHex } from '#worker/encoding/bytes.ts'
import { INLINE_BYTES } from '#worker/limits.ts'
import { expect, it } from 'vitest'
import { freshWorkspace } from '../../support/worker/client.ts'
import { readZipDirectory, type FoundEntry } from '../../support/worker/read-zip.ts'
import { END, entry, file, join } from '../../support/worker/raw-tar.ts'

type Workspace = ReturnType<typeof freshWorkspace>

const noise = (size: number) => {
  const bytes = new Uint8Array(size)
  for (let at = 0; at < size; at += 65_536) crypto.getRandomValues(bytes.subarray(at, at + 65_536))
  return bytes
}

const LARGE = noise(300_000)
const MTIME = 1_700_000_000

async function filled(): Promise<Workspace> {
  const workspace = freshWorkspace()
  const body = join(
    entry({ name: 'docs/run.sh', mode: 0o755, mtime: MTIME }, '#!/bin/sh\n'.repeat(9)),
    entry({ name: 'docs/ä.txt', mtime: MTIME }, 'text'),
    entry({ name: 'docs/empty', mtime: MTIME }, ''),
    entry({ name: 'docs/bare/', type: '5', mtime: MTIME }),
    entry({ name: 'docs/large.bin', mtime: MTIME }, LARGE),
    file('other', 'x'),
    END,
  )
  await workspace.fetch('/import', { method: 'POST', body })
  return workspace
}

async function exported({ fetch }: Workspace, path: string, init?: RequestInit) {
  const response = await fetch(path, init)
  return { response, bytes: new Uint8Array(await response.arrayBuffer()) }
}

it('has the files of a folder, with their contents, times and executable bits', async () => {
  const workspace = await filled()
  const { response, bytes } = await exported(workspace, '/export/docs?format=zip')
  expect(response.headers.get('content-type')).toBe('application/zip')
  expect(response.headers.get('content-disposition')).toContain('docs.zip')
  const found = readZipDirectory(bytes)
  expect(found.map(({ name, mode, body }) => [name, mode.toString(8), body.length])).toEqual([
    ['bare/', '40755', 0],
    ['empty', '100644', 0],
    ['large.bin', '100644', LARGE.length],
    ['run.sh', '100755', 90],
    ['ä.txt', '100644', 4],
  ])
  expect(found[2]?.body.every((byte, at) => byte === LARGE[at])).toBe(true)
  expect(found[1]?.mtime).toBe(MTIME)
})

const digest = async (bytes: Uint8Array<ArrayBuffer>) =>
  toHex(new Uint8Array(await crypto.subtle.digest('SHA-256', bytes)))

it('is the same for the same files', async () => {
  const workspace = await filled()
  const one = await exported(workspace, '/export?format=zip')
  const two = await exported(workspace, '/export?format=zip')
  expect(await digest(one.bytes)).toBe(await digest(two.bytes))
})

it('comes back as it was', async () => {
  const workspace = await filled()
  const { bytes } = await exported(workspace, '/export/docs?format=zip')
  const report = await workspace.fetch('/import?to=/back', { method: 'POST', body: bytes })
  expect(await report.json()).toMatchObject({ files: 4, folders: 1, skipped: 0 })
  const again = await exported(workspace, '/export/back?format=zip')
  const facts = ({ name, mode, mtime, body }: FoundEntry) =>
    digest(body).then((hash) => [name, mode, name.endsWith('/') || mtime, hash])
  const listed = (archive: Uint8Array) => Promise.all(readZipDirectory(archive).map(facts))
  expect(await listed(again.bytes)).toEqual(await listed(bytes))
  expect(LARGE.length).toBeGreaterThan(INLINE_BYTES)
})

it.each([
  ['/export?from=/docs&format=zip', {}, 'application/zip'],
  ['/export/docs', { accept: 'application/zip' }, 'application/zip'],
  ['/export/docs/', { accept: 'text/html,*/*' }, 'application/x-tar'],
  ['/export/docs', { accept: 'application/zip, application/x-tar' }, 'application/x-tar'],
  ['/export?format=tar', { accept: 'application/zip' }, 'application/x-tar'],
])('%s with %j is %s', async (path, headers, type) => {
  const { response } = await exported(await filled(), path, { method: 'HEAD', headers })
  expect(response.headers.get('content-type')).toBe(type)
})

it.each([
  ['/export?format=rar', 400, 'INVALID_QUERY'],
  ['/export/none?format=zip', 404, 'FILE_NOT_FOUND'],
  ['/export/other?format=zip', 409, 'NOT_A_FOLDER'],
  ['/export/%2e%2e/x?format=zip', 404, 'NOT_FOUND'],
])('%s is refused with %i', async (path, status, code) => {
  const { response, bytes } = await exported(await filled(), path)
  const { code: found } = JSON.parse(new TextDecoder().decode(bytes))
  expect([response.status, found]).toEqual([status, code])
})
