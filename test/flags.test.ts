/** The flags of `npm start`: each configuration field has one, and no value of one is ignored. */

import { describe, expect, it } from 'vitest'
import { FIELD_NAMES } from '#core/config/fields.ts'
import { CONFIG_SCHEMA } from '#core/config/schema.ts'
import { helpText } from '../scripts/flag-help.ts'
import { FLAGS } from '../scripts/flag-table.ts'
import { parseFlags, splitFlags, withRestrictions } from '../scripts/flags.ts'
import { nearestName } from '../scripts/nearest.ts'
import { freePort } from '../scripts/port.ts'
import { start } from '../scripts/start.ts'
import { refuseUnknownVariables, workerVariables } from '../scripts/variables.ts'
import { runHere } from './support/e2e/run-here.ts'

const restrictionsOf = (...args: string[]) => parseFlags(args).restrictions

it('every field has a flag, which the help names', () => {
  const fields = new Set(FLAGS.map(({ field }) => field))
  for (const name of FIELD_NAMES) expect(fields).toContain(name)
  const help = helpText()
  for (const { name } of FLAGS) expect(help).toMatch(new RegExp(`^  --${name}[ \n]`, 'm'))
  expect(new Set(FLAGS.map(({ name }) => name)).size).toBe(FLAGS.length)
})

it.each<[string[], object | null]>([
  [[], null],
  [['--port', '9000'], null],
  [['--read-only'], { read_only: true }],
  [['--read-only=true'], { read_only: true }],
  [['--no-allow-escape'], { allow_escape: false }],
  [['--approval', 'review'], { approval: 'review' }],
  [['--approval=confirm', '--passkey', 'all'], { approval: 'confirm', passkey: 'all' }],
  [['--find-limit', '3'], { find_limit: 3 }],
  [['--root', '/a', '--root=/b'], { roots: [{ path: '/a' }, { path: '/b' }] }],
  [
    ['--root', '/a', '--deny', 'x/**', '--deny', '{y,z}', '--root', '/b'],
    {
      roots: [
        { path: '/a', deny: ['x/**', '{y,z}'] },
        { path: '/b', deny: ['x/**', '{y,z}'] },
      ],
    },
  ],
  [
    ['--immutable', 'old/**', '--allow', '*.md'],
    { roots: [{ path: '/', immutable: ['old/**'], allow: ['*.md'] }] },
  ],
])('%j restricts to %j', (args, restrictions) =>
  expect(restrictionsOf(...args)).toEqual(restrictions),
)

it('keeps the flags of the program apart, and says which restrict', () => {
  const line = parseFlags(['--port', '9000', '--read-only', '--data=x', '--root', '/a'])
  expect([...line.program]).toEqual([
    ['port', '9000'],
    ['data', 'x'],
  ])
  expect(line.given).toEqual(['--read-only', '--root /a'])
})

it('the most that the console may set for apps is kept apart', () => {
  const line = parseFlags(['--max-apps', '3', '--app-call-seconds=60'])
  expect(line.appHost).toEqual({ max_apps: 3, app_call_seconds: 60 })
  expect(line.restrictions).toBe(null)
  expect(withRestrictions({}, line)).toEqual({
    EDGEWISE_APP_HOST: '{"max_apps":3,"app_call_seconds":60}',
  })
})

const NUMBER = 'find_limit must be a non-negative integer. Write it as in --find-limit 200'

