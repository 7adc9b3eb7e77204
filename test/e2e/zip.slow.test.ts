/** Zip archives of the programs of others, imported; and exported ones, judged by these programs. */

import { chmodSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { randomBytes } from 'node:crypto'
import { expect, it } from 'vitest'
import { contentsOf, expectSame, fetched, scratch } from '../support/e2e/folder.ts'
import { describeJudge, runJudge } from '../support/e2e/judge.ts'
import { ask } from '../support/e2e/raw-http.ts'
import { useServer } from '../support/e2e/server.ts'

const server = useServer()

/** Small, large, empty and executable files, a folder of its own, and names beyond ASCII. */
function sampleFolder(): string {
  const folder = scratch()
  mkdirSync(join(folder, 'sub/empty'), { recursive: true })
  for (let at = 0; at < 700; at++)
    writeFileSync(join(folder, `sub/${at}.txt`), `${at}\n`.repeat(at))
  writeFileSync(join(folder, 'noise'), randomBytes(2_000_000))
  writeFileSync(join(folder, 'text'), 'a line of text\n'.repeat(100_000))
  writeFileSync(join(folder, '\u00e4\u4e2d.txt'), 'no end of line')
  writeFileSync(join(folder, 'none'), '')
  writeFileSync(join(folder, 'run.sh'), '#!/bin/sh\n')
  for (const name of ['run.sh', 'noise', 'sub/7.txt']) chmodSync(join(folder, name), 0o755)
  return folder
}

async function send(archive: string, to: string) {
  const body = new Uint8Array(readFileSync(archive))
  const response = await ask(`${server.url}/import?to=${to}`, { method: 'POST', body })
  return { status: response.status, report: await response.json() }
}

/** Exports a folder as a zip archive into a file. */
async function exported(from: string): Promise<string> {
  const archive = join(scratch(), 'exported.zip')
  writeFileSync(archive, await fetched(`${server.url}/export${from}?format=zip`))
  return archive
}

async function run(program: string, args: readonly string[], cwd: string) {
  const { code, stdout, stderr } = await runJudge(program, args, { cwd })
  expect(code, `${program} ${args.join(' ')}\n${stdout}${stderr}`).toBe(0)
  return stdout
}

describeJudge('zip', () => {
  it('makes archives that come as they are, with links left out', async () => {
    const folder = sampleFolder()
    const archive = join(scratch(), 'made.zip')
    await run('zip', ['-qr', archive, '.'], folder)
    const { status, report } = await send(archive, '/zip')
    expect({ status, report }).toMatchObject({ status: 200, report: { files: 705, skipped: 0 } })
    const unpacked = scratch()
    await run('unzip', ['-q', await exported('/zip'), '-d', unpacked], unpacked)
    expectSame(contentsOf(unpacked), contentsOf(folder))
  })

  it('streams archives whose sizes follow, and stores links', async () => {
    const folder = sampleFolder()
    symlinkSync('/etc/passwd', join(folder, 'link'))
    const archive = join(scratch(), 'made.zip')
    await run('sh', ['-c', 'zip -qry - . | cat > "$0"', archive], folder)
    const { status, report } = await send(archive, '/streamed')
    expect({ status, report }).toMatchObject({
      status: 200,
      report: {
        files: 705,
        skipped: 1,
        reasons: [{ name: 'link', reason: 'it is a symbolic link' }],
      },
    })
  })

  it('encrypts archives, which are refused', async () => {
    const folder = sampleFolder()
    const archive = join(scratch(), 'made.zip')
    await run('zip', ['-qre', '-P', 'secret', archive, 'sub'], folder)
    const { status, report } = await send(archive, '/encrypted')
    expect({ status, report }).toMatchObject({
      status: 422,
      report: { files: 0, error: expect.stringContaining('it is encrypted') },
    })
  })

  it('finds no error in an exported archive', async () => {
    const folder = sampleFolder()
    const archive = join(scratch(), 'made.zip')
    await run('zip', ['-qr', archive, '.'], folder)
    await send(archive, '/judged')
    const judged = await exported('/judged')
    await run('zip', ['-T', judged], folder)
    expect(await run('unzip', ['-tq', judged], folder)).toContain('No errors')
  })
})

describeJudge('bsdtar', () => {
  it.each([['deflate'], ['store']])(
    'makes archives with %s, which come as they are',
    async (kind) => {
      const folder = sampleFolder()
      const archive = join(scratch(), 'made.zip')
      const how = ['--format', 'zip', '--options', `zip:compression=${kind}`]
      await run('bsdtar', ['-cf', archive, ...how, '.'], folder)
      const { status, report } = await send(archive, `/bsdtar-${kind}`)
      expect({ status, report }).toMatchObject({ status: 200, report: { files: 705, skipped: 0 } })
      const unpacked = scratch()
      await run('bsdtar', ['-xf', await exported(`/bsdtar-${kind}`), '-C', unpacked], unpacked)
      expectSame(contentsOf(unpacked), contentsOf(folder))
    },
  )

  it('reads an exported archive as a stream', async () => {
    const folder = sampleFolder()
    const archive = join(scratch(), 'made.zip')
    await run('bsdtar', ['-cf', archive, '--format', 'zip', '.'], folder)
    await send(archive, '/as-stream')
    const unpacked = scratch()
    const from = await exported('/as-stream')
    await run('sh', ['-c', 'cat "$0" | bsdtar -xf - -C "$1"', from, unpacked], unpacked)
    // Permissions are in the directory, which a stream has after the files.
    const plain = (found: ReturnType<typeof contentsOf>) =>
      found.map((file) => ({ ...file, executable: false }))
    expectSame(plain(contentsOf(unpacked)), plain(contentsOf(folder)))
  })
})

describeJudge('python3', () => {
  it('makes archives of its own, and reads exported ones', async () => {
    const folder = sampleFolder()
    const archive = join(scratch(), 'made.zip')
    await run('python3', ['-m', 'zipfile', '-c', archive, '.'], folder)
    const { report } = await send(archive, '/python')
    expect(report).toMatchObject({ files: 705, skipped: 0 })
    const stdout = await run('python3', ['-m', 'zipfile', '-t', await exported('/python')], folder)
    expect(stdout).toContain('Done testing')
  })
})
