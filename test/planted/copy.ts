/**
 * A copy of the project in a temporary folder, in which faults are planted. The project itself is only read.
 *
 * @module
 */

import { execFileSync } from 'node:child_process'
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { inProject, ROOT } from '../../scripts/settings.ts'
import type { Fault } from './fault.ts'

/** A copy of the project. */
export interface ProjectCopy {
  readonly root: string
  /** Changes a file of the copy. Returns the function that takes the change back. */
  readonly plant: (fault: Fault) => () => void
  readonly remove: () => void
}

/** Copies the files that git tracks or would track, and links the installed packages. */
export function copyProject(): ProjectCopy {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'edgewise-planted-')))
  for (const file of listFiles()) {
    mkdirSync(dirname(join(root, file)), { recursive: true })
    cpSync(inProject(file), join(root, file))
  }
  linkPackages(root)
  // Some tests ask git which files there are.
  git(['init', '--quiet'], root)
  git(['add', '--all'], root)
  return {
    root,
    plant: (fault) => plantIn(root, fault),
    remove: () => rmSync(root, { recursive: true, force: true, maxRetries: 5 }),
  }
}

function listFiles(): string[] {
  const args = ['ls-files', '-z', '--cached', '--others', '--exclude-standard', '--deduplicate']
  const deleted = new Set(git(['ls-files', '-z', '--deleted']))
  return git(args).filter((file) => !deleted.has(file))
}

/** Runs git. Returns what it lists, separated by NUL. */
const git = (args: readonly string[], cwd = ROOT) =>
  execFileSync('git', args, { cwd, encoding: 'utf8' }).split('\0').filter(Boolean)

/** One link for each package, not for the folder, so that what Vite writes beside them stays in the copy. */
function linkPackages(root: string): void {
  mkdirSync(join(root, 'node_modules'))
  for (const name of readdirSync(inProject('node_modules'))) {
    if (name.startsWith('.vite')) continue
    symlinkSync(inProject('node_modules', name), join(root, 'node_modules', name))
  }
}

function plantIn(root: string, { name, file, before, after }: Fault): () => void {
  const path = join(root, file)
  const text = readFileSync(path, 'utf8')
  if (text.split(before).length !== 2)
    throw new Error(`Cannot plant ${name}: its text does not occur exactly once in ${file}`)
  writeFileSync(
    path,
    text.replace(before, () => after),
  )
  return () => writeFileSync(path, text)
}
