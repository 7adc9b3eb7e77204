/** The variables of the Worker that an operator sets. Tested by `test/flags.test.ts`. @module */

import { FIELD_NAMES } from '../core/config/fields.ts'
import { variableOf } from '../core/config/text.ts'
import { UserError } from './errors.ts'
import { nearestName } from './nearest.ts'

/** Each variable, and when it is needed. */
export const VARIABLES: readonly (readonly [name: string, what: string])[] = [
  [
    'EDGEWISE_OWNER_SECRET',
    'the secret you sign in with; without it or the next, every request gets 503',
  ],
  ['EDGEWISE_ACCESS', 'or Cloudflare Access: "<team>.cloudflareaccess.com <audience>"'],
  ['EDGEWISE_HOSTS', 'host names of the Worker; required for apps'],
  ['SANDBOX_ORIGIN', 'a second address of this Worker, where apps run; required for apps'],
  ['SANDBOX_SUBDOMAINS', '1, if all names below it reach the Worker; apps may then keep data'],
  ['EDGEWISE_ORIGINS', 'other web origins that may call the Worker'],
  ['EDGEWISE_REDIRECT_SCHEMES', 'schemes of clients to which codes of sign-in may be sent'],
  ['EDGEWISE_CONFIG', 'JSON that overrides the default configuration'],
  ['EDGEWISE_FLAGS', 'JSON of fields that restrict every workspace, whatever it stores'],
  ['EDGEWISE_APP_HOST', 'JSON of the most that the console may set as a host of apps'],
  ['EDGEWISE_WEBHOOK_SECRET', 'signs what is sent to the webhook: whsec_ and base64'],
  ['EDGEWISE_WEBHOOK', 'https URL that is called when something waits for you'],
  ['EDGEWISE_WEBHOOK_PATHS', 'patterns of files whose changes it is called for: docs/**,*.md'],
  ['EDGEWISE_CHAT', 'a chat that is notified as well: slack, teams, discord or plain, and its URL'],
  [
    'EDGEWISE_EMAIL',
    'e-mail that is sent as well: the address of the receiver, then of the sender',
  ],
  ['EDGEWISE_LOG', 'json, to log each request and each call'],
]

/** Names the data folder. */
export const DATA_VARIABLE = 'EDGEWISE_DATA'

/** Carries what the command line restricts to the Worker. */
export const FLAGS_VARIABLE = 'EDGEWISE_FLAGS'

/** Carries what the console may set at most, as a host of apps. */
export const APP_HOST_VARIABLE = 'EDGEWISE_APP_HOST'

/** The variables for this machine, or for the tests, and not for the Worker. */
const LOCAL = [
  DATA_VARIABLE,
  'EDGEWISE_LINK',
  'EDGEWISE_SEED',
  'EDGEWISE_RESULT_FILE',
  'EDGEWISE_LOAD_MINUTES',
]

/** Returns the variables of an environment that are meant for the Worker. */
export const workerVariables = (environment: NodeJS.ProcessEnv): [name: string, value: string][] =>
  Object.entries(environment).flatMap(([name, value]) =>
    /^(?:EDGEWISE|SANDBOX)_/.test(name) && !LOCAL.includes(name) && value !== undefined
      ? [[name, value]]
      : [],
  )

/**
 * Refuses a variable that would be ignored.
 *
 * @throws {UserError} With the name that is most like it.
 */
export function refuseUnknownVariables(environment: NodeJS.ProcessEnv): void {
  const known = [...VARIABLES.map(([name]) => name), ...FIELD_NAMES.map(variableOf), DATA_VARIABLE]
  const unknown = workerVariables(environment).find(
    ([name]) => name.startsWith('EDGEWISE_') && !known.includes(name),
  )
  if (unknown)
    throw new UserError(
      `Cannot use the variable ${unknown[0]}: there is no such variable. ` +
        `The nearest is ${nearestName(unknown[0], known)}; remove ${unknown[0]}, or correct its name`,
    )
}
