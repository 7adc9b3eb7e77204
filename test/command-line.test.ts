/** Options that npm keeps for itself, and arguments that a script would ignore. */

import { expect, it } from 'vitest'
import { bench } from '../bench/run.ts'
import { run as build } from '../scripts/build.ts'
import { run as printSchema } from '../scripts/config-schema.ts'
import { run as deploy } from '../scripts/deploy.ts'
import { dev } from '../scripts/dev.ts'
import { run as writeDocs } from '../scripts/docs.ts'
import { runExample } from '../scripts/example.ts'
import { run as importFolder } from '../scripts/import.ts'
import { run as makeApp } from '../scripts/new-app.ts'
import { run as makeSkill } from '../scripts/new-skill.ts'
import { run as makePackages } from '../scripts/packages.ts'
import { run as managePasskeys } from '../scripts/passkeys.ts'
import { run as syncFolder } from '../scripts/sync.ts'
import { run as test } from '../scripts/test.ts'
import { run } from './support/e2e/run.ts'
import { runHere } from './support/e2e/run-here.ts'

/** What each file runs as a program. */
const SCRIPTS = {
  'bench/run.ts': bench,
  'scripts/build.ts': build,
  'scripts/config-schema.ts': printSchema,
  'scripts/deploy.ts': deploy,
  'scripts/dev.ts': dev,
  'scripts/docs.ts': writeDocs,
  'scripts/example.ts': runExample,
  'scripts/import.ts': importFolder,
  'scripts/new-app.ts': makeApp,
  'scripts/new-skill.ts': makeSkill,
  'scripts/packages.ts': makePackages,
  'scripts/passkeys.ts': managePasskeys,
  'scripts/sync.ts': syncFolder,
  'scripts/test.ts': test,
}

type File = keyof typeof SCRIPTS

it('a refused argument ends a program with code 1', async () => {
  const ended = await run('scripts/config-schema.ts', 'x')
  expect(ended).toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringMatching(/^Cannot .+\n$/),
  })
})

const swallowed = (script: string, name: string) =>
  `Cannot read the option --${name}: npm took it for its own. Write -- before it: npm run ${script} -- --${name}\n`

// Older versions of npm pass `--to` on as it is; newer ones complete it to an option of their own.
it.each<[string, File, string, Record<string, string>, string[]]>([
  ['import', 'scripts/import.ts', 'to', { npm_config_token_description: '/y' }, ['.']],
  ['import', 'scripts/import.ts', 'to', { npm_config_to: '/y' }, ['.']],
  ['import', 'scripts/import.ts', 'all', { npm_config_all: 'true' }, ['.']],
  ['import', 'scripts/import.ts', 'overwrite', { npm_config_overwrite: 'true' }, ['.']],
  ['sync', 'scripts/sync.ts', 'watch', { npm_config_watch: 'true' }, ['.']],
  ['sync', 'scripts/sync.ts', 'dry-run', { npm_config_dry_run: 'true' }, ['.']],
  ['new-app', 'scripts/new-app.ts', 'data', { npm_config_data: 'true' }, ['table', 'x', '/y']],
  ['new-skill', 'scripts/new-skill.ts', 'folder', { npm_config_folder: 'true' }, ['x', '.']],
  ['passkeys', 'scripts/passkeys.ts', 'yes', { npm_config_yes: 'true' }, ['list']],
  ['dev', 'scripts/dev.ts', 'port', { npm_config_port: 'true' }, ['8788']],
  ['dev', 'scripts/dev.ts', 'persist-to', { npm_config_persist_to: 'x' }, []],
  ['bench', 'bench/run.ts', 'rows', { npm_config_rows: 'true' }, ['import']],
  ['bench', 'bench/run.ts', 'quick', { npm_config_quick: 'true' }, []],
])(
  'npm run %s (%s) refuses --%s where npm took it: %j',
  async (script, file, name, taken, args) => {
    const variables = { npm_lifecycle_event: script, ...taken }
    const stderr = swallowed(script, name)
    expect(await runHere(SCRIPTS[file], args, variables)).toEqual({ code: 1, stdout: '', stderr })
  },
)

