/** `npm run new-skill` as a person uses it, in a workspace and in a folder, and its errors. @module */

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { run as makeSkill } from '../../scripts/new-skill.ts'
import { scratch } from '../support/e2e/folder.ts'
import { runHere } from '../support/e2e/run-here.ts'
import { useServer } from '../support/e2e/server.ts'

const server = useServer()

const make = (...args: string[]) => runHere(makeSkill, args)

async function show(base: string, name: string) {
  const response = await fetch(`${base}/skills/${name}`)
  // The server's own answer, whose shape its tests check.
  return (await response.json()) as { state: string; problems: unknown[]; manifest: unknown }
}

it('makes a skill that waits for approval', async () => {
  const base = `${server.url}/w/new-skill`
  const { code, stdout, stderr } = await make('git-workflow', `${base}/mcp`)
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(stdout).toBe(
    `Made the skill git-workflow in ${base}:\n  /.skills/git-workflow/SKILL.md\n` +
      `Approve it: ${server.url}/?at=/w/new-skill/mcp#/waiting\n`,
  )
  expect(await show(base, 'git-workflow')).toMatchObject({ state: 'waiting', problems: [] })
})

it.each(['Deploys: what, "when" & \\how', '😀 é {}[] # x', '---', "'"])(
  'keeps the description %j',
  async (description) => {
    const base = `${server.url}/w/described`
    const name = `d-${Buffer.from(description).toString('hex').slice(0, 20)}`
    expect((await make(name, base, `--description=${description}`)).code).toBe(0)
    expect(await show(base, name)).toMatchObject({ manifest: { frontmatter: { description } } })
  },
)

it('overwrites no skill', async () => {
  const base = `${server.url}/w/kept-skill`
  const headers = { 'content-type': 'text/plain' }
  await fetch(`${base}/files/.skills/own/README.md`, { method: 'PUT', body: 'mine', headers })
  expect(await make('own', base)).toMatchObject({
    code: 1,
    stderr: `Cannot create /.skills/own in ${base}: it exists already. Choose another name\n`,
  })
})

it('writes into a folder, and says how to go on', async () => {
  const folder = scratch()
  const { code, stdout } = await make('deploy', '--folder', folder)
  expect(code).toBe(0)
  expect(stdout).toContain(`npm run import -- ${JSON.stringify(folder)}`)
  expect(readFileSync(join(folder, '.skills/deploy/SKILL.md'), 'utf8')).toMatch(
    /^---\nname: deploy\n/,
  )
})

it.each<[string, string[], RegExp]>([
  ['no name', [], /^Cannot make a skill: one name is required/],
  ['two', ['a', 'http://localhost:1', 'b'], /^Cannot make a skill: one name is required/],
  ['a name that is none', ['Git_Workflow'], /^Cannot make the skill: invalid name/],
  ['a long description', ['x', '--description', 'x'.repeat(1_025)], /invalid description/],
  ['a server that is not there', ['x', 'http://localhost:9'], /^Cannot reach http:.*npm start/],
])('reports %s in one sentence', async (_, args, sentence) => {
  const { code, stdout, stderr } = await make(...args)
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  expect(stderr.trim()).toMatch(sentence)
  expect(stderr.trim().split('\n')).toHaveLength(1)
})
