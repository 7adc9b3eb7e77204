/** What the text of a search says beside the matches: how to go on, where something is not shown. */

import { MAX_SEARCH_FILE_BYTES } from '#worker/limits.ts'
import { createMatches } from '#worker/tools/lib/matches.ts'
import { expect, it } from 'vitest'
import { freshWorkspace } from '../../support/worker/client.ts'

async function search({ call }: ReturnType<typeof freshWorkspace>): Promise<string> {
  const { result } = await call('search_files', { pattern: 'needle' })
  const [block] = result?.content ?? []
  if (block?.type !== 'text') throw new Error(JSON.stringify(result))
  return block.text ?? ''
}

it('says nothing where everything is shown', async () => {
  const workspace = freshWorkspace()
  await workspace.put('/a.txt', 'a needle')
  expect(await search(workspace)).toBe('a.txt\n1: a needle')
})

it('says how to read the rest of a cut line', async () => {
  const workspace = freshWorkspace()
  await workspace.put('/a.txt', `a needle ${'x'.repeat(30_000)}`)
  expect(await search(workspace)).toMatch(
    /\[TRUNCATED: 17209 bytes hidden\]\n\(read the rest of a cut line with read_file, encoding base64\)$/,
  )
})

it('says how to see the context that was left out', () => {
  const matches = createMatches(50, 0)
  matches.add('a.txt', 1, (mode) => [mode === 'full' ? 'x'.repeat(60) : '6: needle'])
  const note =
    'context was left out to stay within the limit: narrow it with root or glob, or use read_file with start_line'
  expect(matches.end(0, 0).text).toBe(`a.txt\n6: needle\n(${note})`)
})

it('says what to do about files that were not searched', () => {
  const notSearched = `(2 files were not searched, because they are larger than ${MAX_SEARCH_FILE_BYTES} bytes or there were too many: use root or glob, or read_file with start_line)`
  expect(createMatches(0, 0).end(2, MAX_SEARCH_FILE_BYTES).text).toBe(`No matches\n${notSearched}`)
})
