/**
 * Runs a table in the page in which it is loaded.
 *
 * @module
 */

import { type Cases, CRASHES, Page, settled } from './case.ts'
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

/** For each case what came out and what should have, as plain data. */
async function runTable(name: string, native: boolean): Promise<unknown> {
  const all = Object.entries(tables[name] ?? {})
  const rows = all.filter(([, row]) => !native || row.native !== CRASHES)
  const got: Record<string, unknown> = {}
  const want: Record<string, unknown> = {}
  for (const [title, row] of rows) {
    const page = new Page()
    got[title] = plain(
      await Promise.resolve(row.run(page)).catch((error: unknown) => `${error as string}`),
    )
    want[title] = plain(native && 'native' in row ? row.native : row.want)
    page.end()
    await settled(5)
  }
  return { got, want }
}

const plain = (value: unknown): unknown => {
  const text: string | undefined = JSON.stringify(value)
  if (text === undefined) return 'undefined'
  return JSON.parse(text.replaceAll(location.origin, 'ORIGIN'))
}

listen()
Object.assign(globalThis, { runTable })
