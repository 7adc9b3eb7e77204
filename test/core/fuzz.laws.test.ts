/**
 * Untrusted paths, scopes, policies, configurations and templates are read or refused in bounded
 * time, and never mean more than they should. The nightly set sends 100,000 of each.
 */

import { DEFAULT_CONFIG, formatConfig, readConfig } from '#core/config.ts'
import {
  IntentSyntaxError,
  MAX_TEMPLATE_LENGTH,
  parseIntent,
  type Template,
} from '#core/intent/template.ts'
import { MAX_RENDERED_LENGTH, renderIntent } from '#core/intent/render.ts'
import { isWithin, MAX_PATH_BYTES, parsePath, resolvePath } from '#core/path.ts'
import { isImmutable, judge, readPolicy, restrict, rulesOf } from '#core/policy.ts'
import { covers, formatScope, readScope } from '#core/scope.ts'
import { expectIs } from '../support/core/expect-is.ts'
import { within } from '../support/core/expect-within.ts'
import fc from '../support/core/random.ts'
import { describe, expect, it } from 'vitest'
import { bent, bentText, inputs, json, SOON_MS, text } from '../support/core/hostile.ts'

const PATHS = ['/', '/a', '/notes/a b.md', './x/../y', '../../etc/passwd', '/é/😀', '.env']
const SCOPES = ['write', 'write:*', 'read:file:/notes', 'read:file:*', 'execute:tool:x', 'a:b:c:d']

const POLICIES = [
  {},
  { approval: 'confirm', find_limit: 10, read_max_bytes: 1 },
  {
    roots: [
      { path: '/', deny: ['**/*.key'] },
      { path: '/a', blocked: true },
    ],
  },
  { roots: [{ path: '/b/c', allow: ['*.md', 'x/**'], immutable: ['[a-c]?'] }] },
]

const CONFIGS = [
  {},
  formatConfig(DEFAULT_CONFIG),
  {
    roots: [
      { path: '/a', default: true, deny: ['.git/**'] },
      { path: '/b', allow: ['*.{js,ts}'] },
    ],
  },
  { allow_escape: true, approval: 'review', history_versions: 0, max_file_bytes: null },
]

const TEMPLATES = [
  'Search for {pattern} [in {root}]',
  'Write {path}[, then {edits.find} with {edits.replace|nothing}]',
  '[[{a}] of {b.c.d}] [x {e|} y].',
]

const ARGUMENTS = [
  { pattern: 'x', root: '/a' },
  { path: '/a', edits: [{ find: 'a', replace: '{path}' }, { find: '[b]' }] },
  { a: [[1, [null]], ''], b: { c: { d: [true, { x: 1 }] } }, e: '  ' },
]

/** Runs something that may take a moment, and no more. */
const inTime = <T>(work: () => T): T => within(SOON_MS, work)

/** A refusal has a reason. */
function expectSentence(error: string): void {
  expectIs(/\w/.test(error), true, error)
}

function expectUnpolluted(): void {
  expectIs(Object.hasOwn(Object.prototype, 'polluted'), false)
}

