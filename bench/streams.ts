/**
 * Clients that listen for notifications, each on a connection of its own.
 *
 * @module
 */

import { connect, type Socket } from 'node:net'
import { modern } from './wire.ts'
import type { Server } from './workerd.ts'

/** Streams that are opened at the same time. */
const AT_ONCE = 50

const ACKNOWLEDGED = 'notifications/subscriptions/acknowledged'

/** Opens streams that listen to one file each. Returns how to close them. */
export async function openStreams(
  server: Server,
  uris: readonly string[],
): Promise<{ close(): void }> {
  const sockets: Socket[] = []
  for (let start = 0; start < uris.length; start += AT_ONCE) {
    const opening = uris.slice(start, start + AT_ONCE).map((uri) => openStream(server, uri))
    sockets.push(...(await Promise.all(opening)))
  }
  return { close: () => sockets.forEach((socket) => socket.destroy()) }
}

function openStream({ port }: Server, uri: string): Promise<Socket> {
  const { promise, resolve, reject } = Promise.withResolvers<Socket>()
  const socket = connect({ port, host: '127.0.0.1' })
  let received = ''
  socket.setEncoding('utf8').on('data', (text: string) => {
    if (received.includes(ACKNOWLEDGED)) return // what follows is not needed
    received += text
    if (received.includes(ACKNOWLEDGED)) resolve(socket)
  })
  socket.once('error', reject).once('close', () => {
    reject(new Error(`A stream was closed: ${received.slice(0, 400)}`))
  })
  socket.write(modern('subscriptions/listen', { notifications: { resourceSubscriptions: [uri] } }))
  return promise
}
