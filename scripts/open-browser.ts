/** Opens the browser of this machine. Tested by `test/open-browser.test.ts` and `test/e2e/flags.test.ts`. @module */

import { spawn } from 'node:child_process'

/** Returns the command that opens an address: that of the variable `BROWSER`, or of the operating system. */
export function browserCommand(
  url: string,
  platform: NodeJS.Platform,
  { BROWSER }: NodeJS.ProcessEnv,
): readonly [program: string, ...args: string[]] {
  if (BROWSER) return [BROWSER, url]
  if (platform === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler', url]
  return [platform === 'darwin' ? 'open' : 'xdg-open', url]
}

/** Opens an address; a machine without a browser gets one line instead, and the server goes on. */
export function openBrowser(url: string): void {
  const [program, ...args] = browserCommand(url, process.platform, process.env)
  const child = spawn(program, args, { stdio: 'ignore', detached: true })
  child.once('error', () => {
    console.error(`Cannot open the browser: ${program} did not start. Open ${url} yourself.`)
  })
  child.unref()
}
