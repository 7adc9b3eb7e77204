/** Which browser the tests use: one that is too old for them only if it is named. */

import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { inProject } from '../scripts/settings.ts'

const OLD = 'Chromium 150.0.7871.100 built on Debian GNU/Linux 13 (trixie)'
const NEW = 'Google Chrome 153.0.8010.0'

/** Creates a folder of programs, each of which prints a version. */
function programsOf(versions: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'edgewise-browser-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  for (const [name, version] of Object.entries(versions)) {
    mkdirSync(join(folder, name, '..'), { recursive: true })
    writeFileSync(join(folder, name), `#!/bin/sh\necho '${version}'\n`, { mode: 0o755 })
  }
  return folder
}

/** Runs `findBrowser()` in a process whose only browsers are those of a folder. */
function find(folder: string, named?: string) {
  const { CHROMIUM: _, ...env } = process.env
  const module = JSON.stringify(inProject('scripts/browser.ts'))
  const script = `console.log((await (await import(${module})).findBrowser()).executable)`
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
    encoding: 'utf8',
    env: {
      ...env,
      PATH: folder,
      // `npm test` has its temporary files in memory, where a browser would be unpacked once more.
      TMPDIR: '/tmp',
      PLAYWRIGHT_BROWSERS_PATH: join(folder, 'none'),
      ...(named !== undefined && { CHROMIUM: named }),
    },
  })
  return { found: stdout.trim(), printed: stderr.trim() }
}

it('is the first on the PATH that is new enough', () => {
  const folder = programsOf({ chromium: NEW, 'google-chrome': OLD })
  expect(find(folder)).toEqual({ found: join(folder, 'chromium'), printed: '' })
})

it('is the next one where the first is too old, which is printed', () => {
  const folder = programsOf({ chromium: OLD, 'chromium-browser': 'none', 'google-chrome': NEW })
  const { found, printed } = find(folder)
  expect(found).toBe(join(folder, 'google-chrome'))
  expect(printed.split('\n')).toEqual([
    `Chromium 150 at ${folder}/chromium is too old for the tests (153 or newer); looking for another one`,
    `The browser of unknown version at ${folder}/chromium-browser is too old for the tests (153 or newer); looking for another one`,
  ])
})

const hasPackage = process.platform === 'linux' && process.arch === 'x64'

it.skipIf(!hasPackage)('is the one of the package where all are too old', () => {
  const folder = programsOf({ chromium: OLD })
  const { found, printed } = find(folder)
  expect(found).toBe('/tmp/chromium')
  expect(printed).toContain('Chromium 150 at')
})

it('is the one that is named, with a warning where that is too old', () => {
  const folder = programsOf({ chromium: NEW, 'mine/old': OLD, 'mine/new': NEW })
  const [old, current] = [join(folder, 'mine/old'), join(folder, 'mine/new')]
  expect(find(folder, current)).toEqual({ found: current, printed: '' })
  expect(find(folder, old)).toEqual({
    found: old,
    printed: `Chromium 150 at ${old} is too old for the tests (153 or newer); using it, because CHROMIUM names it`,
  })
})

it('is refused by its path if it does not start', () => {
  const folder = programsOf({})
  expect(find(folder, join(folder, 'gone')).printed).toContain(
    `Cannot start the browser at ${folder}/gone. Install Chromium, or set CHROMIUM to its path`,
  )
})
