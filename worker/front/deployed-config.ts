/**
 * The deployed configuration, from the variable `EDGEWISE_CONFIG`.
 *
 * It overrides the defaults, and the configuration of a workspace overrides it. An invalid one must not fall
 * back to wider defaults, so nothing is served until it is corrected. The same holds for the other variables
 * that would otherwise be ignored in silence: apps would run nowhere, the owner could not sign in, and a listed page,
 * host or client would be refused. Tested by `test/worker/api/configured.test.ts`.
 *
 * @module
 */

import { DEFAULT_CONFIG, readConfig, type Config, type ConfigProblem } from '#core/config.ts'
import { err, ok, type Result } from '#core/result.ts'
import type { Env } from '../env.ts'
import { MAX_SECRET_LENGTH } from '../auth/limits.ts'
import { readHost, splitNames } from './guard.ts'
import { sandboxUrl } from './sandbox.ts'
import { webhookSettings } from '../webhook/settings.ts'

let known: { text: string; read: Result<Config, string> } | undefined

/** Returns the deployed configuration, parsed once for each text; the error says what is invalid. */
export function deployedConfig({ EDGEWISE_CONFIG: text }: Env): Result<Config, string> {
  if (text === undefined) return ok(DEFAULT_CONFIG)
  if (known?.text !== text) known = { text, read: read(text) }
  return known.read
}

/** Whether the deployed configuration is read-only, so that most workspaces offer no tool that changes files. */
export function isReadOnly(env: Env): boolean {
  const config = deployedConfig(env)
  return config.ok && config.value.read_only
}

function read(text: string): Result<Config, string> {
  try {
    const config = readConfig(JSON.parse(text), DEFAULT_CONFIG)
    return config.ok ? config : err(describe(config.error[0]))
  } catch {
    return err('it is not valid JSON')
  }
}

/** Anyone can read it, so it repeats no path and no pattern. */
const describe = ({ code, message, pointer }: ConfigProblem) =>
  code === 'INVALID_PATH' || code === 'INVALID_GLOB' ? `${code} at ${pointer}` : message

const checked = new WeakMap<Env, string | null>()

/** Returns the 503 that answers every request while one of these variables is invalid, or null. */
export function misconfigured(env: Env): Response | null {
  if (!checked.has(env)) checked.set(env, findInvalid(env))
  const invalid = checked.get(env) ?? null
  return invalid === null ? null : refuse(invalid)
}

/** Describes the first of these variables that is invalid. */
function findInvalid(env: Env): string | null {
  const config = deployedConfig(env)
  if (!config.ok)
    return `Cannot use EDGEWISE_CONFIG: ${config.error}. Set it to a valid configuration.`
  const webhook = webhookSettings(env)
  if (!webhook.ok) return webhook.error
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
    (text) => splitNames(text).every(isOrigin),
    'a name in it is no origin. Write each as https://site.example.',
  ],
  [
    'EDGEWISE_HOSTS',
    (text) => splitNames(text).every((name) => readHost(name) !== null),
    'a name in it is no host. Write each as files.example.',
  ],
  [
    'EDGEWISE_REDIRECT_SCHEMES',
    (text) => splitNames(text).every((name) => SCHEME.test(name)),
    'a name in it is no scheme of a client. Write each as my-client.',
  ],
  ['EDGEWISE_LOG', (text) => text === 'json', 'it is not json. Set it to json, or remove it.'],
]

/** The team's domain and the application's audience. */
const ACCESS = /^\s*[\w-]+(?:\.[\w-]+)+\s+\S+\s*$/

/** A scheme in lower case, as the URL parser writes it, and none of the web: those run or show content. */
const SCHEME =
  /^(?!(?:https?|javascript|vbscript|data|blob|about|file|filesystem|view-source)$)[a-z][a-z\d+.-]*$/

/** Whether a browser could send this text in `Origin`; those of extensions have a scheme of their own. */
function isOrigin(text: string): boolean {
  const url = URL.parse(text)
  return url !== null && text === `${url.protocol}//${url.host}` && url.host !== ''
}

const refuse = (message: string) =>
  Response.json({ code: 'INVALID_CONFIG', message }, { status: 503 })
