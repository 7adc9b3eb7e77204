/**
 * Runs a table in the page in which it is loaded.
 *
 * @module
 */

import { type Case, type Cases, CRASHES, Page, settled } from './case.ts'
import { listen } from './agent.ts'
import { execute } from './execute.ts'
import { formSchemas } from './form-schemas.ts'
import { forms } from './forms.ts'
import { frames } from './frames.ts'
import { hostile } from './hostile.ts'
import { list } from './list.ts'
import { register } from './register.ts'
import { surface } from './surface.ts'

const tables: Readonly<Record<string, Cases>> = {
  execute,
  formSchemas,
  forms,
  frames,
  hostile,
  list,
  register,
  surface,
}

/**
 * Chromium's own WebMCP now and then loses an event, or a call, for a frame that has just loaded: seen in one of
 * some fifty, with no script of ours in the page. So what native gets wrong is tried again; the polyfill is tried once.
 */
const NATIVE_TRIES = 4

/** For each case what came out and what should have, as plain data. */
async function runTable(name: string, native: boolean): Promise<unknown> {
  const all = Object.entries(tables[name] ?? {})
  const rows = all.filter(([, row]) => !native || row.native !== CRASHES)
  const got: Record<string, unknown> = {}
  const want: Record<string, unknown> = {}
  for (const [title, row] of rows) {
    want[title] = plain(native && 'native' in row ? row.native : row.want)
    for (let tries = native ? NATIVE_TRIES : 1; tries > 0; tries--) {
      got[title] = await outcome(row)
      if (JSON.stringify(got[title]) === JSON.stringify(want[title])) break
    }
  }
  return { got, want }
}

async function outcome(row: Case): Promise<unknown> {
  const page = new Page()
  const answer = await Promise.resolve(row.run(page)).then(plain, String)
  page.end()
  await settled(5)
  return answer
}

const plain = (value: unknown): unknown => {
  const text: string | undefined = JSON.stringify(value)
  if (text === undefined) return 'undefined'
  return JSON.parse(text.replaceAll(location.origin, 'ORIGIN'))
}

listen()
Object.assign(globalThis, { runTable })
