/**
 * `edgewise <command>`: the program of the package `edgewise`. Each command is a script of this project, which is loaded when
 * it is asked for.
 *
 * `test/e2e/edgewise-package.slow.test.ts` runs it as it is packed.
 *
 * @module
 */

import { readFileSync } from 'node:fs'
import { runScript, UserError } from './errors.ts'
import { nearestName } from './nearest.ts'
import { inProject } from './settings.ts'

/** The oldest Node that runs the server: `node:sqlite` is in it. */
const OLDEST_NODE = [22, 13] as const

interface Command {
  readonly what: string
  readonly load: () => Promise<() => Promise<void>>
}

/** The commands, in the order of the help. */
const COMMANDS: Readonly<Record<string, Command>> = {
  start: {
    what: 'Run the server and the console on this machine, with the data in ./.edgewise',
    load: async () => (await import('./start.ts')).start,
  },
  import: {
    what: 'Import a folder into a workspace',
    load: async () => (await import('./import.ts')).run,
  },
  sync: {
    what: 'Keep a folder in step with a workspace',
    load: async () => (await import('./sync.ts')).run,
  },
  pull: { what: 'The same, only from the workspace', load: () => loadHalf('pull') },
  push: { what: 'The same, only to the workspace', load: () => loadHalf('push') },
  'new-app': {
    what: 'Make an app from a template',
    load: async () => (await import('./new-app.ts')).run,
  },
  'new-skill': {
    what: 'Make a skill',
    load: async () => (await import('./new-skill.ts')).run,
  },
  passkeys: {
    what: 'List passkeys, or remove a lost one',
    load: async () => (await import('./passkeys.ts')).run,
  },
}

/** A half of a sync is an argument of it. */
async function loadHalf(name: string): Promise<() => Promise<void>> {
  process.argv.splice(2, 0, name)
  return (await import('./sync.ts')).run
}

const HELP = `npx edgewise <command> [options]

${Object.entries(COMMANDS)
  .map(([name, { what }]) => `  ${name.padEnd(10)} ${what}`)
  .join('\n')}

Add --help to a command for its options.`

/** What the command line asks for. */
async function run(): Promise<void> {
  refuseOldNode(process.versions.node)
  const [name = 'help'] = process.argv.splice(2, 1)
  if (/^(?:--?h(?:elp)?|help)$/.test(name)) return console.log(HELP)
  if (/^(?:--?v(?:ersion)?|version)$/.test(name)) return console.log(readVersion())
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined
  if (!command) throw unknownCommand(name)
  // Without it, the data would be in the folder of the package, which the next update replaces.
  process.env['EDGEWISE_DATA'] ||= '.edgewise'
  await (
    await command.load()
  )()
}

function unknownCommand(name: string): UserError {
  const nearest = nearestName(name, Object.keys(COMMANDS)) ?? ''
  return new UserError(
    `Cannot run ${name || '""'}: there is no such command. The nearest is ${nearest}; see npx edgewise help`,
  )
}

function refuseOldNode(version: string): void {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const [oldest, least] = OLDEST_NODE
  if (major > oldest || (major === oldest && minor >= least)) return
  throw new UserError(
    `Cannot run Edgewise with Node ${version}: it needs ${OLDEST_NODE.join('.')} or newer. ` +
      'Install it, or use npx -p node@24 -p edgewise edgewise start',
  )
}

function readVersion(): string {
  const manifest: { readonly version: string } = JSON.parse(
    readFileSync(inProject('package.json'), 'utf8'),
  )
  return manifest.version
}

await runScript(run)
