/**
 * What is left out of the Worker's bundle: parts of libraries that we never reach, or that the
 * platform has anyway. Each plugin knows what it takes out, and fails when it does not find it.
 *
 * @module
 */

import { basename } from 'node:path'
import type { Plugin } from 'esbuild'
import { readFileSync } from 'node:fs'
import { inProject } from './settings.ts'

/**
 * The SDK brings a JSON Schema validator for answers to questions that a server asks its client. We
 * ask none, so it stays out; whoever asked for it would hear so.
 */
export const withoutValidator: Plugin = {
  name: 'without-validator',
  setup(build) {
    build.onLoad({ filter: /cfWorkerProvider-\w+\.mjs$/ }, ({ path }) => ({
      contents: VALIDATOR.replace('NAME', exportedName(path)),
    }))
  },
}

const VALIDATOR = `class Validator { getValidator() { throw new Error('There is no validator here') } }
export { Validator as NAME }`

/** Under which name the SDK's chunk exports its validator; a new release may choose another. */
function exportedName(path: string): string {
  const name = /export \{[^}]* as (\w+) \}/.exec(readFileSync(path, 'utf8'))?.[1]
  if (name === undefined) throw new Error(`Cannot read what ${path} exports`)
  return name
}

/**
 * The regex engine's tables of Unicode properties are a fifteenth of the whole Worker, and the
 * platform knows the same: `test/slow/unicode.test.ts` compares the two, table by table.
 */
export const withoutTables: Plugin = {
  name: 'without-tables',
  setup(build) {
    build.onLoad({ filter: /re2js\/build\/index\.js$/ }, ({ path }) => ({
      contents: `import { rangesOf } from '${UNICODE}'\n${onPlatform(readFileSync(path, 'utf8'))}`,
    }))
  },
}

const UNICODE = inProject('worker/search/unicode.ts')

const TABLE =
  /^\t\t(\w+): \(\) => new UnicodeRangeTable\(decodeRanges\("[^"]*", (?:true|false)\)\)/gm

/** Categories and binary properties are named as they are, scripts with their prefix. */
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

/** What is imported late is a file of its own, in the same folder. */
export const lateApart: Plugin = {
  name: 'late-apart',
  setup(build) {
    build.onResolve({ filter: /\.ts$/ }, ({ kind, path }) =>
      kind === 'dynamic-import'
        ? { path: `./${basename(path, '.ts')}.js`, external: true }
        : undefined,
    )
  },
}
