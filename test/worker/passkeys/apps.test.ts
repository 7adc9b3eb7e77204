/** Approving an app needs a passkey under the rule `all`, and an answer is good for the files that were shown. */

import { describe, expect, it } from 'vitest'
import { appTools, findApp, writeApp } from '../../support/worker/apps.ts'
import { freshWorkspace } from '../../support/worker/client.ts'
import {
  configure,
  registerPasskey,
  sendAsPage,
  sendProof,
  sendWithPasskey,
} from '../../support/worker/passkeys.ts'

const REQUIRED = { status: 403, body: { code: 'PASSKEY_REQUIRED' } }
const REFUSED = { status: 403, body: { code: 'PASSKEY_REFUSED' } }

describe('an app', () => {
  async function withApp(passkey: string) {
    const workspace = freshWorkspace()
    await configure(workspace, { passkey })
    await writeApp(workspace, 'board', { 'app.json': { title: 'Board' }, 'index.html': 'one' })
    const authenticator = await registerPasskey(workspace)
    const { revision } = await findApp(workspace, 'board')
    return { workspace, authenticator, body: { revision } }
  }

  it('is approved with a passkey under the rule all, and turned down without', async () => {
    const { workspace, authenticator, body } = await withApp('all')
    const path = '/apps/board/approve'
    expect(await sendAsPage(workspace, path, { body })).toMatchObject(REQUIRED)
    expect(await appTools(workspace)).toEqual([])
    const done = await sendWithPasskey(workspace, path, { body }, authenticator)
    expect(done).toMatchObject({ status: 200 })
    expect(await appTools(workspace)).toEqual(['open_board'])
    const turned = await sendAsPage(workspace, '/apps/board/turn-down', { body })
    expect(turned).toMatchObject({ status: 200 })
  })

  it('is approved without one under the rule confirm', async () => {
    const { workspace, body } = await withApp('confirm')
    const done = await sendAsPage(workspace, '/apps/board/approve', { body })
    expect(done).toMatchObject({ status: 200 })
  })

  it('is not approved by an answer for other files', async () => {
    const { workspace, authenticator, body } = await withApp('all')
    const asked = await sendAsPage(workspace, '/apps/board/approve', { body })
    const answer = await authenticator.get(asked.body['passkey'])
    await writeApp(workspace, 'board', { 'index.html': 'two' })
    const { revision } = await findApp(workspace, 'board')
    const other = { body: { revision } }
    expect(await sendProof(workspace, '/apps/board/approve', other, answer)).toMatchObject(REFUSED)
    expect(await appTools(workspace)).toEqual([])
  })

  it('is not approved by an answer that names other files as opened', async () => {
    const { workspace, authenticator, body } = await withApp('all')
    const asked = await sendAsPage(workspace, '/apps/board/approve', { body })
    const answer = await authenticator.get(asked.body['passkey'])
    const other = { body: { ...body, unseen: ['/.apps/board/code.wasm'] } }
    expect(await sendProof(workspace, '/apps/board/approve', other, answer)).toMatchObject(REFUSED)
    expect(await appTools(workspace)).toEqual([])
  })
})
