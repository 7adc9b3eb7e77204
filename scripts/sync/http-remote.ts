/**
 * A workspace over HTTP, as the owner or through a session link. Tested by `test/e2e/sync.test.ts` against the product, and
 * by `test/e2e/sync-attacks.slow.test.ts` against a hostile server.
 *
 * @module
 */

import { list, readChanges, wait } from './http-changes.ts'
import type { Ends } from './http-context.ts'
import { read, readAll, remove, write, writeMany } from './http-files.ts'
import type { Remote } from './remote.ts'
import { isLink, type Send } from './requests.ts'

/** Opens a workspace. */
export function createHttpRemote(ends: Ends, send: Send): Remote {
  const context = { ...ends, send }
  return {
    takesArchives: !isLink(ends.base),
    list: () => list(context),
    changes: (after) => readChanges(context, after),
    wait: (after, signal) => wait(context, after, signal),
    read: (name) => read(context, name),
    readAll: (take) => readAll(context, take),
    write: (name, local, options) => write(context, { name, local }, options),
    remove: (name, version) => remove(context, name, version),
    writeMany: (files, after) => writeMany(context, files, after),
  }
}
