import { expect, it } from 'vitest'
import { decide, promptOptions, rememberedOf } from '#core/decide.ts'
import { formatScope, parseScope } from '#core/scope.ts'
import vectors from '../vectors/scopes.json' with { type: 'json' }

const scopesOf = (texts: readonly string[]) => texts.map((text) => parseScope(text))

it.each(vectors.decisions)('$id', ({ tool_scopes: wanted, allow, deny, expected }) => {
  const answer = decide(scopesOf(wanted), rememberedOf({ allow, deny }))
  expect(answer.decision).toBe(expected.decision)
  if (answer.decision === 'ask')
    expect(answer.ask.map(formatScope)).toEqual('ask' in expected ? expected.ask : undefined)
})

it.each(vectors.prompt_options)('$id', ({ tool, scopes, expected }) => {
  expect(promptOptions(tool ?? 'write_file', scopesOf(scopes))).toEqual(expected)
})

it('lets the most specific rule win, at any depth of a path', () => {
  const rules = rememberedOf({
    allow: ['write:file:/a', 'write:file:/a/b/c'],
    deny: ['write', 'write:file:/a/b'],
  })
  const verdicts = ['/x', '/a/x', '/a/b/x', '/a/b/c/x'].map(
    (path) => decide(scopesOf([`write:file:${path}`]), rules).decision,
  )
  expect(verdicts).toEqual(['deny', 'allow', 'deny', 'allow'])
})

it('refuses where a permission and a refusal are equally specific', () => {
  const rules = rememberedOf({ allow: ['write:file'], deny: ['write:file:*'] })
  expect(decide(scopesOf(['write:file:/a']), rules)).toMatchObject({ decision: 'deny' })
})

it('refuses a call for one refusal, and names only what was refused', () => {
  const rules = rememberedOf({ allow: ['read'], deny: ['write:file:/b'] })
  const answer = decide(scopesOf(['read:file', 'write:file:/b/c', 'execute']), rules)
  expect(answer).toEqual({ decision: 'deny', denied: scopesOf(['write:file:/b/c']) })
})