describe('fuzz', () => {
  it('any text is a normalised path or refused', () => {
    const base = parsePath('/w/x')
    const law = fc.property(fc.oneof(bentText(PATHS), text), (given) => {
      const path = inTime(() => resolvePath(given, base))
      if (!path.ok) return expectSentence(path.error)
      expectIs(parsePath(path.value), path.value)
      expectIs(path.value.split('/').slice(1).includes('..'), false, path.value)
      expectIs(bytesIn(path.value) <= MAX_PATH_BYTES, true, path.value)
      expectIs<string>(path.value, path.value.normalize('NFC'))
    })
    fc.assert(law, inputs(500))
  })

  it('any scope is read from its own text, or refused', () => {
    const held = readScope('read:file:/notes')
    if (!held.ok) throw new Error(held.error)
    const law = fc.property(fc.oneof(bentText(SCOPES), text), (given) => {
      const scope = inTime(() => readScope(given))
      if (!scope.ok) return expectSentence(scope.error)
      const again = readScope(formatScope(scope.value))
      expectIs(again.ok && formatScope(again.value), formatScope(scope.value))
      expectIs(covers(scope.value, scope.value), true)
      if (!covers(held.value, scope.value)) return
      const { path } = scope.value
      expect(path !== null && isWithin(path, parsePath('/notes'))).toBe(true)
    })
    fc.assert(law, inputs(500))
  })

  it('any policy restricts, or is refused', () => {
    const config = readConfig(CONFIGS[2], DEFAULT_CONFIG)
    if (!config.ok) throw new Error(config.error[0].message)
    const rules = rulesOf(config.value)
    const places = ['/', '/a', '/a/.git/x', '/a/b/c/d.md', '/b/x.ts', '/b/c/a', '/c'].map(parsePath)
    const law = fc.property(
      fc.oneof(bent(POLICIES), json),
      fc.constantFrom('human', 'llm'),
      (given, requester) => {
        const policy = inTime(() => readPolicy(given, rules, requester))
        expectUnpolluted()
        if (!policy.ok) return expectSentence(policy.error.message)
        const restricted = restrict(rules, policy.value)
        for (const path of places) {
          if (inTime(() => judge(restricted, path)) === 'permitted')
            expectIs(judge(rules, path), 'permitted', path)
          if (isImmutable(rules, path)) expectIs(isImmutable(restricted, path), true, path)
        }
      },
    )
    fc.assert(law, inputs(300))
  })

  it('any configuration is read from its own text, or refused', () => {
    const law = fc.property(fc.oneof(bent(CONFIGS), json), (given) => {
      const config = inTime(() => readConfig(given, DEFAULT_CONFIG))
      expectUnpolluted()
      if (!config.ok) return config.error.forEach(({ message }) => expectSentence(message))
      expect(config.value.roots.filter((root) => root.default)).toHaveLength(1)
      const again = readConfig(
        JSON.parse(JSON.stringify(formatConfig(config.value))),
        DEFAULT_CONFIG,
      )
      expect(again.ok && formatConfig(again.value)).toEqual(formatConfig(config.value))
    })
    fc.assert(law, inputs(300))
  })

  it('a template shows arguments as values, and terminates', () => {
    const law = fc.property(
      fc.oneof(bentText(TEMPLATES), text),
      fc.oneof(bent(ARGUMENTS), json),
      (source, args) => {
        const template = inTime(() => parsed(source))
        if (!template) return
        const { text: shown, parts } = inTime(() => renderIntent(template, args))
        expectIs(shown.length <= MAX_RENDERED_LENGTH + 1, true, shown)
        expectIs(parts.map((part) => part.text).join(''), shown)
        expectIs(
          parts.every((part) => part.text !== ''),
          true,
          shown,
        )
        // What looks like a placeholder in an argument is none.
        const fields = new Set(fieldsOf(template.nodes))
        const keys = parts.flatMap((part) => (part.type === 'text' ? [] : [part.key]))
        expectIs(keys.filter((key) => !fields.has(key)).join(), '')
      },
    )
    fc.assert(law, inputs(300))
  })
})

/** Bytes of UTF-8. */
const bytesIn = (path: string) => encodeURIComponent(path).replace(/%../g, '%').length

/** The template; null where it is refused because it exceeds the limits. */
function parsed(source: string): Template | null {
  try {
    return parseIntent(source)
  } catch (error) {
    expect(error).toBeInstanceOf(IntentSyntaxError)
    expect(source.length > MAX_TEMPLATE_LENGTH || source.split('[').length > 16).toBe(true)
    return null
  }
}

function fieldsOf(nodes: Template['nodes']): string[] {
  return nodes.flatMap((node) => {
    if (node.type === 'group') return fieldsOf(node.nodes)
    return node.type === 'field' ? [node.key] : []
  })
}
