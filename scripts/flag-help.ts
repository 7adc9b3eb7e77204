/** The help of `npm start`, from the table of flags. Tested by `test/flags.test.ts`. @module */

import { FLAGS, type Flag } from './flag-table.ts'
import { commandFor } from './invocation.ts'

/** Returns the text of `npm start -- --help`. */
export function helpText(): string {
  const lines = (flags: readonly Flag[]) => flags.map(line).join('\n')
  const restricting = FLAGS.filter(({ field }) => field !== null)
  return `${commandFor('start', '[flags]')}

${lines(FLAGS.filter(({ field }) => field === null))}

What agents may do. These flags only restrict: nothing that is stored in the console widens them.
A flag with a folder or a pattern can be given more than once.

${lines(restricting)}

A variable EDGEWISE_{FIELD} for each field, such as EDGEWISE_APPROVAL=review, sets what holds where the console stores
nothing else. docs/configuration.md has the fields and the order of precedence.`
}

const line = ({ name, value, what }: Flag) =>
  `  ${`--${name}${value === null ? '' : ` ${value}`}`.padEnd(44)}${what}`
