/**
 * Differences that are too long for an answer: their lines are not shown, and then, and only then, approving the file
 * takes a yes of its own.
 */

import { recordOf } from '#core/json.ts'
import { MAX_SHOWN_DIFF_BYTES } from '#worker/limits.ts'
import { describe, expect, it } from 'vitest'
import { decideApp, findApp, writeApp } from '../../support/worker/apps.ts'
import { freshWorkspace } from '../../support/worker/client.ts'
import {
  approve,
  held,
  listOf,
  idOf,
  read,
  show,
  write,
  type Workspace,
} from '../../support/worker/held-draft.ts'

/** Room for what an answer has beside the lines. */
const BESIDE = 2_000

const MIB = 1024 * 1024

const code = (seed: number) =>
  Array.from(
    { length: 20_000 },
    (_, at) => `const value_${at} = compute(${at * seed}, "text ${at}")\n`,
  )

const LOCK = code(1)

/** The text before and after, and whether its lines are shown. */
const SHAPES: readonly [string, string | null, string, boolean][] = [
  ['empty lines', null, '\n'.repeat(1.8 * MIB), false],
  ['lines of a letter', null, 'a\n'.repeat(MIB), false],
  ['characters that JSON escapes', null, `${'\u0001'.repeat(999)}\n`.repeat(600), false],
  ['one long line', 'a'.repeat(MIB), 'b'.repeat(MIB), false],
  ['a text of 2 MiB for another', 'a\n'.repeat(MIB), 'b\n'.repeat(MIB), false],
  ['every second word', 'a b '.repeat(60_000), 'c b '.repeat(60_000), true],
  ['every word of short lines', 'a b c d\n'.repeat(30_000), 'a e c f\n'.repeat(30_000), false],
  ['every seventh line', 'a\n'.repeat(200_000), 'a\na\na\na\na\na\nb\n'.repeat(28_000), false],
  ['a new text of 500 kB', null, 'some words of a usual line of text\n'.repeat(14_000), true],
  ['both ends of a long text', LOCK.join(''), ['x\n', ...LOCK, 'y\n'].join(''), true],
  ['all of a long text', LOCK.join(''), code(2).join(''), false],
  ['a short text', 'one\n', 'two\n', true],
]

const approvedTexts = (before: string | null) => (before === null ? {} : { '/f': before })

async function answerOf(workspace: Workspace, path: string) {
  const text = await (await workspace.fetch(path)).text()
  return { bytes: Buffer.byteLength(text), file: recordOf(recordOf(JSON.parse(text))['file']) }
}

describe.each(SHAPES)('%s', (_, before, after, isWhole) => {
  const made = async () => {
    const workspace = await held(approvedTexts(before), { approval: 'review' })
    await write(workspace, '/f', after)
    return { workspace, now: await show(workspace) }
  }

  it(`${isWhole ? 'is' : 'is not'} shown, in an answer of limited size`, async () => {
    const { workspace, now } = await made()
    const { bytes, file } = await answerOf(workspace, `${now.path}/diff?path=/f`)
    expect(bytes).toBeLessThan(MAX_SHOWN_DIFF_BYTES + BESIDE)
    expect(file['omitted'] === true).toBe(!isWhole)
    expect(JSON.stringify(file['hunks']) === '[]').toBe(!isWhole)
    expect(now.files.map((one) => recordOf(one)['unseen'] === true)).toEqual([!isWhole])
  })

  it('is approved without its path only if it is shown', async () => {
    const { workspace, now } = await made()
    const { revision } = now
    const again = await show(workspace)
    expect([again.revision, again.files]).toEqual([revision, now.files])
    const first = await approve(workspace, now, { revision })
    expect(first).toMatchObject(isWhole ? { status: 200 } : { code: 'DRAFT_UNSEEN', status: 409 })
    if (isWhole) return
    expect(await approve(workspace, now, { revision, unseen: ['/f'] })).toMatchObject({
      status: 200,
    })
    const raw = await workspace.fetch('/files/f')
    expect((await raw.text()) === after).toBe(true)
  })
})

const LONG = '\n'.repeat(MIB)

it('holds for one change of a draft, which can be opened', async () => {
  const workspace = await held({ '/a': 'one\n' })
  await write(workspace, '/a', LONG)
  const now = await show(workspace)
  const at = `${now.path}/changes/${idOf(now, 0)}`
  const shown = recordOf(await read(workspace, at))
  for (const of of ['own', 'together']) {
    expect(recordOf(shown[of])['files']).toMatchObject([{ path: '/a', unseen: true }])
    const asked = `path=/a&change=${idOf(now, 0)}&of=${of}`
    const { bytes, file } = await answerOf(workspace, `${now.path}/diff?${asked}`)
    expect([bytes < BESIDE, file]).toMatchObject([true, { omitted: true, hunks: [] }])
    const raw = await workspace.fetch(`${now.path}/file?${asked}&side=after`)
    expect((await raw.text()) === LONG).toBe(true)
  }
  const body = { revision: now.revision, changes: [idOf(now, 0)], digest: shown['digest'] }
  expect(await approve(workspace, now, body)).toMatchObject({ code: 'DRAFT_UNSEEN' })
  expect(await approve(workspace, now, { ...body, unseen: ['/a'] })).toMatchObject({ status: 200 })
})

it('holds for the files of an app, compared with the approved ones', async () => {
  const workspace = freshWorkspace()
  await writeApp(workspace, 'board', { 'app.json': { title: 'Board' }, 'index.html': 'one\n' })
  const path = '/.apps/board/lines.txt'
  const decideNow = async (unseen?: unknown) => {
    const { revision } = await findApp(workspace, 'board')
    return decideApp(workspace, 'board/approve', { revision, unseen })
  }
  await workspace.put(path, LONG)
  expect((await findApp(workspace, 'board')).files).toContainEqual(
    expect.objectContaining({ path, unseen: true }),
  )
  expect(await decideNow()).toMatchObject({ body: { code: 'APP_UNSEEN' } })
  expect(await decideNow([path])).toMatchObject({ status: 200 })
  await workspace.put(path, 'short\n')
  expect((await findApp(workspace, 'board')).files).toContainEqual(
    expect.objectContaining({ path, unseen: true }),
  )
  const { bytes, file } = await answerOf(workspace, `/apps/board/diff?path=${path}`)
  expect([bytes < BESIDE, file]).toMatchObject([true, { omitted: true }])
  expect(await decideNow()).toMatchObject({ body: { code: 'APP_UNSEEN' } })
})

it('all files of a change or of a comparison share one limit', async () => {
  const workspace = await held({}, { approval: 'none' })
  await workspace.fetch('/checkpoints', { method: 'POST', body: '{"name":"start"}' })
  const text = 'some words of a usual line of text\n'.repeat(14_000)
  for (const name of ['a', 'b', 'c', 'd']) await write(workspace, `/x/${name}`, text)
  const { result } = await workspace.call('compare_checkpoints', { from: 'start' })
  const uri = `${String(recordOf(result?.structuredContent)['review'])}.json`
  const reply = await workspace.send('resources/read', { uri })
  const size = Buffer.byteLength(JSON.stringify(reply.result))
  expect(size).toBeGreaterThan(500_000)
  expect(size).toBeLessThan(MAX_SHOWN_DIFF_BYTES * 1.5)
  expect(JSON.parse(String(recordOf(listOf(reply.result?.['contents'])[0])['text']))).toMatchObject(
    { left_out: 3 },
  )
})
