/** Limits of skills, each at its edge. */

import { runInDurableObject } from 'cloudflare:test'
import { describe, expect, it } from 'vitest'
import { isSkillName } from '#core/skills/name.ts'
import { listMadeFolders } from '#worker/approved/made-folders.ts'
import * as limits from '#worker/skills/limits.ts'
import { MAX_RESOURCE_BYTES } from '#worker/limits.ts'
import { entryOf } from '#worker/skills/entries.ts'
import { createSkillViews } from '#worker/skills/view.ts'
import { folderOf, MADE_SKILLS, type ServedSkill } from '#worker/skills/skills.ts'
import { parsePath } from '#core/path.ts'
import { ownerLinkOf } from '../../support/worker/attack-link.ts'
import { seed, stubOf } from '../../support/worker/object-life.ts'
import { freshWorkspace } from '../../support/worker/client.ts'
import {
  approveSkill,
  listSkills,
  showSkill,
  skillText,
  writeSkill,
} from '../../support/worker/skills.ts'

const {
  MAX_SKILL_BYTES,
  MAX_SKILL_COMPATIBILITY,
  MAX_SKILL_DESCRIPTION,
  MAX_SKILL_FILE_BYTES,
  MAX_SKILL_FILES,
  MAX_SKILL_FOLDERS,
  MAX_SKILL_FOLDERS_LOOKED_AT,
  MAX_SKILL_PROBLEMS,
  MAX_SKILLS,
  MAX_SKILLS_ENTRIES,
  MAX_SKILLS_PAGE_BYTES,
  SKILLS_PAGE,
} = limits

type Workspace = ReturnType<typeof freshWorkspace>
type File = readonly [name: string, body: string | Uint8Array]

const numbers = (count: number) => Array.from({ length: count }, (_, index) => index)

/** Imports an archive of files, which is faster than many uploads. */
async function importFiles({ fetch }: Workspace, files: readonly File[]) {
  const { packTar } = await import('modern-tar')
  const entries = files.map(([name, body]) => {
    const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body
    return { header: { name, size: bytes.length, type: 'file' as const }, body: bytes }
  })
  const done = await fetch('/import', { method: 'POST', body: await packTar(entries) })
  expect(done.status, await done.text()).toBe(200)
}

const stateOf = async (workspace: Workspace) => (await showSkill(workspace, 'big')).state

async function withBig(files: readonly File[]) {
  const workspace = freshWorkspace()
  await writeSkill(workspace, 'big')
  await importFiles(
    workspace,
    files.map(([name, body]) => [`.skills/big/${name}`, body]),
  )
  return workspace
}

it('MAX_SKILL_FILES files are a skill, and the 513th is a problem', async () => {
  const workspace = await withBig(numbers(MAX_SKILL_FILES - 1).map((at) => [`${at}.md`, `${at}`]))
  await approveSkill(workspace, 'big')
  const { skills } = await listSkills(workspace)
  expect(skills[0]?.resources).toHaveLength(MAX_SKILL_FILES)

  await workspace.put('/.skills/big/one-more.md', 'x')
  const shown = await showSkill(workspace, 'big')
  expect(shown).toMatchObject({ state: 'invalid', problems: [{ pointer: '' }] })
  expect(shown.problems[0]?.message).toContain('512 files')
  expect((await listSkills(workspace)).skills).toEqual([])
})

it('MAX_SKILL_FOLDERS folders are in a skill', async () => {
  const workspace = freshWorkspace()
  await writeSkill(workspace, 'big')
  for (const at of numbers(MAX_SKILL_FOLDERS))
    await workspace.text('create_folder', { path: `/.skills/big/${at}` })
  expect(await stateOf(workspace)).toBe('waiting')
  await workspace.text('create_folder', { path: '/.skills/big/one-more' })
  expect(await stateOf(workspace)).toBe('invalid')
})

