/** A free port, for a server that a test or the benchmark starts. @module */

import { once } from 'node:events'
import { createServer } from 'node:net'

/** A TCP port of 127.0.0.1 that nobody listened on a moment ago. */
export async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const address = probe.address()
  probe.close()
  await once(probe, 'close')
  if (address === null || typeof address === 'string') throw new Error('A server has a port')
  return address.port
}
