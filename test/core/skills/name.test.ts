/** Names of skills, by the rule of the Agent Skills specification. */

import { isSkillName, MAX_SKILL_NAME } from '#core/skills/name.ts'
import { expect, it } from 'vitest'

it.each(['a', '0', 'git-workflow', 'a-b-c', 'x'.repeat(MAX_SKILL_NAME)])('%s is a name', (name) => {
  expect(isSkillName(name)).toBe(true)
})

it.each([
  ...['', '-a', 'a-', 'a--b', 'A', 'a_b', 'a.b', 'a b', 'ä', '..', 'a/b', '__proto__'],
  ...['x'.repeat(MAX_SKILL_NAME + 1), 'a\n'],
])('%j is no name', (name) => {
  expect(isSkillName(name)).toBe(false)
})
