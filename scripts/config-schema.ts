/** `npm run config-schema`: prints the configuration schema, the same that the server publishes. */

import { CONFIG_SCHEMA } from '../core/config/schema.ts'
import { refuseArguments } from './command-line.ts'
import { runScript } from './errors.ts'

/** What the command line asks for. */
export async function run(): Promise<void> {
  refuseArguments('run config-schema', {}, 'Use npm run config-schema')
  console.log(JSON.stringify(CONFIG_SCHEMA, null, 2))
}

if (import.meta.main) await runScript(run)
