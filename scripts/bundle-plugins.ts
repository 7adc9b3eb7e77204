/**
 * esbuild plugins that leave unused parts of libraries out of the Worker's bundle, or replace them
 * by platform features. Each fails if it does not find the part.
 *
 * @module
 */

import { basename } from 'node:path'
import type { Plugin } from 'esbuild'
import { readFileSync } from 'node:fs'
import { MODULE_EXTENSION } from './built.ts'
import { inProject, ROOT } from './settings.ts'

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

/**
 * Puts what never changes in place of the modules that write it. `test/e2e/tool-list.test.ts` compares the list of
 * tools with that of an object, which puts it together.
 */
export const writeResults: Plugin = {
  name: 'write-results',
  setup(build) {
    build.onLoad({ filter: /worker\/mcp\/static-(?:results|schemas)\.ts$/ }, async ({ path }) => {
      // Not a literal: types of the Worker do not belong to a program that only builds it.
      const results: Record<string, () => string> = await import(path)
      const written = Object.entries(results).map(
        ([name, write]) => `export const ${name} = () => ${JSON.stringify(write())}`,
      )
      return { contents: written.join('\n') }
    })
  },
}

/** What classic zod, which the SDK needs, converts schemas with: the build has written all that are needed. */
const CONVERTER = /zod\/v4\/core\/(?:json-schema-processors|to-json-schema)\.js$/

/** Leaves the converter of zod’s schemas to JSON Schema out of the Worker. Other bundles may convert schemas. */
export const removeConverter: Plugin = {
  name: 'remove-converter',
  setup(build) {
    build.onLoad({ filter: CONVERTER }, ({ path }) => {
      const exports = readFileSync(path, 'utf8').matchAll(/^export (?:const|function) (\w+)/gm)
      const names = [...exports].map(([, name]) => `refuse as ${name}`)
      if (names.length === 0) throw new Error(`Cannot read what ${path} exports`)
      return { contents: `${REFUSE}\nexport { ${names.join(', ')} }` }
    })
  },
}

const REFUSE = `const refuse = () => { throw new Error('The converter of schemas is not part of this bundle') }`

const WEBAUTHN = /@simplewebauthn\/server\/esm\/.*\.js$/

/** What is put in place of modules of the WebAuthn library. */
const REPLACED: readonly (readonly [file: RegExp, contents: (name: string) => string])[] = [
  [/\/verifyAttestation\w+\.js$/, (name) => `export const ${name} = async () => true`],
  [
    /\/convertX509PublicKeyToCOSE\.js$/,
    (name) =>
      `export function ${name}() { throw new Error('Certificates are not part of this bundle') }`,
  ],
  [/\/unwrapEC2Signature\.js$/, (name) => `export { ${name} } from '${ECDSA_SIGNATURE}'`],
]

const ECDSA_SIGNATURE = inProject('worker/passkeys/ecdsa-signature.ts')

/** Marks an import that the plugin itself resolves. */
const RESOLVED = Symbol('resolved')

/**
 * Leaves attestations and certificates out of the WebAuthn library, most of it: no attestation is asked for, and
 * nothing depends on one, so a statement that comes all the same is not checked. The size limit fails if it does not
 * find them. `test/e2e/passkey-module.test.ts` compares what is built with the library.
 */
export const removeAttestations: Plugin = {
  name: 'remove-attestations',
  setup(build) {
    // Each of its modules is needed only for what it exports.
    build.onResolve(
      { filter: /^\.|^@simplewebauthn\/server$/ },
      async ({ path, importer, ...rest }) => {
        if (rest.pluginData === RESOLVED || !(path.startsWith('@') || WEBAUTHN.test(importer)))
          return
        const options = { ...rest, importer, pluginData: RESOLVED }
        return { path: (await build.resolve(path, options)).path, sideEffects: false }
      },
    )
    build.onLoad({ filter: WEBAUTHN }, ({ path }) => {
      const replaced = REPLACED.find(([file]) => file.test(path))
      return replaced && { contents: replaced[1](basename(path, '.js')), resolveDir: ROOT }
    })
  },
}

/** Keeps dynamically imported modules as separate files in the same folder. */
export const keepLateModules: Plugin = {
  name: 'keep-late-modules',
  setup(build) {
    build.onResolve({ filter: /\.ts$/ }, ({ kind, path }) =>
      kind === 'dynamic-import'
        ? { path: `./${basename(path, '.ts')}${MODULE_EXTENSION}`, external: true }
        : undefined,
    )
  },
}
