/**
 * The deployed configuration, from the variable `EDGEWISE_CONFIG` and from one variable for each field, and the flags,
 * from `EDGEWISE_FLAGS`.
 *
 * The configuration overrides the defaults, and that of a workspace overrides it; flags restrict all of them. An
 * invalid one must not fall back to wider defaults, so nothing is served until it is corrected. The same holds for the
 * other variables that would otherwise be ignored in silence, also for a name that is misspelt: apps would run nowhere,
 * the owner could not sign in, and a listed page, host or client would be refused. Tested by
 * `test/worker/api/configured.test.ts`.
 *
 * @module
 */

import {
  DEFAULT_CONFIG,
  readConfig,
  restrictConfig,
  type Config,
  type ConfigProblem,
  type Flags,
} from '#core/config.ts'
import { readPermitted } from '#core/apps/host-settings.ts'
import { FIELD_NAMES, FIELDS } from '#core/config/fields.ts'
import { parseFieldText, parseJson, variableOf } from '#core/config/text.ts'
import { recordOf } from '#core/json.ts'
import { err, ok, type Result } from '#core/result.ts'
import { type Env, splitNames } from '../env.ts'
import { MAX_SECRET_LENGTH } from '../auth/limits.ts'
import { readHost } from './guard.ts'
import { sandboxUrl } from './sandbox.ts'
import { findInvalidChannel } from '../notifier/channels.ts'
import { watchedPaths } from '../outbox/watched-paths.ts'
import { webhookSettings } from '../outbox/webhook-settings.ts'

/** What the deployment says about every workspace. */
export interface Deployed {
  readonly config: Config
  readonly flags: Flags
}

const known = new WeakMap<Env, Result<Deployed, string>>()

/** Returns what is deployed, parsed once; the error says which variable is invalid. */
export function deployedConfig(env: Env): Result<Deployed, string> {
  const read = known.get(env) ?? readDeployed(env)
  known.set(env, read)
  return read
}

/** Whether what is deployed is read-only, so that most workspaces offer no tool that changes files. */
export function isReadOnly(env: Env): boolean {
  const deployed = deployedConfig(env)
  return deployed.ok && restrictConfig(deployed.value.config, deployed.value.flags).read_only
}

/** Whether what is deployed offers `import_file`, so that its list of tools is that of no other deployment. */
export function offersImports(env: Env): boolean {
  const deployed = deployedConfig(env)
  return deployed.ok && deployed.value.config.import_hosts.length > 0
}

function readDeployed(env: Env): Result<Deployed, string> {
  const given = readDocument(env, 'EDGEWISE_CONFIG')
  if (!given.ok) return given
  const config = readVariables(env, given.value)
  if (!config.ok) return config
  const flags = readDocument(env, 'EDGEWISE_FLAGS')
  if (!flags.ok) return flags
  const set = Object.keys(recordOf(parseJson(env.EDGEWISE_FLAGS ?? '')))
  const pairs = Object.entries(flags.value).filter(([name]) => set.includes(name))
  return ok({ config: config.value, flags: Object.fromEntries(pairs) })
}

function readDocument(
  env: Env,
  name: 'EDGEWISE_CONFIG' | 'EDGEWISE_FLAGS',
): Result<Config, string> {
  const text = env[name]
  if (text === undefined) return ok(DEFAULT_CONFIG)
  const value = parseJson(text)
  const config = value === undefined ? null : readConfig(value, DEFAULT_CONFIG)
  if (config?.ok) return config
  const reason = config ? describe(config.error[0]) : 'it is no JSON, or has a key twice'
  return err(`Cannot use ${name}: ${reason}. Set it to a valid configuration.`)
}

/** A variable that is empty counts as not set. */
function readVariables(env: Env, base: Config): Result<Config, string> {
  const variables = new Map<string, unknown>(Object.entries(env))
  let config = base
  for (const name of FIELD_NAMES) {
    const variable = variableOf(name)
    const text = variables.get(variable)
    if (typeof text !== 'string' || text === '') continue
    const next = readConfig({ [name]: parseFieldText(name, text) }, config)
    if (!next.ok) return err(refuseField(variable, next.error[0], FIELDS[name].schema['default']))
    config = next.value
  }
  return ok(config)
}

const refuseField = (variable: string, problem: ConfigProblem, example: unknown) =>
  `Cannot use ${variable}: ${describe(problem)}. Set it to a value such as ${JSON.stringify(example)}.`

/** Anyone can read it, so it repeats no path and no pattern. */
const describe = ({ code, message, pointer }: ConfigProblem) =>
  code === 'INVALID_PATH' || code === 'INVALID_GLOB' ? `${code} at ${pointer}` : message

const checked = new WeakMap<Env, string | null>()

/** Returns the 503 that answers every request while one of these variables is invalid, or null. */
export function refuseMisconfigured(env: Env): Response | null {
  if (!checked.has(env)) checked.set(env, findInvalid(env))
  const invalid = checked.get(env) ?? null
  return invalid === null ? null : refuse(invalid)
}

