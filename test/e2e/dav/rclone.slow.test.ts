/**
 * WebDAV with rclone, as the vendor ownCloud has it: copies, one-way and two-way sync, a conflict, and changes that wait.
 * After each story `rclone check` finds no difference.
 */

import { randomBytes } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { beforeAll, beforeEach, expect, it } from 'vitest'
import { davAddress, ownedWorkspace } from '../../support/e2e/dav.ts'
import { scratch } from '../../support/e2e/folder.ts'
import { describeJudge, runJudge } from '../../support/e2e/judge.ts'
import { ownerOf } from '../../support/e2e/owner-decisions.ts'
import { useServer } from '../../support/e2e/server.ts'

const server = useServer()

describeJudge('rclone', () => {
  let count = 0
  let name: string
  let local: string
  let env: Record<string, string>

  async function rclone(...args: readonly string[]): Promise<string> {
    const { code, stdout, stderr } = await runJudge('rclone', args, { env })
    expect(code, `rclone ${args.join(' ')}\n${stdout}${stderr}`).toBe(0)
    return stdout + stderr
  }

  const expectSame = async (...more: readonly string[]) => {
    const found = await rclone('check', local, 'edge:', ...more)
    expect(found).toContain(' 0 differences found')
    return found
  }

  const write = (path: string, content: string | Uint8Array, at = 1_600_000_000) => {
    mkdirSync(dirname(join(local, path)), { recursive: true })
    writeFileSync(join(local, path), content)
    utimesSync(join(local, path), at, at)
  }

  const owned = () => ownedWorkspace(server, name)
  const textAt = async (path: string) => (await owned().fetch(`/files${path}`)).text()

  let obscured: (password: string) => Promise<string>
  beforeAll(() => {
    obscured = async (password) => (await runJudge('rclone', ['obscure', password])).stdout.trim()
  })

  beforeEach(async () => {
    name = `rclone-${count++}`
    const folder = scratch()
    local = join(folder, 'local')
    const { url, password } = await davAddress(server, name)
    env = {
      RCLONE_CONFIG: '/dev/null',
      RCLONE_CONFIG_EDGE_TYPE: 'webdav',
      RCLONE_CONFIG_EDGE_URL: url,
      RCLONE_CONFIG_EDGE_VENDOR: 'owncloud',
      RCLONE_CONFIG_EDGE_USER: 'me',
      RCLONE_CONFIG_EDGE_PASS: await obscured(password),
      RCLONE_CACHE_DIR: join(folder, 'cache'),
    }
    write('a.txt', 'one')
    write('folder/sub/b.txt', 'two', 1_500_000_000)
    write('folder/large.bin', randomBytes(300_000))
    write('empty', '')
    write('names/é & ü #1?.txt', 'three')
    write("names/'quoted' %41;,=+[x].txt", 'four')
  })

  it('copies a folder, and finds every file the same by its checksum', async () => {
    await rclone('copy', local, 'edge:')
    const found = await expectSame()
    expect(found).not.toContain('hashes could not be checked')
    await expectSame('--download')
  })

  it('sends nothing twice, because times and sizes are the same', async () => {
    await rclone('copy', local, 'edge:')
    expect(await rclone('copy', '-v', local, 'edge:')).toContain('There was nothing to transfer')
    const times = await rclone('lsl', 'edge:folder/sub')
    expect(times).toContain('2017-07-14 02:40:00')
  })

  it('sets the time of a file whose content stays', async () => {
    await rclone('copy', local, 'edge:')
    write('a.txt', 'one', 1_650_000_000)
    // Older releases send the file again, newer ones its time alone.
    await rclone('sync', local, 'edge:')
    expect(await rclone('lsl', 'edge:a.txt')).toContain('2022-04-15')
    await expectSame()
  })

  it('syncs what was changed, deleted and moved', async () => {
    await rclone('sync', local, 'edge:')
    write('a.txt', 'changed', 1_700_000_000)
    rmSync(join(local, 'folder/sub'), { recursive: true })
    write('new/c.txt', 'five')
    await rclone('sync', local, 'edge:')
    await expectSame()
    expect(await textAt('/a.txt')).toBe('changed')
    await rclone('moveto', 'edge:new/c.txt', 'edge:newer/d.txt')
    await rclone('copyto', 'edge:a.txt', 'edge:copies/a.txt')
    await rclone('sync', 'edge:', local)
    await expectSame()
    expect(readFileSync(join(local, 'newer/d.txt'), 'utf8')).toBe('five')
    await rclone('purge', 'edge:names')
    expect((await owned().fetch('/files/names')).status).toBe(404)
  })

  it('gets what an agent has changed', async () => {
    await rclone('sync', local, 'edge:')
    await owned().fetch('/files/a.txt', { method: 'PUT', body: 'by an agent' })
    await rclone('sync', 'edge:', local)
    await expectSame()
    expect(readFileSync(join(local, 'a.txt'), 'utf8')).toBe('by an agent')
  })

  it('syncs both ways, and keeps both sides of a conflict', async () => {
    const work = join(dirname(local), 'bisync')
    const bisync = (...more: string[]) =>
      rclone('bisync', local, 'edge:', '--workdir', work, ...more)
    await bisync('--resync')
    await expectSame()
    write('a.txt', 'from here', 1_700_000_000)
    await owned().fetch('/files/folder/sub/b.txt', { method: 'PUT', body: 'from there' })
    await bisync()
    await expectSame()
    write('a.txt', 'mine', 1_710_000_000)
    await owned().fetch('/files/a.txt', { method: 'PUT', body: 'theirs, which is longer' })
    await bisync()
    await expectSame()
    const kept = readdirSync(local).filter((file) => file.startsWith('a.txt'))
    const texts = kept.map((file) => readFileSync(join(local, file), 'utf8'))
    expect(texts.toSorted()).toEqual(['mine', 'theirs, which is longer'])
  })

  it('goes on with its own version while a change waits', async () => {
    await rclone('sync', local, 'edge:')
    const owner = ownerOf(owned())
    await owner.demand('review')
    write('a.txt', 'waits', 1_700_000_000)
    write('folder/more.txt', 'waits as well', 1_700_000_000)
    rmSync(join(local, 'empty'))
    await rclone('sync', local, 'edge:')
    await expectSame()
    expect(await textAt('/a.txt')).toBe('one')
    expect(await owner.drafts()).toHaveLength(1)
    await owner.decide('approve')
    expect(await textAt('/a.txt')).toBe('waits')
    await expectSame()
    expect(await rclone('sync', '-v', local, 'edge:')).toContain('There was nothing to transfer')
  })

  it('has its old version back when the change is turned down', async () => {
    await rclone('sync', local, 'edge:')
    const owner = ownerOf(owned())
    await owner.demand('review')
    write('a.txt', 'waits', 1_700_000_000)
    await rclone('sync', local, 'edge:')
    await owner.decide('turn-down')
    await rclone('sync', 'edge:', local)
    await expectSame()
    expect(readFileSync(join(local, 'a.txt'), 'utf8')).toBe('one')
  })

  it('streams what has no length', async () => {
    const { code, stderr } = await runJudge('rclone', ['rcat', 'edge:streamed.txt'], {
      env,
      input: 'x'.repeat(200_000),
    })
    expect(code, stderr).toBe(0)
    expect(await textAt('/streamed.txt')).toBe('x'.repeat(200_000))
    expect(existsSync(join(local, 'streamed.txt'))).toBe(false)
  })
})
