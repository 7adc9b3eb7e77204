/** What is opened of a draft, a diff or the bytes of a file, is what its list names and its approval applies. */

import { recordOf } from '#core/json.ts'
import { MAX_DIFF_BYTES } from '#worker/limits.ts'
import { describe, expect, it } from 'vitest'
import {
  approve,
  held,
  idOf,
  listOf,
  read,
  show,
  textOf,
  write,
  type Workspace,
} from '../../support/worker/held-draft.ts'

const put = async ({ fetch }: Workspace, path: string, body: string | Uint8Array) =>
  (await fetch(`/files${path}`, { method: 'PUT', body })).text()

const bytesOf = (text: string) => btoa(`${text}\xff\0`)

const writeBytes = (workspace: Workspace, path: string, text: string) =>
  workspace.call('write_file', { path, content_base64: bytesOf(text) })

const query = (file: Record<string, unknown> | undefined, more: Record<string, string> = {}) =>
  new URLSearchParams({
    path: String(file?.['path']),
    digest: String(file?.['digest']),
    ...more,
  }).toString()

/** The answer to a request for a file of a draft: its text, or the code of the refusal. */
async function opened({ fetch }: Workspace, address: string): Promise<string> {
  const answer = await fetch(address)
  const text = await answer.text()
  return answer.ok ? text : String(recordOf(JSON.parse(text))['code'])
}

describe('what is opened from a list', () => {
  it('has no change that came later', async () => {
    const workspace = await held({}, { approval: 'review' })
    await writeBytes(workspace, '/run.sh', 'evil')
    const { path, revision, files } = await show(workspace)
    await writeBytes(workspace, '/run.sh', 'benign')
    const side = query(files[0], { side: 'after', revision: String(revision) })
    expect(await opened(workspace, `${path}/file?${side}`)).toContain('evil')
    const now = query(files[0], { side: 'after' })
    expect(await opened(workspace, `${path}/file?${now}`)).toBe('DRAFT_CHANGED')
    expect(await opened(workspace, `${path}/diff?${now}`)).toBe('DRAFT_CHANGED')
    const listed = await read(workspace, `${path}/files?revision=${String(revision)}`)
    expect(listed).toMatchObject({ revision, files })
  })

  it.each(['file', 'diff'])('is refused where the workspace has changed: %s', async (what) => {
    const rules = { roots: [{ path: '/' }, { path: '/guarded', approval: 'review' }] }
    const workspace = await held({ '/free/a': 'evil' }, rules)
    await workspace.call('move_file', { from: '/free/a', to: '/guarded/a' })
    const { path, revision, files } = await show(workspace)
    const file = files.find((one) => one['path'] === '/guarded/a')
    const address = `${path}/${what}?${query(file, { side: 'after', revision: String(revision) })}`
    expect(await opened(workspace, address)).toContain('evil')
    await put(workspace, '/free/a', 'benign')
    expect(await opened(workspace, address)).toBe('DRAFT_CHANGED')
  })

  it.each(['own', 'together'])('of one change is of its digest: %s', async (of) => {
    const rules = { roots: [{ path: '/' }, { path: '/guarded', approval: 'review' }] }
    const workspace = await held({ '/free/a': 'evil' }, rules)
    await workspace.call('move_file', { from: '/free/a', to: '/guarded/a' })
    await write(workspace, '/guarded/a', 'other')
    const draft = await show(workspace)
    const change = idOf(draft, 0)
    const shown = await read(workspace, `${draft.path}/changes/${change}`)
    const [file] = listOf(recordOf(recordOf(shown)[of])['files']).filter(
      (one) => one['path'] === '/guarded/a',
    )
    const address = `${draft.path}/diff?${query(file, { change, of })}`
    expect(await opened(workspace, address)).toContain('evil')
    await put(workspace, '/free/a', 'benign')
    expect(await opened(workspace, address)).toBe('DRAFT_CHANGED')
    await put(workspace, '/free/a', 'evil')
    expect(await opened(workspace, address)).toContain('evil')
  })
})

it('text that takes the place of what is no text is approved only by its path', async () => {
  const workspace = await held({}, { approval: 'review' })
  // A new text keeps the encoding of the one before.
  await put(workspace, '/setup.ps1', new Uint8Array([0xff, 0xfe, 0x41, 0x00]))
  await put(workspace, '/image', new Uint8Array([0x00, 0xff, 0x00, 0x80]))
  await put(workspace, '/big.txt', 'x'.repeat(MAX_DIFF_BYTES + 1))
  const paths = ['/big.txt', '/image', '/setup.ps1']
  for (const path of paths) await write(workspace, path, 'evil\n')
  const before = await show(workspace)
  const unseenPaths = before.files.flatMap(({ unseen, path }) =>
    unseen === true ? [String(path)] : [],
  )
  expect(unseenPaths).toEqual(expect.arrayContaining(paths))
  expect(unseenPaths).toHaveLength(paths.length)
  const { revision } = before
  expect(await approve(workspace, before, { revision })).toMatchObject({ code: 'DRAFT_UNSEEN' })
  expect(await approve(workspace, before, { revision, unseen: paths })).toMatchObject({
    status: 200,
  })
})

it('a file that becomes a folder is deleted, with its lines, and a folder that becomes a file is', async () => {
  const workspace = await held({ '/contract': 'one\ntwo\n', '/dir/x': 'x' }, { approval: 'review' })
  await workspace.call('delete_file', { path: '/contract' })
  await workspace.call('create_folder', { path: '/contract' })
  await workspace.call('delete_file', { path: '/dir' })
  await write(workspace, '/dir', 'file')
  const { path, files } = await show(workspace)
  expect(files).toMatchObject([
    { path: '/contract', type: 'file', change: 'deleted', before: 8, after: null },
    { path: '/dir', type: 'folder', change: 'deleted', files: 1 },
    { path: '/contract', type: 'folder', change: 'added' },
    { path: '/dir', type: 'file', change: 'added', after: 4 },
  ])
  const diff = await opened(workspace, `${path}/diff?${query(files[0])}`)
  expect(recordOf(JSON.parse(diff))['file']).toMatchObject({
    to: null,
    hunks: [{ lines: [{ kind: 'delete' }, { kind: 'delete' }] }],
  })
  await approve(workspace, await show(workspace), { revision: (await show(workspace)).revision })
  expect(await textOf(workspace, '/dir')).toBe('file')
})