it.each<[string[], string]>([
  [['--raed-only'], 'Cannot use --raed-only: there is no such flag. The nearest is --read-only; '],
  [['--prot', '1'], 'Cannot use --prot: there is no such flag. The nearest is --port; '],
  [['--roots=/a'], 'Cannot use --roots: there is no such flag. The nearest is --root; '],
  [['-p', '1'], 'Cannot use -p: there is no such flag. The nearest is --port; '],
  [['--__proto__=1'], 'Cannot use --__proto__: there is no such flag. '],
  [['--no-read-only'], 'Cannot use --no-read-only: there is no such flag. '],
  [['9000'], 'Cannot use the argument 9000: npm start takes flags only. '],
  [[''], 'Cannot use the argument "": npm start takes flags only. '],
  [['--', '--read-only'], 'Cannot use the argument --read-only: npm start takes flags only. '],
  [['--read-only', 'false'], 'Cannot use the argument false: npm start takes flags only. '],
  [['--read-only=false'], 'Cannot use --read-only=false: it takes no value. '],
  [['--read-only='], 'Cannot use --read-only=: it takes no value. '],
  [['--read-only', '--read-only'], 'Cannot use --read-only: it is given twice. Write it once'],
  [['--port', '1', '--port', '1'], 'Cannot use --port: it is given twice. Write it once'],
  [['--port'], 'Cannot use --port (Port on this machine'],
  [['--approval', '--read-only'], 'Cannot use --approval (Approval): its value is missing. '],
  [['--approval='], 'Cannot use --approval (Approval): its value is empty. '],
  [['--root', ' '], 'Cannot use --root (Folder of the workspace'],
  [
    ['--root', '../notes'],
    'Cannot use --root ../notes (Folder of the workspace that tools may use): its path',
  ],
  [['--root', '/a\0'], 'Cannot use --root /a'],
  [['--deny', '['], 'Cannot use --deny [ (Deny in each --root): invalid glob ['],
  [['--find-limit', '-5'], `Cannot use --find-limit -5 (Results of find_files): ${NUMBER}`],
  [['--find-limit=1.5'], `Cannot use --find-limit 1.5 (Results of find_files): ${NUMBER}`],
  [['--find-limit', '1e3'], `Cannot use --find-limit 1e3 (Results of find_files): ${NUMBER}`],
  [['--find-limit', '9'.repeat(20)], `Cannot use --find-limit ${'9'.repeat(20)} (Results`],
  [
    ['--approval', 'Review'],
    'Cannot use --approval Review (Approval): approval must be one of none, notify, review, confirm. Write it as in --approval review',
  ],
  [['--approval', 'none'], 'Cannot use --approval none: it restricts nothing, '],
  [['--find-limit', '0'], 'Cannot use --find-limit 0: it restricts nothing, '],
  [
    ['--max-apps', '0'],
    'Cannot use --max-apps 0 (Apps open at once, from 1 to 20): it is no whole',
  ],
  [
    ['--max-apps', '21'],
    'Cannot use --max-apps 21 (Apps open at once, from 1 to 20): it is no whole',
  ],
  [
    ['--app-start-seconds', '1.5'],
    'Cannot use --app-start-seconds 1.5 (Seconds for an app to start',
  ],
  [['--app-call-seconds=-1'], 'Cannot use --app-call-seconds -1 (Seconds for a call of an app'],
  [
    Array.from({ length: 201 }, () => '--deny=x'),
    'Cannot use these flags: root.deny must not hold more than 200 patterns. ',
  ],
])('refuses %j', (args, sentence) => {
  expect(() => parseFlags(args)).toThrow(sentence)
  expect(() => parseFlags(args)).toThrow(/[.;] (?:Write|Remove|Leave|see) /)
})

describe('the variables of the environment', () => {
  it.each([
    ['EDGEWISE_READONLY', 'EDGEWISE_READ_ONLY'],
    ['EDGEWISE_CONFG', 'EDGEWISE_CONFIG'],
    ['EDGEWISE_DATE', 'EDGEWISE_DATA'],
  ])('%s is refused, and %s named', (name, nearest) =>
    expect(() => refuseUnknownVariables({ [name]: '1' })).toThrow(
      `Cannot use the variable ${name}: there is no such variable. The nearest is ${nearest}; `,
    ),
  )

  it.each(['EDGEWISE_DATA', 'EDGEWISE_SEED', 'EDGEWISE_READ_ONLY', 'EDGEWISE_FLAGS', 'PATH'])(
    '%s is not refused',
    (name) => expect(() => refuseUnknownVariables({ [name]: '1' })).not.toThrow(),
  )

  it('those of this machine and of the tests do not reach the Worker', () =>
    expect(
      workerVariables({ EDGEWISE_DATA: 'x', EDGEWISE_SEED: '1', EDGEWISE_CONFIG: '{}', PORT: '1' }),
    ).toEqual([['EDGEWISE_CONFIG', '{}']]))
})

