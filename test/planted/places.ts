/**
 * Which Vitest project runs a test file, and to which room a source file belongs.
 *
 * @module
 */

/** The first row whose pattern matches a test file names its project, as in the table of `CONTRIBUTING.md`. */
const PROJECTS: readonly (readonly [pattern: RegExp, project: string])[] = [
  [/^test\/(?:conformance|clients)\//, 'judges'],
  [/\.nightly\.test\.ts$/, 'nightly'],
  [/^test\/platform\/.*\.slow\.test\.ts$/, 'slow-workerd'],
  [/^test\/platform\//, 'workerd'],
  [/^test\/worker\/.*\.slow\.test\.ts$/, 'slow-logic'],
  [/^test\/worker\//, 'logic'],
  [/^test\/e2e\/.*\.slow\.test\.ts$/, 'slow-e2e'],
  [/^test\/(?:e2e\/|examples\.test\.ts$)/, 'e2e'],
  [/^test\/pages\/.*\.slow\.test\.ts$/, 'slow-pages'],
  [/^test\/pages\//, 'pages'],
  [/^test\/(?:host|polyfill|views)\//, 'browser'],
  [/^test\/(?:core\/|[^/]+\.test\.ts$)/, 'node'],
]

/** Returns the Vitest project that runs a test file. */
export function projectOf(testFile: string): string {
  const row = PROJECTS.find(([pattern]) => pattern.test(testFile))
  if (row === undefined)
    throw new Error(`Cannot find the project of ${testFile}. Add it to PROJECTS.`)
  return row[1]
}

/** The projects of `npm test` that test a room. */
const WHOLE: Readonly<Record<string, readonly string[]>> = {
  core: ['node'],
  worker: ['logic', 'workerd', 'e2e'],
  polyfill: ['browser', 'pages'],
  host: ['browser', 'pages'],
  views: ['browser', 'pages'],
  packages: ['browser'],
  scripts: ['node', 'e2e'],
}

/** Returns all projects of `npm test` that may find a fault in a file. */
export function wholeProjects(file: string): readonly string[] {
  return WHOLE[file.split('/')[0] ?? ''] ?? []
}

/** Returns the room of a file; in `worker/`, with its folder. */
export function roomOf(file: string): string {
  const [room = '', folder = '', ...rest] = file.split('/')
  return room === 'worker' && rest.length > 0 ? `${room}/${folder}` : room
}
