/** What the instructions of the server say of skills: at most `MAX_SKILL_TOKENS` tokens. */

import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { MAX_SKILL_TOKENS } from '#worker/skills/limits.ts'
import { instructionsOf } from '#worker/skills/instructions.ts'

/**
 * The most tokens that a text can have: a token is at least two letters of a word, or one of all other characters.
 * `test/clients/report.ts` counts those of real tokenizers.
 */
const mostTokens = (text: string) => [...text.matchAll(/ ?[A-Za-z]{1,2}|[^A-Za-z]/g)].length

/** The tokens of common English words, as tokenizers have them: one each, with the space before it. */
const plainTokens = (text: string) => [...text.matchAll(/ ?[A-Za-z]+|[^A-Za-z ]/g)].length

it('says nothing without skills', () => {
  expect(instructionsOf([])).toBe('')
})

it('names the skills', () => {
  expect(instructionsOf(['deploy', 'git-workflow'])).toBe(
    ' Skills of the user are in /.skills/{name}/SKILL.md; read one before work that it fits: deploy, git-workflow.',
  )
})

it('counts the skills for which there is no room', () => {
  const names = Array.from({ length: 100 }, (_, at) => `workflow-${at}`)
  expect(instructionsOf(names)).toMatch(/: workflow-0, workflow-1, .*, 9\d more\.$/)
})

const NAME = fc.stringMatching(/^[a-z0-9]{1,8}(-[a-z0-9]{1,8}){0,6}$/)

it('has at most MAX_SKILL_TOKENS tokens, whatever the skills are called', () => {
  fc.assert(
    fc.property(fc.array(NAME, { minLength: 1, maxLength: 40 }), (names) => {
      const text = instructionsOf(names)
      const start = text.slice(0, text.indexOf('{name}'))
      const rest = text.slice(text.indexOf('fits: ') + 'fits: '.length)
      const fixed = text.slice(start.length, text.length - rest.length)
      expect(plainTokens(start) + plainTokens(fixed) + mostTokens(rest)).toBeLessThanOrEqual(
        MAX_SKILL_TOKENS,
      )
    }),
  )
})