it.each([
  ['raed-only', ['root', 'read-only', 'port'], 'read-only'],
  ['x', [], undefined],
])('the nearest to %s of %j is %s', (given, names, nearest) =>
  expect(nearestName(given, names)).toBe(nearest),
)

it('the flags of `npm run dev` are those that restrict, and the rest is for wrangler', () =>
  expect(splitFlags(['--port', '1', '--read-only', '--root', '/a', '--env=x', '--deny=y'])).toEqual(
    {
      flags: ['--read-only', '--root', '/a', '--deny=y'],
      rest: ['--port', '1', '--env=x'],
    },
  ))

it('flags are not added to a variable that restricts as well', () => {
  const line = parseFlags(['--read-only'])
  expect(withRestrictions({ A: '1' }, line)).toEqual({
    A: '1',
    EDGEWISE_FLAGS: '{"read_only":true}',
  })
  expect(() => withRestrictions({ EDGEWISE_FLAGS: '{}' }, line)).toThrow(
    'Cannot use flags that restrict: the variable EDGEWISE_FLAGS is set. Use one of the two',
  )
})

it('--help names every flag, and --print-config-schema prints what the server publishes', async () => {
  const help = await runHere(start, ['--help'])
  expect(help).toMatchObject({ code: 0, stderr: '' })
  expect(help.stdout).toContain('--read-only')
  const { code, stdout, stderr } = await runHere(start, ['--print-config-schema'])
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(JSON.parse(stdout)).toEqual(JSON.parse(JSON.stringify(CONFIG_SCHEMA)))
})

it.each<[string[], Record<string, string>, string]>([
  [
    ['--raed-only'],
    {},
    'Cannot use --raed-only: there is no such flag. The nearest is --read-only',
  ],
  [['--port', '0'], {}, 'Cannot use --port 0: a port is a number from 1 to 65535. '],
  [['--port', '-1'], {}, 'Cannot use --port -1: a port is a number from 1 to 65535. '],
  [['--port=99999'], {}, 'Cannot use --port 99999: a port is a number from 1 to 65535. '],
  [
    ['--sandbox-port', '0'],
    {},
    'Cannot use --sandbox-port 0: a port is a number from 1 to 65535. ',
  ],
  [
    ['--port=9001', '--sandbox-port=9001'],
    {},
    'Cannot use --sandbox-port 9001: the console has this port. ',
  ],
  [
    ['--sandbox-port=9002'],
    { SANDBOX_ORIGIN: 'http://127.0.0.1:9003' },
    'Cannot use --sandbox-port: the variable SANDBOX_ORIGIN is set. ',
  ],
  [['--approval', 'x'], {}, 'Cannot use --approval x (Approval): approval must be one of '],
  [
    [],
    { npm_config_read_only: 'true' },
    'Cannot read the option --read-only: npm took it for its own. ',
  ],
  [[], { EDGEWISE_READONLY: '1' }, 'Cannot use the variable EDGEWISE_READONLY: there is no such'],
  [
    ['--read-only'],
    { EDGEWISE_FLAGS: '{}' },
    'Cannot use flags that restrict: the variable EDGEWISE_',
  ],
])('reports %j with %j in one sentence, and ends', async (flags, variables, sentence) => {
  const given = {
    PORT: `${await freePort()}`,
    EDGEWISE_DATA: '/none',
    npm_lifecycle_event: 'start',
  }
  const { code, stdout, stderr } = await runHere(start, flags, { ...given, ...variables })
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  expect(stderr).toContain(sentence)
  expect(stderr.trimEnd()).not.toContain('\n')
})
