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
