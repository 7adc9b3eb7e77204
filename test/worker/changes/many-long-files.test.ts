/** A difference of many long files: what is compared has a limit for the whole answer, and others have turns meanwhile. */

import { recordOf } from '#core/json.ts'
import { MAX_COMPARED_BYTES } from '#worker/limits.ts'
import { expect, it } from 'vitest'
import { freshWorkspace } from '../../support/worker/client.ts'

type Workspace = ReturnType<typeof freshWorkspace>

const FILES = 16

const lines = (word: string) => `${word} of a long text\n`.repeat(90_000)

async function writeAll({ put }: Workspace, word: string): Promise<void> {
  for (let at = 0; at < FILES; at++) await put(`/d/${at}.txt`, `${at}\n${lines(word)}`)
}

/** The files of a comparison with a checkpoint, as its page has them. */
async function filesSince({ call, send }: Workspace, from: string) {
  const { result } = await call('compare_checkpoints', { from })
  const uri = `${String(recordOf(result?.structuredContent)['review'])}.json`
  const { result: read } = await send('resources/read', { uri })
  const [page] = recordOf(read)['contents'] as readonly { readonly text: string }[]
  return recordOf(JSON.parse(page?.text ?? ''))['files'] as readonly Record<string, unknown>[]
}

it('is compared up to MAX_COMPARED_BYTES, and the other files are named', async () => {
  const workspace = freshWorkspace()
  await writeAll(workspace, 'first')
  await workspace.call('create_checkpoint', { name: 'start' })
  await writeAll(workspace, 'other')
  const done: string[] = []
  const compared = filesSince(workspace, 'start').finally(() => done.push('compared'))
  await workspace.text('list_roots').finally(() => done.push('list_roots'))
  const files = await compared
  expect(done).toEqual(['list_roots', 'compared'])
  expect(files).toHaveLength(FILES)
  const uncompared = files.filter((file) => file['omitted'] === true && !('left_out' in file))
  expect(FILES - uncompared.length).toBe(
    Math.floor(MAX_COMPARED_BYTES / (2 * lines('first').length)),
  )
}, 120_000)
