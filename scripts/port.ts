/**
 * Finds out whether a port can be had before anything is started, because the answer of the one
 * who starts is better than the stack trace of the one who fails to listen. Only loopback addresses
 * are ever used, so that nothing outside of this machine can reach the files.
 *
 * @module
 */

import { createServer } from 'node:net'
import { StartError } from './start-error.ts'

/** What `localhost` means to a browser. */
const LOOPBACK = ['127.0.0.1', '::1']

/** Ways of saying that this machine has no such address. */
const ABSENT = ['EADDRNOTAVAIL', 'EAFNOSUPPORT', 'EINVAL']

export function parsePort(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : 0
  if (port < 1 || port > 65_535)
    throw new StartError(`Cannot use PORT=${text}: a port is a number from 1 to 65535`)
  return port
}

/** The loopback addresses that this machine has, all of them free on the port. */
export async function loopbackHosts(port: number): Promise<string[]> {
  const hosts: string[] = []
  for (const host of LOOPBACK) {
    const code = await tryListen(host, port)
    if (code === null) hosts.push(host)
    else if (!ABSENT.includes(code)) throw new StartError(sentence(code, port))
  }
  return hosts
}

function sentence(code: string, port: number): string {
  if (code === 'EADDRINUSE')
    return `Cannot use port ${port}, it is taken. Choose another: PORT=${nextPort(port)} npm start`
  return `Cannot use port ${port} (${code}). Choose another: PORT=8787 npm start`
}

const nextPort = (port: number) => (port === 65_535 ? 8787 : port + 1)

/** Why nobody can listen there, or null. */
function tryListen(host: string, port: number): Promise<string | null> {
  const { promise, resolve } = Promise.withResolvers<string | null>()
  const server = createServer()
  server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message))
  server.listen({ host, port }, () => server.close(() => resolve(null)))
  return promise
}
