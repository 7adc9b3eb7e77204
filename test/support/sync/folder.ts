/** A folder on disk for tests of a sync, and what is in it. @module */

import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { STAGE_FOLDER, STATE_FILE } from '../../../scripts/sync/names.ts'

export const makeFolder = () => mkdtempSync(join(tmpdir(), 'edgewise-sync-'))

export const removeFolder = (path: string) => rmSync(path, { recursive: true, force: true })

/** Writes a file as a person does; false if a folder or a file is in the way. */
export function writeText(folder: string, name: string, text: string, executable = false): boolean {
  const path = join(folder, name)
  try {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text)
    chmodSync(path, executable ? 0o755 : 0o644)
    return true
  } catch {
    return false
  }
}

/** The files of a folder by their names, without what belongs to sync. */
export function readTexts(folder: string): Map<string, string> {
  const found = new Map<string, string>()
  for (const [name, text] of readAll(folder))
    if (name !== STATE_FILE && !name.startsWith(`${STAGE_FOLDER}/`)) found.set(name, text)
  return found
}

/** All files of a folder by their names. */
export function readAll(folder: string): Map<string, string> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
  return new Map(
    entries
      .filter((entry) => entry.isFile())
      .map((entry) => {
        const path = join(entry.parentPath, entry.name)
        return [relative(folder, path), readFileSync(path, 'utf8')]
      }),
  )
}

export const isExecutable = (folder: string, name: string) =>
  (lstatSync(join(folder, name)).mode & 0o100) !== 0
