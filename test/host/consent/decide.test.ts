import { expect, it } from 'vitest'
import { decide, promptOptions, type Remembered } from '#host/consent/decide.ts'
import { formatScope, parseScope } from '#core/scope.ts'
import vectors from '../../vectors/scopes.json' with { type: 'json' }

const scopesOf = (texts: readonly string[]) => texts.map((text) => parseScope(text))

const rulesOf = (texts: { allow: string[]; deny: string[] }): Remembered => ({
  allow: scopesOf(texts.allow),
  deny: scopesOf(texts.deny),
})

it.each(vectors.decisions)('$id', ({ tool_scopes: wanted, allow, deny, expected }) => {
  const answer = decide(scopesOf(wanted), rulesOf({ allow, deny }))
  expect(answer.decision).toBe(expected.decision)
  if (answer.decision === 'ask')
    expect(answer.ask.map(formatScope)).toEqual('ask' in expected ? expected.ask : undefined)
})

it.each(vectors.prompt_options)('$id', ({ tool, scopes, expected }) => {
  expect(promptOptions(tool ?? 'write_file', scopesOf(scopes))).toEqual(expected)
})

it('applies the most specific rule, at any depth of a path', () => {
  const rules = rulesOf({
    allow: ['write:file:/a', 'write:file:/a/b/c'],
    deny: ['write', 'write:file:/a/b'],
  })
  const verdicts = ['/x', '/a/x', '/a/b/x', '/a/b/c/x'].map(
    (path) => decide(scopesOf([`write:file:${path}`]), rules).decision,
  )
  expect(verdicts).toEqual(['deny', 'allow', 'deny', 'allow'])
})

it('denies if two rules are equally specific', () => {
  const rules = rulesOf({ allow: ['write:file'], deny: ['write:file:*'] })
  expect(decide(scopesOf(['write:file:/a']), rules)).toMatchObject({ decision: 'deny' })
})

it('denies a call with one denied scope, and names only that', () => {
  const rules = rulesOf({ allow: ['read'], deny: ['write:file:/b'] })
  const answer = decide(scopesOf(['read:file', 'write:file:/b/c', 'execute']), rules)
  expect(answer).toEqual({ decision: 'deny', denied: scopesOf(['write:file:/b/c']) })
})

it('asks for every scope without rules', () => {
  const scopes = scopesOf(['write:file:/other', 'write:file:/elsewhere'])
  expect(decide(scopes, rulesOf({ allow: [], deny: [] }))).toEqual({ decision: 'ask', ask: scopes })
})
