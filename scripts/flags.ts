/**
 * Parses the command line of `npm start`. What restricts the configuration becomes the variable `EDGEWISE_FLAGS` of the
 * Worker, which meets it with every workspace's rules. Tested by `test/flags.test.ts` and `test/e2e/flags.test.ts`.
 *
 * @module
 */

import { parseArgs } from 'node:util'
import { HOST_SETTING_NAMES, isHostSetting } from '../core/apps/host-settings.ts'
import { DEFAULT_CONFIG, readConfig, type Config } from '../core/config.ts'
import { isWidest } from '../core/config/fields.ts'
import { parseFieldText, variableOf } from '../core/config/text.ts'
import { UserError } from './errors.ts'
import { FLAGS, type Flag } from './flag-table.ts'
import { commandFor } from './invocation.ts'
import { nearestName } from './nearest.ts'
import { APP_HOST_VARIABLE, FLAGS_VARIABLE } from './variables.ts'

/** What a command line says. */
export interface CommandLine {
  /** The flags of the program with their values; one without a value has an empty one. */
  readonly program: ReadonlyMap<string, string>
  /** The fields that restrict every workspace; null without any. */
  readonly restrictions: Readonly<Record<string, unknown>> | null
  /** What the console may set at most, as a host of apps; null without any. */
  readonly appHost: Readonly<Record<string, number>> | null
  /** The flags that restrict, as they were given. */
  readonly given: readonly string[]
}

/** A flag with its value, as it was written. */
interface Given {
  readonly flag: Flag
  readonly value: string
}

const HELP = `see ${commandFor('start', '--help')}`

/**
 * Parses a command line.
 *
 * @throws {UserError} For an argument, an unknown flag, or a value that is missing, invalid, repeated or without effect.
 */
export function parseFlags(args: readonly string[]): CommandLine {
  const options = Object.fromEntries(
    FLAGS.map(({ name, value }) => [
      name,
      { type: value === null ? 'boolean' : 'string' } as const,
    ]),
  )
  const settings = { strict: false, tokens: true, allowPositionals: true } as const
  const { tokens } = parseArgs({ args: [...args], options, ...settings })
  const given = tokens.flatMap((token) => {
    if (token.kind === 'option-terminator') return []
    if (token.kind === 'positional') throw unexpected(token.value)
    return [readToken(token)]
  })
  refuseRepeated(given)
  const restricting = given.filter(({ flag }) => flag.field !== null)
  return {
    program: new Map(
      given.flatMap(({ flag, value }) => (flag.field === null ? [[flag.name, value]] : [])),
    ),
    restrictions: restricting.length === 0 ? null : readRestrictions(restricting),
    appHost: readAppHost(given),
    given: restricting.map(write),
  }
}

/** Splits a command line into the flags that restrict, as `npm start` takes them, and the rest. */
export function splitFlags(args: readonly string[]): {
  readonly flags: readonly string[]
  readonly rest: readonly string[]
} {
  const restricting = new Map<string, string | null>(
    FLAGS.flatMap((flag) => (flag.field === null ? [] : [[`--${flag.name}`, flag.value] as const])),
  )
  const isFlag = args.map((arg, index) => {
    const before = args[index - 1] ?? ''
    return restricting.has(arg.replace(/=[^]*$/, '')) || Boolean(restricting.get(before))
  })
  return {
    flags: args.filter((_, index) => isFlag[index]),
    rest: args.filter((_, index) => !isFlag[index]),
  }
}

/** Returns the variables of an environment with what a command line restricts. */
export function withRestrictions(
  environment: NodeJS.ProcessEnv,
  { restrictions, appHost }: CommandLine,
): NodeJS.ProcessEnv {
  const added = { [FLAGS_VARIABLE]: restrictions, [APP_HOST_VARIABLE]: appHost }
  const given = Object.entries(added).filter(([, value]) => value !== null)
  for (const [name] of given)
    if (environment[name] !== undefined)
      throw new UserError(
        `Cannot use flags that restrict: the variable ${name} is set. Use one of the two`,
      )
  return {
    ...environment,
    ...Object.fromEntries(given.map(([name, value]) => [name, JSON.stringify(value)])),
  }
}

function readAppHost(given: readonly Given[]): CommandLine['appHost'] {
  const pairs = given.flatMap(({ flag, value }) => {
    const name = HOST_SETTING_NAMES.find((one) => one.replaceAll('_', '-') === flag.name)
    if (name === undefined) return []
    const most = /^\d+$/.test(value) ? Number(value) : null
    if (most === null || !isHostSetting(name, most))
      throw refuse(flag, value, 'it is no whole number within these bounds')
    return [[name, most] as const]
  })
  return pairs.length === 0 ? null : Object.fromEntries(pairs)
}

