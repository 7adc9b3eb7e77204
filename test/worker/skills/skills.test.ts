/** Skills: only what the owner has approved is served, and only while it is unchanged. */

import { evictDurableObject } from 'cloudflare:test'
import { describe, expect, it } from 'vitest'
import { freshWorkspace } from '../../support/worker/client.ts'
import { stubOf } from '../../support/worker/object-life.ts'
import {
  approveSkill,
  decideSkill,
  listSkills,
  namesOfSkills,
  readResource,
  showSkill,
  skillText,
  writeSkill,
} from '../../support/worker/skills.ts'

type Workspace = ReturnType<typeof freshWorkspace>

const URI = 'skill://deploy/SKILL.md'
const GUIDE = 'skill://deploy/references/guide.md'
const FILES = { 'SKILL.md': skillText('deploy'), 'references/guide.md': 'Press the button.\n' }

async function withSkill(files: Readonly<Record<string, string | Uint8Array>> = FILES) {
  const workspace = freshWorkspace()
  await writeSkill(workspace, 'deploy', files)
  return workspace
}

async function withApproved(files?: Readonly<Record<string, string | Uint8Array>>) {
  const workspace = await withSkill(files)
  await approveSkill(workspace, 'deploy')
  return workspace
}

/** Expects that the skill is not offered and cannot be read, by any way. */
async function expectUnserved(workspace: Workspace) {
  expect(await namesOfSkills(workspace)).toEqual({ skills: [], prompts: [], resources: [] })
  for (const uri of [URI, GUIDE]) {
    expect(await readResource(workspace, uri)).toBeNull()
    expect((await workspace.send('skills/get', { uri })).error?.code).toBe(-32602)
  }
  for (const uri of ['skill://deploy', 'skill://deploy/references'])
    expect((await workspace.send('resources/directory/read', { uri })).error?.code).toBe(-32602)
  expect((await workspace.send('prompts/get', { name: 'deploy' })).error?.code).toBe(-32602)
  expect(await instructionsOf(workspace)).not.toContain('deploy')
}

async function expectServed(workspace: Workspace) {
  expect(await namesOfSkills(workspace)).toEqual({
    skills: [URI],
    prompts: [URI],
    resources: [URI],
  })
  expect(await readResource(workspace, URI)).toMatchObject({ text: FILES['SKILL.md'] })
  expect(await instructionsOf(workspace)).toContain('deploy')
}

async function instructionsOf({ send }: Pick<Workspace, 'send'>): Promise<string> {
  const { result } = await send('server/discover')
  return String(Reflect.get(Object(result), 'instructions'))
}

describe('a skill', () => {
  it('waits until the owner has approved it, and is served then', async () => {
    const workspace = await withSkill()
    expect(await showSkill(workspace, 'deploy')).toMatchObject({ state: 'waiting', problems: [] })
    await expectUnserved(workspace)

    await approveSkill(workspace, 'deploy')
    expect(await showSkill(workspace, 'deploy')).toMatchObject({ state: 'approved' })
    await expectServed(workspace)

    await evictDurableObject(stubOf(workspace))
    await expectServed(workspace)
  })

  it.each([
    ['changes', '/.skills/deploy/references/guide.md', 'Press no button.\n'],
    ['is added', '/.skills/deploy/scripts/run.sh', 'rm -rf .\n'],
    ['is added in a skill within it', '/.skills/deploy/sub/SKILL.md', skillText('sub')],
  ])('is not served once a file %s, until that is taken back', async (_what, path, text) => {
    const workspace = await withApproved()
    await workspace.put(path, text)
    await expectUnserved(workspace)
    expect(await showSkill(workspace, 'deploy')).toMatchObject({ state: 'waiting' })

    await restore(workspace, path)
    await expectServed(workspace)
  })

  it('is not served once a file is deleted, or the folder is moved', async () => {
    const workspace = await withApproved()
    await workspace.text('move_file', { from: '/.skills/deploy', to: '/.skills/other' })
    await expectUnserved(workspace)
    await workspace.text('move_file', { from: '/.skills/other', to: '/.skills/deploy' })
    await expectServed(workspace)
    await workspace.text('delete_file', { path: '/.skills/deploy/references/guide.md' })
    await expectUnserved(workspace)
  })

  it('is no longer served once the approval is taken back, and never after it was turned down', async () => {
    const workspace = await withApproved()
    expect((await decideSkill(workspace, 'deploy/withdraw', {})).status).toBe(200)
    await expectUnserved(workspace)
    const { revision } = await showSkill(workspace, 'deploy')
    expect((await decideSkill(workspace, 'deploy/turn-down', { revision })).status).toBe(200)
    expect(await showSkill(workspace, 'deploy')).toMatchObject({ state: 'turned_down' })
    await expectUnserved(workspace)
  })
})

async function restore(workspace: Workspace, path: string) {
  const guide = FILES['references/guide.md']
  if (path.endsWith('guide.md')) await workspace.put(path, guide)
  else await workspace.text('delete_file', { path })
}

