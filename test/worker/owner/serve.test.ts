/** Every act of the owner is served, and checked in one order: address, method, page, media type, input. */

import { OWNER_ACTS, type ActAddress } from '#core/owner/acts.ts'
import { ACTS } from '#worker/owner/acts.ts'
import { describe, expect, it } from 'vitest'
import { freshWorkspace } from '../../support/worker/client.ts'

const ADDRESSES: readonly (readonly [string, ActAddress])[] = Object.entries(OWNER_ACTS)

const METHODS = ['GET', 'POST', 'PUT', 'DELETE'] as const

const pathOf = ({ path }: ActAddress) => path.replace(/\{\w+\}/g, 'one')

const workspace = freshWorkspace()

const send = async (path: string, init: RequestInit) => {
  const answer = await workspace.fetch(path, init)
  const text = await answer.text()
  const read: { readonly code?: string; readonly message?: string } | null = text.startsWith('{')
    ? JSON.parse(text)
    : null
  const { code, message } = read ?? {}
  return { status: answer.status, allow: answer.headers.get('allow'), code, message }
}

it('each act has one definition', () => {
  expect(ACTS.map(({ name }) => name).toSorted()).toEqual(Object.keys(OWNER_ACTS).toSorted())
})

describe.each(ADDRESSES)('%s', (_, act) => {
  it('has its address, with and without a slash at the end', async () => {
    for (const path of [pathOf(act), `${pathOf(act)}/`]) {
      const answer = await send(path, { method: act.method, headers: { 'content-type': 'x/y' } })
      expect(answer.status).not.toBe(405)
      expect(answer.message).not.toBe(`Not found: ${path}`)
    }
  })

  it.runIf(act.method === 'POST' || act.method === 'PUT')(
    'is refused by its page, then by the type of its body',
    async () => {
      const headers = { 'content-type': 'x/y' }
      const answer = await send(pathOf(act), { method: act.method, headers, body: 'x' })
      expect(answer).toMatchObject(
        act.from === 'console'
          ? { status: 403, code: 'NOT_FROM_CONSOLE' }
          : { status: 415, code: 'UNSUPPORTED_MEDIA_TYPE' },
      )
    },
  )
})

describe('a method that no act at an address has', () => {
  const paths = new Set(ADDRESSES.map(([, act]) => act.path))
  it.each([...paths])('%s', async (path) => {
    const acts = ADDRESSES.map(([, act]) => act).filter((act) => act.path === path)
    const allowed = acts.map(({ method }) => method)
    for (const method of METHODS) {
      if (allowed.includes(method)) continue
      const answer = await send(path.replace(/\{\w+\}/g, 'one'), { method })
      const listed = allowed.flatMap((one) => (one === 'GET' ? ['GET', 'HEAD'] : [one]))
      expect(answer, method).toMatchObject({ status: 405, allow: listed.join(', ') })
    }
  })
})

it('an address of no act is not found', async () => {
  for (const path of ['/drafts/one/two', '/config/more', '/sessions/a/b/c', '/passkeys/a/rename/b'])
    expect(await send(path, {})).toMatchObject({ status: 404, code: 'NOT_FOUND' })
})

describe('a field of a body is refused above its limit, and only then', () => {
  const own = { origin: 'http://localhost', 'sec-fetch-site': 'same-origin' }
  const id = (more: number) => 'i'.repeat(100 + more)
  const text = (more: number) => 't'.repeat(2_000 + more)
  const draft = { revision: id(0) }
  const denial = { tool: 'read_file', intent: '' }
  const cases: readonly (readonly [path: string, code: string, body: (more: number) => object])[] =
    [
      ['/drafts/one/approve', 'INVALID_REVISION', (more) => ({ revision: id(more) })],
      ['/drafts/one/approve', 'INVALID_DIGEST', (more) => ({ ...draft, digest: id(more) })],
      ['/drafts/one/approve', 'INVALID_CHANGES', (more) => ({ ...draft, changes: [id(more)] })],
      ['/drafts/one/approve', 'INVALID_UNSEEN', (more) => ({ ...draft, unseen: [text(more)] })],
      ['/drafts/one/turn-down', 'INVALID_NOTE', (more) => ({ ...draft, note: text(more) })],
      ['/apps/one/approve', 'INVALID_UNSEEN', (more) => ({ ...draft, unseen: [text(more)] })],
      [
        '/requests/one/allow',
        'INVALID_PATH',
        (more) => ({ for: 'rules', roots: [{ path: text(more) }] }),
      ],
      ['/requests/one/refuse', 'INVALID_NOTE', (more) => ({ note: text(more) })],
      ['/checkpoints/one/restore', 'INVALID_FOLDER', (more) => ({ folder: text(more) })],
      ['/audit', 'INVALID_INTENT', (more) => ({ tool: 'read_file', intent: text(more) })],
      ['/audit', 'INVALID_SCOPES', (more) => ({ ...denial, scopes: [text(more)] })],
    ]

  it.each(cases)('%s: %s', async (path, code, body) => {
    const headers = { ...own, 'content-type': 'application/json' }
    const answer = (more: number) =>
      send(path, { method: 'POST', headers, body: JSON.stringify(body(more)) })
    expect((await answer(0)).code).not.toBe(code)
    expect(await answer(1)).toMatchObject({ status: 400, code })
  })
})
