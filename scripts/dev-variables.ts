/**
 * The variables of `npm run dev`: what wrangler would read from files, and over it what is exported. They are read here, so
 * that the Worker gets exactly what was checked. `test/dev-variables.test.ts` tests it.
 *
 * @module
 */

import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { workerVariables } from './variables.ts'

/** The files of wrangler, of which it reads the first list that has one: one file, or all with later ones over earlier. */
function filesIn(folder: string, environment: string | undefined): string[] {
  const existing = (names: readonly string[]) =>
    names.map((name) => join(folder, name)).filter((file) => existsSync(file))
  const suffix = environment ? [`.${environment}`] : []
  const [own] = existing([...suffix, ''].map((name) => `.dev.vars${name}`))
  if (own !== undefined) return [own]
  return existing(['', ...suffix].flatMap((name) => [`.env${name}`, `.env${name}.local`]))
}

/**
 * Returns the variables that have a value. An exported one without a value leaves that of the files.
 *
 * @param environment The environment of wrangler; undefined without one.
 */
export function devVariables(
  folder: string,
  environment: string | undefined,
  exported: NodeJS.ProcessEnv,
): ReadonlyMap<string, string> {
  const read = filesIn(folder, environment).flatMap((file) =>
    Object.entries(parseEnv(readFileSync(file, 'utf8'))),
  )
  const all = new Map(read)
  for (const [name, value] of workerVariables(exported)) if (value !== '') all.set(name, value)
  return new Map([...all].flatMap(([name, value]) => (value ? [[name, value]] : [])))
}
