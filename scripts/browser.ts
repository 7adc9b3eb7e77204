/**
 * Finds a Chromium for the tests: the one in `CHROMIUM`, else one on the PATH that is new enough, else
 * one from a package, else a download by Playwright. Throws if the one it found does not start.
 * `test/browser.test.ts` covers it.
 *
 * @module
 */

import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { chromium } from 'playwright'
import { inProject } from './settings.ts'

/** A browser that starts. */
export interface Browser {
  readonly executable: string
  /** Environment variables that the browser needs to start. */
  readonly env: Readonly<Record<string, string>>
}

/**
 * Oldest major version that all tests are known to pass with, which is that of the package. Chromium 150 lets an app
 * make a connection that the tests forbid.
 */
const OLDEST_VERSION = 153

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']
const MAC = '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome'

/** Finds a browser and checks that it starts. One that is too old is used only if `CHROMIUM` names it. */
export async function findBrowser(): Promise<Browser> {
  const named = process.env['CHROMIUM']
  if (named !== undefined) {
    isNewEnough(named, 'using it, because CHROMIUM names it')
    return { executable: named, env: {} }
  }
  const executable = [...pathCandidates(), MAC, chromium.executablePath()].find(
    (file) => existsSync(file) && isNewEnough(file, 'looking for another one'),
  )
  if (executable !== undefined) return { executable, env: {} }
  const browser = hasPackage() ? await unpackBrowser() : downloadBrowser()
  readVersion(browser)
  return browser
}

/** Whether a browser is new enough for the tests. If it is too old, prints so, and what happens then. */
function isNewEnough(executable: string, then: string): boolean {
  const version = readVersion({ executable, env: {} })
  if (version >= OLDEST_VERSION) return true
  const name = version > 0 ? `Chromium ${version}` : 'The browser of unknown version'
  console.warn(
    `${name} at ${executable} is too old for the tests (${OLDEST_VERSION} or newer); ${then}`,
  )
  return false
}

function pathCandidates(): string[] {
  const folders = (process.env['PATH'] ?? '').split(delimiter)
  return folders.flatMap((folder) => NAMES.map((name) => join(folder, name)))
}

const hasPackage = () => process.platform === 'linux' && process.arch === 'x64'

/**
 * Unpacks the browser of the package, with the libraries that a bare machine lacks. The package
 * unpacks those only in a Lambda environment, so one is simulated.
 */
async function unpackBrowser(): Promise<Browser> {
  process.env['AWS_EXECUTION_ENV'] ??= 'AWS_Lambda_nodejs22.x'
  const { default: packed } = await import('@sparticuz/chromium')
  const executable = await packed.executablePath()
  return { executable, env: { LD_LIBRARY_PATH: join(tmpdir(), 'al2023', 'lib') } }
}

function downloadBrowser(): Browser {
  execFileSync(
    process.execPath,
    [inProject('node_modules/playwright/cli.js'), 'install', 'chromium'],
    {
      stdio: 'inherit',
    },
  )
  return { executable: chromium.executablePath(), env: {} }
}

/**
 * Starts a browser to read its major version; 0 if it prints none.
 *
 * @throws {Error} If it does not start.
 */
function readVersion({ executable, env }: Browser): number {
  try {
    const printed = execFileSync(executable, ['--version'], {
      encoding: 'utf8',
      env: { ...process.env, ...env },
      stdio: 'pipe',
    })
    return Number(/ (\d+)\./.exec(printed)?.[1] ?? 0)
  } catch (cause) {
    throw new Error(
      `Cannot start the browser at ${executable}. Install Chromium, or set CHROMIUM to its path`,
      { cause },
    )
  }
}
