/** Command-line hosts: each step is one run of the program, with a home folder that lasts for all. @module */

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { byModel } from './agent.ts'
import type { Driver } from './session.ts'

export interface Setting {
  /** Where MCP is spoken. */
  readonly mcp: string
  /** Where the model answers. */
  readonly model: string
  readonly home: string
}

export interface Host {
  /** Below `hosts/node_modules`; a script is run by Node. */
  readonly program: string
  readonly args: (setting: Setting, prompt: string) => string[]
  readonly env: (setting: Setting) => Record<string, string>
  /** Files of the home folder. */
  readonly files: (setting: Setting) => Record<string, string>
}

/** Nothing listens there, so that no host reaches beyond this machine. */
const NOWHERE = 'http://127.0.0.1:9'

const alone = (home: string) => ({
  PATH: process.env['PATH'] ?? '',
  HOME: home,
  TERM: 'dumb',
  CI: '1',
  HTTPS_PROXY: NOWHERE,
  HTTP_PROXY: NOWHERE,
  NO_PROXY: 'localhost,127.0.0.1,::1',
})

export const hostDriver = (host: Host): Driver => ({
  open: ({ url }) =>
    byModel(async (model) => {
      const home = mkdtempSync(join(tmpdir(), 'edgewise-host-'))
      const setting = { mcp: url, model: model.url, home }
      for (const [path, content] of Object.entries(host.files(setting))) {
        mkdirSync(dirname(join(home, path)), { recursive: true })
        writeFileSync(join(home, path), content)
      }
      return {
        run: (prompt) => runHost(host, setting, prompt),
        close: async () => rmSync(home, { recursive: true, force: true }),
      }
    }),
})

const MAX_RUN_MS = 40_000

async function runHost(host: Host, setting: Setting, prompt: string): Promise<void> {
  const file = join(import.meta.dirname, 'hosts/node_modules', host.program)
  const script = file.endsWith('.js')
  const args = [...(script ? [file] : []), ...host.args(setting, prompt)]
  const child = spawn(script ? process.execPath : file, args, {
    cwd: setting.home,
    env: { ...alone(setting.home), ...host.env(setting) },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: MAX_RUN_MS,
  })
  const exit = once(child, 'exit')
  const printed = await Promise.all([text(child.stdout), text(child.stderr)])
  await exit
  if (process.env['CLIENTS_DEBUG']) console.error(printed.join('\n').slice(-2000))
  if (child.exitCode !== 0) throw new Error(`ended with ${child.exitCode}: ${printed.join(' ')}`)
}