it('MAX_SKILL_BYTES bytes are in a skill', async () => {
  const size = skillText('big').length
  const part = MAX_RESOURCE_BYTES
  const workspace = await withBig([
    ['a', 'a'.repeat(part)],
    ['b', 'b'.repeat(MAX_SKILL_BYTES - part - size)],
  ])
  expect(await stateOf(workspace)).toBe('waiting')
  await workspace.put('/.skills/big/c', 'c')
  expect(await stateOf(workspace)).toBe('invalid')
})

it('each file can be read as a resource, so none has more than MAX_RESOURCE_BYTES', async () => {
  const workspace = await withBig([['a', 'a'.repeat(MAX_RESOURCE_BYTES)]])
  expect(await stateOf(workspace)).toBe('waiting')
  await workspace.put('/.skills/big/a', 'a'.repeat(MAX_RESOURCE_BYTES + 1))
  expect((await showSkill(workspace, 'big')).problems[0]?.message).toContain('/.skills/big/a')
})

it('MAX_SKILL_FILE_BYTES bytes are in SKILL.md', async () => {
  const workspace = freshWorkspace()
  const start = skillText('big')
  await writeSkill(workspace, 'big', { 'SKILL.md': start.padEnd(MAX_SKILL_FILE_BYTES, 'x') })
  expect(await stateOf(workspace)).toBe('waiting')
  await writeSkill(workspace, 'big', { 'SKILL.md': start.padEnd(MAX_SKILL_FILE_BYTES + 1, 'x') })
  expect(await stateOf(workspace)).toBe('invalid')
})

it.each([
  ['description', MAX_SKILL_DESCRIPTION],
  ['compatibility', MAX_SKILL_COMPATIBILITY],
])('%s has %i characters, of which an emoji is one', async (field, most) => {
  const workspace = freshWorkspace()
  const text = (length: number) => {
    const fields = { description: 'x', [field]: '😀'.repeat(length) }
    const yaml = Object.entries(fields).map(([name, value]) => `${name}: ${value}\n`)
    return `---\nname: big\n${yaml.join('')}---\n`
  }
  await writeSkill(workspace, 'big', { 'SKILL.md': text(most) })
  expect(await stateOf(workspace)).toBe('waiting')
  await writeSkill(workspace, 'big', { 'SKILL.md': text(most + 1) })
  expect(await showSkill(workspace, 'big')).toMatchObject({ problems: [{ pointer: `/${field}` }] })
})

it('MAX_SKILL_PROBLEMS problems are shown', async () => {
  const workspace = freshWorkspace()
  const yaml = 'a: [\n'.repeat(200)
  await writeSkill(workspace, 'big', { 'SKILL.md': `---\n${yaml}---\n` })
  const { problems } = await showSkill(workspace, 'big')
  expect(problems.length).toBeGreaterThan(0)
  expect(problems.length).toBeLessThanOrEqual(MAX_SKILL_PROBLEMS)
  expect(JSON.stringify(problems).length).toBeLessThan(20_000)
})

describe('the list of the owner', () => {
  const read = async (workspace: Workspace) =>
    (await workspace.fetch('/skills')).json<{ left: number; skills: { name: string }[] }>()

  it('has MAX_SKILLS folders, of which makers take turns', async () => {
    const workspace = freshWorkspace()
    const busy = await ownerLinkOf(workspace, { label: 'busy' })
    const quiet = await ownerLinkOf(workspace, { label: 'quiet' })
    const write = (client: Workspace, name: string) =>
      client.text('write_file', { path: `/.skills/${name}/SKILL.md`, content: skillText(name) })
    for (const at of numbers(MAX_SKILLS + 4)) await write(busy.client, `a${at}`)
    await write(quiet.client, 'quiet')
    const { left, skills } = await read(workspace)
    expect(skills).toHaveLength(MAX_SKILLS)
    expect(skills.map(({ name }) => name)).toContain('quiet')
    expect(left).toBe(5)
  })

  it('looks into MAX_SKILL_FOLDERS_LOOKED_AT folders of MAX_SKILLS_ENTRIES', async () => {
    const workspace = freshWorkspace()
    const none = (at: number): File => [`.skills/n${at}/README.md`, 'x']
    await importFiles(workspace, numbers(MAX_SKILL_FOLDERS_LOOKED_AT - 1).map(none))
    await writeSkill(workspace, 'z')
    expect((await read(workspace)).skills).toHaveLength(1)
    await importFiles(workspace, numbers(MAX_SKILLS_ENTRIES + 1).map(none))
    expect((await read(workspace)).left).toBeGreaterThan(0)
  })
})

