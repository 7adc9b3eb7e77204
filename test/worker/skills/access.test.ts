/** Only a caller that may read all of its folder has a skill, by any way. */

import { describe, expect, it } from 'vitest'
import { linkOf, ownerLinkOf } from '../../support/worker/attack-link.ts'
import { freshWorkspace } from '../../support/worker/client.ts'
import { configure, held, show } from '../../support/worker/held-draft.ts'
import { legacyClient } from '../../support/worker/legacy-client.ts'
import {
  approveSkill,
  namesOfSkills,
  readResource,
  showSkill,
  skillText,
  writeSkill,
} from '../../support/worker/skills.ts'

const URI = 'skill://deploy/SKILL.md'
const NONE = { skills: [], prompts: [], resources: [] }
const ALL = { skills: [URI], prompts: [URI], resources: [URI] }

type Client = Pick<ReturnType<typeof freshWorkspace>, 'send'>

async function withSkill() {
  const workspace = freshWorkspace()
  await writeSkill(workspace, 'deploy', {
    'SKILL.md': skillText('deploy'),
    'keys/secret.md': 'a key',
  })
  await approveSkill(workspace, 'deploy')
  return workspace
}

const FOLDERS = ['skill://deploy', 'skill://deploy/keys']

/** Expects what a client gets where there is no such skill. */
async function expectNone(client: Client) {
  expect(await namesOfSkills(client)).toEqual(NONE)
  for (const uri of [URI, 'skill://deploy/keys/secret.md'])
    expect(await readResource(client, uri)).toBeNull()
  expect((await client.send('skills/get', { uri: URI })).error?.message).toBe(
    `No skill is served at ${URI}`,
  )
  for (const uri of FOLDERS)
    expect((await client.send('resources/directory/read', { uri })).error?.message).toBe(
      `${uri} is not a directory resource`,
    )
  expect((await client.send('prompts/get', { name: 'deploy' })).error?.message).toBe(
    'Unknown prompt: deploy',
  )
  const { result } = await client.send('server/discover')
  expect(result?.['instructions']).toEqual(expect.any(String))
  expect(result?.['instructions']).not.toContain('deploy')
}

describe('has the skill', () => {
  it('a caller that may read its folder', async () => {
    const workspace = await withSkill()
    const { client } = await linkOf(workspace, { scopes: ['read:file:/.skills/deploy'] })
    expect(await namesOfSkills(client)).toEqual(ALL)
    expect(await readResource(client, URI)).toMatchObject({ text: skillText('deploy') })
    const { result } = await client.send('resources/directory/read', { uri: 'skill://deploy/keys' })
    expect(JSON.stringify(result)).toContain('secret.md')
  })
})

describe('has no skill', () => {
  it.each([
    ['only one file of it', ['read:file:/.skills/deploy/SKILL.md']],
    ['other files', ['read:file:/docs']],
    ['nothing, and may write it', ['write:file:/.skills']],
  ])('a caller that may read %s', async (_what, scopes) => {
    const workspace = await withSkill()
    await expectNone((await linkOf(workspace, { scopes })).client)
  })

  it.each(['.skills/**', '.skills/deploy/**', '**/secret.md', '.skills/deploy/keys/**'])(
    'a caller where rules deny %s',
    async (pattern) => {
      const workspace = await withSkill()
      await configure(workspace, { roots: [{ path: '/', deny: [pattern] }] })
      await expectNone(workspace)
      // The owner still sees it, and that no session has it.
      expect(await showSkill(workspace, 'deploy')).toMatchObject({ state: 'approved' })
    },
  )

  it('a request that restricts its own access', async () => {
    const workspace = await withSkill()
    const meta = { _meta: undefined, denied_scopes: ['read:file:/.skills/deploy/keys'] }
    const { result } = await workspace.send('skills/list', {}, { meta })
    expect(result).toMatchObject({ skills: [] })
  })
})

describe('a draft', () => {
  it('shows its agent a changed skill as a file, and never as a skill', async () => {
    const workspace = await held({ '/.skills/deploy/SKILL.md': skillText('deploy') })
    await approveSkill(workspace, 'deploy')
    const changed = skillText('deploy', '# Do something else\n')
    await workspace.call('write_file', { path: '/.skills/deploy/SKILL.md', content: changed })
    await workspace.call('write_file', { path: '/.skills/new/SKILL.md', content: skillText('new') })

    expect(await workspace.text('read_file', { path: '/.skills/deploy/SKILL.md' })).toContain(
      'Do something else',
    )
    expect(await readResource(workspace, 'file:///.skills/new/SKILL.md')).not.toBeNull()
    expect(await namesOfSkills(workspace)).toEqual(ALL)
    expect(await readResource(workspace, URI)).toMatchObject({ text: skillText('deploy') })
    const { result } = await workspace.send('prompts/get', { name: 'deploy' })
    expect(JSON.stringify(result)).not.toContain('Do something else')
    expect((await workspace.fetch('/skills/new')).status).toBe(404)

    const { path, files } = await show(workspace)
    expect(path).toMatch(/^\/drafts\//)
    expect(files).toHaveLength(2)
  })
})

describe('the older era', () => {
  it('has the same methods, without fields of caches', async () => {
    const workspace = await withSkill()
    const client = legacyClient(workspace)
    const begun = await client.begin()
    expect(JSON.stringify(begun)).toContain('/.skills/{name}/SKILL.md')
    expect(begun).toMatchObject({
      result: {
        capabilities: {
          prompts: {},
          extensions: { 'io.modelcontextprotocol/skills': { directoryRead: true } },
        },
      },
    })
    const listed = await client.request('skills/list')
    expect(listed).toMatchObject({ result: { skills: [{ uri: URI }] } })
    expect(Object.keys(Object(Reflect.get(listed, 'result')))).toEqual(['skills'])
    expect(await client.request('skills/get', { uri: URI })).toMatchObject({
      result: { skill: { uri: URI } },
    })
    expect(
      await client.request('resources/directory/read', { uri: 'skill://deploy/keys' }),
    ).toMatchObject({ result: { resources: [{ name: 'secret.md' }] } })
    expect(await client.request('prompts/get', { name: 'deploy' })).toMatchObject({
      result: { messages: [{ role: 'user' }] },
    })
  })

  it('has instructions of the skills of each caller', async () => {
    const workspace = await withSkill()
    const { client } = await ownerLinkOf(workspace, { scopes: ['read:file:/docs'] })
    expect(JSON.stringify(await legacyClient(client).begin())).not.toContain('.skills')
  })
})

it('the owner sees which sessions have a skill', async () => {
  const workspace = await withSkill()
  const some = await ownerLinkOf(workspace, { label: 'some', scopes: ['read:file:/.skills'] })
  const other = await ownerLinkOf(workspace, { label: 'other', scopes: ['read:file:/docs'] })
  const { readers } = await showSkill(workspace, 'deploy')
  expect(readers).toHaveLength(2)
  expect(readers).toEqual(
    expect.arrayContaining([
      { session: some.session, label: 'some', sees: true },
      { session: other.session, label: 'other', sees: false },
    ]),
  )
})