describe('an entry', () => {
  it('has the frontmatter as it was written, and every file with its digest and size', async () => {
    const workspace = await withApproved({
      'SKILL.md': skillText(
        'deploy',
        'x\n',
        'license: MIT\nmetadata:\n  version: "1.0"\nx-list: [1, true, null]\n',
      ),
      'references/guide.md': 'Press the button.\n',
      'sub/SKILL.md': skillText('sub'),
      'empty.txt': '',
    })
    const { skills } = await listSkills(workspace)
    expect(skills).toHaveLength(1)
    expect(skills[0]).toMatchObject({
      uri: URI,
      frontmatter: {
        name: 'deploy',
        description: 'How to do deploy',
        license: 'MIT',
        metadata: { version: '1.0' },
        'x-list': [1, true, null],
      },
    })
    const uris = skills[0]?.resources.map(({ uri }) => uri)
    expect(uris).toEqual([URI, 'skill://deploy/empty.txt', GUIDE, 'skill://deploy/sub/SKILL.md'])
    for (const { uri, digest, size } of skills[0]?.resources ?? []) {
      const read = await readResource(workspace, uri)
      const bytes = new TextEncoder().encode(read?.text)
      expect(size).toBe(bytes.length)
      const hash = await crypto.subtle.digest('SHA-256', bytes)
      expect(digest).toBe(`sha256:${Buffer.from(hash).toString('hex')}`)
    }
    const { result } = await workspace.send('skills/get', { uri: URI })
    expect(result).toMatchObject({
      resultType: 'complete',
      ttlMs: 0,
      cacheScope: 'private',
      skill: skills[0],
    })
  })

  it('of a skill within another one does not exist', async () => {
    const workspace = await withApproved({ ...FILES, 'sub/SKILL.md': skillText('sub') })
    const uri = 'skill://deploy/sub/SKILL.md'
    expect((await workspace.send('skills/get', { uri })).error?.message).toBe(
      `No skill is served at ${uri}`,
    )
    expect(await readResource(workspace, uri)).toMatchObject({ mimeType: 'text/markdown' })
  })

  it('has bytes as they are', async () => {
    const bytes = Uint8Array.of(0, 255, 1)
    const workspace = await withApproved({ ...FILES, 'logo.bin': bytes })
    expect(await readResource(workspace, 'skill://deploy/logo.bin')).toMatchObject({
      blob: Buffer.from(bytes).toString('base64'),
    })
  })
})

describe('a folder', () => {
  const read = async (workspace: Workspace, params: Record<string, unknown>) =>
    (await workspace.send('resources/directory/read', params)).result

  it('of a skill has its direct children', async () => {
    const workspace = await withApproved({ ...FILES, 'references/more/a.txt': 'a' })
    expect(await read(workspace, { uri: 'skill://deploy' })).toMatchObject({
      resultType: 'complete',
      resources: [
        { uri: URI, name: 'SKILL.md', mimeType: 'text/markdown', size: FILES['SKILL.md'].length },
        { uri: 'skill://deploy/references', name: 'references', mimeType: 'inode/directory' },
      ],
    })
    expect(await read(workspace, { uri: 'skill://deploy/references' })).toMatchObject({
      resources: [
        { uri: GUIDE, name: 'guide.md' },
        { uri: 'skill://deploy/references/more', mimeType: 'inode/directory' },
      ],
    })
  })

  it('of the workspace has its direct children too', async () => {
    const workspace = freshWorkspace()
    await workspace.put('/docs/sub/b.md', 'b')
    await workspace.put('/docs/a.md', 'a')
    expect(await read(workspace, { uri: 'file:///docs' })).toMatchObject({
      resources: [
        { uri: 'file:///docs/a.md', name: 'a.md', size: 1 },
        { uri: 'file:///docs/sub', name: 'sub', mimeType: 'inode/directory' },
      ],
    })
    expect(await read(workspace, { uri: 'file:///' })).toMatchObject({
      resources: [{ uri: 'file:///docs', mimeType: 'inode/directory' }],
    })
  })

  it.each([
    URI,
    'file:///docs/a.md',
    'file:///none',
    'skill://none',
    'skill://',
    'ui://edgewise/review',
    'x',
  ])('is not %s', async (uri) => {
    const workspace = await withApproved()
    await workspace.put('/docs/a.md', 'a')
    const { error } = await workspace.send('resources/directory/read', { uri })
    expect(error).toMatchObject({ code: -32602, message: `${uri} is not a directory resource` })
  })
})

describe('for hosts without the extension', () => {
  it('a skill is a prompt with its text', async () => {
    const workspace = await withApproved()
    const { result } = await workspace.send('prompts/list')
    expect(result).toMatchObject({
      prompts: [{ name: 'deploy', title: 'Skill: deploy', description: 'How to do deploy' }],
    })
    const { result: got } = await workspace.send('prompts/get', { name: 'deploy' })
    expect(got).toMatchObject({
      description: 'How to do deploy',
      messages: [
        {
          role: 'user',
          content: {
            type: 'text',
            text: `Follow this skill. Its files are in /.skills/deploy.\n\n${FILES['SKILL.md']}`,
          },
        },
      ],
    })
  })
})
