/** Entries of skills are those that the SDK builds from the same files, and hold what the schema of the extension asks for. */

import { skillEntry } from '@modelcontextprotocol/server/ext/skills'
import {
  GetSkillResultSchema,
  ListSkillsResultSchema,
  ReadResourceDirectoryResultSchema,
} from '@modelcontextprotocol/core/ext/skills'
import { expect, it } from 'vitest'
import { freshWorkspace } from '../../support/worker/client.ts'
import { approveSkill, skillText, writeSkill } from '../../support/worker/skills.ts'

const FILES = {
  'SKILL.md': skillText(
    'deploy',
    '# Steps\n',
    'license: MIT\nallowed-tools: Bash\nmetadata:\n  v: "1"\n',
  ),
  'references/Ä b#?%.md': 'x',
  'scripts/run.sh': '#!/bin/sh\n',
  'sub/SKILL.md': skillText('sub'),
  '.hidden': 'y',
}

it('are those of the SDK', async () => {
  const workspace = freshWorkspace()
  await writeSkill(workspace, 'deploy', {})
  for (const [file, text] of Object.entries(FILES))
    await workspace.put(
      `/.skills/deploy/${file.split('/').map(encodeURIComponent).join('/')}`,
      text,
    )
  await approveSkill(workspace, 'deploy')
  const expected = await skillEntry('deploy', FILES)
  const { result } = await workspace.send('skills/list')
  const { skills } = ListSkillsResultSchema.parse(result)
  expect(skills).toHaveLength(1)
  expect(sorted(skills[0])).toEqual(sorted(expected))

  const got = await workspace.send('skills/get', { uri: 'skill://deploy/SKILL.md' })
  expect(GetSkillResultSchema.parse(got.result).skill).toEqual(skills[0])
  const folder = await workspace.send('resources/directory/read', { uri: 'skill://deploy' })
  const { resources } = ReadResourceDirectoryResultSchema.parse(folder.result)
  expect(resources.map(({ name }) => name)).toEqual([
    ...['.hidden', 'SKILL.md', 'references', 'scripts', 'sub'],
  ])
})

/** With its files in one order: the specification has none. */
const sorted = (skill: unknown) => {
  const { resources, ...rest } = Object(skill)
  return {
    ...rest,
    resources: resources.toSorted((a: { uri: string }, b: { uri: string }) =>
      a.uri < b.uri ? -1 : 1,
    ),
  }
}
