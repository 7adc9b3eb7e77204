/**
 * `npm run dev`: `wrangler dev` with the modules that `npm start` runs, which are built again when a source changes.
 * Options are passed on. `test/e2e/dev.slow.test.ts` tests it.
 *
 * @module
 */

import { existsSync } from 'node:fs'
import { relative } from 'node:path'
import { build } from './build.ts'
import { inProject, ROOT } from './settings.ts'
import { readSettings, runWrangler, writeConfig } from './wrangler.ts'

const FOLDER = inProject('dist/dev')

/** Folders whose changes are built, relative to that of the configuration. */
const WATCHED = ['core', 'host', 'polyfill', 'views', 'worker'].map((folder) =>
  relative(FOLDER, inProject(folder)),
)

/** Where wrangler looks by default, if its configuration were in the folder of the project. */
const STATE = inProject('.wrangler/state')
const VARIABLES = inProject('.dev.vars')

// wrangler ends with Ctrl+C, and this process after it.
process.on('SIGINT', () => undefined)

await build()
const from = await readSettings()
const config = writeConfig(FOLDER, from, {
  build: { ...from.build, cwd: ROOT, watch_dir: WATCHED },
})
const given = process.argv.slice(2)
const state = given.includes('--persist-to') ? [] : ['--persist-to', STATE]
const variables = existsSync(VARIABLES) ? ['--env-file', VARIABLES] : []
process.exitCode = await runWrangler('dev', '--config', config, ...state, ...variables, ...given)
