/**
 * How a person runs these programs: as npm scripts of this project, or as commands of the package `edgewise`. Messages name
 * the command that their reader can use.
 *
 * `test/e2e/edgewise-package.slow.test.ts` tests both.
 *
 * @module
 */

/** Set by the build of the package (`packages.ts`). */
declare const EDGEWISE_PACKAGE: boolean | undefined

/** Whether this is the package. */
export const isPackage = typeof EDGEWISE_PACKAGE !== 'undefined'

/** Writes a command with its arguments, as npm or npx takes them. */
export function commandFor(script: string, ...args: readonly string[]): string {
  const command = isPackage ? `npx edgewise ${script}` : npmScript(script, args)
  return [command, ...args].join(' ')
}

function npmScript(script: string, { length }: readonly string[]): string {
  const command = script === 'start' ? 'npm start' : `npm run ${script}`
  return length === 0 ? command : `${command} --`
}
