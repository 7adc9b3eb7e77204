/**
 * The licenses of what is bundled into a package. `test/e2e/packages.slow.test.ts` and
 * `test/e2e/edgewise-package.slow.test.ts` read them.
 *
 * @module
 */

import type { Metafile } from 'esbuild'
import { globSync, readFileSync } from 'node:fs'
import { z } from 'zod'
import { inProject, ROOT } from './settings.ts'

const PACKAGE = /node_modules\/((?:@[^/]+\/)?[^/]+)\/(?!.*node_modules\/)/

/** Returns the folders of the packages that bundles contain, below the project. */
export function bundledPackages(metafiles: readonly Metafile[]): string[] {
  const files = metafiles.flatMap(({ inputs }) => Object.keys(inputs))
  const folders = files.flatMap((file) => {
    const match = PACKAGE.exec(file)
    return match ? file.slice(0, match.index + match[0].length - 1) : []
  })
  return [...new Set(folders)].toSorted()
}

/** Writes the license of the project, and then those of bundled packages. */
export function writeLicenses(folders: readonly string[]): string {
  const own = readFileSync(inProject('LICENSE'), 'utf8')
  return [own, ...folders.map(describe)].join('')
}

const describe = (folder: string) =>
  `\n---\n\nThis package contains ${folder.replace(/^.*node_modules\//, '')}:\n\n${licenseOf(folder)}`

const manifest = z.object({ license: z.string() })

/** Some packages name their license, and have no text of it. */
function licenseOf(folder: string): string {
  const [file] = globSync(`${folder}/{LICEN[CS]E,licen[cs]e}*`, { cwd: ROOT }).toSorted()
  if (file !== undefined) return readFileSync(inProject(file), 'utf8')
  const { license } = manifest.parse(
    JSON.parse(readFileSync(inProject(folder, 'package.json'), 'utf8')),
  )
  return `Licensed under ${license}.\n`
}
