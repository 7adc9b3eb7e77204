/** The variables of the Worker that an operator sets. @module */

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
  ['EDGEWISE_WEBHOOK_SECRET', 'signs what is sent to the webhook: whsec_ and base64'],
  ['EDGEWISE_WEBHOOK', 'https URL that is called when something waits for you'],
  ['EDGEWISE_LOG', 'json, to log each request and each call'],
]

/** Names the data folder. It is the only variable for this machine and not for the Worker. */
export const DATA_VARIABLE = 'EDGEWISE_DATA'

/** Returns the variables of an environment that are meant for the Worker. */
export const workerVariables = (environment: NodeJS.ProcessEnv): [name: string, value: string][] =>
  Object.entries(environment).flatMap(([name, value]) =>
    /^(?:EDGEWISE|SANDBOX)_/.test(name) && name !== DATA_VARIABLE && value !== undefined
      ? [[name, value]]
      : [],
  )
