/**
 * `npm run dev`: `wrangler dev`, which builds again when a source changes. Options are passed on.
 * `test/e2e/dev.slow.test.ts` tests both; `test/e2e/command-line.test.ts` tests an option that npm takes.
 *
 * @module
 */

import { refuseSwallowed } from './command-line.ts'
import { runScript, UserError } from './errors.ts'
import { readPort } from './port.ts'
import { VARIABLES } from './variables.ts'
import { runWrangler } from './wrangler.ts'

/** wrangler reads variables from a file: with a secret that it ignores, it would serve without sign-in. */
function refuseVariables(): void {
  for (const [name] of VARIABLES)
    if (process.env[name])
      throw new UserError(
        `Cannot use the variable ${name}: wrangler ignores the environment. Write it into .dev.vars, or use npm start`,
      )
}

/** Options of wrangler that change what is served and where. */
const OPTIONS = ['port', 'ip', 'env', 'remote', 'persist-to']

await runScript(async () => {
  refuseVariables()
  for (const name of OPTIONS) refuseSwallowed(name)
  const options = process.argv.slice(2)
  const port = options.includes('--port') ? [] : ['--port', `${readPort()}`]
  // wrangler ends with Ctrl+C, and this process after it.
  process.on('SIGINT', () => undefined)
  process.exitCode = await runWrangler('dev', ...port, ...options)
})
