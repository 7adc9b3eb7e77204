/** Addresses of skills: none leads out of the folder of the skill that it names. */

import { parsePath } from '#core/path.ts'
import { pathOfSkill, skillOf, skillUri } from '#core/skills/uri.ts'
import { expect, it } from 'vitest'

it.each([
  ['/.skills/a/SKILL.md', 'skill://a/SKILL.md'],
  ['/.skills/a', 'skill://a'],
  ['/.skills/a/b c/%.md', 'skill://a/b%20c/%25.md'],
  ['/.skills/a/ä#?.md', 'skill://a/%C3%A4%23%3F.md'],
  ['/.skills/a/.hidden', 'skill://a/.hidden'],
])('%s has the address %s', (path, uri) => {
  expect(skillUri(parsePath(path))).toBe(uri)
  expect(pathOfSkill(uri)).toBe(path)
  expect(skillOf(parsePath(path))).toBe('a')
})

it.each([
  ...['skill://', 'skill:///a', 'skill://a/', 'skill://a//b', 'skill:a', 'SKILL://a', 'file:///a'],
  ...['skill://a/../b', 'skill://../a', 'skill://a/./b', 'skill://a/%2e%2e/b', 'skill://a/..%2fb'],
  ...['skill://a/b%2Fc', 'skill://a/%', 'skill://a/%ff', 'skill://a/b%00', 'skill://a%5Cb'],
])('%s is no address', (uri) => {
  expect(pathOfSkill(uri)).toBeNull()
})
