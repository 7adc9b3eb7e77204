/** Command line of `npm run new-skill`. @module */

import { MAX_SKILL_NAME } from '#core/skills/name.ts'
import { parseOptions } from '../command-line.ts'
import { UserError } from '../errors.ts'
import { commandFor } from '../invocation.ts'
import { readPlace, type Target } from '../new-app/arguments.ts'

/** The text of `--help`. */
export const HELP = `Makes a skill, in a workspace of a running server. You write its steps, and approve it in the console.

  ${commandFor('new-skill', '<name>')} [url] [--description text] [--folder folder]

  <name>                small letters, digits and single hyphens, at most ${MAX_SKILL_NAME}
  [url]                 the server; by default http://localhost:8787, or the port in the variable PORT;
                        http://localhost:8787/w/name for the workspace with this name
  --description text    what it does, and when an agent should use it
  --folder folder       writes the file into a folder of this machine instead, to import it later
  --help                show this text

If the server has an owner, set the variable EDGEWISE_OWNER_SECRET to the owner's secret.

No file is overwritten.`

/** A skill to make. */
export interface NewSkillJob {
  readonly name: string
  readonly description: string | undefined
  /** Where its file is written. */
  readonly to: Target
}

const OPTIONS = {
  description: { type: 'string' },
  folder: { type: 'string' },
  help: { type: 'boolean', default: false },
} as const

/**
 * Reads the command line; null for `--help`.
 *
 * @throws {UserError} For invalid arguments. The name and the description are not checked.
 */
export function readArguments(): NewSkillJob | null {
  const { values, positionals } = parseOptions(OPTIONS)
  if (values.help) return null
  const [name, url, ...rest] = positionals
  if (name === undefined || rest.length > 0)
    throw new UserError(
      `Cannot make a skill: one name is required. Use ${commandFor('new-skill', 'git-workflow')}, or see --help`,
    )
  const to = readPlace('new-skill', url, values.folder)
  return { name, description: values.description, to }
}
