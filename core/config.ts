/**
 * Configuration: what the owner of a workspace may set, and the defaults.
 *
 * `config/fields.ts` describes each field once. The number 0 means "no limit" and ranks above every other
 * number. Untrusted input is parsed field by field on top of another configuration;
 * `test/core/config.test.ts` has the table.
 *
 * @module
 */

import { FIELD_NAMES, FIELDS, isField, isLimit } from './config/fields.ts'
import type { Config, FieldName, Values } from './config/fields.ts'
import { fail, MAX_PROBLEMS, topLevel } from './config/problem.ts'
import type { ConfigProblem, ConfigProblems } from './config/problem.ts'
import type { Glob } from './glob.ts'
import { isRecord } from './json.ts'
import type { StorePath } from './path.ts'
import { err, ok, type Result } from './result.ts'

export { restrictConfig, type Config, type Flags } from './config/fields.ts'
export type { ConfigProblem, ConfigProblems } from './config/problem.ts'
export type { Root } from './config/roots.ts'

/** What holds for a field that is not set. */
export const DEFAULT_CONFIG: Config = defaults()

function defaults(): Config {
  // The names are those of all fields.
  return Object.fromEntries(FIELD_NAMES.map((name) => [name, FIELDS[name].default])) as Values
}

/** The folder from which relative paths count. */
export function defaultRoot(config: Config): StorePath {
  return (config.roots.find((root) => root.default) ?? config.roots[0]).path
}

/**
 * Parses a configuration on top of another one: each given field replaces the field of `base`.
 *
 * @returns The configuration, or its problems: unknown fields first, then one of each invalid field.
 */
export function readConfig(value: unknown, base: Config): Result<Config, ConfigProblems> {
  if (!isRecord(value)) return err([fail('WRONG_TYPE', '', 'config must be an object').error])
  const problems = Object.keys(value).flatMap((key) => (isField(key) ? [] : [unknownField(key)]))
  let config = base
  for (const name of Object.keys(value).filter(isField)) {
    const next = withField(config, name, value[name])
    if (next.ok) config = next.value
    else problems.push(next.error)
  }
  const [first, ...rest] = problems
  return first ? err([first, ...rest.slice(0, MAX_PROBLEMS - 1)]) : ok(config)
}

/** Formats a configuration as JSON, which {@link readConfig} parses back. */
export function formatConfig(config: Config): Record<FieldName, unknown> {
  const patterns = (globs: readonly Glob[]) => globs.map((glob) => glob.pattern)
  const roots = config.roots.map(
    ({ path, default: first, approval, deny, allow, immutable, ...flags }) => ({
      path,
      default: first,
      approval,
      deny: patterns(deny),
      allow: patterns(allow),
      immutable: patterns(immutable),
      ...flags,
    }),
  )
  // The names are those of all fields.
  const values = Object.fromEntries(FIELD_NAMES.map((name) => [name, config[name]])) as Values
  return { ...values, roots }
}

function unknownField(key: string): ConfigProblem {
  return fail('UNKNOWN_FIELD', topLevel(key).pointer, `unknown config key: ${key}`).error
}

function withField(config: Config, name: FieldName, given: unknown): Result<Config, ConfigProblem> {
  if (given === undefined) return ok(config)
  const value = FIELDS[name].read(topLevel(name), given)
  if (!value.ok) return value
  const next = { ...config, [name]: value.value }
  const isDefault = isLimit(name) && value.value === FIELDS[name].default
  return ok(isDefault ? { ...next, chosen: [...(config.chosen ?? []), name] } : next)
}