/** Describes the first of these variables that is invalid. */
function findInvalid(env: Env): string | null {
  const unknown = Object.keys(env).find((name) => name.startsWith('EDGEWISE_') && !NAMES.has(name))
  if (unknown !== undefined) return `Cannot use ${unknown}: there is no such variable. Remove it.`
  const config = deployedConfig(env)
  if (!config.ok) return config.error
  if (env.SANDBOX_SUBDOMAINS === '1' && !env.SANDBOX_ORIGIN)
    return 'Cannot use SANDBOX_SUBDOMAINS: SANDBOX_ORIGIN is not set. Set both, or remove it.'
  const webhook = webhookSettings(env)
  if (!webhook.ok) return webhook.error
  const watched = watchedPaths(env)
  if (!watched.ok) return watched.error
  const channel = findInvalidChannel(env)
  if (channel !== null) return channel
  const [name, , problem] = CHECKS.find(([name, isValid]) => env[name] && !isValid(env[name])) ?? []
  return name === undefined ? null : `Cannot use ${name}: ${problem}`
}

type Text = Exclude<
  { [Name in keyof Env]: Env[Name] extends string | undefined ? Name : never }[keyof Env],
  undefined
>

/** Other variables, which count as not set while they are empty. Anyone can read a problem, so it repeats no value. */
const CHECKS: readonly (readonly [Text, (text: string) => boolean, string])[] = [
  [
    'SANDBOX_ORIGIN',
    (text) => sandboxUrl({ SANDBOX_ORIGIN: text }) !== null,
    'it is no http or https origin. Write it as https://apps.example.',
  ],
  ['SANDBOX_SUBDOMAINS', (text) => /^[01]$/.test(text), 'it is not 1. Set it to 1, or remove it.'],
  [
    'EDGEWISE_OWNER_SECRET',
    ({ length }) => length <= MAX_SECRET_LENGTH,
    `it has more than ${MAX_SECRET_LENGTH} characters. Set a shorter one.`,
  ],
  [
    'EDGEWISE_ACCESS',
    (text) => ACCESS.test(text),
    'it is no domain and audience. Set it to both, with a space between.',
  ],
  [
    'EDGEWISE_ORIGINS',
    (text) => isListOf(text, isOrigin),
    'a name in it is no origin. Write each as https://site.example.',
  ],
  [
    'EDGEWISE_HOSTS',
    (text) => isListOf(text, (name) => readHost(name) !== null),
    'a name in it is no host. Write each as files.example.',
  ],
  [
    'EDGEWISE_REDIRECT_SCHEMES',
    (text) => isListOf(text, (name) => SCHEME.test(name)),
    'a name in it is no scheme of a client. Write each as my-client.',
  ],
  [
    'EDGEWISE_APP_HOST',
    (text) => readPermitted(parseJson(text)) !== null,
    'it is no JSON of settings of the app host. Write it as {"max_apps":5}.',
  ],
  ['EDGEWISE_LOG', (text) => text === 'json', 'it is not json. Set it to json, or remove it.'],
]

/** The names of all variables. */
const NAMES: ReadonlySet<string> = new Set([
  ...CHECKS.map(([name]) => name),
  ...FIELD_NAMES.map(variableOf),
  'EDGEWISE_CHAT',
  'EDGEWISE_CONFIG',
  'EDGEWISE_EMAIL',
  'EDGEWISE_FLAGS',
  'EDGEWISE_METRICS',
  'EDGEWISE_WEBHOOK',
  'EDGEWISE_WEBHOOK_PATHS',
  'EDGEWISE_WEBHOOK_SECRET',
])

/** Whether a list has names, and every one is valid. */
function isListOf(text: string, isValid: (name: string) => boolean): boolean {
  const names = splitNames(text)
  return names.length > 0 && names.every(isValid)
}

/** The team's domain and the application's audience. */
const ACCESS = /^\s*[\w-]+(?:\.[\w-]+)+\s+\S+\s*$/

/**
 * A scheme in lower case, as the URL parser writes it, that can belong to a client: none of the web, which run or show
 * content, none of a protocol or a mail program, and none that opens a part of the system.
 */
const SCHEME =
  /^(?!(?:https?|javascript|vbscript|data|blob|about|file|filesystem|view-source|s?ftps?|wss?|ssh|telnet|smb|nfs|ldaps?|mailto|tel|sms|intent|content|shell|search|jar|res|mhtml|its|chrome|chromium|edge|moz-.*|.*-extension|microsoft.*|ms|ms-.*|x-.*|.*-ms)$)[a-z][a-z\d+.-]*$/

/** Whether a browser could send this text in `Origin`; those of extensions have a scheme of their own. */
function isOrigin(text: string): boolean {
  const url = URL.parse(text)
  return url !== null && text === `${url.protocol}//${url.host}` && /^[^*]+$/.test(url.host)
}

const refuse = (message: string) =>
  Response.json({ code: 'INVALID_CONFIG', message }, { status: 503 })