const unexpected = (text: string) =>
  new UserError(
    `Cannot use the argument ${text || '""'}: ${commandFor('start')} takes flags only. Remove it, or ${HELP}`,
  )

interface Token {
  readonly name: string
  readonly rawName: string
  readonly value: string | undefined
  readonly inlineValue: boolean | undefined
}

function readToken({ name, rawName, value, inlineValue }: Token): Given {
  const flag = FLAGS.find((one) => one.name === name && rawName === `--${name}`)
  if (!flag) throw unknownFlag(rawName, name)
  if (flag.value === null) return { flag, value: readSwitch(flag, value) }
  // What begins with -- is the next flag, unless it is written with =.
  if (value === undefined || (!inlineValue && value.startsWith('--')))
    throw refuse(flag, '', 'its value is missing')
  if (value.trim() === '') throw refuse(flag, '', 'its value is empty')
  return { flag, value }
}

function readSwitch(flag: Flag, value: string | undefined): string {
  if (value === undefined || value === 'true') return ''
  const reason = 'it takes no value'
  throw new UserError(
    `Cannot use --${flag.name}=${value}: ${reason}. Write --${flag.name}, or leave it out`,
  )
}

function unknownFlag(written: string, name: string): UserError {
  const nearest = nearestName(
    name,
    FLAGS.map((flag) => flag.name),
  )
  return new UserError(
    `Cannot use ${written}: there is no such flag. The nearest is --${nearest}; ${HELP}`,
  )
}

function refuseRepeated(given: readonly Given[]): void {
  for (const [index, { flag }] of given.entries())
    if (!flag.isList && given.slice(0, index).some((before) => before.flag === flag))
      throw new UserError(`Cannot use --${flag.name}: it is given twice. Write it once`)
}

function readRestrictions(given: readonly Given[]): Readonly<Record<string, unknown>> {
  const folders = given.filter(({ flag }) => flag.field === 'roots')
  const others = given.filter(({ flag }) => flag.field !== 'roots')
  const restrictions = {
    ...(folders.length > 0 && { roots: readFolders(folders) }),
    ...Object.fromEntries(others.map((one) => [one.flag.field, readValue(one)])),
  }
  const all = readConfig(restrictions, DEFAULT_CONFIG)
  if (all.ok) return restrictions
  throw new UserError(`Cannot use these flags: ${all.error[0].message}. Leave some out, or ${HELP}`)
}

function readValue({ flag, value }: Given): unknown {
  const { field } = flag
  if (field === null) return value
  const parsed = flag.value === null ? !flag.name.startsWith('no-') : parseFieldText(field, value)
  const config = check(flag, value, { [field]: parsed })
  if (isWidest(field, config))
    throw new UserError(
      `Cannot use --${flag.name} ${value}: it restricts nothing, and flags can only restrict. ` +
        `Leave it out, or set the variable ${variableOf(field)}`,
    )
  return parsed
}

/** Each list holds in each folder; without a folder, in the whole workspace. */
function readFolders(given: readonly Given[]): unknown {
  const valuesOf = (list: string | null) =>
    given.filter(({ flag }) => flag.list === list).map(({ value }) => value)
  const lists = Object.fromEntries(
    given.flatMap(({ flag }) => (flag.list === null ? [] : [[flag.list, valuesOf(flag.list)]])),
  )
  const paths = valuesOf(null)
  for (const { flag, value } of given) {
    if (flag.list !== null) check(flag, value, { roots: [{ path: '/', [flag.list]: [value] }] })
    else if (value.startsWith('/')) check(flag, value, { roots: [{ path: value }] })
    else throw refuse(flag, value, 'its path does not begin with /')
  }
  return (paths.length > 0 ? paths : ['/']).map((path) => ({ path, ...lists }))
}

function check(flag: Flag, value: string, document: unknown): Config {
  const read = readConfig(document, DEFAULT_CONFIG)
  if (read.ok) return read.value
  throw refuse(flag, value, read.error[0].message)
}

function refuse(flag: Flag, value: string, reason: string): UserError {
  const written = `--${flag.name}${value === '' ? '' : ` ${value}`}`
  return new UserError(
    `Cannot use ${written} (${flag.what}): ${reason}. Write it as in --${flag.name} ${flag.example}`,
  )
}

const write = ({ flag, value }: Given) => `--${flag.name}${value === '' ? '' : ` ${value}`}`
