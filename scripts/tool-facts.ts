/**
 * The facts of tools in `worker/tools/*.facts.ts`, for the docs and the bench.
 *
 * @module
 */

import { readdirSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { TOOLS } from '../worker/tools/index.ts'
import { usagesOf, type CallUsage, type CheckedFacts } from '../worker/tools/lib/checked-facts.ts'
import { inProject } from './settings.ts'

const FOLDER = 'worker/tools'
const ENDING = '.facts.ts'

async function readFacts(file: string): Promise<[name: string, CheckedFacts]> {
  const { href } = pathToFileURL(inProject(FOLDER, file))
  const module: { readonly facts: CheckedFacts } = await import(href)
  return [file.slice(0, -ENDING.length).replaceAll('-', '_'), module.facts]
}

const files = readdirSync(inProject(FOLDER)).filter((file) => file.endsWith(ENDING))
const found = new Map(await Promise.all(files.map(readFacts)))

/** Returns the facts of a tool. Throws if it has none. */
export function factsOf(name: string): CheckedFacts {
  const facts = found.get(name)
  if (!facts) throw new Error(`Cannot document ${name}: its file of facts is missing`)
  return facts
}

/** What one call uses at most, by the name of {@link usagesOf}. */
export const TOOL_COSTS: Readonly<Record<string, CallUsage>> = Object.fromEntries(
  [...TOOLS.keys()].flatMap((name) => usagesOf(name, factsOf(name))),
)
