/** Folders on disk: temporary ones, archives of them, and their contents. @module */

import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { expect, onTestFinished } from 'vitest'
import { ask } from './raw-http.ts'

export const temporaryFolder = () => mkdtempSync(join(tmpdir(), 'edgewise-e2e-'))

export const removeFolder = (path: string) => rmSync(path, { recursive: true, force: true })

/** A temporary folder that is removed after the test. */
export function scratch(): string {
  const path = temporaryFolder()
  onTestFinished(() => removeFolder(path))
  return path
}

/** A file, or a folder, whose name ends in a slash and whose time is ignored. */
export interface Found {
  readonly name: string
  readonly bytes: Buffer
  /** Seconds since 1970. */
  readonly mtime: number
  /** Whether its owner may execute it. */
  readonly executable: boolean
}

/** Everything below a folder, in order. */
export function contentsOf(folder: string): Found[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .map((entry): Found => {
      const path = join(entry.parentPath, entry.name)
      const name = relative(folder, path)
      if (entry.isDirectory())
        return { name: `${name}/`, bytes: Buffer.alloc(0), mtime: 0, executable: false }
      const { mtimeMs, mode } = statSync(path)
      const facts = { mtime: Math.floor(mtimeMs / 1000), executable: (mode & 0o100) !== 0 }
      return { name, bytes: readFileSync(path), ...facts }
    })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
}

/** Every path, every byte, and the time and the executable bit of every file. */
export function expectSame(found: readonly Found[], wanted: readonly Found[]): void {
  const facts = ({ name, bytes, mtime, executable }: Found) => {
    return { name, size: bytes.length, mtime, executable }
  }
  expect(found.map(facts)).toEqual(wanted.map(facts))
  for (const [index, { name, bytes }] of found.entries())
    expect(wanted[index]?.bytes.equals(bytes), name).toBe(true)
}

/** What the `tar` of this machine writes to stdout, or its complaint as an error. */
export function tar(args: readonly string[], input?: Buffer): Buffer {
  const { status, stdout, stderr, error } = spawnSync('tar', args, { input, maxBuffer: 2 ** 30 })
  if (error) throw error
  if (status !== 0) throw new Error(`tar ${args.join(' ')}: ${stderr.toString()}`)
  return stdout
}

/** Unpacks an archive, and answers what was in it. */
export function unpacked(archive: Buffer): Found[] {
  const folder = temporaryFolder()
  try {
    tar(['-xf', '-', '-C', folder], archive)
    return contentsOf(folder)
  } finally {
    removeFolder(folder)
  }
}

export async function fetched(url: string): Promise<Buffer> {
  const response = await ask(url)
  if (!response.ok) throw new Error(`GET ${url}: ${response.status} ${await response.text()}`)
  return Buffer.from(await response.arrayBuffer())
}
