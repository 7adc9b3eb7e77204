/** Options that npm keeps for itself, and arguments that a script would ignore. */

import { describe, expect, it } from 'vitest'
import { runWith } from '../support/e2e/run.ts'

const swallowed = (script: string, name: string) =>
  `Cannot read the option --${name}: npm took it for its own. Write -- before it: npm run ${script} -- --${name}\n`

// Older versions of npm pass `--to` on as it is; newer ones complete it to an option of their own.
it.each([
  ['import', 'scripts/import.ts', 'to', { npm_config_token_description: '/y' }, ['.']],
  ['import', 'scripts/import.ts', 'to', { npm_config_to: '/y' }, ['.']],
  ['import', 'scripts/import.ts', 'all', { npm_config_all: 'true' }, ['.']],
  ['new-app', 'scripts/new-app.ts', 'data', { npm_config_data: 'true' }, ['table', 'x', '/y']],
  ['dev', 'scripts/dev.ts', 'port', { npm_config_port: 'true' }, ['8788']],
  ['dev', 'scripts/dev.ts', 'persist-to', { npm_config_persist_to: 'x' }, []],
  ['bench', 'bench/run.ts', 'rows', { npm_config_rows: 'true' }, ['import']],
  ['bench', 'bench/run.ts', 'quick', { npm_config_quick: 'true' }, []],
])(
  'npm run %s (%s) refuses --%s where npm took it: %j',
  async (script, file, name, taken, args) => {
    const variables: Record<string, string> = { npm_lifecycle_event: script, ...taken }
    const stderr = swallowed(script, name)
    expect(await runWith(variables, file, ...args)).toEqual({ code: 1, stdout: '', stderr })
  },
)

it('npm run bench refuses an argument', async () => {
  expect(await runWith({}, 'bench/run.ts', 'import')).toEqual({
    code: 1,
    stdout: '',
    stderr:
      'Cannot use the argument import: there are only options. Use npm run bench -- --quick, or --rows with the start of a name\n',
  })
})

describe('npm start', () => {
  const ADVICE = 'Use variables, such as PORT=8788 npm start\n'
  // With an invalid port, it ends also where it ignores the argument.
  const start = (variables: Record<string, string>, ...args: string[]) =>
    runWith({ PORT: 'x', npm_lifecycle_event: 'start', ...variables }, 'scripts/start.ts', ...args)

  it.each<[string, Record<string, string>, string[], string]>([
    [
      'an option that npm took',
      { npm_config_port: '9000' },
      [],
      'Cannot read the option --port: npm took it for its own. ',
    ],
    [
      'an option',
      {},
      ['--port', '9000'],
      "Cannot read the command line: Unknown option '--port'. ",
    ],
    ['an argument', {}, ['9000'], 'Cannot use the argument 9000: npm start takes none. '],
  ])('refuses %s', async (_, variables, args, sentence) => {
    const stderr = sentence + ADVICE
    expect(await start(variables, ...args)).toEqual({ code: 1, stdout: '', stderr })
  })
})
