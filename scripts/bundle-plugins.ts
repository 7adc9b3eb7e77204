/**
 * esbuild plugins that leave unused parts of libraries out of the Worker's bundle, or replace them
 * by platform features. Each fails if it does not find the part.
 *
 * @module
 */

import { basename } from 'node:path'
import type { Plugin } from 'esbuild'
import { readFileSync } from 'node:fs'
import { inProject } from './settings.ts'

/**
 * Replaces the SDK's JSON Schema validator, which is for elicitation by a server. This server sends
 * no elicitation; code that used the validator would throw.
 */
export const removeValidator: Plugin = {
  name: 'remove-validator',
  setup(build) {
    build.onLoad({ filter: /cfWorkerProvider-\w+\.mjs$/ }, ({ path }) => ({
      contents: VALIDATOR.replace('NAME', exportedName(path)),
    }))
  },
}

const VALIDATOR = `class Validator { getValidator() { throw new Error('The validator is not part of this bundle') } }
export { Validator as NAME }`

/**
 * Returns the name under which the SDK's chunk exports its validator; it can differ between
 * releases.
 */
function exportedName(path: string): string {
  const name = /export \{[^}]* as (\w+) \}/.exec(readFileSync(path, 'utf8'))?.[1]
  if (name === undefined) throw new Error(`Cannot read what ${path} exports`)
  return name
}

/**
 * Replaces the regular expression engine's Unicode tables, a fifteenth of the whole Worker, by the
 * platform's. `test/conformance/unicode.slow.test.ts` compares the two, table by table.
 */
export const replaceTables: Plugin = {
  name: 'replace-tables',
  setup(build) {
    build.onLoad({ filter: /re2js\/build\/index\.js$/ }, ({ path }) => ({
      contents: `import { rangesOf } from '${UNICODE}'\n${onPlatform(readFileSync(path, 'utf8'))}`,
    }))
  },
}

const UNICODE = inProject('worker/search/unicode.ts')

const TABLE =
  /^\t\t(\w+): \(\) => new UnicodeRangeTable\(decodeRanges\("[^"]*", (?:true|false)\)\)/gm

/** Categories and binary properties keep their names; scripts get the prefix `sc=`. */
function onPlatform(engine: string): string {
  const scripts = engine.indexOf('static SCRIPTS = ')
  const folds = engine.indexOf('static FOLD_CATEGORIES = ')
  if (scripts < 0 || folds < scripts) throw new Error('Cannot find the tables of the regex engine')
  const replaced = (text: string, prefix: string) =>
    text.replace(
      TABLE,
      (_, name) => `${name}: () => new UnicodeRangeTable(rangesOf('${prefix}${name}'))`,
    )
  return (
    replaced(engine.slice(0, scripts), '') +
    replaced(engine.slice(scripts, folds), 'sc=') +
    engine.slice(folds)
  )
}

const RESULTS = inProject('worker/mcp/static-results.ts')

/**
 * Puts results that never change in place of the module that writes them. `test/e2e/tool-list.test.ts` compares the
 * list of tools with that of an object, which builds it.
 */
export const writeResults: Plugin = {
  name: 'write-results',
  setup(build) {
    build.onLoad({ filter: /worker\/mcp\/static-results\.ts$/ }, async () => {
      // Not a literal: types of the Worker do not belong to a program that only builds it.
      const results: Record<string, () => string> = await import(RESULTS)
      const written = Object.entries(results).map(
        ([name, write]) => `export const ${name} = () => ${JSON.stringify(write())}`,
      )
      return { contents: written.join('\n') }
    })
  },
}

/** Keeps dynamically imported modules as separate files in the same folder. */
export const keepLateModules: Plugin = {
  name: 'keep-late-modules',
  setup(build) {
    build.onResolve({ filter: /\.ts$/ }, ({ kind, path }) =>
      kind === 'dynamic-import'
        ? { path: `./${basename(path, '.ts')}.js`, external: true }
        : undefined,
    )
  },
}
