/**
 * Installs the clients as their lock file says, unless that has been done; with a folder as argument, what its lock file
 * says.
 *
 * `overrides` in their `package.json` puts a tiny package in the place of two that mcp-use brings for
 * servers, and keeps one rolldown: their builds for other systems are many.
 *
 * @module
 */

import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const FOLDER = process.argv[2] ?? import.meta.dirname
const MARK = join(FOLDER, 'node_modules/.lock-digest')

const digest = createHash('sha256')
  .update(readFileSync(join(FOLDER, 'package-lock.json')))
  .digest('hex')

function installed(): string | undefined {
  try {
    return readFileSync(MARK, 'utf8')
  } catch {
    return undefined
  }
}

if (installed() !== digest) {
  // Scripts of packages of others have no business on this machine; none of the clients needs its own.
  const args = ['ci', '--prefix', FOLDER, '--ignore-scripts', '--no-audit', '--no-fund']
  const { status } = spawnSync('npm', args, { stdio: 'inherit' })
  if (status === 0) writeFileSync(MARK, digest)
  process.exitCode = status ?? 1
}