it.each([
  ['npx has set for itself', { npm_lifecycle_event: 'npx', npm_config_yes: 'true' }],
  [
    'the settings of npm have switched off',
    { npm_lifecycle_event: 'passkeys', npm_config_yes: '' },
  ],
])('takes an option that %s', async (_, variables) => {
  const { stderr } = await runHere(managePasskeys, ['drop', '--yes'], variables)
  expect(stderr).toContain('write list or remove first')
})

const argument = (script: string, given: string) =>
  `Cannot use the argument ${given}: npm ${script} takes none. `
const empty = (name: string) => `Cannot read the option --${name}: its value is empty. `
const unknown = (name: string) => `Cannot read the command line: Unknown option '--${name}'. `
const port = (given: string) => `Cannot use --port ${given}: a port is a number from 1 to 65535. `

it.each<[File, string[], string]>([
  ['bench/run.ts', ['import'], argument('run bench', 'import')],
  ['bench/run.ts', ['--rows', ''], empty('rows')],
  ['scripts/build.ts', ['x'], argument('run build', 'x')],
  ['scripts/build.ts', [''], argument('run build', '""')],
  ['scripts/build.ts', ['--fast'], unknown('fast')],
  ['scripts/packages.ts', [''], argument('run packages', '""')],
  ['scripts/packages.ts', ['webmcp'], argument('run packages', 'webmcp')],
  ['scripts/docs.ts', ['limits'], argument('run docs', 'limits')],
  ['scripts/docs.ts', ['--chek'], unknown('chek')],
  ['scripts/config-schema.ts', [''], argument('run config-schema', '""')],
  ['scripts/test.ts', ['test/x.test.ts'], argument('test', 'test/x.test.ts')],
  ['scripts/test.ts', ['--slwo'], unknown('slwo')],
  ['scripts/dev.ts', ['x'], argument('run dev', 'x')],
  ['scripts/dev.ts', [''], argument('run dev', '""')],
  ['scripts/dev.ts', ['--port', ''], empty('port')],
  ['scripts/dev.ts', ['--persist-to='], empty('persist-to')],
  ['scripts/dev.ts', ['--port', 'x'], port('x')],
  ['scripts/dev.ts', ['--port', '0'], port('0')],
  ['scripts/dev.ts', ['--prot', '8788'], unknown('prot')],
])('%s refuses %j', async (file, args, sentence) => {
  const { code, stdout, stderr } = await runHere(SCRIPTS[file], args)
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  expect(stderr.startsWith(sentence), stderr).toBe(true)
  expect(stderr.trimEnd()).toMatch(/^[^\n]*[.] (?:Use|Write) [^\n]+$/)
})

it.each<[File, string[], string]>([
  ['scripts/deploy.ts', [''], 'Cannot deploy "": '],
  ['scripts/example.ts', [''], 'Cannot run an example: there is none with the name "". '],
  ['scripts/import.ts', [''], 'Cannot import: a folder is required. '],
  ['scripts/import.ts', ['.', ''], 'Cannot use the address "": '],
  ['scripts/import.ts', ['.', '--to', ''], 'Cannot import: --to is empty. '],
  ['scripts/new-app.ts', ['table', 'x', ''], 'Cannot use the address "": '],
  ['scripts/new-app.ts', ['', 'x'], 'Cannot make the app: invalid template. '],
  ['scripts/new-app.ts', ['table', 'x', '--folder', ''], 'Cannot write into a folder: '],
  ['scripts/new-skill.ts', [''], 'Cannot make the skill: invalid name. '],
  [
    'scripts/new-skill.ts',
    ['x', '--description', ''],
    'Cannot make the skill: invalid description. ',
  ],
])('%s refuses the empty argument in %j', async (file, args, sentence) => {
  const { code, stdout, stderr } = await runHere(SCRIPTS[file], args)
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  expect(stderr.startsWith(sentence), stderr).toBe(true)
})
