/**
 * Skills by the judges of others: the scenarios of SEP-2640 in the official conformance suite, and the Inspector, which
 * reads every file of each skill and compares it with its digest.
 *
 * @module
 */

import { rmSync } from 'node:fs'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { judgeScenario } from '../support/slow/conformance-suite.ts'
import { inspect } from '../support/slow/inspector.ts'
import { startProduct, temporary, type Started } from '../support/slow/servers.ts'

let product: Started

const skill = (name: string, fields = '') =>
  `---\nname: ${name}\ndescription: How to do ${name}\n${fields}---\n\n# Steps\n`

const SKILLS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  deploy: {
    'SKILL.md': skill('deploy', 'license: MIT\nmetadata:\n  version: "1"\n'),
    'references/guide.md': 'Press the button.\n',
    'scripts/ä b.sh': '#!/bin/sh\n',
    'sub/SKILL.md': skill('sub'),
  },
  review: { 'SKILL.md': skill('review') },
}

const at = (path: string) => new URL(path, product.url)

/** The headers that a browser sends for a page of the console. */
const fromConsole = () => ({ origin: new URL(product.url).origin, 'sec-fetch-site': 'same-origin' })

/** Writes a skill, and approves it as the console does. */
async function serve(name: string, files: Readonly<Record<string, string>>) {
  for (const [file, body] of Object.entries(files))
    await fetch(at(`/files/.skills/${name}/${encodeURI(file)}`), {
      method: 'PUT',
      body,
      headers: { 'content-type': 'text/plain' },
    })
  const shown = (await (await fetch(at(`/skills/${name}`))).json()) as { revision: string } // its tests check it
  const approved = await fetch(at(`/skills/${name}/approve`), {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...fromConsole() },
    body: JSON.stringify({ revision: shown.revision }),
  })
  expect(approved.status, await approved.text()).toBe(200)
}

beforeAll(async () => {
  product = await startProduct()
  for (const [name, files] of Object.entries(SKILLS)) await serve(name, files)
})
afterAll(() => product.stop())

it.each(['sep-2640-skills-enumeration', 'sep-2640-skills-manifest', 'sep-2640-skills-directory'])(
  'passes %s',
  async (scenario) => {
    const { verdicts, exitCode } = await judgeScenario(product.url, scenario)
    expect(verdicts).toMatchObject([{ scenario, passed: true, complaints: [] }])
    expect(exitCode).toBe(0)
  },
)

it.each(['modern', 'legacy'] as const)('the Inspector verifies every file, era %s', async (era) => {
  const home = temporary()
  const args = ['--verify', '--require-digests']
  const { exitCode, stdout, stderr } = await inspect(product.url, {
    era,
    method: 'skills/list',
    args,
    home,
  })
  rmSync(home, { recursive: true, force: true })
  expect({ exitCode, stderr }, stdout).toMatchObject({ exitCode: 0 })
  expect(stdout).toContain('skill://deploy/SKILL.md')
  expect(stdout).toContain('skill://review/SKILL.md')
})
