/** The official Inspector as its command line: a person and scripts read its output. @module */

import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { array } from '../wire.ts'
import { bothReadings, member, type ModelInput } from '../model-input.ts'
import type { Driver } from '../session.ts'
import { program } from '../stdio.ts'

interface Printed {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

export const driver: Driver = {
  async open({ url }, mode) {
    const home = mkdtempSync(join(tmpdir(), 'edgewise-'))
    const inspect = (method: string, ...args: string[]) =>
      run({ url, era: mode, method, args, home })
    return {
      tools: async () => listed(await inspect('tools/list'), 'tools', 'name'),
      call: async ({ name, args }) =>
        printed(
          await inspect(
            'tools/call',
            '--tool-name',
            name,
            '--tool-args-json',
            JSON.stringify(args),
          ),
        ),
      resources: async () => listed(await inspect('resources/list'), 'resources', 'uri'),
      readResource: async (uri) => (await inspect('resources/read', '--uri', uri)).stdout,
      close: async () => rmSync(home, { recursive: true, force: true }),
    }
  },
}

const INSPECTOR = program('.bin/mcp-inspector')

interface Inspection {
  readonly url: string
  readonly era: string
  readonly method: string
  readonly args: readonly string[]
  readonly home: string
}

function run({ url, era, method, args, home }: Inspection): Promise<Printed> {
  const how = ['--transport', 'http', '--protocol-era', era, '--format', 'json']
  const all = [INSPECTOR, '--cli', url, ...how, '--method', method, ...args]
  const { promise, resolve } = Promise.withResolvers<Printed>()
  const env = { ...process.env, HOME: home }
  const child = execFile(process.execPath, all, { env, maxBuffer: 64e6 }, (_, stdout, stderr) =>
    resolve({ code: child.exitCode, stdout, stderr }),
  )
  return promise
}

/** A printed result; output that is not JSON is a message of the Inspector. */
function printed({ stdout, stderr }: Printed): ModelInput {
  const result = parse(stdout)
  if (member(result, 'content') === undefined) return { readings: [], threw: stderr || stdout }
  return bothReadings({
    content: member(result, 'content'),
    structuredContent: member(result, 'structuredContent'),
    isError: member(result, 'isError'),
  })
}

function parse(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text)
    return member(value, 'result') ?? value
  } catch {
    return undefined
  }
}

function listed({ stdout, stderr }: Printed, many: string, one: string): string[] {
  const result = parse(stdout)
  if (result === undefined) throw new Error(stderr)
  return array(member(result, many)).map((item) => String(member(item, one)))
}
