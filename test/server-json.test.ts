/** `server.json`, which the registry of MCP servers takes, has the form of its schema and says what the server says. */

import { readFileSync } from 'node:fs'
import { VERSION } from '#core/version.ts'
import { DESCRIPTION, INSTRUCTIONS, SERVER_INFO } from '#worker/mcp/server-info.ts'
import { expect, it } from 'vitest'
import { serverJson } from './support/house/server-json.ts'

const written: unknown = JSON.parse(readFileSync('server.json', 'utf8'))

it('has the form that the registry takes', () => {
  expect(serverJson.parse(written)).toEqual(written)
})

it('says what the server says of itself', () => {
  const { title, name } = SERVER_INFO
  expect(written).toMatchObject({ title, version: VERSION, description: DESCRIPTION })
  expect(serverJson.parse(written).name.split('/')[1]).toBe(name)
})

it('asks for every variable of its address', () => {
  for (const { url, variables = {} } of serverJson.parse(written).remotes)
    expect([...url.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)).toEqual(Object.keys(variables))
})

it.each(['if_version', 'draft_status', 'approval', 'owner sees every change'])(
  'the first 512 characters of the instructions, which is all that some hosts show, have %s',
  (what) => expect(INSTRUCTIONS.slice(0, 512)).toContain(what),
)
