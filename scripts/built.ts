/**
 * What was built: the folder of what browsers load, and the modules of the Worker. Running the product needs these and no
 * build tool.
 *
 * `test/e2e/deploy.slow.test.ts` compares the modules with those of a deployment.
 *
 * @module
 */

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { inProject } from './settings.ts'

/**
 * Output folder: everything that a browser loads, and the views that the Worker serves as
 * resources.
 */
export const ASSETS_FOLDER = inProject('dist/assets')

/** The folder of the modules of the Worker. */
export const WORKER_FOLDER = inProject('dist/worker')

/** Of all modules of the Worker: wrangler and Vitest go by the extension of a file, and `.js` may be CommonJS as well. */
export const MODULE_EXTENSION = '.mjs'

/** The name of the module that workerd starts. */
export const MAIN_MODULE = `index${MODULE_EXTENSION}`

/** The path of the module that workerd starts. */
export const WORKER_FILE = join(WORKER_FOLDER, MAIN_MODULE)

/** Files of modules, by the names under which they import each other. */
type ModuleFiles = Readonly<Record<string, string>>

/** Returns the modules of the last build, the main module first. */
export function workerModules(): ModuleFiles {
  return { [MAIN_MODULE]: WORKER_FILE, ...importedModules() }
}

/** Returns the modules of the last build that the main module imports, at once or late. */
export function importedModules(): ModuleFiles {
  const names = readdirSync(WORKER_FOLDER).filter(
    (name) => name.endsWith(MODULE_EXTENSION) && name !== MAIN_MODULE,
  )
  return Object.fromEntries(names.map((name) => [name, join(WORKER_FOLDER, name)]))
}

/** Reads modules in the form in which Miniflare takes them. */
export function readModules(files: ModuleFiles) {
  return Object.fromEntries(
    Object.entries(files).map(([name, file]) => [
      name,
      { type: 'esm' as const, contents: readFileSync(file, 'utf8') },
    ]),
  )
}
