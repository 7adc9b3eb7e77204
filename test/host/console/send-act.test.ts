/** Acts of the owner as the console sends them: their addresses, what is decoded, and what fails. */

import { sendAct, sendForTag, urlOfAct } from '#host/console/owner/send-act.ts'
import { AnswerError } from '#host/console/ui/errors.ts'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { fakeOwner } from '../../support/host/fake-owner.ts'

afterEach(() => {
  vi.unstubAllGlobals()
})

it('sends the segments, the query and the body to the address of the act', async () => {
  const sent = fakeOwner({ end_session: null, make_link: () => Response.json({}) })
  expect(await sendAct('/w/x', 'end_session', { segments: { session: 'a/b c' } })).toBeNull()
  await expect(sendAct('', 'make_link', { body: { label: 'l' } })).rejects.toThrow('unreadable')
  expect(sent.map(({ url, body }) => [url, body])).toEqual([
    ['/w/x/sessions/a%2Fb%20c', null],
    ['/sessions', { label: 'l' }],
  ])
  for (const { headers } of sent) expect(headers.get('x-edgewise-console')).toBe('1')
})

it('builds the address of what a browser opens', () => {
  const given = { segments: { draft: 'd' }, query: { path: '/a b', side: 'after' } }
  expect(urlOfAct('/w/x', 'open_draft_file', given)).toBe(
    '/w/x/drafts/d/file?path=%2Fa+b&side=after',
  )
})

it('returns the entity tag of the answer', async () => {
  fakeOwner({
    read_config: () => Response.json({ approval: 'none' }, { headers: { etag: '"1"' } }),
  })
  expect(await sendForTag('', 'read_config', {})).toEqual({
    answer: { approval: 'none' },
    tag: '"1"',
  })
})

it('sends the tag that the state must have', async () => {
  const sent = fakeOwner({ configure: {} })
  await sendAct('', 'configure', { body: {}, ifMatch: '"1"' })
  expect(sent[0]?.headers.get('if-match')).toBe('"1"')
})

describe('a failure', () => {
  it('has the code and the fields of the server', async () => {
    const problems = [{ pointer: '/find_limit', message: 'is too small' }]
    const body = { code: 'INVALID_CONFIG', message: 'No', problems }
    fakeOwner({ configure: () => Response.json(body, { status: 400 }) })
    const failed = await sendAct('', 'configure', { body: {} }).catch((error: unknown) => error)
    expect(failed).toBeInstanceOf(AnswerError)
    expect(failed).toMatchObject({ code: 'INVALID_CONFIG', status: 400, fields: problems })
  })

  it.each([
    ['no JSON', () => new Response('<html>')],
    ['a list without its items', () => Response.json({ waiting: 0, requests: [] })],
    ['an item of another type', () => Response.json({ waiting: 0, requests: [1], allowed: [] })],
  ])('is %s where an answer is expected', async (_, answer) => {
    fakeOwner({ list_requests: answer })
    await expect(sendAct('', 'list_requests', {})).rejects.toThrow('unreadable')
  })
})
