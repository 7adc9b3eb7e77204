/**
 * Finds a Chromium for the tests: the one in `CHROMIUM` or on the PATH, else one from a package,
 * else a download by Playwright. Throws if the one it found does not start.
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

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']
const MAC = '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome'

/** Finds a browser and checks that it starts. */
export async function findBrowser(): Promise<Browser> {
  const named = process.env['CHROMIUM']
  if (named !== undefined) return checkStarts({ executable: named, env: {} })
  const executable = [...pathCandidates(), MAC, chromium.executablePath()].find((file) =>
    existsSync(file),
  )
  if (executable !== undefined) return checkStarts({ executable, env: {} })
  return process.platform === 'linux' && process.arch === 'x64'
    ? checkStarts(await unpackBrowser())
    : checkStarts(downloadBrowser())
}

function pathCandidates(): string[] {
  const folders = (process.env['PATH'] ?? '').split(delimiter)
  return folders.flatMap((folder) => NAMES.map((name) => join(folder, name)))
}

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

function checkStarts(browser: Browser): Browser {
  try {
    execFileSync(browser.executable, ['--version'], {
      env: { ...process.env, ...browser.env },
      stdio: 'pipe',
    })
    return browser
  } catch (cause) {
    throw new Error(
      `Cannot start the browser at ${browser.executable}. Install Chromium, or set CHROMIUM to its path`,
      { cause },
    )
  }
}
