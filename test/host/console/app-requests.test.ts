/** Requests of an app that are no tool calls: stored denials hold for them, and they are asked as reads. */

import { afterEach, beforeEach, expect, it } from 'vitest'
import type { JsonRecord } from '#core/json.ts'
import { requestAsApp, restrictToApp } from '#host/console/apps/app-requests.ts'
import type { ReadQuestion } from '#host/consent/types.ts'
import { decisions } from '#host/console/tools/calls.ts'
import { parseCallResult } from '#host/mcp/parse.ts'

const url = 'https://files.example/mcp'

const deny = (...scopes: string[]) =>
  decisions.remember({ server: url, decision: 'deny', scopes, duration: 'session' })

beforeEach(() => deny('read:file:/private'))
afterEach(() => decisions.forgetAll())

/** Sends a request of an app; returns the params that the server received. */
async function send(method: string, params: JsonRecord): Promise<JsonRecord[]> {
  const sent: JsonRecord[] = []
  const request = async (_: string, received: JsonRecord = {}) => {
    sent.push(received)
    return {}
  }
  await requestAsApp({ url, request }, { method, params })
  return sent
}

it.each([
  'file:///private/payroll.csv',
  'file:///private',
  'file:////private/./payroll.csv',
  'file:///%70rivate/payroll.csv',
  'file:///public/../private/payroll.csv',
  'file:///public%2F..%2Fprivate/payroll.csv',
  'FILE:///private/payroll.csv',
  'file://localhost/private/payroll.csv',
  'file:/private/payroll.csv',
  'file:///%/payroll.csv',
])('refuses to read %s', async (uri) => {
  await expect(send('resources/read', { uri })).rejects.toMatchObject({
    code: -32000,
    message: 'The person denied this request [DENIED_BY_PERSON]',
  })
})

const carried = { _meta: { denied_scopes: ['read:file:/private'] } }

it.each<[string, JsonRecord]>([
  ['resources/read', { uri: 'file:///public/a.md' }],
  ['resources/read', { uri: 'ui://write_file/a-change.json' }],
  ['resources/read', { uri: 'edgewise://draft' }],
  ['resources/list', { cursor: 'next' }],
  ['resources/list', {}],
  ['prompts/list', {}],
])('sends the denial with %s %j', async (method, params) => {
  expect(await send(method, params)).toEqual([{ ...params, ...carried }])
})

it('keeps the metadata of the app', async () => {
  const _meta = { denied_scopes: 'write', other: 1 }
  expect(await send('resources/list', { _meta })).toEqual([
    { _meta: { denied_scopes: ['write', 'read:file:/private'], other: 1 } },
  ])
})

it('refuses the list where reading is denied', async () => {
  deny('read')
  await expect(send('resources/list', {})).rejects.toThrow('DENIED_BY_PERSON')
})

it('reads what a narrower decision allows', async () => {
  const server = { server: url, duration: 'session' } as const
  decisions.remember({ ...server, decision: 'allow', scopes: ['read:file:/private/open'] })
  const params = { uri: 'file:///private/open/a.md' }
  expect(await send('resources/read', params)).toEqual([params])
})

it('sends the denial with what a preview finds and reads', async () => {
  const sent: unknown[] = []
  const preview = restrictToApp({
    ...{ url, tools: [] },
    async request(_, params) {
      sent.push(params?.['_meta'])
      return {}
    },
    async call(_name, _args, options) {
      sent.push(options?.meta)
      return parseCallResult({ content: [] })
    },
  })
  await preview.call('find_files', { root: '/' })
  await preview.request('resources/read', { uri: 'file:///public/a.md' })
  expect(sent).toEqual([carried['_meta'], carried['_meta']])
  const denied = preview.request('resources/read', { uri: 'file:///private/a.md' })
  await expect(denied).rejects.toThrow('DENIED_BY_PERSON')
})

it('sends a request as it is without a denial', async () => {
  decisions.forgetAll()
  const params = { uri: 'file:///private/payroll.csv' }
  expect(await send('resources/read', params)).toEqual([params])
})

it.each([
  [true, ['resources/list', 'resources/read', 'prompts/list']],
  [false, []],
])('asks before a request, and sends it only if the person allows it: %s', async (allows, sent) => {
  const received: string[] = []
  const asked: string[] = []
  const request = async (method: string) => {
    received.push(method)
    return {}
  }
  const askToRead = async ({ call, claim }: ReadQuestion) => {
    asked.push(`${call.tool} ${claim}`)
    return allows
  }
  for (const method of ['resources/list', 'resources/read', 'prompts/list']) {
    const params = { uri: 'file:///public/a.md' }
    const made = requestAsApp({ url, request }, { method, params }, {}, askToRead)
    if (allows) await made
    else await expect(made).rejects.toThrow('DENIED_BY_PERSON')
  }
  expect(received).toEqual(sent)
  expect(asked).toEqual([
    'resources/list protocol',
    'resources/read protocol',
    'prompts/list protocol',
  ])
})

it('asks nothing about a request that a stored decision denies', async () => {
  const params = { uri: 'file:///private/a.md' }
  const request = async () => ({})
  const askToRead = async () => {
    throw new Error('It was asked')
  }
  const made = requestAsApp({ url, request }, { method: 'resources/read', params }, {}, askToRead)
  await expect(made).rejects.toThrow('DENIED_BY_PERSON')
})
