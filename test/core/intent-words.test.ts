import { expect, it } from 'vitest'
import { renderIntent } from '#core/intent/render.ts'
import { parseIntent } from '#core/intent/template.ts'
import { describeScope, describeSeconds, describeValues } from '#core/intent/words.ts'

const say = (template: string, args: unknown) =>
  describeValues(renderIntent(parseIntent(template), args))

const GIVE =
  'Give {label} access [to {scopes|everything that its caller may use}] for {ttl_seconds|3600} seconds'

it.each([
  [
    GIVE,
    { label: 'a', ttl_seconds: 7200 },
    'Give a access to everything that its caller may use for 2 hours',
  ],
  [GIVE, { label: 'a' }, 'Give a access to everything that its caller may use for 1 hour'],
  [
    GIVE,
    { label: 'a', scopes: ['read:file:/docs', 'write:file:/docs/a.md'], ttl_seconds: 60 },
    'Give a access to read files in /docs, to change /docs/a.md for 1 minute',
  ],
  ['Wait {n} seconds.', { n: 90 }, 'Wait 90 seconds.'],
  ['Wait {n} seconds', { n: 'many' }, 'Wait many seconds'],
  // A value is never taken for a unit or a scope because of what it says.
  [
    'Write {text}',
    { text: '3600 seconds, read:file:/docs' },
    'Write "3600 seconds, read:file:/docs"',
  ],
  ['Open {a}{b}', { a: 3600, b: ' seconds' }, 'Open 3600" seconds"'],
  [
    'Move {from} to {to}',
    { from: '/in/a.txt (a copy; the original stays)', to: '/in/b to /in/c' },
    'Move "/in/a.txt (a copy; the original stays)" to "/in/b to /in/c"',
  ],
  ['Allow {scopes}', { scopes: ['read:file:/a b'] }, 'Allow read files in "/a b"'],
])('%s', (template, args, text) => {
  expect(say(template, args).text).toBe(text)
})

it('keeps what is a value, so that a page can mark it', () => {
  expect(say(GIVE, { label: 'a', ttl_seconds: 86_400 }).parts).toMatchObject([
    { type: 'text' },
    { type: 'value', key: 'label', text: 'a' },
    { type: 'text', text: ' access to everything that its caller may use for ' },
    { type: 'value', key: 'ttl_seconds', text: '1 day' },
  ])
})

it.each([
  [0, '0 seconds'],
  [1, '1 second'],
  [900, '15 minutes'],
  [5400, '90 minutes'],
  [604_800, '7 days'],
])('%i seconds are %s', (seconds, words) => expect(describeSeconds(seconds)).toBe(words))

it.each([
  ['read', 'read anything'],
  ['write:file', 'change all files'],
  ['read:file:/', 'read all files'],
  ['read:file:/docs', 'read files in /docs'],
  ['write:file:/docs/.env', 'change files in /docs/.env'],
  ['write:file:/a/b.tar.gz', 'change /a/b.tar.gz'],
  ['read:file:/a b', 'read files in "/a b"'],
  ['execute:cli:safe:ls', 'execute:cli:safe:ls'],
  ['write:mail', 'write:mail'],
  ['not a scope:', '"not a scope:"'],
])('%s is %s', (scope, words) => expect(describeScope(scope)).toBe(words))