it('the query of the list accepts the names of skills', async () => {
  const workspace = freshWorkspace()
  const names = [
    'a',
    '0',
    'a-b',
    'x'.repeat(64),
    'x'.repeat(65),
    'A',
    'a_b',
    '-a',
    'a-',
    'a--b',
    'a.b',
    'ä',
  ]
  await seed(
    stubOf(workspace),
    names.map((name) => `/.skills/${name}/SKILL.md`),
  )
  const made = await runInDurableObject(stubOf(workspace), (_, { storage }) =>
    listMadeFolders(storage.sql, 100, MADE_SKILLS),
  )
  const expected = names.filter(isSkillName)
  expect(expected).toHaveLength(4)
  expect(made.map(({ name }) => name).toSorted()).toEqual(expected.toSorted())
})

describe('a page of skills/list', () => {
  const skill = (name: string, files: number): ServedSkill => {
    const path = folderOf(name)
    const file = (at: number) => ({
      path: parsePath(`${path}/${at}`),
      hash: 'a'.repeat(64),
      size: 1,
      mime: 'text/plain',
    })
    const frontmatter = { name, description: 'x' }
    return { name, frontmatter, folder: { name, path, files: numbers(files).map(file), seal: '' } }
  }

  /** Lists all pages. */
  function pagesOf(skills: readonly ServedSkill[]) {
    const sorted = skills.toSorted((a, b) => (a.name < b.name ? -1 : 1))
    const views = createSkillViews({
      served: () => sorted,
      find: () => null,
      read: () => Promise.resolve(null),
    })
    const pages: (readonly unknown[])[] = []
    let after = ''
    for (;;) {
      const { items, next } = views.list({ canRead: () => true }, after)
      pages.push(items)
      if (next === undefined) return pages
      after = next
    }
  }

  it('has SKILLS_PAGE skills', () => {
    const skills = numbers(2 * SKILLS_PAGE + 1).map((at) => skill(`s${at}`, 1))
    const pages = pagesOf(skills)
    expect(pages.map(({ length }) => length)).toEqual([SKILLS_PAGE, SKILLS_PAGE, 1])
    expect(pages.flat()).toHaveLength(skills.length)
  })

  it('has MAX_SKILLS_PAGE_BYTES bytes, or one skill, which is never split', () => {
    const skills = numbers(12).map((at) => skill(`s${at}`, at % 2 === 0 ? 512 : 400))
    const pages = pagesOf(skills)
    expect(pages.flat()).toHaveLength(skills.length)
    expect(pages.length).toBeGreaterThan(1)
    for (const page of pages)
      expect(page.length === 1 || JSON.stringify(page).length <= MAX_SKILLS_PAGE_BYTES + 100).toBe(
        true,
      )
    const huge = numbers(3).map((at) => skill(`h${at}`, 6_000))
    expect(pagesOf(huge).map(({ length }) => length)).toEqual([1, 1, 1])
    expect(pagesOf(huge).flat()).toEqual(huge.map(entryOf))
  })

  it('has what its cursor says, and refuses another one', async () => {
    const workspace = freshWorkspace()
    for (const at of numbers(2)) await writeSkill(workspace, `s${at}`)
    for (const cursor of ['x', btoa('/docs/a'), btoa('/.skills/a/b'), ''])
      expect((await workspace.send('skills/list', { cursor })).error?.code).toBe(-32602)
    for (const at of numbers(2)) await approveSkill(workspace, `s${at}`)
    const { skills } = await listSkills(workspace, { cursor: btoa('/.skills/s0') })
    expect(skills.map(({ uri }) => uri)).toEqual(['skill://s1/SKILL.md'])
  })
})
