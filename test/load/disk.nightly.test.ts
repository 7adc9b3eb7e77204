/**
 * The product on a disk that gets full: a file system of its own in memory, where this machine lets a user
 * without rights mount one. No write hangs, each error says what to do, and everything can still be read.
 */

import { spawnSync } from 'node:child_process'
import { packTar } from 'modern-tar'
import { STORAGE_FULL } from '#worker/errors/problem.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { removeFolder, temporaryFolder } from '../support/e2e/folder.ts'
import type { Running } from '../support/e2e/running.ts'
import { startProduct } from '../support/e2e/server.ts'

/** Runs a command with 48 MiB for its data. */
const SMALL = 'mount -t tmpfs -o size=48m tmpfs "$EDGEWISE_DATA" && exec "$@"'
const through = ['unshare', '-rm', 'sh', '-c', SMALL, 'sh']

const data = temporaryFolder()
const env = { ...process.env, EDGEWISE_DATA: data }
const [program = '', ...rest] = through
const canMount = spawnSync(program, [...rest, 'true'], { env }).status === 0
if (!canMount)
  console.warn(
    'SKIPPED: unshare cannot mount a small disk here, see test/load/disk.nightly.test.ts',
  )

/** Milliseconds within which any write has to be refused. */
const AT_ONCE_MS = 30_000

describe.skipIf(!canMount)('a disk that gets full', () => {
  let running: Running | undefined
  const at = (path: string) => (running?.url ?? '') + path
  beforeAll(async () => void (running = await startProduct(data, {}, through)))
  afterAll(async () => {
    expect(await running?.stop()).toBe(0)
    removeFolder(data)
  })

  const ask = (path: string, init: RequestInit = {}) =>
    fetch(at(path), { ...init, signal: AbortSignal.timeout(AT_ONCE_MS) })

  const put = (path: string, size: number) =>
    ask(`/files${path}`, { method: 'PUT', body: new Uint8Array(size).fill(120) })

  async function expectFull(answer: Response): Promise<void> {
    expect(await answer.json()).toMatchObject({ code: 'STORAGE_FULL' })
    expect(answer.status).toBe(507)
  }

  it('refuses an upload larger than the free space', async () => {
    expect((await put('/kept', 1_000_000)).status).toBe(201)
    await expectFull(await put('/huge', 60_000_000))
    await expectFull(await put('/huge', 60_000_000))
  })

  it('refuses writes at once when it is full, and still serves reads', async () => {
    let size = 8_000_000
    for (let at = 0; size > 1_000; at++) {
      const answer = await ask(`/files/fill/${at}`, {
        method: 'PUT',
        body: crypto.getRandomValues(new Uint8Array(Math.min(size, 60_000))),
      })
      if (answer.ok) await answer.body?.cancel()
      else await expectFull(answer).then(() => (size /= 8))
    }
    await expectFull(await put('/one', 60_000))
    const archive = await packTar([
      { header: { name: 'a', size: 60_000 }, body: 'y'.repeat(60_000) },
    ])
    const imported = await ask('/import', { method: 'POST', body: new Uint8Array(archive) })
    expect(await imported.json()).toMatchObject({
      error: STORAGE_FULL,
    })
    const kept = await ask('/files/kept')
    expect((await kept.arrayBuffer()).byteLength).toBe(1_000_000)
    expect((await ask('/status')).status).toBe(200)
    expect((await ask('/files/kept', { method: 'DELETE' })).status).toBe(204)
    expect((await ask('/w/other/files/')).status).toBe(200)
    expect(running?.complaints()).toBe('')
  })
})
