/**
 * The facts of tools in `worker/tools/*.facts.ts`, for tests. `scripts/tool-facts.ts` reads the same without Vite.
 *
 * @module
 */

/// <reference types="vite/types/importMeta.d.ts" />
import type { CheckedFacts } from '#worker/tools/lib/checked-facts.ts'

const found = import.meta.glob<CheckedFacts>('../../../worker/tools/*.facts.ts', {
  eager: true,
  import: 'facts',
})

const nameOf = (file: string) =>
  (file.split('/').at(-1) ?? '').replace('.facts.ts', '').replaceAll('-', '_')

/** By the name of the tool, in alphabetical order. */
export const TOOL_FACTS: ReadonlyMap<string, CheckedFacts> = new Map(
  Object.entries(found).map(([file, facts]) => [nameOf(file), facts]),
)

/** Returns the facts of a tool. Throws if it has none: each tool needs a file of them. */
export function factsOf(name: string): CheckedFacts {
  const facts = TOOL_FACTS.get(name)
  if (!facts) throw new Error(`${name} has no worker/tools/${name.replaceAll('_', '-')}.facts.ts`)
  return facts
}
