/**
 * A workspace filled with untrusted input: files, changes, sessions, rules and an audit log, in which
 * every text is hostile.
 *
 * @module
 */

import { expect } from 'vitest'
import { ask } from '../e2e/raw-http.ts'
import type { Server } from '../e2e/server.ts'
import { CONTENTS, EVERYTHING, HIDDEN, MARKUP, NAMES, TURNED } from './injection-payloads.ts'
import { setConfig } from './console-actions.ts'
import { callTool, type Answer } from './files-view.ts'

export const FOLDER = '/in <b data-evil>bold'

/** The folder and the file of which a change is looked at. */
export const CHANGED = `/docs/${TURNED}`

const JSON_TYPE = { 'content-type': 'application/json' }

/** Answers the ids of what was changed, by the tool that did. */
export async function fill(server: Server): Promise<Readonly<Record<string, string>>> {
  const files = [
    ...NAMES.map((name): [string, string] => [`${FOLDER}/${name}`, `${EVERYTHING}\n`]),
    ...Object.entries(CONTENTS).map(([name, text]): [string, string] => [`/docs/${name}`, text]),
    [CHANGED, 'one\n'] as const,
    [`/docs/${HIDDEN}`, 'one\n'] as const,
  ]
  for (const [path, text] of files) {
    const url =
      server.url + ['/files', ...path.split('/').slice(1).map(encodeURIComponent)].join('/')
    const answer = await ask(url, { method: 'PUT', body: text })
    expect(answer.ok, `${path}: ${await answer.text()}`).toBe(true)
  }
  const ids = await change(server)
  await makeSessions(server)
  await introduce(server)
  await rule(server)
  await expectRefusal(server)
  return ids
}

/** Changes of every kind, each with hostile arguments in its intent. */
async function change(server: Server): Promise<Readonly<Record<string, string>>> {
  const done = {
    write_file: await callTool(server, 'write_file', {
      path: CHANGED,
      content: `${EVERYTHING}\n${TURNED}\n`,
    }),
    edit_file: await callTool(server, 'edit_file', {
      path: '/docs/turned.txt',
      edits: [{ find: HIDDEN, replace: `${HIDDEN}${MARKUP.join('')}` }],
    }),
    move_file: await callTool(server, 'move_file', {
      from: '/docs/long.txt',
      to: `/docs/${MARKUP[0]}`,
    }),
    delete_file: await callTool(server, 'delete_file', { path: '/docs/code.js' }),
  }
  return Object.fromEntries(Object.entries(done).map(([tool, answer]) => [tool, idOf(answer)]))
}

function idOf(answer: Answer): string {
  expect(answer.isError ?? false, JSON.stringify(answer)).toBe(false)
  return answer._meta?.['dev.edgewise/change']?.id ?? ''
}

/** Calls that fail, and are only in the audit log. */
async function expectRefusal(server: Server): Promise<void> {
  for (const text of [...MARKUP, TURNED]) {
    const answer = await callTool(server, 'write_file', { path: `/denied/${text}`, content: text })
    expect(answer.isError).toBe(true)
  }
}

async function makeSessions(server: Server): Promise<void> {
  for (const label of [EVERYTHING.slice(0, 60), MARKUP[1], `Trusted ${TURNED}`]) {
    const policy = { roots: [{ path: `/docs/${MARKUP[0]}` }] }
    const scopes = [`read:file:/docs/${MARKUP[0]}`, `write:file:/docs/${TURNED}`]
    const body = JSON.stringify({ label, policy, scopes, ttl_seconds: 3600 })
    const answer = await ask(`${server.url}/sessions`, { method: 'POST', headers: JSON_TYPE, body })
    expect(answer.ok, await answer.text()).toBe(true)
  }
}

/** A legacy client with a hostile name makes a change. */
async function introduce(server: Server): Promise<void> {
  const send = (message: object, headers: Record<string, string> = {}) =>
    ask(`${server.url}/mcp`, {
      method: 'POST',
      headers: { ...JSON_TYPE, accept: 'application/json, text/event-stream', ...headers },
      body: JSON.stringify({ jsonrpc: '2.0', ...message }),
    })
  const protocolVersion = '2025-11-25'
  const clientInfo = { name: MARKUP[0], title: EVERYTHING, version: TURNED }
  const params = { protocolVersion, capabilities: {}, clientInfo }
  const first = await send({ id: 1, method: 'initialize', params })
  expect(first.status, await first.text()).toBe(200)
  const session = first.headers.get('mcp-session-id') ?? ''
  const call = { name: 'write_file', arguments: { path: '/docs/new.txt', content: EVERYTHING } }
  const headers = { 'mcp-session-id': session, 'mcp-protocol-version': protocolVersion }
  const answer = await send({ id: 2, method: 'tools/call', params: call }, headers)
  expect(answer.status, await answer.text()).toBe(200)
}

/** Rules about folders with hostile names, which deny nothing. */
async function rule(server: Server): Promise<void> {
  const more = [...MARKUP.slice(0, 4), TURNED].map((name) => ({
    path: `/docs/${name}`,
    deny: [`**/${MARKUP[1]}`],
    immutable: [`**/${HIDDEN}`],
  }))
  await setConfig(server.url, {
    roots: [{ path: '/', deny: ['/denied/**'] }, ...more],
    approval: 'notify',
  })
}
