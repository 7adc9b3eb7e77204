/**
 * Asks before an import replaces files of the workspace: those that have the same path and another content. Tested by
 * `test/e2e/import.slow.test.ts`.
 *
 * @module
 */

import { createInterface } from 'node:readline/promises'
import { resolvePath } from '../../core/path.ts'
import { printable, UserError } from '../errors.ts'
import { commandFor } from '../invocation.ts'
import { hashFile } from '../sync/disk.ts'
import { createHttpRemote } from '../sync/http-remote.ts'
import type { RemoteFile } from '../sync/plan.ts'
import { createSend } from '../sync/requests.ts'
import type { ImportJob } from './arguments.ts'
import type { Item } from './scan.ts'
import type { Credentials } from './sign-in.ts'

/** Most names that are listed. */
const MAX_LISTED = 20

/**
 * Whether the import may go on: nothing is replaced, or the person agrees.
 *
 * @throws {UserError} If files would be replaced, and there is no terminal to ask at.
 */
export async function confirmOverwrites(
  { base, to, folder }: ImportJob,
  items: readonly Item[],
  credentials: Credentials,
): Promise<boolean> {
  const path = resolvePath(to)
  // The server has taken it as a path already.
  if (!path.ok) return true
  const send = createSend(base, undefined, credentials)
  const { files } = await createHttpRemote({ base, to: path.value, folder }, send).list()
  const names: string[] = []
  for (const item of items) {
    const there = item.type === 'file' && files.get(item.name.normalize('NFC'))
    if (there && !(await isSame(item, there))) names.push(item.name)
  }
  return names.length === 0 || ask(names)
}

/** A file that cannot be read is not sent either. */
async function isSame({ size, path }: Item, there: RemoteFile): Promise<boolean> {
  if (there.size !== size) return false
  return hashFile(path).then(
    (hash) => hash === there.hash,
    () => true,
  )
}

async function ask(names: readonly string[]): Promise<boolean> {
  const listed = names.slice(0, MAX_LISTED).map((name) => `  ${JSON.stringify(name)}`)
  if (names.length > MAX_LISTED) listed.push(`  and ${names.length - MAX_LISTED} more`)
  const count = names.length === 1 ? '1 file' : `${names.length} files`
  if (!process.stdin.isTTY || !process.stdout.isTTY)
    throw new UserError(
      `Cannot import: ${count} of the workspace would be replaced by another content. Repeat it with --overwrite, or use ${commandFor('sync')}:\n${listed.join('\n')}`,
    )
  console.log(printable(`This replaces ${count} of the workspace:\n${listed.join('\n')}`))
  const lines = createInterface({ input: process.stdin, output: process.stdout })
  try {
    return /^y(?:es)?$/i.test((await lines.question('Replace? [y/N] ')).trim())
  } finally {
    lines.close()
  }
}
