/** `npm run passkeys` as a person uses it who has lost one, where there is an owner and where there is none. */

import { describe, expect, it } from 'vitest'
import { recordOf, type JsonRecord } from '#core/json.ts'
import { PASSKEY_HEADER } from '#core/wire.ts'
import { run as managePasskeys } from '../../scripts/passkeys.ts'
import { createAuthenticator, type Authenticator } from '../support/e2e/authenticator.ts'
import { useTokenServer } from '../support/e2e/oauth-server.ts'
import { Person, SECRET } from '../support/e2e/person.ts'
import { run } from '../support/e2e/run.ts'
import { runHere } from '../support/e2e/run-here.ts'
import { useServer } from '../support/e2e/server.ts'

const owned = useTokenServer()
const open = useServer()
const person = new Person()

const command = (args: readonly string[], secret = SECRET) =>
  runHere(managePasskeys, args, { EDGEWISE_OWNER_SECRET: secret })

interface Sent {
  readonly method?: string
  readonly body?: unknown
  readonly proof?: unknown
}

/** Sends a request as the console does, signed in. */
async function send(url: string, { method = 'POST', body, proof }: Sent = {}) {
  const answer = await person.visit(url, {
    ...{ method, ...(body !== undefined && { body: JSON.stringify(body) }) },
    headers: {
      ...{ origin: new URL(url).origin, 'sec-fetch-site': 'same-origin' },
      ...{ 'content-type': 'application/json', 'x-edgewise-console': '1' },
      ...(proof !== undefined && { [PASSKEY_HEADER]: JSON.stringify(proof) }),
    },
  })
  return recordOf(await answer.json())
}

/** Registers a passkey in a workspace; another one is needed unless it is the first. */
async function register(base: string, label: string, other?: Authenticator) {
  const authenticator = await createAuthenticator(new URL(base).origin)
  const asked = await send(`${base}/passkeys/begin`, { body: {} })
  const proof = await other?.get(asked['passkey'])
  const options = proof ? await send(`${base}/passkeys/begin`, { body: {}, proof }) : asked
  const response = await authenticator.create(options)
  const { passkeys } = await send(`${base}/passkeys`, { body: { label, response } })
  const list = Array.isArray(passkeys) ? passkeys.map(recordOf) : []
  return { authenticator, id: String(list.at(-1)?.['id']) }
}

async function entriesOf(base: string, tool: string): Promise<JsonRecord[]> {
  const { entries } = recordOf(await (await person.visit(`${base}/audit`)).json())
  const all = Array.isArray(entries) ? entries.map(recordOf) : []
  return all.filter((entry) => entry['tool'] === tool)
}

describe('where there is an owner', () => {
  const workspace = async (name: string) => {
    await person.signIn(owned.otherUrl)
    return `${owned.otherUrl}/w/${name}`
  }

  it('lists, and removes a day later, with an entry that names the secret', async () => {
    const base = await workspace('one')
    const { id } = await register(base, 'Phone')
    const listed = await command(['list', '--url', base])
    expect(listed).toMatchObject({ code: 0, stderr: '' })
    expect(listed.stdout).toMatch(`${id}  "Phone"  for localhost, registered `)
    const removed = await command(['remove', 'Phone', '--yes', '--url', `${base}/mcp`])
    expect(removed).toMatchObject({ code: 0, stderr: '' })
    expect(removed.stdout).toMatch(/"Phone" will be removed \S+, unless a passkey is used/)
    const [entry] = await entriesOf(base, 'remove_passkey_later')
    expect(entry).toMatchObject({ decision: [{ kind: 'owner' }, { kind: 'secret' }] })
    const [, due = ''] = /removed ([^,]+),/.exec(removed.stdout) ?? []
    expect(Date.parse(due) - Date.now()).toBeGreaterThan(23 * 3_600_000)
    // It still decides until then, and asking again moves nothing.
    expect((await command(['remove', id, '--yes', '--url', base])).stdout).toContain('already')
    expect(await send(`${base}/passkeys/begin`, { body: {} })).toMatchObject({
      code: 'PASSKEY_REQUIRED',
    })
    expect(await entriesOf(base, 'remove_passkey_later')).toHaveLength(1)
  })

  it('tells passkeys of one label apart by their ids', async () => {
    const base = await workspace('two')
    const first = await register(base, 'Key')
    const second = await register(base, 'Key', first.authenticator)
    const ambiguous = await command(['remove', 'Key', '--yes', '--url', base])
    expect(ambiguous).toMatchObject({ code: 1, stdout: '' })
    expect(ambiguous.stderr).toContain('2 passkeys have this label. Name one by its id')
    expect(ambiguous.stderr).toContain(second.id)
    expect((await command(['remove', second.id, '--yes', '--url', base])).code).toBe(0)
  })

  it('names what is wrong, and removes nothing', async () => {
    const base = await workspace('three')
    await register(base, 'Phone')
    const asked = ['remove', 'Phone', '--yes', '--url', base]
    const cases = [
      [await command(['remove', 'Watch', '--yes', '--url', base]), 'no passkey has this label'],
      [await command(asked, 'guess'), 'the secret in EDGEWISE_OWNER_SECRET is wrong'],
      [await command(asked, ''), 'no secret is set'],
      [await command(['remove', '--url', base]), 'the label or the id of a passkey is required'],
      [await command(['drop', 'Phone']), 'write list or remove first'],
      [await command(['list', 'Phone']), 'too many arguments'],
    ] as const
    for (const [{ code, stderr }, reason] of cases) {
      expect([code, stderr.includes(reason)], stderr).toEqual([1, true])
      expect(stderr).not.toContain('    at ')
    }
    expect(await entriesOf(base, 'remove_passkey_later')).toEqual([])
  })
})

it('only lists where there is no owner, because no secret proves one', async () => {
  const base = `${open.url}/w/local`
  await register(base, 'Phone')
  expect((await command(['list', '--url', base], '')).stdout).toContain('"Phone"')
  const { code, stderr } = await command(['remove', 'Phone', '--yes', '--url', base], '')
  expect([code, stderr]).toEqual([1, expect.stringContaining('open the console and decide there')])
  expect(await entriesOf(base, 'remove_passkey_later')).toEqual([])
})

it('asks a person, for whom the end of the input is a No', async () => {
  const base = `${open.url}/w/asked`
  await register(base, 'Phone')
  const asked = await run('scripts/passkeys.ts', 'remove', 'Phone', '--url', base)
  expect(asked.stdout).toMatch(/Remove the passkey "Phone" .* in 24 hours\? \[y\/N\] Nothing was/)
  expect(await entriesOf(base, 'remove_passkey_later')).toEqual([])
})
