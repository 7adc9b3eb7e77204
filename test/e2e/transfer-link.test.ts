/** A transfer link of the running product: a large file there and back, past the sign-in of the owner. */

import { createHash, randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { Person, SECRET } from '../support/e2e/person.ts'
import { useServer } from '../support/e2e/server.ts'

const server = useServer({ EDGEWISE_OWNER_SECRET: SECRET })
const digest = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

/** Asks for a link as the owner's browser does. */
async function linkTo(direction: 'upload' | 'download'): Promise<string> {
  const person = new Person()
  await (await person.signIn(server.url)).body?.cancel()
  const params = { name: 'transfer_link', arguments: { path: '/large.bin', direction } }
  const answer = await fetch(`${server.url}/mcp`, {
    method: 'POST',
    headers: {
      cookie: person.cookie,
      'x-edgewise-console': '1',
      origin: new URL(server.url).origin,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
  })
  const text = await answer.text()
  return /http:\/\/[^"\\]+\/s\/[^"\\]+\/file/.exec(text)?.[0] ?? expect.fail(text)
}

describe('behind an owner', () => {
  it('transfers 20 MiB in both directions, whole and in parts, without signing in', async () => {
    expect((await fetch(`${server.url}/files/large.bin`)).status).toBe(401)
    const sent = randomBytes(20 * 1024 * 1024)
    const up = await fetch(await linkTo('upload'), { method: 'PUT', body: sent })
    expect([up.status, await up.json()]).toEqual([
      201,
      expect.objectContaining({ size: sent.length }),
    ])
    const down = await linkTo('download')
    const whole = new Uint8Array(await (await fetch(down)).arrayBuffer())
    expect(digest(whole)).toBe(digest(sent))
    const part = await fetch(down, { headers: { range: 'bytes=1000000-1000009' } })
    expect(part.status).toBe(206)
    expect(Buffer.from(await part.arrayBuffer())).toEqual(sent.subarray(1_000_000, 1_000_010))
    expect(part.headers.get('cache-control')).toContain('private')
    expect((await fetch(down.replace(/.\/file$/, '/file'))).status).toBe(401)
  })
})
