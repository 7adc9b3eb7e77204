/**
 * A list has room to compare so many bytes of long texts. What is listed as unseen for that reason is approved only by
 * its path, however often the list was read, and nothing else is asked for.
 */

import { recordOf } from '#core/json.ts'
import { MAX_COMPARED_BYTES } from '#worker/limits.ts'
import { describe, expect, it } from 'vitest'
import { decideApp, findApp, writeApp } from '../../support/worker/apps.ts'
import { freshWorkspace } from '../../support/worker/client.ts'
import {
  approve,
  groupOf,
  held,
  idOf,
  read,
  show,
  write,
  type Shown,
} from '../../support/worker/held-draft.ts'

/** A text whose lines are shown where there is room. */
const textOf = (seed: string) => `${seed} ${'y'.repeat(1000)}\n`.repeat(1_600)

/** Texts that have room in one list. */
const ROOM = Math.floor(MAX_COMPARED_BYTES / textOf('00').length)

const nameOf = (at: number) => String(at).padStart(2, '0')

const unseenIn = ({ files }: Shown) =>
  files.flatMap((file) => (file['unseen'] === true ? [String(file['path'])] : []))

/** A draft with two texts more than a list compares. */
async function tooMany() {
  const workspace = await held({ '/x/first': 'one\n' }, { approval: 'review' })
  for (let at = 0; at < ROOM + 2; at++)
    await write(workspace, `/x/${nameOf(at)}`, textOf(nameOf(at)))
  return workspace
}

const LAST = [`/x/${nameOf(ROOM)}`, `/x/${nameOf(ROOM + 1)}`]

describe('texts for which MAX_COMPARED_BYTES of a list has no room', () => {
  it('are unseen in each list, and approved only by their paths', async () => {
    const workspace = await tooMany()
    const now = await show(workspace)
    expect(unseenIn(now)).toEqual(LAST)
    for (let again = 0; again < 2; again++) {
      expect(unseenIn(await show(workspace))).toEqual(LAST)
      const answer = await approve(workspace, now, { revision: now.revision })
      expect(answer).toMatchObject({ code: 'DRAFT_UNSEEN' })
      expect(JSON.stringify(answer)).toContain(`${LAST[0]}`)
    }
    const one = { ...groupOf(now, ROOM), unseen: [] }
    expect(await approve(workspace, now, one)).toMatchObject({ code: 'DRAFT_UNSEEN' })
    expect(await approve(workspace, now, { ...one, unseen: [LAST[0]] })).toMatchObject({
      status: 200,
    })
    expect(await approve(workspace, now, groupOf(now, 0))).toMatchObject({ status: 200 })
  })

  it('are shown and approved where such a change was opened alone', async () => {
    const workspace = await tooMany()
    const now = await show(workspace)
    const shown = await read(workspace, `${now.path}/changes/${idOf(now, ROOM)}`)
    const { digest, together } = recordOf(shown)
    expect(JSON.stringify(together)).not.toContain('unseen')
    const alone = { revision: now.revision, changes: [idOf(now, ROOM)], digest }
    expect(await approve(workspace, now, alone)).toMatchObject({ status: 200 })
    const whole = { revision: now.revision, unseen: LAST }
    expect(await approve(workspace, now, whole)).toMatchObject({ code: 'DRAFT_CHANGED' })
  })
})

it('the files of an app share MAX_COMPARED_BYTES as well', async () => {
  const workspace = freshWorkspace()
  await writeApp(workspace, 'board', { 'app.json': { title: 'Board' }, 'index.html': 'one\n' })
  for (let at = 0; at < ROOM + 1; at++)
    await workspace.put(`/.apps/board/${nameOf(at)}.txt`, textOf(nameOf(at)))
  const path = `/.apps/board/${nameOf(ROOM)}.txt`
  for (let again = 0; again < 2; again++) {
    const { files, revision } = await findApp(workspace, 'board')
    const unseen = files.flatMap((file) =>
      recordOf(file)['unseen'] ? [recordOf(file)['path']] : [],
    )
    expect(unseen).toEqual([path])
    expect(await decideApp(workspace, 'board/approve', { revision })).toMatchObject({
      body: { code: 'APP_UNSEEN' },
    })
  }
})
