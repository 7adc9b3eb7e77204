/** A program that is killed leaves no child behind. */

import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, it, onTestFinished } from 'vitest'
import { NODE, ROOT } from './support/e2e/run.ts'

const GUARD = pathToFileURL(join(ROOT, 'scripts/child-guard.ts')).href

/** A child that says when it runs, and then waits. Its output is that of its parent. */
const WAITING = `spawn(process.execPath, ['-e', 'console.log("ready"); setInterval(() => {}, 1000)'], { stdio: 'inherit' })`

/** Kills a program once it says that its child runs; the output of both ends with the last of them. */
async function killReady(program: ChildProcess): Promise<void> {
  const closed = once(program, 'close')
  await once(program.stdout ?? program, 'data')
  program.kill('SIGKILL')
  await closed
}

const start = (code: string) => {
  const imports = `import { spawn } from 'node:child_process'\nimport { guard, guardChildren } from '${GUARD}'\n`
  const args = ['--input-type=module', '-e', imports + code]
  return spawn(NODE, args, { cwd: ROOT, stdio: ['ignore', 'pipe', 'inherit'] })
}

describe.skipIf(process.platform === 'win32')('a program that is killed', () => {
  it('ends a child that it guards, and deletes its folder', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'edgewise-guard-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    await killReady(start(`guard(${WAITING}, '${folder}')`))
    await expect.poll(() => existsSync(folder)).toBe(false)
  })

  it('ends each child in Node that it starts once it guards all of them', async () => {
    await killReady(start(`guardChildren()\n${WAITING}`))
  })

  it('npm run example: ends its server, and deletes its data', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'edgewise-killed-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    const example = spawn(NODE, ['scripts/example.ts', 'first-steps'], {
      cwd: ROOT,
      stdio: 'ignore',
      env: { ...process.env, TMPDIR: folder },
    })
    const data = () => globSync('edgewise-example-*/pid', { cwd: folder })
    await expect.poll(data).toHaveLength(1)
    const id = Number(readFileSync(join(folder, data()[0] ?? ''), 'utf8'))
    const closed = once(example, 'close')
    example.kill('SIGKILL')
    await closed
    await expect.poll(() => isRunning(id)).toBe(false)
    await expect.poll(data).toEqual([])
  })
})

/** Whether a process runs; one that has ended may still be listed, until its parent asks for its result. */
function isRunning(id: number): boolean {
  try {
    process.kill(id, 0)
    return !/^State:\s*Z/m.test(readFileSync(`/proc/${id}/status`, 'utf8'))
  } catch {
    return false
  }
}

it('every script that starts a process and goes on guards it', () => {
  const files = globSync('{scripts,bench}/**/*.ts', { cwd: ROOT })
  const starts = files.filter((file) =>
    /(?<![.\w])(?:spawn|fork)\(/.test(readFileSync(join(ROOT, file), 'utf8')),
  )
  const unguarded = starts.filter(
    (file) => !/guard\(\s*spawn\(/.test(readFileSync(join(ROOT, file), 'utf8')),
  )
  expect(unguarded.map((file) => file.replaceAll('\\', '/'))).toEqual([
    'scripts/child-guard.ts',
    // The browser of the person goes on.
    'scripts/open-browser.ts',
  ])
  expect(starts.length).toBeGreaterThan(4)
})
