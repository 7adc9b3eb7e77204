/** Finds a free port for a server of a test or benchmark. @module */

import { once } from 'node:events'
import { createServer } from 'node:net'

/** Returns a TCP port of 127.0.0.1 that was free a moment ago. */
export async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const address = probe.address()
  probe.close()
  await once(probe, 'close')
  if (address === null || typeof address === 'string') throw new Error('A server has a port')
  return address.port
}
