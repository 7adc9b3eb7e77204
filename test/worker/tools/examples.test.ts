/** The example of each tool in `docs/tools.md`: run, and compared with the result that the page shows. */

import { expect, it } from 'vitest'
import { TOOLS } from '#worker/tools/index.ts'
import { exampleCalls, type Call } from '#worker/tools/lib/checked-facts.ts'
import { CHANGE_IDS, freshWorkspace } from '../../support/worker/client.ts'
import { factsOf, TOOL_FACTS } from '../../support/worker/tool-facts.ts'

type Workspace = ReturnType<typeof freshWorkspace>

const PLAIN = { 'io.modelcontextprotocol/clientCapabilities': {} }

/** Replaces times, ids and secrets, which differ in each run. */
function stable(text: string): string {
  return text
    .replaceAll(/http:\/\/localhost\/s\/[\w.-]+/g, 'https://example.com/s/SECRET')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '2026-11-21T09:00:00.000Z')
    .replaceAll(/\d{4}-\d\d-\d\d \d\d:\d\d(?::\d\d)?/g, '2026-11-21 09:00')
    .replaceAll(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'ID')
    .replaceAll(/\b[0-9a-f]{8}-[0-9a-f]{4}\b/g, 'ID')
    .replaceAll(CHANGE_IDS, 'ID')
}

it('covers every tool', () => {
  expect([...TOOL_FACTS.keys()].toSorted()).toEqual([...TOOLS.keys()].toSorted())
})

it('has the results that the page shows', async () => {
  const results: Record<string, unknown> = {}
  for (const name of TOOLS.keys()) {
    const workspace = freshWorkspace()
    for (const each of exampleCalls(name, factsOf(name)))
      results[name] = await resultOf(each, workspace)
  }
  const text = `${stable(JSON.stringify(results, null, 2))}\n`
  await expect(text).toMatchFileSnapshot('../../support/worker/tool-examples.json')
})

async function resultOf({ tool, arguments: args, meta }: Call, { call }: Workspace) {
  const { result, error } = await call(tool, { ...args }, { ...PLAIN, ...meta })
  expect(error, tool).toBeUndefined()
  expect(result?.isError, tool).toBeUndefined()
  return { arguments: args, text: result?.content[0]?.text, structured: result?.structuredContent }
}
