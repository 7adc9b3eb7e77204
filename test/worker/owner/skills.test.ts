/** `/skills`: what the owner is shown, and that only a page of this origin decides on what it has shown. */

import { describe, expect, it } from 'vitest'
import { freshWorkspace } from '../../support/worker/client.ts'
import {
  approveSkill,
  decideSkill,
  showSkill,
  skillText,
  writeSkill,
} from '../../support/worker/skills.ts'

const FILE = '/.skills/deploy/SKILL.md'

async function withSkill() {
  const workspace = freshWorkspace()
  await writeSkill(workspace, 'deploy', { 'SKILL.md': skillText('deploy'), 'a.md': 'one\n' })
  return workspace
}

const read = async ({ fetch }: ReturnType<typeof freshWorkspace>, path: string) => {
  const answer = await fetch(path)
  return { status: answer.status, body: await answer.json<Record<string, unknown>>() }
}

it('lists the skills with what they declare, and counts those that wait', async () => {
  const workspace = await withSkill()
  const { body } = await read(workspace, '/skills')
  expect(body).toMatchObject({
    waiting: 1,
    left: 0,
    skills: [
      {
        name: 'deploy',
        state: 'waiting',
        manifest: { frontmatter: { name: 'deploy', description: 'How to do deploy' } },
        problems: [],
        files: [
          { path: FILE, change: 'added' },
          { path: '/.skills/deploy/a.md', change: 'added', size: 4 },
        ],
        decided: null,
      },
    ],
  })
  expect((await read(workspace, '/drafts')).body).toMatchObject({ waiting: 1, apps: 0, skills: 1 })
  await approveSkill(workspace, 'deploy')
  expect((await read(workspace, '/drafts')).body).toMatchObject({ waiting: 0, skills: 0 })
})

it('shows what changed since the approval, and what it was', async () => {
  const workspace = await withSkill()
  await approveSkill(workspace, 'deploy')
  await workspace.put('/.skills/deploy/a.md', 'two\n')
  await workspace.put('/.skills/deploy/b.md', 'b')
  const { revision, files, decided } = await showSkill(workspace, 'deploy')
  expect(decided).toMatchObject({ state: 'approved' })
  expect(files).toMatchObject([
    { path: FILE, change: null },
    { path: '/.skills/deploy/a.md', change: 'changed' },
    { path: '/.skills/deploy/b.md', change: 'added' },
  ])
  const query = `path=${encodeURIComponent('/.skills/deploy/a.md')}&revision=${revision}`
  const { body } = await read(workspace, `/skills/deploy/diff?${query}`)
  expect(JSON.stringify(body)).toContain('two')
  const before = await workspace.fetch(`/skills/deploy/file?${query}&side=before`)
  expect(await before.text()).toBe('one\n')

  await workspace.put('/.skills/deploy/a.md', 'three\n')
  const stale = await read(workspace, `/skills/deploy/diff?${query}`)
  expect([stale.status, stale.body['code']]).toEqual([409, 'SKILL_CHANGED'])
})

it('shows no file of another folder', async () => {
  const workspace = await withSkill()
  await workspace.put('/secret.md', 'secret')
  for (const path of ['/secret.md', '/.skills/deploy/../../secret.md', '/.skills/other/SKILL.md'])
    expect(
      (await read(workspace, `/skills/deploy/diff?path=${encodeURIComponent(path)}`)).status,
    ).toBe(404)
})

describe('a decision', () => {
  it('needs a skill, and the revision that was shown', async () => {
    const workspace = await withSkill()
    const { revision } = await showSkill(workspace, 'deploy')
    const code = async (path: string, body: object) =>
      (await decideSkill(workspace, path, body)).body['code']
    expect(await code('other/approve', { revision })).toBe('SKILL_NOT_FOUND')
    expect(await code('other/withdraw', {})).toBe('SKILL_NOT_FOUND')
    expect(await code('deploy/withdraw', {})).toBe('SKILL_NOT_FOUND')
    expect(await code('deploy/approve', { revision: 'x' })).toBe('SKILL_CHANGED')
    expect(await code('deploy/turn-down', { revision: 'x' })).toBe('SKILL_CHANGED')
  })

  it('is in the audit log', async () => {
    const workspace = await withSkill()
    await approveSkill(workspace, 'deploy')
    await decideSkill(workspace, 'deploy/withdraw', {})
    const { body } = await read(workspace, '/audit')
    expect(JSON.stringify(body)).toContain('Approve the skill deploy')
    expect(JSON.stringify(body)).toContain('Take back the decision on the skill deploy')
  })
})
